"""Office time: clock, calendar and shifts, fast-forward, timetable."""
