"""What must not change the answer: order, place, direction, scale, repetition, type of the input."""
