"""Who may do what: people, roles, grants, and the guarded getters."""
