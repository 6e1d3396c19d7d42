"""Records, a container file, and an error with its byte."""

import packord
from packord.container import Reader, Writer

rows = [{"id": n, "size": 9} for n in range(3)]
data = packord.packb(rows, records=True)
assert packord.unpackb(data, records=True) == rows
print("records", len(data))

with Writer("smoke-python.pkd") as writer:
    writer.write_many({"id": n} for n in range(1000))
ids = [row["id"] for row in Reader("smoke-python.pkd")]
print("container", len(ids), ids[-1])

try:
    packord.unpackb(b"\x92\x01\xa3A")
except packord.MsgpackDecodeError as error:
    print(f"{error.kind} at byte {error.offset} ({error.path})")
