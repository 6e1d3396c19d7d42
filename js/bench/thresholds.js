/**
 * Measures the thresholds in the code: prints the time of both ways by length, in nanoseconds,
 * and the length from which the second way is faster.
 *
 * VERY_SHORT in encode/ScalarEncoder.ts, SHORT_STRING in wire/utf8.ts, CHECK_MAX in
 * decode/StringDecoder.ts, SHORT in wire/utf8.ts, MAX_WORDS_BYTES in wire/keys.ts, and COMPILE_AFTER and
 * COMPILE_SHARE in encode/shapes.ts and decode/objects.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'packord-thresholds-'));
const file = join(folder, 'wire.mjs');
const wire = ['platform', 'utf8', 'keys'].map((name) => `export * from './${name}.ts';`);
await build({
  stdin: {
    contents: `${wire.join('')}export * from '../encode/compile.ts';`,
    resolveDir: fileURLToPath(new URL('../src/wire', import.meta.url)),
  },
  bundle: true,
  define: { GENERATES_CODE: 'true' },
  format: 'esm',
  outfile: file,
});
const {
  shortString,
  writeAscii,
  asciiString,
  latin1String,
  writeUtf8,
  decodeHere,
  decodeLong,
  writeHere,
  keyBytes,
  keyWords,
  compileFields,
} = await import(pathToFileURL(file));
rmSync(folder, { recursive: true });

const MANY = 200;
const memory = Buffer.allocUnsafeSlow(1 << 20);
const view = new DataView(memory.buffer);
let sink = 0;

/** Nanoseconds of one call, the best of rounds in which both ways take turns. */
function compare(first, second) {
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 30; round++)
    [first, second].forEach((run, which) => {
      const before = process.hrtime.bigint();
      for (let k = 0; k < 20; k++) for (let i = 0; i < MANY; i++) sink += run(i);
      const ns = Number(process.hrtime.bigint() - before) / (20 * MANY);
      best[which] = Math.min(best[which], ns);
    });
  return best;
}

function table(title, names, lengths, make) {
  console.log(`\n${title}\n  length ${names.map((name) => name.padStart(18)).join('')}`);
  for (const length of lengths) {
    const times = compare(...make(length));
    const cells = times.map((ns) => ns.toFixed(1).padStart(18));
    console.log(`  ${String(length).padStart(6)} ${cells.join('')}`);
  }
}

const strings = (length, letter = 'x') =>
  Array.from({ length: MANY }, (_, i) =>
    Buffer.from(letter.repeat(length - 1) + String.fromCharCode(97 + (i % 26))).toString(),
  );

/** Writes strings one after another, and returns the start and end of each. */
function lay(list) {
  let at = 0;
  return list.map((string) => {
    const start = at;
    at += memory.write(string, at);
    return [start, at];
  });
}

for (const [script, letter] of [
  ['ASCII', 'x'],
  ['Japanese', '\u65e5'],
])
  table(`SHORT: writing ${script}`, ['in JavaScript', 'utf8Write'], [4, 8, 16, 24, 32, 48], (n) => {
    const list = strings(n, letter);
    return [(i) => writeHere(memory, list[i], 0, 0), (i) => writeUtf8(memory, list[i], 0)];
  });

table('VERY_SHORT: ASCII, one of 200 strings', ['in JavaScript', 'in a batch'], [4, 8, 12, 16, 32, 128], (length) => {
  const list = strings(length);
  const end = length * MANY;
  let waiting = [];
  return [
    (i) => writeAscii(memory, list[i], length, length * i),
    (i) => {
      waiting.push(list[i]);
      if (i < MANY - 1) return length;
      // All of them after their places, to which each is then copied.
      writeUtf8(memory, waiting.join(''), end);
      waiting = [];
      for (let at = 0; at < end; at += length) {
        const last = at + length - 8;
        for (let p = at; p < last; p += 8) view.setFloat64(p, view.getFloat64(end + p, true), true);
        if (last >= 0) view.setFloat64(last, view.getFloat64(end + last, true), true);
      }
      return length;
    },
  ];
});

table('SHORT_STRING: one string of ASCII', ['fromCharCode', 'latin1Slice'], [2, 4, 8, 12, 16], (length) => {
  const places = lay(strings(length));
  return [
    (i) => shortString(memory, places[i][0], length).length,
    (i) => latin1String(memory, places[i][0], places[i][1]).length,
  ];
});

table(
  'CHECK_MAX: ASCII of a message of 200 strings',
  ['check, substring', 'slice, count bytes'],
  [64, 128, 256, 512, 1024, 2048],
  (length) => {
    const places = lay(strings(length));
    let latin = '';
    let from = 0;
    let to = 0;
    return [
      (i) => {
        const [start, end] = places[i];
        if (i === 0 || end > to) {
          from = start;
          to = Math.min(start + (1 << 14), places[MANY - 1][1]);
          latin = latin1String(memory, from, to);
        }
        let bits = 0;
        for (let p = start; p < end - 3; p += 4) bits |= view.getInt32(p);
        return (bits & 0x80808080) === 0 ? latin.substring(start - from, end - from).length : 0;
      },
      (i) => asciiString(memory, places[i][0], places[i][1]).length,
    ];
  },
);

table('Japanese string', ['in JavaScript', 'utf8Slice'], [4, 16, 64, 256, 680], (length) => {
  const places = lay(strings(length, '\u65e5'));
  return [(i) => decodeHere(memory, view, ...places[i]).length, (i) => decodeLong(memory, ...places[i]).length];
});

table('MAX_WORDS_BYTES: a key', ['words', 'set'], [4, 8, 16, 24, 27], (length) => {
  const keys = strings(length).map((string) => keyBytes(string));
  const words = keys.map(keyWords);
  return [
    (i) => {
      const list = words[i];
      for (let k = 0; k < list.length; k++) view.setInt32(4 * k, list[k]);
      return length;
    },
    (i) => {
      memory.set(keys[i], 0);
      return length;
    },
  ];
});

const before = process.cpuUsage();
for (let i = 0; i < 300; i++) {
  const keys = Array.from({ length: 8 }, (_, k) => `key${k}of${i}`);
  compileFields(keys, keys.map(keyBytes));
}
const { user, system } = process.cpuUsage(before);
const micros = ((user + system) / 300).toFixed(1);
console.log(`\nCOMPILE_AFTER: generating an encoder of 8 keys: ${micros} microseconds of CPU time`);
if (sink === 0) throw new Error('nothing was measured');
