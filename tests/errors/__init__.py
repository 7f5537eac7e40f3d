"""Every documented error: its kind, where it points, what it shows and what it advises."""
