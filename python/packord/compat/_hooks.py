"""What the program's own functions raise, by way of packord."""

from __future__ import annotations

from packord import MsgpackDecodeError, MsgpackEncodeError


def raised_by_hook(error: MsgpackEncodeError | MsgpackDecodeError) -> BaseException:
    """The cause of an error. The error then has the cause of that, which it is raised from, and
    does not lead to it: that would be a cycle."""
    raised = error.__cause__
    assert raised is not None
    error.__context__ = None
    error.__cause__ = raised.__cause__
    return raised
