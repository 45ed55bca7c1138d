"""What stands where a dialogue has nothing, since no provider takes an empty message."""

NO_OUTPUT = "(no output)"
NO_TEXT = "(empty message)"
NO_ANSWER = "(no answer)"
GO_ON = "Please continue."
LEFT_OUT = "(What was said before is left out.)"
NO_IMAGE = "[an image, which this model cannot see]"
JSON_ONLY = "Answer with one JSON object and nothing else. It must fit this schema:"
