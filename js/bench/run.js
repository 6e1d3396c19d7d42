/**
 * Speed and size against the peers, interleaved in one process and measured in CPU time.
 *
 * Each row has separate processes. In a common process, the figures of a row depended on the rows
 * before it, which decide what V8 has compiled and for which shapes: they varied by a factor of 4.
 *
 * Prints a table and writes bench/results/results.json. QUICK=1 measures a few documents, in a
 * minute; ONLY=name measures the documents whose name contains it; ONLY=streams only the streams.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contestants, native, versions } from './contestants.js';
import { documents } from './documents.js';
import { heldOut } from './held-out.js';
import { QUICK, summary } from './measure.js';
import { streamTitles } from './streams.js';

const PROCESSES = QUICK ? 1 : 3;
const { ONLY } = process.env;
const QUICK_DOCUMENTS = ['study 8 kB', '100 bytes', '1000 events'];
const PART = fileURLToPath(new URL('part.js', import.meta.url));

/**
 * Returns the report of a process of one row. Then the process is killed, because it would wait for
 * what V8 compiles: minutes for the decoders with a thousand fields that msgpackr generates.
 */
async function part(mode, name) {
  const child = spawn(process.execPath, [PART, mode, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let line = '';
  for await (const output of child.stdout.setEncoding('utf8')) {
    line += output;
    if (line.endsWith('\n')) break;
  }
  child.kill('SIGKILL');
  await ended;
  if (!line.endsWith('\n')) throw new Error(`${mode}, ${name}: no report`);
  return JSON.parse(line);
}

/** Runs the processes of one row one after another, and returns their reports. */
async function parts(mode, name) {
  const reports = [];
  for (let i = 0; i < PROCESSES; i++) reports.push(await part(mode, name));
  return reports;
}

/** Returns the lowest minimum and the median of the medians of each packer. */
function merge(times) {
  return Object.fromEntries(
    Object.keys(times[0]).map((packer) => {
      const { min } = summary(times.map((part) => part[packer].min));
      const { median } = summary(times.map((part) => part[packer].median));
      return [packer, { min, median }];
    }),
  );
}

async function benchDocument(name, { kind }) {
  const modes = {};
  for (const mode of Object.keys(contestants)) {
    const measured = await parts(mode, name);
    modes[mode] = {
      pack: merge(measured.map(({ pack }) => pack)),
      unpack: merge(measured.map(({ unpack }) => unpack)),
      sizes: measured[0].sizes,
    };
  }
  return { name, kind, modes };
}

function best(times, names) {
  return Math.min(...names.filter((name) => name in times).map((name) => times[name].median));
}

const ratio = (us, them) => (them / us).toFixed(2).padStart(5);

function printDocument({ name, modes }) {
  const cells = [];
  for (const mode of ['plain', 'records', 'shared'])
    for (const direction of ['pack', 'unpack']) {
      const times = modes[mode][direction];
      cells.push(ratio(times.packord.median, best(times, ['msgpackr native', 'msgpackr portable'])));
    }
  for (const direction of ['pack', 'unpack']) {
    const times = modes.plain[direction];
    cells.push(ratio(times.packord.median, times['JSON Buffer'].median));
  }
  for (const mode of ['no eval', 'no eval, records'])
    for (const direction of ['pack', 'unpack']) {
      const times = modes[mode][direction];
      cells.push(ratio(times.packord.median, times['msgpackr no eval'].median));
    }
  console.log(`| ${name.padEnd(16)} | ${cells.join(' | ')} |`);
}

console.log(`msgpackr with its add-on: ${native}; node ${process.version}`);
console.log(
  'How many times faster packord is than the faster build of msgpackr, than JSON through a Buffer, and for the builds without eval.',
);
const heads = [
  'plain pack',
  'unpack',
  'records pack',
  'unpack',
  'shared pack',
  'unpack',
  'JSON pack',
  'unpack',
  'no eval pack',
  'unpack',
  'records pack',
  'unpack',
];
console.log(`| document | ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length + 1)}`);
const results = [];
for (const [name, document] of Object.entries({ ...documents, ...heldOut })) {
  if (ONLY === undefined ? QUICK && !QUICK_DOCUMENTS.includes(name) : !name.includes(ONLY)) continue;
  const result = await benchDocument(name, document);
  printDocument(result);
  results.push(result);
}
const streams = {};
if (ONLY === undefined || ONLY === 'streams')
  for (const title of streamTitles) {
    const times = merge(await parts('streams', title));
    streams[title] = times;
    if (times.packord !== undefined)
      console.log(
        `${title}: ${ratio(times.packord.median, times.msgpackr.median)} times msgpackr's, ${(1 / times.packord.median).toFixed(2)} M objects/s`,
      );
  }

const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL('results.json', folder),
  `${JSON.stringify({ node: process.version, quick: QUICK, versions, unit: 'microseconds of CPU time', results, streams }, null, 1)}\n`,
);
