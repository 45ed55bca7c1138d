"""Where commands run, one file per kind; nobody else starts processes or speaks ssh.

``kinds`` lists the kinds there are.
"""
