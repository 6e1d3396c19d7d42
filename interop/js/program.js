/** The JavaScript end of the interoperability tests; interop/README.md has the protocol. */
import { readSync, writeSync } from 'node:fs';
import { ContainerReader, ContainerWriter } from '../../js/dist/esm/container-node.js';
import {
  decodeIter,
  ExtData,
  MsgpackDecodeError,
  MsgpackEncodeError,
  Packr,
  pack,
  Timestamp,
  Unpackr,
  unpack,
} from '../../js/dist/esm/node.js';
import { native } from '../../js/test/natives.js';
import { optionsOf, toValue, vectorValue } from '../../js/test/vectors.js';
import { PEERS } from './peers.js';

// Millions of errors are made here, and their stacks are not used.
Error.stackTraceLimit = 0;

const bits = new DataView(new ArrayBuffer(8));

/** Returns the typed JSON of a value, without white space. */
function typed(value) {
  switch (typeof value) {
    case 'string':
      return `{"str":${JSON.stringify(value)}}`;
    case 'number':
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) return `{"int":"${value}"}`;
      bits.setFloat64(0, value);
      return `{"f64":"${bits.getBigUint64(0).toString(16).padStart(16, '0')}"}`;
    case 'bigint':
      return `{"int":"${value}"}`;
    case 'boolean':
      return String(value);
    case 'undefined':
      return '{"ext":[0,"00"]}';
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `{"array":[${value.map(typed)}]}`;
  if (value instanceof Uint8Array) return `{"bin":"${hex(value)}"}`;
  if (value instanceof ExtData) return `{"ext":[${value.type},"${hex(value.data)}"]}`;
  if (value instanceof Timestamp) return `{"timestamp":["${value.seconds}",${value.nanoseconds}]}`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{"map":[${entries.map(([key, element]) => `[${typed(key)},${typed(element)}]`)}]}`;
}

const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** Returns the kind and place of an error: the offset of reading, the path of writing. */
function place(error) {
  return `${error.kind} ${error instanceof MsgpackDecodeError ? error.offset : error.path}`;
}

/** Returns what the call returns, or its error as `describe` writes it. */
function attempt(call, describe = place) {
  try {
    return [0, Buffer.from(call())];
  } catch (error) {
    if (!(error instanceof MsgpackDecodeError || error instanceof MsgpackEncodeError)) throw error;
    return [1, Buffer.from(describe(error))];
  }
}

const VERBS = {
  encode({ options }, items) {
    const packr = new Packr(optionsOf(options));
    const written = items.map((item) => attempt(() => packr.pack(toValue(JSON.parse(item), true))));
    return [...written, [0, Buffer.from(JSON.stringify(packr.structures ?? []))]];
  },
  decode({ options }, items) {
    const unpackr = new Unpackr(optionsOf(options));
    return items.map((item) => attempt(() => typed(unpackr.unpack(item))));
  },
  pack({ face }, items) {
    const packed = face === 'classes' ? (value) => new Packr().pack(value) : pack;
    return items.map((item) => attempt(() => packed(native(JSON.parse(item)))));
  },
  again({ face }, items) {
    const again =
      face === 'classes' ? (item) => new Packr().pack(new Unpackr().unpack(item)) : (item) => pack(unpack(item));
    return items.map((item) => attempt(() => again(item)));
  },
  message({ options }, items) {
    const unpackr = new Unpackr(optionsOf(options));
    const read = (item) => {
      unpackr.unpack(item);
      return '';
    };
    const words = (error) => error.message;
    return items.map((item) => attempt(() => read(item), words));
  },
  transcode({ options, peer }, items) {
    if (peer !== undefined) return items.map((item) => through(PEERS[peer], item));
    return items.map((item) => {
      // Both lists grow with use, so each message begins with fresh ones.
      const [unpackr, packr] = [new Unpackr(optionsOf(options)), new Packr(optionsOf(options))];
      return attempt(() => packr.pack(unpackr.unpack(item)));
    });
  },
  stream({ options, chunk }, items) {
    return items.map((item) => {
      const chunks = [];
      for (let at = 0; at < item.length; at += chunk) chunks.push(item.subarray(at, at + chunk));
      const values = [];
      let end = 'clean';
      try {
        for (const value of decodeIter(chunks, optionsOf(options))) values.push(typed(value));
      } catch (error) {
        if (!(error instanceof MsgpackDecodeError)) throw error;
        end = place(error);
      }
      return [0, Buffer.from(`{"values":[${values}],"end":"${end}"}`)];
    });
  },
  async file({ write }, items) {
    const { sync, block_rows: blockRows, ...options } = write;
    const files = [];
    for (const item of items) {
      const writer = await ContainerWriter.open(null, {
        ...options,
        blockRows,
        sync: Buffer.from(sync, 'hex'),
      });
      if (item.length > 0) await writer.writeAll(plain.unpackMultiple(item));
      await writer.finish();
      files.push([0, Buffer.from(await writer.bytes())]);
    }
    return files;
  },
  async rows({ read }, items) {
    const options = {
      values,
      index: read.index ?? false,
      onBadBlock: read.on_bad_block,
      select: read.select,
      where: read.where?.map(([path, op, ...rest]) => [path, op, ...rest.map(vectorValue)]),
    };
    const outcomes = [];
    for (const item of items) {
      const found = [];
      let end = 'clean';
      let reader;
      try {
        reader = await ContainerReader.open(item, options);
        for await (const row of reader) found.push(typed(row));
      } catch (error) {
        if (!(error instanceof MsgpackDecodeError)) throw error;
        end = place(error);
      }
      const ranges = reader?.damaged.map(({ from, to, error }) => [from, to, place(error)]) ?? [];
      const rest = JSON.stringify({ end, ranges }).slice(1);
      outcomes.push([0, Buffer.from(`{"values":[${found}],${rest}`)]);
    }
    return outcomes;
  },
  hold(_header, [item]) {
    held = item;
    return [];
  },
  read({ options }) {
    // Maps as objects: a `Map` takes more memory than the specification allows (limits.md).
    const unpackr = new Unpackr({ ...optionsOf(options), maps: 'auto' });
    return [
      attempt(() => {
        unpackr.unpack(held);
        return '';
      }),
    ];
  },
};

let held = Buffer.alloc(0);
const values = { maps: 'map', timestamps: 'timestamp' };
const plain = new Unpackr(values);

/** Returns what another package reads from the bytes, or its error. */
function through({ unpack, pack }, item) {
  try {
    return [0, Buffer.from(pack(unpack(item)))];
  } catch (error) {
    return [1, Buffer.from(String(error))];
  }
}

/** Reads a number of bytes from standard input; returns undefined at its end. */
function read(size) {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size; ) {
    const got = readSync(0, bytes, at, size - at);
    if (got === 0) return undefined;
    at += got;
  }
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

for (let length = read(4); length !== undefined; length = read(4)) {
  const frame = read(length.readUInt32BE());
  const items = [];
  for (let at = 0; at < frame.length; ) {
    const size = frame.readUInt32BE(at);
    items.push(frame.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  const header = JSON.parse(items.shift());
  const parts = [];
  for (const [status, bytes] of await VERBS[header.verb](header, items)) {
    const head = Buffer.alloc(5);
    head[0] = status;
    head.writeUInt32BE(bytes.length, 1);
    parts.push(head, bytes);
  }
  const answer = Buffer.concat(parts);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(answer.length);
  write(Buffer.concat([head, answer]));
}
