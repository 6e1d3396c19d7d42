"""A plugin of pytest: packord takes the place of the package that `PACKORD_IN_PLACE_OF` names.

The name of this plugin is all that a suite gets; its files are not changed.
"""

import importlib
import os
import sys

PLACES = {
    "ormsgpack": {"ormsgpack": "packord.compat.ormsgpack"},
    "msgpack": {
        "msgpack": "packord.compat.msgpack",
        "msgpack.ext": "packord.compat.msgpack.ext",
        "msgpack.exceptions": "packord.compat.msgpack.exceptions",
    },
}

for name, ours in PLACES[os.environ["PACKORD_IN_PLACE_OF"]].items():
    sys.modules[name] = importlib.import_module(ours)
