// Is it worth switching from JSON to MessagePack? Runs `packord compare` on public documents of four kinds, and
// writes the shares of JSON's sizes and times to a file. `make experiment` makes the tables of the page from it.
// Usage: node bench/experiment/run.mjs FILE   (after `npm ci` in this folder)
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

const documents = DOCUMENTS.map(([kind, document, path, options]) => {
  process.stderr.write(`${kind}: ${document}\n`);
  const found = JSON.parse(execFileSync(tool, ["compare", "--json", ...QUICK, ...options, path], { maxBuffer: 1 << 26 }));
  const [json, ...formats] = found.formats;
  const each = options.includes("--each");
  const shares = {};
  for (const format of formats) {
    // Within a single document, shared structures would be the document's own.
    if (format.name.includes("shared") && !each) continue;
    const compressed = found.compressors.map((name, index) => [name, format.compressed[index] / json.compressed[index]]);
    const rounded = [["raw", format.raw / json.raw], ...compressed].map(([name, share]) => [name, Number(share.toFixed(3))]);
    shares[format.name.replace("MessagePack + ", "")] = Object.fromEntries(rounded);
  }
  const time = (library, direction) => found.speeds.find((speed) => speed.library === library)[direction].median_ns;
  const records = each ? "packord, shared records" : "packord, records";
  const times = PAIRS.map(([title, library, direction, other]) => {
    const own = library === "records" ? records : library;
    return [title, Number((time(own, direction) / time(other, direction)).toFixed(2))];
  });
  return { kind, document, json: json.raw, shares, times: Object.fromEntries(times) };
});
rmSync(folder, { recursive: true });
const lines = documents.map((document) => JSON.stringify(document)).join(",\n");
const dates = JSON.stringify([new Date().toISOString().slice(0, 10)]);
writeFileSync(process.argv[2], `{"dates": ${dates}, "documents": [\n${lines}\n]}\n`);
