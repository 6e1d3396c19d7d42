/** Measures the streams of both libraries, in CPU time per object. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as msgpackr from 'msgpackr';
import * as packord from 'packord';
import { documents } from './documents.js';
import { QUICK, summary } from './measure.js';

/** Number of objects that are written to a stream before the next turn of the event loop. */
const BATCH = 500;
/** Size of a chunk in bytes, as sockets and files produce it. */
const CHUNK = 1 << 16;
const COUNT = QUICK ? 20_000 : 50_000;
const ROUNDS = QUICK ? 8 : 16;
/** Number of rounds at the beginning that are not counted. */
const WARM = 2;

/** Returns the CPU time in microseconds per object that passes through a stream. */
async function throughStream(stream, inputs) {
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
  if (size < COUNT) throw new Error(`${COUNT} objects, and ${size} came out`);
  return (user + system) / COUNT;
}

const libraries = { packord, msgpackr };
/** The options with which a library writes and reads records. */
const withRecords = (library) => (library === packord ? { records: true } : {});
const objects = new Array(COUNT).fill(documents['100 bytes'].value);

function packed(library) {
  const packr = new library.Packr({ ...withRecords(library), sequential: true });
  return objects.map((value) => Buffer.from(packr.pack(value)));
}

function cut(bytes) {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) => bytes.subarray(i * CHUNK, (i + 1) * CHUNK));
}

const unpackr = (library) => new library.UnpackrStream({ ...withRecords(library), sequential: true });

/** By title: the input of a library, and the stream that it passes through. */
const cases = {
  PackrStream: {
    input: () => objects,
    stream: (library) => new library.PackrStream(withRecords(library)),
  },
  'UnpackrStream, chunks of 64 KiB': {
    input: (library) => cut(Buffer.concat(packed(library))),
    stream: unpackr,
  },
  'UnpackrStream, a chunk a message': { input: packed, stream: unpackr },
};

export const streamTitles = [...Object.keys(cases), 'PassThrough, the floor'];

/** Measures a stream; the libraries take turns in being first. */
export async function benchStream(title) {
  const samples = {};
  if (cases[title] === undefined) {
    samples['node:stream'] = [];
    for (let round = 0; round < ROUNDS; round++)
      samples['node:stream'].push(await throughStream(new PassThrough({ objectMode: true }), objects));
  } else {
    const { input, stream } = cases[title];
    const inputs = {};
    for (const [name, library] of Object.entries(libraries)) {
      inputs[name] = input(library);
      samples[name] = [];
    }
    const names = Object.keys(libraries);
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) samples[name].push(await throughStream(stream(libraries[name]), inputs[name]));
      names.reverse();
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, times]) => [name, summary(times.slice(WARM))]));
}
