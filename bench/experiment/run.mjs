// Is it worth switching from JSON to MessagePack? Runs `packord compare` on public documents of
// four kinds, and prints tables of sizes and of speed.
// Usage: node bench/experiment/run.mjs [KIND or DOCUMENT…]   (after `npm ci` in this folder; `make experiment` does both)
// With QUICK=1 in the environment it takes a minute, and omits brotli 11 and zstd 19.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const tool = join(here, "../../rust/target/release/packord");
const folder = mkdtempSync(join(tmpdir(), "packord-experiment-"));
const file = (name) => join(here, "node_modules", name);

// JSON must encode binary data as text; in MessagePack the same object is bytes.
const binary = join(folder, "binary.json");
const bytes = readFileSync(file("vega-datasets/data/flights-200k.arrow"));
writeFileSync(binary, JSON.stringify({ name: "flights-200k.arrow", data: { $bin: bytes.toString("base64") } }));

const DOCUMENTS = [
  ["text", "airports", file("airports/airports.json"), []],
  ["text", "mime-db", file("mime-db/db.json"), []],
  ["text", "movies", file("vega-datasets/data/movies.json"), []],
  ["numbers", "countries-50m", file("world-atlas/countries-50m.json"), []],
  ["numbers", "flights-20k", file("vega-datasets/data/flights-20k.json"), []],
  ["numbers", "earthquakes", file("vega-datasets/data/earthquakes.json"), []],
  ["binary", "flights-200k.arrow", binary, ["--conventions"]],
  ["many small messages", "airports", file("airports/airports.json"), ["--each"]],
  ["many small messages", "movies", file("vega-datasets/data/movies.json"), ["--each"]],
];
const QUICK = process.env.QUICK === "1" ? ["--quick"] : [];
const SLOW = QUICK.length ? [] : ["brotli 11", "zstd 19"];
const SHOWN = ["gzip 6", "gzip 9", "brotli 5", "zstd 3", ...SLOW, "zstd 3, dictionary"];
// Column, library, direction, and the library it is compared with. Only "owned against arena" compares unlike things.
const PAIRS = [
  ["read, owned: serde_json", "packord", "decode", "serde_json"],
  ["records read, owned: serde_json", "records", "decode", "serde_json"],
  ["read, Document: sonic-rs", "packord, Document", "decode", "sonic-rs"],
  ["read, owned against arena: sonic-rs", "packord", "decode", "sonic-rs"],
  ["write: serde_json", "packord", "encode", "serde_json"],
  ["write: sonic-rs", "packord", "encode", "sonic-rs"],
  ["records write: serde_json", "records", "encode", "serde_json"],
  ["records write: sonic-rs", "records", "encode", "sonic-rs"],
];

const size = (count) => (count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`);
const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map((_, index) => (index ? "---:" : "---"))), ...rows.map(row)].join("\n");

const sizes = [];
const speeds = [];
const asked = process.argv.slice(2);
for (const [kind, name, path, options] of DOCUMENTS) {
  if (asked.length && !asked.includes(kind) && !asked.includes(name)) continue;
  process.stderr.write(`${kind}: ${name}\n`);
  const found = JSON.parse(execFileSync(tool, ["compare", "--json", ...QUICK, ...options, path], { maxBuffer: 1 << 26 }));
  const json = found.formats[0];
  const ratio = (format, compressor) => {
    if (!compressor) return format.raw / json.raw;
    const index = found.compressors.indexOf(compressor);
    return index < 0 ? undefined : format.compressed[index] / json.compressed[index];
  };
  for (const format of found.formats.slice(1)) {
    // Within a single document, shared structures would be the document's own.
    if (format.name.includes("shared") && !options.includes("--each")) continue;
    const cells = [undefined, ...SHOWN].map((compressor) => ratio(format, compressor)?.toFixed(3) ?? "–");
    sizes.push([kind, `${name}, ${size(json.raw)}`, format.name.replace("MessagePack + ", "+ "), ...cells]);
  }
  const time = (library, direction) => found.speeds.find((speed) => speed.library === library)[direction].median_ns;
  const records = options.includes("--each") ? "packord, shared records" : "packord, records";
  const cells = PAIRS.map(([, library, direction, other]) => {
    const own = library === "records" ? records : library;
    return (time(own, direction) / time(other, direction)).toFixed(2);
  });
  speeds.push([kind, name, ...cells]);
}
rmSync(folder, { recursive: true });
console.log(table(["kind", "document", "format", "raw", ...SHOWN], sizes));
console.log();
console.log(table(["kind", "document", ...PAIRS.map(([title]) => title)], speeds));
