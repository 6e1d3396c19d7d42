/**
 * Measures columns: `node columns.js [DOCUMENT.json ...]`. Prints how fast writing and reading are,
 * relative to plain MessagePack of the same value (2.0: half the time), and how much faster one column is
 * read than the whole: for a table that it makes, and for the documents. Ends with geometric means.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Packr } from 'packord';
import { columns as byColumn, columnsOf } from 'packord/columns';
import { tools } from './documents.js';
import { measure } from './measure.js';

/** Twenty thousand rows of ids, times, numbers with two decimals, numbers of all bits and names. */
function readings() {
  const { random, int, pick } = tools(11);
  let time = 1_700_000_000_000;
  return Array.from({ length: 20_000 }, (_, id) => {
    time += 900 + int(200);
    const degrees = (int(6500) - 2000) / 100;
    return { id, time, degrees, noise: random(), place: pick(['Oslo', 'Graz', 'Bonn', 'Nice']) };
  });
}

/** The path of the longest column of numbers, which is the slowest to read. */
function longestNumbers(bytes) {
  if (bytes[0] < 0xc7 || bytes[0] > 0xc9) return undefined;
  const numbers = columnsOf(bytes).columns.filter(({ kind }) => /int|float|scaled/.test(kind));
  return numbers.sort((a, b) => b.n - a.n)[0]?.path;
}

function ratios(value) {
  const plain = new Packr();
  const columns = new Packr({ columns: byColumn });
  const plainBytes = Buffer.from(plain.pack(value));
  const columnBytes = Buffer.from(columns.pack(value));
  const longest = longestNumbers(columnBytes);
  const times = measure({
    writePlain: () => plain.pack(value),
    writeColumns: () => columns.pack(value),
    readPlain: () => plain.unpack(plainBytes),
    readColumns: () => columns.unpack(columnBytes),
    ...(longest && { oneColumn: () => columnsOf(columnBytes).column(longest).values() }),
  });
  const { writePlain, writeColumns, readPlain, readColumns, oneColumn } = times;
  return {
    plain: plainBytes.length,
    columns: columnBytes.length,
    write: writePlain.median / writeColumns.median,
    read: readPlain.median / readColumns.median,
    ...(oneColumn && { 'one column': readColumns.median / oneColumn.median }),
    'MB/s written': plainBytes.length / writeColumns.median,
  };
}

const documents = process.argv.slice(2);
const rows = { readings: ratios(readings()) };
for (const file of documents) rows[basename(file)] = ratios(JSON.parse(readFileSync(file, 'utf8')));
const mean = (part) => {
  const ratios = Object.values(rows).map((row) => row[part]);
  const logarithms = ratios.filter((ratio) => ratio !== undefined).map(Math.log);
  return Math.exp(logarithms.reduce((sum, logarithm) => sum + logarithm, 0) / logarithms.length);
};
const parts = ['write', 'read', 'one column'];
rows['geometric mean'] = Object.fromEntries(parts.map((part) => [part, mean(part)]));
for (const row of Object.values(rows))
  for (const [name, value] of Object.entries(row)) row[name] = Number(value.toPrecision(3));
console.table(rows);
