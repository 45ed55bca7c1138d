"""Who hears an event: state mask, salience, delivery table, then the agent's inbox."""
