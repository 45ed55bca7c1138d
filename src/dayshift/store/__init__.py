"""The database: sessions, migrations, the append-only ledger; nobody else speaks SQL."""
