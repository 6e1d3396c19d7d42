/**
 * Compares what the package does with what it did: hashes of what each reader makes of mutated vectors,
 * and of what each writer makes of generated values. `node golden.js` tells which of the groups in
 * `hashes.json` differ; with `--write` it writes them again, after a change of behaviour that was meant.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as packord from 'packord';
import { columns } from 'packord/columns';
import * as msgpack from 'packord/msgpack';
import * as msgpackr from 'packord/msgpackr';
import * as packing from 'packord/pack';
import * as schema from 'packord/schema';
import * as unpacking from 'packord/unpack';
import { View } from 'packord/view';
import { randomOf } from '../random.js';
import { tablesOf } from '../random-tables.js';
import { casesOf, expand, sizeOf } from '../vectors.js';

const HASHES = new URL('hashes.json', import.meta.url);
const CLASSES = ['valid', 'invalid', 'records', 'stream', 'columns', 'defaults', 'typed'];
const MESSAGES = 1_000_000;
const VALUES = 200_000;
const MAX_SIZE = 300;

// Every second message makes an error; their stacks are of no use.
Error.stackTraceLimit = 0;

/** A hash of values (FNV-1a over 32-bit words), of their types and of all in them. */
class Hash {
  value = 0x811c9dc5;

  word(word) {
    this.value = Math.imul(this.value ^ word, 0x01000193);
    this.value ^= this.value >>> 15;
  }

  text(text) {
    this.word(text.length);
    for (let i = 0; i < text.length; i++) this.word(text.charCodeAt(i));
  }

  bytes(bytes) {
    this.word(bytes.length);
    for (let i = 0; i < bytes.length; i++) this.word(bytes[i]);
  }

  add(value, depth = 0) {
    this.text(typeof value);
    if (typeof value !== 'object' || value === null) this.text(Object.is(value, -0) ? '-0' : String(value));
    else if (depth > 20) this.word(depth);
    else if (ArrayBuffer.isView(value)) this.bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (value instanceof ArrayBuffer) this.bytes(new Uint8Array(value));
    else this.object(value, depth + 1);
  }

  object(value, depth) {
    const isPlain = Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value);
    // Classes of two entry points have other names in bundles.
    if (!isPlain && !(value instanceof Date)) this.text(Object.prototype.toString.call(value));
    if (value instanceof Date) this.text(`${value.getTime()} ${value.nanoseconds}`);
    else if (value instanceof Error) this.text(`${value.name} ${value.message}`);
    else if (value instanceof RegExp) this.text(String(value));
    else if (value instanceof Map || value instanceof Set) for (const entry of value.entries()) this.add(entry, depth);
    else
      for (const key of Object.keys(value)) {
        this.text(key);
        this.add(value[key], depth);
      }
  }

  /** Adds what a function returns, or the error that it throws. */
  outcome(run) {
    try {
      this.add(run());
    } catch ({ name, kind, offset, path, message }) {
      this.text(`${name} ${kind} ${offset} ${path} ${kind === undefined ? message : ''}`);
    }
  }
}

function instance(options) {
  const unpackr = new packord.Unpackr(options);
  return (bytes) => unpackr.unpack(bytes);
}

/** Reads a stream that is cut in two. */
function stream(bytes) {
  const half = bytes.length >> 1;
  return [...packord.decodeIter([bytes.subarray(0, half), bytes.subarray(half)], { records: true })];
}

const { any, array, integer, object, optional, string } = schema;
const shape = object({ a: any, b: optional(string), x: optional(array(integer)) });
const checked = { maxStrLen: 20, maxNodes: 30, maxMapLen: 8, maxExtLen: 12, duplicateKey: 'error' };
const alone = new unpacking.Unpackr({ features: [unpacking.records], records: true });
const peer = new msgpackr.Unpackr({ structuredClone: true, bundleStrings: true });

/** The first reads every message, and the others each one in their number. */
const READERS = {
  unpack: packord.unpack,
  records: instance({ records: true, structures: [['a', 'b'], ['x']] }),
  rich: instance({ rich: true, records: true }),
  columns: instance({ columns, records: true, rich: true }),
  maps: instance({ maps: 'map', timestamps: 'timestamp', int64: 'bigint', records: true }),
  checked: instance({ ...checked, records: true }),
  canonical: instance({ canonical: true, rich: true }),
  raw: instance({ utf8: 'raw', records: true }),
  multiple: packord.unpackMultiple,
  stream,
  view: (bytes) => [...new View(bytes, { records: true })].length,
  schema: (bytes) => packord.unpack(bytes, shape),
  alone: alone.unpack,
  'alone function': unpacking.unpack,
  msgpackr: peer.unpack,
  msgpack: (bytes) => msgpack.decode(bytes),
};

