"""A plugin of pytest: packord takes the place of the package that `PACKORD_IN_PLACE_OF` names.

The name of this plugin is all that a suite gets; its files are not changed.
"""

import importlib
import inspect
import os
import sys

PLACES = {
    "ormsgpack": {"ormsgpack": "packord.compat.ormsgpack"},
    "msgpack": {
        "msgpack": "packord.compat.msgpack",
        "msgpack.ext": "packord.compat.msgpack.ext",
        "msgpack.exceptions": "packord.compat.msgpack.exceptions",
    },
    "msgspec": {"msgspec.msgpack": "packord.compat.msgspec"},
}
PLACE = os.environ["PACKORD_IN_PLACE_OF"]

for name, ours in PLACES[PLACE].items():
    module = sys.modules[name] = importlib.import_module(ours)
    package, _, part = name.rpartition(".")
    if package:
        setattr(sys.modules[package], part, module)


def pytest_collection_modifyitems(config, items):
    """Leaves out what is not about MessagePack, of a suite that has other formats too."""
    if PLACE != "msgspec":
        return
    chosen = [item for item in items if is_about_messagepack(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def is_about_messagepack(item):
    """Whether a test of msgspec's is in the file for MessagePack, or runs or names the module."""
    if item.path.name == "test_msgpack.py":
        return True
    formats = getattr(item, "callspec", None) and item.callspec.params.get("proto")
    if formats:
        return formats == "msgpack"
    return "msgspec.msgpack" in inspect.getsource(item.function)
