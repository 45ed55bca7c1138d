"""What an agent can do; thin: check arguments, call a facility or the computer, return a result."""
