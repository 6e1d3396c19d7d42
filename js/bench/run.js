/**
 * Speed and size against the peers, interleaved in one process and measured in CPU time.
 *
 * Prints a table and writes bench/results/results.json. QUICK=1 takes a few documents, in a
 * minute; ONLY=text runs the documents whose name has the text; ONLY=streams the streams alone.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import * as official from '@msgpack/msgpack';
import avsc from 'avsc';
import * as cbor from 'cbor-x';
import * as msgpackr from 'msgpackr';
import notepack from 'notepack.io';
import * as packord from 'packord';
import * as packordNoEval from 'packord/index-no-eval';
import { documents } from './documents.js';
import { heldOut } from './held-out.js';

const require = createRequire(import.meta.url);
/**
 * msgpackr without its add-on: its bundle, a copy of the code of its own. Its index.js shares
 * modules with the entry for Node, whose add-on it then uses as well.
 */
await import('../node_modules/msgpackr/dist/index.js');
const portable = globalThis.msgpackr;
if (portable.isNativeAccelerationEnabled) throw new Error('msgpackr is not the portable one');
const msgpackrNoEval = require('msgpackr/index-no-eval');

const QUICK = process.env.QUICK !== undefined && process.env.QUICK !== '0';
const ROUNDS = QUICK ? 7 : 21;
const WARM_US = QUICK ? 250_000 : 400_000;
const WINDOW_US = QUICK ? 4000 : 12_000;
const { ONLY } = process.env;
const QUICK_DOCUMENTS = ['study 8 kB', '100 bytes', '1000 events'];

function cpu(run, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

/** Time that a busy machine gives to others is no warm-up, so that it counts as CPU time. */
function warmUp(run) {
  const before = process.cpuUsage();
  for (;;) {
    run();
    const { user, system } = process.cpuUsage(before);
    if (user + system > WARM_US) return;
  }
}

/** Microseconds of each function, minimum and median of rounds that take turns. */
function measure(functions) {
  const runs = Object.entries(functions).map(([name, run]) => {
    warmUp(run);
    let times = 1;
    while (cpu(run, times) * times < WINDOW_US) times *= 2;
    return { name, run, times, samples: [] };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const entry of runs) entry.samples.push(cpu(entry.run, entry.times));
  return Object.fromEntries(
    runs.map(({ name, samples }) => {
      samples.sort((a, b) => a - b);
      return [name, { min: samples[0], median: samples[samples.length >> 1] }];
    }),
  );
}

/** The packers that are compared, each as a pair of functions. */
function contestants(value) {
  const own = (library, options) => {
    const packr = new library.Packr(options);
    return { pack: (data) => packr.pack(data), unpack: (bytes) => packr.unpack(bytes) };
  };
  const shared = (library) => own(library, { structures: [] });
  const encoder = new official.Encoder();
  const decoder = new official.Decoder();
  const result = {
    plain: {
      packord: packord,
      'msgpackr native': msgpackr,
      'msgpackr portable': portable,
      '@msgpack/msgpack': {
        pack: (data) => encoder.encode(data),
        unpack: (bytes) => decoder.decode(bytes),
      },
      'notepack.io': { pack: notepack.encode, unpack: notepack.decode },
      'cbor-x': { pack: cbor.encode, unpack: cbor.decode },
      'JSON string': { pack: JSON.stringify, unpack: JSON.parse },
      'JSON Buffer': {
        pack: (data) => Buffer.from(JSON.stringify(data)),
        unpack: (bytes) => JSON.parse(bytes.toString()),
      },
      'v8.serialize': { pack: serialize, unpack: deserialize },
    },
    records: {
      packord: own(packord),
      'msgpackr native': own(msgpackr),
      'msgpackr portable': own(portable),
    },
    shared: {
      packord: shared(packord),
      'msgpackr native': shared(msgpackr),
      'msgpackr portable': shared(portable),
    },
    'no eval': {
      packord: { pack: packordNoEval.pack, unpack: packordNoEval.unpack },
      'msgpackr no eval': { pack: msgpackrNoEval.pack, unpack: msgpackrNoEval.unpack },
    },
    'no eval, records': {
      packord: own(packordNoEval),
      'msgpackr no eval': own(msgpackrNoEval),
    },
  };
  try {
    const type = avsc.Type.forValue(value);
    result.plain.avsc = {
      pack: (data) => type.toBuffer(data),
      unpack: (bytes) => type.fromBuffer(bytes),
    };
  } catch {
    // avsc can't infer a schema of every value.
  }
  return result;
}

function best(times, names) {
  return Math.min(...names.filter((name) => name in times).map((name) => times[name].median));
}

function benchDocument(name, { value, kind }) {
  const modes = {};
  for (const [mode, packers] of Object.entries(contestants(value))) {
    const packs = {};
    const unpacks = {};
    const sizes = {};
    for (const [packer, { pack, unpack }] of Object.entries(packers)) {
      try {
        pack(value);
        // A copy of its own: memory of the packers is used again.
        const packed = pack(value);
        const bytes = typeof packed === 'string' ? packed : Buffer.from(packed);
        unpack(bytes);
        packs[packer] = () => pack(value);
        unpacks[packer] = () => unpack(bytes);
        sizes[packer] = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
      } catch (error) {
        console.error(`${packer} can't handle ${name}: ${error.message}`);
      }
    }
    modes[mode] = { pack: measure(packs), unpack: measure(unpacks), sizes };
  }
  return { name, kind, modes };
}

/** Objects that are written to a stream before it gets the time to hand them on. */
const BATCH = 500;
/** Bytes of a chunk as sockets and files give them. */
const CHUNK = 1 << 16;

/** Microseconds of CPU time for each object that comes out of a stream or is written to it. */
async function throughStream(stream, inputs, objects) {
  let size = 0;
  stream.on('data', (data) => {
    size += data instanceof Uint8Array ? data.length : 1;
  });
  const ended = once(stream, 'end');
  const before = process.cpuUsage();
  for (let i = 0; i < inputs.length; i++) {
    stream.write(inputs[i]);
    if (i % BATCH === BATCH - 1) await nextTurn();
  }
  stream.end();
  await ended;
  const { user, system } = process.cpuUsage(before);
  if (size < objects) throw new Error(`${objects} objects, and ${size} came out`);
  return (user + system) / objects;
}

/** Streams of both libraries, taking turns in going first; the first round only warms up. */
async function benchStreams() {
  const object = documents['100 bytes'].value;
  const count = QUICK ? 20_000 : 50_000;
  const objects = new Array(count).fill(object);
  const libraries = { packord, msgpackr };
  const cut = (bytes) =>
    Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) =>
      bytes.subarray(i * CHUNK, (i + 1) * CHUNK),
    );
  const packed = Object.fromEntries(
    Object.entries(libraries).map(([name, { Packr }]) => {
      const packr = new Packr({ sequential: true });
      return [name, objects.map((value) => Buffer.from(packr.pack(value)))];
    }),
  );
  const chunks = Object.fromEntries(
    Object.entries(packed).map(([name, messages]) => [name, cut(Buffer.concat(messages))]),
  );
  const unpackr = (name) => new libraries[name].UnpackrStream({ sequential: true });
  const cases = {
    PackrStream: (name) => throughStream(new libraries[name].PackrStream(), objects, count),
    'UnpackrStream, chunks of 64 KiB': (name) => throughStream(unpackr(name), chunks[name], count),
    'UnpackrStream, a chunk a message': (name) => throughStream(unpackr(name), packed[name], count),
  };
  const results = {};
  for (const [title, run] of Object.entries(cases)) {
    const samples = { packord: [], msgpackr: [] };
    const rounds = QUICK ? 8 : 16;
    for (let round = 0; round < rounds; round++)
      for (const name of round % 2 === 0 ? ['packord', 'msgpackr'] : ['msgpackr', 'packord'])
        samples[name].push(await run(name));
    results[title] = Object.fromEntries(
      Object.entries(samples).map(([name, times]) => {
        const sorted = times.slice(2).sort((x, y) => x - y);
        return [name, { min: sorted[0], median: sorted[sorted.length >> 1] }];
      }),
    );
  }
  const pass = () => throughStream(new PassThrough({ objectMode: true }), objects, count);
  await pass();
  const floor = await pass();
  results['PassThrough, the floor'] = { 'node:stream': { min: floor, median: floor } };
  return results;
}

