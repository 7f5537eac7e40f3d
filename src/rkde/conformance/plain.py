"""Numbers as JSON writes them: a float where that is the same number, otherwise its decimal digits."""

from rkde.adapter import Json, NumberToken


def plain_numbers(value: Json) -> Json:
    """Turn the texts of numbers into floats where that is the same number, else into decimal strings."""
    if isinstance(value, dict):
        return {key: plain_numbers(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain_numbers(entry) for entry in value]
    if isinstance(value, NumberToken):
        number = float(value)
        return number if repr(number) == value else str(value)
    return value
