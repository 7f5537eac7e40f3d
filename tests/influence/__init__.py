"""The influence function: worked examples, closed forms, limits of difference quotients, what is refused."""
