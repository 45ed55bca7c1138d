"""What the staff share: roster, mail, drive, task board, notes, skills, talk, hiring."""
