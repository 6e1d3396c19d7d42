/**
 * A survey of many shapes, each a row: how many times faster packord is than the fastest of
 * msgpackr, with its add-on where it is installed, and @msgpack/msgpack. They take turns.
 *
 * Each row is measured twice: in a process of its own, as in run.js, and `together` with all
 * others in one process, as in a server, each after all others have run. There the documents of
 * run.js have rows as well, plain, with records and with shared structures.
 *
 * Prints a table and writes bench/results/survey.json. `node survey.js alone` and `node survey.js
 * together` print one half of it, and write nothing. QUICK=1 makes a rough run, and ONLY=pattern
 * measures the rows whose name matches the regular expression.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contestants, versions } from './contestants.js';
import { documents } from './documents.js';
import { heldOut } from './held-out.js';
import { QUICK, summary } from './measure.js';
import { shapeRows } from './shapes.js';
import { textRows } from './texts.js';

const ROUNDS = QUICK ? 5 : 15;
const WINDOW_US = QUICK ? 1500 : 3000;
/** Time to get warm: alone a function needs more, since no other one of its packer has run. */
const WARM_US = { alone: QUICK ? 60_000 : 200_000, together: QUICK ? 15_000 : 40_000 };
const FILE = fileURLToPath(import.meta.url);

/** Returns the packers of MessagePack among those of a mode of run.js. */
function packersOf(mode, value) {
  const found = Object.entries(contestants[mode](value));
  return found.filter(([name]) => /^packord|^msgpackr|^@msgpack/.test(name));
}

function cpu(run, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Returns the functions of a row: those that pack and those that unpack, by packer. */
function functionsOf(mode, value) {
  const functions = { pack: {}, unpack: {} };
  let size = 0;
  for (const [name, { pack, unpack }] of packersOf(mode, value)) {
    try {
      const bytes = Buffer.from(pack(value));
      unpack(bytes);
      size ||= bytes.length;
      // @msgpack/msgpack writes a Map as an empty object.
      if (bytes.length < size / 2) continue;
      functions.pack[name] = () => pack(value);
      functions.unpack[name] = () => unpack(bytes);
    } catch {
      // This packer has no such values.
    }
  }
  return functions;
}

/** Runs a function until it is warm, and returns how often it runs in a window. */
function warmUp(run, time) {
  let times = 1;
  let spent = 0;
  let last = 0;
  while (spent < time) {
    last = cpu(run, times);
    spent += last;
    if (last < WINDOW_US) times *= 2;
  }
  return Math.max(1, Math.round((times * WINDOW_US) / Math.max(last, 1)));
}

/** Returns the microseconds of each function, in rounds in which they take turns. */
function measure(functions, time) {
  const runs = Object.entries(functions).map(([name, run]) => ({
    name,
    run,
    times: warmUp(run, time),
    samples: [],
  }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { run, times, samples } of runs) samples.push(cpu(run, times) / times);
  return Object.fromEntries(runs.map(({ name, samples }) => [name, summary(samples)]));
}

function measureBoth({ pack, unpack }, time) {
  return { pack: measure(pack, time), unpack: measure(unpack, time) };
}

/** The rows by name: a value, and the mode of run.js whose packers pack it. */
const pattern = new RegExp(process.env.ONLY ?? '');
const shapes = Object.entries({ ...shapeRows, ...textRows }).map(([name, value]) => ({
  name,
  value,
  mode: 'plain',
}));
const served = Object.entries({ ...documents, ...heldOut }).flatMap(([name, { value }]) =>
  ['plain', 'records', 'shared'].map((mode) => ({ name: `${name}, ${mode}`, value, mode })),
);

/** Returns the process's own report of one row. */
function alone(name) {
  const { stdout } = spawnSync(process.execPath, [FILE, 'row', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(stdout);
}

/** Measures the rows in this process, and calls `done` with each. */
function together(rows, done) {
  const all = rows.map(({ name, value, mode }) => [name, functionsOf(mode, value)]);
  for (const [, { pack, unpack }] of all)
    for (const run of [...Object.values(pack), ...Object.values(unpack)]) warmUp(run, WARM_US.together);
  // Not where others have no such records: msgpackr fails where an object has thousands of keys.
  for (const [name, functions] of all)
    if (Object.keys(functions.pack).length > 1) done(name, measureBoth(functions, WARM_US.together));
}

/** The ratio of the fastest other packer's time to packord's, and which it is. */
function cell({ packord: own, ...others }) {
  const entries = Object.entries(others);
  const [best, { median }] = entries.reduce((a, b) => (b[1].median < a[1].median ? b : a));
  const ratio = (median / own.median).toFixed(2);
  return `${median < own.median ? '!' : ' '}${ratio} ${own.median.toFixed(1).padStart(8)} us (${best})`;
}

function print(name, { pack, unpack }) {
  console.log(`| ${name.padEnd(32)} | ${cell(pack).padEnd(36)} | ${cell(unpack).padEnd(36)} |`);
}

const [, , part, only] = process.argv;
if (part === 'row') {
  const { mode, value } = shapes.find(({ name }) => name === only);
  console.log(JSON.stringify(measureBoth(functionsOf(mode, value), WARM_US.alone)));
} else {
  const results = {};
  const keep = (mode) => (name, figures) => {
    print(name, figures);
    results[name] = { ...results[name], [mode]: figures };
  };
  const wanted = ({ name }) => pattern.test(name);
  if (part !== 'together') for (const { name } of shapes.filter(wanted)) keep('alone')(name, alone(name));
  if (part !== 'alone') together([...shapes, ...served].filter(wanted), keep('together'));
  if (part === undefined) {
    const folder = new URL('results/', import.meta.url);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      new URL('survey.json', folder),
      `${JSON.stringify({ node: process.version, quick: QUICK, versions, unit: 'microseconds of CPU time', results }, null, 1)}\n`,
    );
  }
}
