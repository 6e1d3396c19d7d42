/** The packers that are compared, by mode: each entry returns pairs of functions by name. */
import { createRequire } from 'node:module';
import { deserialize, serialize } from 'node:v8';
import * as official from '@msgpack/msgpack';
import avsc from 'avsc';
import * as cbor from 'cbor-x';
import * as msgpackr from 'msgpackr';
import notepack from 'notepack.io';
import * as packord from 'packord';
import * as packordNoEval from 'packord/index-no-eval';

const require = createRequire(import.meta.url);
/**
 * msgpackr without its add-on: its bundle, which is a separate copy of the code. Its index.js
 * shares modules with the entry point for Node, and then uses the add-on as well.
 */
await import('../node_modules/msgpackr/dist/index.js');
const portable = globalThis.msgpackr;
if (portable.isNativeAccelerationEnabled) throw new Error('msgpackr is not the portable one');
const msgpackrNoEval = require('msgpackr/index-no-eval');

/** The versions of the other packages. */
export const versions = Object.fromEntries(
  ['msgpackr', '@msgpack/msgpack', 'notepack.io', 'cbor-x', 'avsc'].map((name) => [
    name,
    require(`../node_modules/${name}/package.json`).version,
  ]),
);
/** Whether msgpackr runs with its add-on. */
export const native = msgpackr.isNativeAccelerationEnabled;

function instance(library, options) {
  const packr = new library.Packr(options);
  return { pack: (data) => packr.pack(data), unpack: (bytes) => packr.unpack(bytes) };
}

/** Makes one instance of each library that supports records. */
const instances = (options) => ({
  packord: instance(packord, { records: true, ...options() }),
  'msgpackr native': instance(msgpackr, options()),
  'msgpackr portable': instance(portable, options()),
});

/** Returns avsc with the schema that it infers, if it can. */
function schema(value) {
  try {
    const type = avsc.Type.forValue(value);
    return {
      avsc: { pack: (data) => type.toBuffer(data), unpack: (bytes) => type.fromBuffer(bytes) },
    };
  } catch {
    return {};
  }
}

function plain(value) {
  const encoder = new official.Encoder();
  const decoder = new official.Decoder();
  return {
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
    ...schema(value),
  };
}

export const contestants = {
  plain,
  records: () => instances(() => undefined),
  shared: () => instances(() => ({ structures: [] })),
  'no eval': () => ({
    packord: { pack: packordNoEval.pack, unpack: packordNoEval.unpack },
    'msgpackr no eval': { pack: msgpackrNoEval.pack, unpack: msgpackrNoEval.unpack },
  }),
  'no eval, records': () => ({
    packord: instance(packordNoEval, { records: true }),
    'msgpackr no eval': instance(msgpackrNoEval),
  }),
};
