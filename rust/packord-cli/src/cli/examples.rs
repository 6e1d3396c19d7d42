//! What stands below the options in `--help`: examples, and what they need to know.

/// The questions come before the list of commands: who has one need not read the rest.
pub(super) const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

pub(super) const QUESTIONS: &str = "\
What do you want to know?
  Which field takes most of this file?   packord stats FILE
  What is at byte 812?                   packord inspect --at 812 FILE
  What is in it?                         packord unpack --pretty FILE
  What is this one value?                packord get users[0].name FILE
  Is it broken, and where?               packord validate FILE
  Would MessagePack be smaller?          packord compare FILE.json";

pub(super) const EXIT_CODES: &str = "Exit codes: 0 fine (also when the reader of the output has gone), 1 the data is readable and the \
answer is no, 2 wrong usage, 3 input that is unreadable or invalid, or output that cannot be written.\n\
No FILE and - mean standard input. Input in gzip and zstd (known by their first bytes) and brotli (known by the ending .br) \
is decompressed on the way; offsets count the decompressed bytes.";

pub(super) const PACK: &str = "\
Examples:
  packord pack data.json -o data.msgpack
  packord pack --records data.json | gzip -9 > data.msgpack.gz
  packord pack --each --sequential events.json -o events.msgpack
  packord pack --from csv --sequential table.csv -o table.msgpack
  packord pack --shared keys.json log.ndjson -o log.msgpack
  echo '[1_u16, h''00ff'', timestamp(\"2026-01-02T03:04:05Z\")]' | packord pack --from diag

A cell of CSV that looks like a number of JSON is one, true and false are booleans, an empty
cell is nil; 007 is a text. A row has up to 32 MB.

What JSON cannot say, it says in these objects, which `unpack` writes:
  {\"$bin\": \"AP8=\"}               bytes, in base64
  {\"$ext\": [5, \"AA==\"]}          ext type and bytes
  {\"$timestamp\": \"2026-01-02T03:04:05.5Z\"}, or [seconds, nanoseconds] beyond the year 9999
  {\"$float\": \"nan\"}              also inf, -inf, nan(0x7ff8000000000001)
  {\"$str\": \"/w==\"}               a str that is not UTF-8, in base64
  {\"$key:5\": \"x\"}                a key that is not a str, in diagnostic notation
A str key that would be taken for one of these has one more $ in front: {\"$$bin\": 1}.";

pub(super) const UNPACK: &str = "\
Examples:
  packord unpack data.msgpack
  packord unpack --pretty data.msgpack.gz -o data.json
  packord unpack --records stream.msgpack | jq .name
  packord unpack --to diag data.msgpack

JSON keeps integers of any size as they are; floats always have a point or an exponent. What it
cannot say is written in the objects that `packord pack --help` lists, so that `pack` makes the
same values of it. With --strict such values end the command with exit code 1, as do integers
beyond 2^53 and keys that are there twice, which many readers of JSON do not keep.";

pub(super) const GET: &str = "\
Examples:
  packord get users[0].name data.msgpack
  packord get --raw 'users[*].email' data.msgpack | sort -u
  packord get --count 'events[*]' data.msgpack.gz
  packord get --keys . data.msgpack
  packord get --paths 'log[-10:].level' stream.msgpack
  packord get '$3[\"a key\"][key 5]' stream.msgpack

A path:  .name  or  [\"any text\"]  or  [key 5]   the entry with this key (behind `key`: notation)
         [3]  [-1]                             an element, from 0 or from the end
         [2:5]  [-3:]  [:10]                   elements from one index up to before another
         .*  or  [*]                           every element or entry
         $3 in front                           only the fourth message of a stream
Exit code 1 when nothing is there.";

pub(super) const INSPECT: &str = "\
Examples:
  packord inspect data.msgpack | less -R
  packord inspect --depth 2 data.msgpack
  packord inspect --at 812 data.msgpack
  packord inspect --html data.html data.msgpack
  packord inspect --range 0x300..0x400 --records data.msgpack
  printf '\\x93\\x01\\xa2hi\\xc0' | packord inspect

In invalid data, what is readable is shown first.";

pub(super) const VALIDATE: &str = "\
Examples:
  packord validate data.msgpack
  packord validate --canonical data.msgpack
  packord validate --quiet --duplicates *.msgpack && echo good
  packord validate --all damaged.msgpack
  packord validate --hints data.msgpack

Exit code 3 means that it is not valid MessagePack, 1 that it is, and that it fails what
--canonical or --duplicates ask for on top.";

pub(super) const DIFF: &str = "\
Examples:
  packord diff old.msgpack new.msgpack
  packord diff --bytes by-this-library.msgpack by-that-one.msgpack
  packord pack new.json | packord diff old.msgpack -

A line is + for what only the new file has, - for what only the old one has, ~ for values that
differ, and with --bytes = for equal ones in other formats. Exit code 1 when there are any. Both
files are held in memory. The order of a map's entries makes no difference.";

pub(super) const REPAIR: &str = "\
Examples:
  packord repair cut.msgpack -o whole.msgpack
  packord repair --partial cut.msgpack | packord unpack

Whole messages are copied as they are. What was cut is said on standard error. Exit code 3 when
nothing is whole.";

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

The field that takes the most is the first path below the containers that hold everything.
What records and float 32 save is measured by writing the values so; --quick leaves it out.";

pub(super) const COMPARE: &str = "\
Examples:
  packord compare data.json
  packord compare --quick --html report.html data.json
  packord compare --each events.ndjson
  packord sample | packord compare --json > figures.json

Sizes are those of the whole document, each also as a ratio to compact JSON under the same
compressor. brotli 11 and zstd 19 are left out above 32 MB. Speeds are medians of interleaved
rounds, from a buffer in memory into each library's values and back; the spread is the middle
half of the rounds. Documents up to 64 MB are measured for speed.";

pub(super) const SAMPLE: &str = "\
Examples:
  packord sample | packord compare --quick
  packord sample --seed 7 --size 10m -o events.json
  packord sample --lines --size 1g | packord pack -o events.msgpack";
