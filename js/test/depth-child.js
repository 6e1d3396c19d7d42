/**
 * Reads and writes values of the greatest depth in a fresh process, whose functions take most of the stack, and
 * prints what fails. It runs with a smaller stack than programs have.
 */
import { decodeIter, Packr, Unpackr } from 'packord';
import { columns } from 'packord/columns';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';

const DEPTH = 1024;
const ALL_TYPES = { rich: true, columns, records: true };

/** The bytes of each level, outermost first; `1` is within the innermost one. */
function nested(hex, levels = DEPTH) {
  return Buffer.from(`${hex.repeat(levels)}01`, 'hex');
}

function sets() {
  let bytes = Buffer.of(1);
  // A set and its array are two levels.
  for (let level = 0; level < DEPTH / 2; level++) {
    const head = Buffer.from('c9000000005691', 'hex');
    head.writeUInt32BE(1 + bytes.length, 1);
    bytes = Buffer.concat([head, bytes]);
  }
  return bytes;
}

const PLAIN = {
  array: nested('91'),
  'array 16': nested('dc0001'),
  map: nested('81a161'),
  'map 16': nested('de0001a161'),
  'Map by value': nested('81c0'),
  'Map by value, map 16': nested('de0001c0'),
  'Map whose second key is an integer': nested('82a161c0c0'),
  'Map by key': Buffer.concat([Buffer.alloc(DEPTH, 0x81), Buffer.alloc(DEPTH + 1, 1)]),
  both: nested('9181c0', DEPTH / 2),
};
const RECORDS = {
  record: Buffer.concat([Buffer.from('d4724091a161', 'hex'), nested('40', DEPTH - 1)]),
  // A definition counts as a level, and so do the values of its record.
  definition: nested('d4724091a161'),
};
const RICH = { set: sets(), 'set of msgpackr': nested('d4730091', DEPTH / 2) };

const READERS = [
  ['default', () => new Unpackr(), PLAIN],
  ['maps', () => new Unpackr({ maps: 'map' }), PLAIN],
  ['checked', () => new Unpackr({ maxNodes: 1e9 }), PLAIN],
  ['no code generation', () => new noEval.Unpackr(), PLAIN],
  ['msgpackr', () => new compatible.Unpackr(), { ...PLAIN, ...RECORDS }],
  ['records', () => new Unpackr({ records: true }), { ...PLAIN, ...RECORDS }],
  ['all types', () => new Unpackr(ALL_TYPES), { ...PLAIN, ...RECORDS, ...RICH }],
];
const WRITERS = [
  ['default', () => new Packr()],
  ['records', () => new Packr({ records: true })],
  ['sorted', () => new Packr({ sortKeys: true })],
  ['canonical', () => new Packr({ canonical: true })],
  ['rich', () => new Packr({ rich: true })],
  ['no code generation', () => new noEval.Packr()],
  ['msgpackr', () => new compatible.Packr()],
];

/** Values of the greatest depth: each is within another of its kind. */
const NESTING = {
  array: (value) => [value],
  object: (value) => ({ a: value }),
  Map: (value) => new Map([[1, value]]),
  'key of a Map': (value) => new Map([[value, 1]]),
  Set: (value) => new Set([value]),
};

const failures = [];
function attempt(name, run) {
  try {
    run();
  } catch (error) {
    failures.push(`${name}: ${error.message}`);
  }
}

/** With the names of a writer and a kind of value, it writes that alone: no code was in use before. */
const [, , writerName, kind] = process.argv;
if (kind !== undefined) {
  const [, make] = WRITERS.find(([name]) => name === writerName);
  // With `rich`, a Set and its array are two levels.
  const depth = writerName === 'rich' && kind === 'Set' ? DEPTH / 2 : DEPTH;
  let value = 1;
  for (let level = 0; level < depth; level++) value = NESTING[kind](value);
  attempt(`${writerName} writes ${kind}`, () => make().pack(value));
  process.stdout.write(JSON.stringify(failures));
  process.exit();
}

for (const [reader, make, inputs] of READERS)
  for (const [name, bytes] of Object.entries(inputs)) {
    let value;
    attempt(`${reader} reads ${name}`, () => {
      value = make().unpack(bytes);
    });
    if (reader === 'default' || reader === 'all types')
      for (const [writer, makeWriter] of WRITERS) attempt(`${writer} writes ${name}`, () => makeWriter().pack(value));
  }
for (const [name, bytes] of Object.entries({ ...PLAIN, ...RECORDS, ...RICH }))
  attempt(`a stream has ${name}`, () => [...decodeIter([bytes], ALL_TYPES)]);
process.stdout.write(JSON.stringify(failures));