const ratio = (us, them) => (them / us).toFixed(2).padStart(5);

function printDocument({ name, modes }) {
  const cells = [];
  for (const mode of ['plain', 'records', 'shared'])
    for (const direction of ['pack', 'unpack']) {
      const times = modes[mode][direction];
      cells.push(
        ratio(times.packord.median, best(times, ['msgpackr native', 'msgpackr portable'])),
      );
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

console.log(
  `msgpackr with its add-on: ${msgpackr.isNativeAccelerationEnabled}; node ${process.version}`,
);
console.log(
  'How many times faster than msgpackr at its best; than JSON through a Buffer; no-eval builds.',
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
  if (ONLY === undefined ? QUICK && !QUICK_DOCUMENTS.includes(name) : !name.includes(ONLY))
    continue;
  const result = benchDocument(name, document);
  printDocument(result);
  results.push(result);
}
const streams = ONLY === undefined || ONLY === 'streams' ? await benchStreams() : {};
for (const [name, times] of Object.entries(streams))
  if (times.packord !== undefined)
    console.log(
      `${name}: ${ratio(times.packord.median, times.msgpackr.median)} times msgpackr's, ${(1 / times.packord.median).toFixed(2)} M objects/s`,
    );

const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
const versions = Object.fromEntries(
  ['msgpackr', '@msgpack/msgpack', 'notepack.io', 'cbor-x', 'avsc'].map((name) => [
    name,
    require(`../node_modules/${name}/package.json`).version,
  ]),
);
writeFileSync(
  new URL('results.json', folder),
  `${JSON.stringify({ node: process.version, versions, unit: 'microseconds of CPU time', results, streams }, null, 1)}\n`,
);
