"""The HTTP face: one router file per page of the UI; nobody else speaks HTTP inward."""
