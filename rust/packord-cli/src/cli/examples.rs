//! The text after the options in `--help`: examples and notes.

/// The questions come before the commands: they answer most readers.
pub(super) const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

pub(super) const QUESTIONS: &str = "\
What do you want to know?
  What is this file, and is it valid?    packord validate FILE
  Which message is damaged, and where?   packord validate --all FILE
  Is it canonical?                       packord validate --canonical FILE
  Which path holds most bytes?           packord stats FILE
  What is at byte 812?                   packord inspect --at 812 FILE
  What is in it?                         packord unpack --pretty FILE
  What is this one value?                packord get users[0].name FILE
  Which users are over 30, as CSV?       packord unpack --where 'age > 30' --to csv FILE
  Which are the last ten messages?       packord get '$-10:' FILE
  How many have each level?              packord get . --group-by level --count FILE
  How long did each level take?          packord get . --group-by level --sum ms FILE
  What are its types in TypeScript?      packord schema --to typescript FILE
  What changed between two files?        packord diff OLD NEW
  How do JSON lines become MessagePack?  packord pack FILE.ndjson -o FILE
  How do I log rows and survive a crash? packord container create FILE.ndjson -o FILE.pkd
  Would MessagePack be smaller?          packord compare FILE.json";

pub(super) const EXIT_CODES: &str = "Exit codes: 0 success (also if the reader of the output closes it), 1 the data is readable and the \
answer is no, 2 invalid command line, 3 the input cannot be read or is not valid, or the output cannot be written.\n\
No FILE and - mean standard input. gzip and zstd (recognised by their first bytes) and brotli (recognised by the \
extension .br) are decompressed. Offsets count decompressed bytes. Sizes are in bytes; k, m and g are powers of 1000.";

pub(super) const PACK: &str = "\
Examples:
  packord pack data.json -o data.msgpack
  packord pack --records data.json | gzip -9 > data.msgpack.gz
  packord pack --each --sequential events.json -o events.msgpack
  packord pack --from csv --sequential table.csv -o table.msgpack
  packord pack --shared keys.json log.ndjson -o log.msgpack
  echo '[1_u16, h''00ff'', timestamp(\"2026-01-02T03:04:05Z\")]' | packord pack --from diag

CSV cells: a number in the syntax of JSON becomes a number, true and false become a bool, an empty \
cell becomes nil, and anything else (007 too) becomes a str. Maximum row size: 32 MiB.