/** Returns a function that makes mutated vectors. */
function messages(seed) {
  const random = randomOf(seed);
  const pieces = CLASSES.flatMap(casesOf).map(({ bytes }) => bytes);
  const seeds = pieces.filter((bytes) => bytes && sizeOf(bytes) <= MAX_SIZE).map(expand);
  return () => {
    const bytes = [...seeds[random(seeds.length)]];
    for (let left = random(4); left > 0; left--) {
      const at = random(bytes.length + 1);
      const kind = random(6);
      if (kind === 0) bytes[at] = random(256);
      else if (kind === 1) bytes[at] ^= 1 << random(8);
      else if (kind === 2) bytes.splice(at, 1 + random(4));
      else if (kind === 3) bytes.splice(at, 0, random(256));
      else if (kind === 4) bytes.length = at;
      else bytes.splice(at, 0, ...seeds[random(seeds.length)].subarray(0, 40));
    }
    return Uint8Array.from(bytes);
  };
}

const TEXTS = ['', 'a', 'id', 'name', 'é', '汉字', '\ud800', '__proto__', '0', 'a str of thirty-two characters. '];

/** Returns a function that makes values of every kind, a few of them tables. */
function values(seed) {
  const random = randomOf(seed);
  const table = tablesOf(seed);
  const bits = () => (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
  const list = (make) => Array.from({ length: random(random(8) === 0 ? 40 : 5) }, make);
  const text = () => TEXTS[random(TEXTS.length)].repeat(random(4));
  const leaves = [
    () => random(2 ** 32) >> random(32),
    () => -random(2 ** 32) / 2 ** random(40),
    () => random(2 ** 32) * random(2 ** 21) * (random(2) - 0.5) * 2,
    () => [null, true, undefined, Number.NaN, -0, 1 / 0][random(6)],
    () => (random(2) === 0 ? bits() : -bits() * (random(9) === 0 ? bits() : 1n)),
    () => new Date(random(2 ** 32) * [1, 1000, 10_000, Number.NaN][random(4)]),
    () => new packord.Timestamp(bits() >> BigInt(1 + random(40)), random(1e9)),
    () => new packord.ExtData(random(256) - 128, Uint8Array.from(list(() => random(256)))),
    () => new [Uint8Array, Float32Array, Float64Array, Int16Array][random(4)](list(() => random(300))),
    () => [/x/g, new Error('x'), Symbol('x'), text, { toJSON: () => text() }][random(5)],
    text,
    text,
  ];
  function anything(depth) {
    const kind = depth === 0 ? 9 : random(12);
    const inner = () => anything(depth - 1);
    if (kind < 3) return list(inner);
    if (kind < 6) return Object.fromEntries(list(() => [text(), inner()]));
    if (kind === 6) return new Map(list(() => [inner(), inner()]));
    if (kind === 7) return new Set(list(inner));
    return leaves[random(leaves.length)]();
  }
  return () => (random(200) === 0 ? table() : anything(3));
}

function packer(options, { Packr } = packord) {
  const packr = new Packr(options);
  return (value) => packr.pack(value);
}

const WRITERS = {
  pack: packord.pack,
  records: packer({ records: true }),
  structures: packer({ structures: [], maxOwnStructures: 8 }),
  canonical: packer({ canonical: true }),
  rich: packer({ rich: true, float32: true, sortKeys: true, skipNil: true }),
  columns: packer({ columns, records: true }),
  alone: packing.pack,
  msgpackr: packer({ moreTypes: true, bundleStrings: true }, msgpackr),
  'msgpackr with maps': msgpackr.pack,
  msgpack: (value) => msgpack.encode(value),
};

const hashes = {};

function measure(kind, functions, count, make) {
  const groups = Object.entries(functions).map(([name, run]) => ({ name, run, hash: new Hash() }));
  const [first, ...others] = groups;
  for (let i = 0; i < count; i++) {
    const given = make();
    for (const { run, hash } of [first, others[i % others.length]]) hash.outcome(() => run(given));
  }
  for (const { name, hash } of groups) hashes[`${kind}: ${name}`] = (hash.value >>> 0).toString(16).padStart(8, '0');
}

measure('read', READERS, MESSAGES, messages(39));
measure('write', WRITERS, VALUES, values(39));

const before = JSON.parse(readFileSync(HASHES, 'utf8'));
const names = [...new Set([...Object.keys(before), ...Object.keys(hashes)])];
const differing = names.filter((name) => before[name] !== hashes[name]);
for (const name of differing) console.log(`${name}: ${before[name]} -> ${hashes[name]}`);
if (process.argv.includes('--write')) writeFileSync(HASHES, `${JSON.stringify(hashes, null, 2)}\n`);
else if (differing.length > 0) process.exitCode = 1;
