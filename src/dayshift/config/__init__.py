"""The office file and the home settings: schema, load, validate, comment-keeping edits."""