These objects, which `unpack` writes, stand for values that JSON does not have:
  {\"$bin\": \"AP8=\"}               a bin, in base64
  {\"$ext\": [5, \"AA==\"]}          an ext: type and payload
  {\"$timestamp\": \"2026-01-02T03:04:05.5Z\"}, or [seconds, nanoseconds] outside the years 0 to 9999
  {\"$float\": \"nan\"}              also inf, -inf, nan(0x7ff8000000000001)
  {\"$key:5\": \"x\"}                a key that is not a str, in diagnostic notation
A str key that looks like one of these gets another $ in front: {\"$$bin\": 1}.";

pub(super) const UNPACK: &str = "\
Examples:
  packord unpack data.msgpack
  packord unpack --pretty data.msgpack.gz -o data.json
  packord unpack --records stream.msgpack | jq .name
  packord unpack --to diag data.msgpack
  packord unpack --where 'level == \"error\"' --sort-by at log.msgpack
  packord unpack --to csv --select id,name,boss.name users.msgpack -o users.csv

Tests, paths and entries are those of `packord get --help`.
The header of a table has the keys of the first 1,000 messages (or 16 MiB); another key after them \
is an error, so name the columns with --select. Cells: a str as it is, nothing for nil and what is \
missing, numbers, true and false as in JSON, a bin in base64, a timestamp in RFC 3339, nan, inf and \
-inf, anything else as JSON. Messages that are not maps have no header.

Integers of any size are written exactly. Floats always have a point or an exponent. Values that \
JSON does not have are written as the objects that `packord pack --help` lists, and `pack` reads \
them back as the same values. With --strict they end the command with exit code 1, and so do \
integers beyond 2^53 and duplicate keys, which many JSON readers do not preserve.";

pub(super) const GET: &str = "\
Examples:
  packord get users[0].name data.msgpack
  packord get --raw 'users[*].email' data.msgpack | sort -u
  packord get --count 'events[*]' data.msgpack.gz
  packord get --keys . data.msgpack
  packord get --paths 'log[-10:].level' stream.msgpack
  packord get '$3[\"a key\"][key 5]' stream.msgpack
  packord get 'users[?age > 30 && contains(name, \"a\")].{id, name}' data.msgpack
  packord get . --where 'level == \"error\"' log.msgpack
  packord get '$-10:' log.msgpack
  packord get . --where 'host in (\"a\", \"b\") && path =~ \"^/api/\"' log.msgpack
  packord get . --group-by level --count --avg ms --sort-by 'count desc, level' log.msgpack
  packord get 'tags[*]' --group-by @ --count log.msgpack
  packord get 'users[*]' --select id,boss.name --to csv data.msgpack

A path:  .name  or  [\"any str\"]  or  [key 5]    the entry with this key; after `key`: notation
         [3]  [-1]                             an element, counted from 0 or from the end
         [2:5]  [-3:]  [:10]                   the elements from one index to before another
         .*  or  [*]                           every element or entry
         ..name  ..[0]                         in the value and in all values within it
         [?TEST]                               the elements or entries for which a test holds
         .{id, boss: boss.name}  at the end    a new map
         $3  $-1  $2:5  $-10:  at the start    only these messages of a stream
A test:  age > 30   name == 'Ada'   b != null  compares with a number, a str, null, true, false
         at >= @2026-03-01T12:00:00Z           compares times; a date alone is its midnight in UTC
         ==  !=  <  <=  >  >=  &&  ||  !  ( )  as in most languages
         boss   @                              a path alone: the value exists; @ is the value itself
         contains(a, b)  starts_with(a, b)  ends_with(a, b)    of str; contains: of an array, too
         a in (1, 'x', b)   length(a) > 2      equal to one of them; elements, entries or characters
         a =~ '^\\d+$'   a =~ '(?i)ada'        matches a regular expression; in any case of letters
Entries: id, boss.name, boss: boss.name, all: tags[*]    as in .{ }; what selects nothing is null
The order: --where keeps messages, the path finds values in them, --count, --sum, --avg, --min and \
--max make one value of these or of each group, then --sort-by sorts (nil, bool, numbers, str, bin, \
arrays, maps, ext, times; no value last; equal values stay in their order), and --select makes maps.
Totals: --sum and --avg leave out what is not a number, --min and --max nil; null if nothing is left. A sum of \
integers is exact, beyond 64 bits too, and with a float among them it is a float.
A table has a row for each value: `packord unpack --help` says what is in its cells. \
Exit code 1 if there is no value at the path.";

pub(super) const INSPECT: &str = "\
Examples:
  packord inspect data.msgpack | less -R
  packord inspect --depth 2 data.msgpack
  packord inspect --at 812 data.msgpack
  packord inspect --html data.html data.msgpack
  packord inspect --range 0x300..0x400 --records data.msgpack
  printf '\\x93\\x01\\xa2hi\\xc0' | packord inspect

If the data is invalid, everything before the fault is shown.";

pub(super) const VALIDATE: &str = "\
Examples:
  packord validate data.msgpack
  packord validate --canonical data.msgpack
  packord validate --quiet --duplicates *.msgpack && echo good
  packord validate --all damaged.msgpack
  packord validate --hints data.msgpack
  packord validate --schema data.schema.json data.msgpack

Exit code 3: the input is not valid MessagePack. Exit code 1: it is valid, but not canonical \
(--canonical), with duplicate keys (--duplicates) or not as the schema says (--schema). A schema cannot \
refer to other files. Of a container file, its blocks are checked, and what its index says of them.";

pub(super) const DIFF: &str = "\
Examples:
  packord diff old.msgpack new.msgpack
  packord diff --bytes by-this-library.msgpack by-that-one.msgpack
  packord pack new.json | packord diff old.msgpack -

+ is a value of the new file only, - a value of the old file only, ~ a pair of different values, \
and, with --bytes, = a pair of equal values in different formats. Exit code 1 if there are \
differences. Both files are held in memory. The order of map entries is ignored. Messages and array \
elements are matched with their most similar counterparts. Numbers such as $3 and [3] count in the new file; in \
lines with - they count in the old one.";

pub(super) const REPAIR: &str = "\
Examples:
  packord repair damaged.msgpack -o repaired.msgpack
  packord repair --partial damaged.msgpack | packord unpack

Copies complete messages unchanged. After a fault it goes on at the next place where a message begins with the same \
byte as an earlier one, and two more follow. Standard error reports each fault \
and which bytes were dropped. After a fault of --sequential data nothing is kept. Exit code 3 if no \
message is complete.";

pub(super) const COMPLETIONS: &str = "\
Examples:
  packord completions bash > ~/.local/share/bash-completion/completions/packord
  packord completions zsh > ~/.zfunc/_packord
  packord completions fish > ~/.config/fish/completions/packord.fish";

pub(super) const MAN: &str = "\
Examples:
  packord man > packord.1
  packord man ~/.local/share/man/man1";

pub(super) const STATS: &str = "\
Examples:
  packord stats data.msgpack
  packord stats --depth 2 --top 50 data.msgpack.gz
  packord stats --html map.html data.msgpack
  packord stats --json data.msgpack | jq -r '.paths[1].path'

The largest field is the first path below those that contain all values. The size with records and float 32 is \
measured by writing the values; --quick leaves it out.";

pub(super) const COMPARE: &str = "\
Examples:
  packord compare data.json
  packord compare --quick --html report.html data.json
  packord compare --each events.ndjson
  packord sample | packord compare --json > figures.json

Sizes are those of the whole document, each also as a ratio to compact JSON with the same \
compressor. brotli 11 and zstd 19 are left out above 32 MiB, speed above 64 MiB; the maximum is \
256 MiB. Speeds are medians of interleaved rounds, from a buffer in memory to each library's \
values and back. The spread is the middle half of the rounds.";

pub(super) const SAMPLE: &str = "\
Examples:
  packord sample | packord compare --quick
  packord sample --seed 7 --size 10m -o events.json
  packord sample --lines --size 1g | packord pack -o events.msgpack";

pub(super) const SCHEMA: &str = "\
Examples:
  packord schema events.msgpack
  packord schema --sample 1000 log.msgpack
  packord schema --to json-schema log.msgpack -o log.schema.json
  packord validate --schema log.schema.json new.msgpack
  packord schema --to rust --name Event events.msgpack -o src/event.rs

A JSON Schema describes what `unpack` writes. An entry that some maps do not have is optional, and one \
that is nil in some maps can be nil. A str has a list of values if there are at most 16 of them, each seen ten \
times on average. Memory is bounded: a map with more than 256 keys, or with keys that are not str, is a \
map of any keys; 100,000 paths and 64 levels are told apart.";

/// What `view` says after its options: examples, then the keys from their table.
#[cfg(feature = "terminal")]
pub(super) fn view() -> String {
    format!(
        "Examples:
  packord view data.msgpack
  packord view --records data.msgpack.gz
  cat part-*.msgpack | packord view

Keys:
{}
Only what is on the screen is read, and what is before it. A fault is a row; after one that leaves \
the length of its value unknown, nothing more can be shown. Search and filter ignore case unless \
the search has a capital letter. Standard input and compressed data are first \
copied to a temporary file.",
        super::keys::list()
    )
}

#[cfg(not(feature = "terminal"))]
pub(super) fn view() -> String {
    crate::failure::Failure::built_without("terminal").to_string()
}

pub(super) const CONTAINER: &str = "\
Examples:
  packord container create log.ndjson -o log.pkd
  packord container info log.pkd
  packord unpack --where 'level == \"error\"' log.pkd
  packord repair damaged.pkd -o repaired.pkd

A container file (.pkd) holds rows or messages in blocks that are compressed one by one, with statistics \
and an index. Truncation or damage loses only the affected block. All commands that read MessagePack \
read container files too, from standard input as well: unpack, get, validate, stats, schema, inspect, \
view, diff, compare, repair.";

pub(super) const CONTAINER_CREATE: &str = "\
Examples:
  packord container create log.ndjson -o log.pkd
  packord container create --stats at,level --meta source=web-1 log.ndjson.gz -o log.pkd
  packord container create --from csv --codec deflate table.csv -o table.pkd
  packord container create measures.parquet -o measures.pkd
  tail -F app.log | packord container create --append --block-rows 1000 -o app.pkd

A table's rows are maps. A block is stored by column where that is smaller, and compressed. With --append, \
blocks are written as soon as they are full; if the program is killed, only the block that is not whole is \
lost. Statistics let `get` and `unpack` skip blocks. They skip most if the rows are sorted by what you ask for, or \
in the order of time.";

pub(super) const CONTAINER_CAT: &str = "\
Examples:
  packord container cat monday.pkd tuesday.pkd -o week.pkd

The new file has the header of the first one, with new sync bytes. Blocks are copied, and not unpacked. To print \
the rows of a file, use `packord unpack FILE`.";

pub(super) const CONTAINER_INFO: &str = "\
Examples:
  packord container info log.pkd
  packord container info --blocks log.pkd
  packord container info --json log.pkd | jq .rows

What is shown comes from the header and the index, so a large file takes no longer than a small one. All blocks \
are read and compared with their checksums if there is no index, if the file is compressed (log.pkd.gz) or a pipe \
(-), and with --blocks. Only `packord validate` unpacks them. Types and statistics are those of the index. Exit code 3 \
if damage was found.";

pub(super) const CONTAINER_COMPACT: &str = "\
Examples:
  packord container compact log.pkd -o log.compact.pkd
  packord container compact --codec zstd --level 19 log.pkd -o archive.pkd
  packord container compact part-*.pkd -o whole.pkd

Without --stats and --meta, those of the first file are kept.";

pub(super) const CONTAINER_SPLIT: &str = "\
Examples:
  packord container split --number 4 log.pkd
  packord container split --number 4 log.pkd -o part.pkd

Each range is a line: the first byte, and the one after the last. A block belongs to the range in \
which it begins, so `packord unpack --range A..B` of all ranges reads every row once. \
A compressed file (log.pkd.gz) is refused: no range of its bytes can be read by itself.";
