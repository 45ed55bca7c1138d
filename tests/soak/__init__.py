"""Load and faults: a whole office at work while things are killed, cut off and filled up."""
