"""How good a model is at small things of an office: 55 situations, judged by rule."""
