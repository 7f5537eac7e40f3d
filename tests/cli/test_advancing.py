"""What a check that lasts says of its advance where standard error is no terminal."""

import pytest

from rkde.cli.advancing import PAUSE_SECONDS, plain_lines


def test_a_line_every_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 1.0, PAUSE_SECONDS, PAUSE_SECONDS + 1, 2 * PAUSE_SECONDS, 2 * PAUSE_SECONDS + 1])
    advance = plain_lines("claims", lambda: next(times))
    for done in range(1, 6):
        advance(done, 5)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "rkde: note: claims: 2 of 5",
        "rkde: note: claims: 4 of 5",
    ]
