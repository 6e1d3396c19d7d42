/**
 * A survey of many shapes, each a row: how many times faster packord is than the fastest of
 * msgpackr, with its add-on where it is installed, and @msgpack/msgpack. They take turns.
 *
 * In a mode of its own, `node survey.js alone`, each row has a process, as in run.js. Otherwise
 * all rows run in one process, as in a server, and each is measured after all others have run.
 * ONLY=pattern measures the rows whose name matches the regular expression.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as official from '@msgpack/msgpack';
import * as msgpackr from 'msgpackr';
import * as packord from 'packord';
import { summary } from './measure.js';
import { shapeRows } from './shapes.js';
import { textRows } from './texts.js';

const ROUNDS = 9;
const WARM_US = 40_000;
const WINDOW_US = 3000;

const rows = { ...shapeRows, ...textRows };
const encoder = new official.Encoder({ useBigInt64: false });
const decoder = new official.Decoder({ useBigInt64: false });
const packers = {
  packord: packord,
  msgpackr: msgpackr,
  '@msgpack/msgpack': {
    pack: (value) => encoder.encode(value),
    unpack: (bytes) => decoder.decode(bytes),
  },
};

function cpu(run, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Returns the functions of a row: those that pack and those that unpack, by packer. */
function functionsOf(value) {
  const functions = { pack: {}, unpack: {} };
  for (const [name, { pack, unpack }] of Object.entries(packers)) {
    try {
      const bytes = Buffer.from(pack(value));
      unpack(bytes);
      // @msgpack/msgpack writes a Map as an empty object.
      if (bytes.length < packord.pack(value).length / 2) continue;
      functions.pack[name] = () => pack(value);
      functions.unpack[name] = () => unpack(bytes);
    } catch {
      // This packer has no such values.
    }
  }
  return functions;
}

function warmUp(run) {
  let times = 1;
  let spent = 0;
  let last = 0;
  while (spent < WARM_US) {
    last = cpu(run, times);
    spent += last;
    if (last < WINDOW_US) times *= 2;
  }
  return Math.max(1, Math.round((times * WINDOW_US) / Math.max(last, 1)));
}

/** Returns the median time of each function, in rounds in which they take turns. */
function measure(functions) {
  const runs = Object.entries(functions).map(([name, run]) => ({
    name,
    run,
    times: warmUp(run),
    samples: [],
  }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { run, times, samples } of runs) samples.push(cpu(run, times) / times);
  return Object.fromEntries(runs.map(({ name, samples }) => [name, summary(samples).min]));
}

/** Prints a row: the times of packord, and the ratio of the best other one to it. */
function print(name, functions) {
  const cells = ['pack', 'unpack'].map((direction) => {
    const { packord: own, ...others } = measure(functions[direction]);
    const [best, time] = Object.entries(others).reduce((a, b) => (b[1] < a[1] ? b : a));
    const ratio = (time / own).toFixed(2);
    return `${time < own ? '!' : ' '}${ratio} ${own.toFixed(1).padStart(8)} us (${best})`.padEnd(
      36,
    );
  });
  console.log(`| ${name.padEnd(32)} | ${cells.join(' | ')} |`);
}

const [, , mode, only] = process.argv;
const pattern = new RegExp(process.env.ONLY ?? '');
const names = Object.keys(rows).filter((name) =>
  only === undefined ? pattern.test(name) : name === only,
);
if (mode === 'alone' && only === undefined) {
  for (const name of names)
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), mode, name], { stdio: 'inherit' });
} else {
  const all = names.map((name) => [name, functionsOf(rows[name])]);
  if (mode !== 'alone')
    for (const [, { pack, unpack }] of all)
      for (const run of [...Object.values(pack), ...Object.values(unpack)]) warmUp(run);
  for (const [name, functions] of all) print(name, functions);
}
