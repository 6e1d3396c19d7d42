/**
 * What else programs do to an instance than packing and unpacking: they overwrite or transfer memory,
 * change values while these are packed, decline to save, and pack within a callback. Values are
 * random: many shapes, strings of many scripts and lengths, numbers of each width.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeIter, MsgpackDecodeError, MsgpackEncodeError, Packr, pack, Unpackr, unpack } from 'packord';
import { columns, columnsOf } from 'packord/columns';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';
import * as plainPack from 'packord/pack';
import * as schemas from 'packord/schema';
import * as plainUnpack from 'packord/unpack';
import { View } from 'packord/view';
import { randomOf, SECONDS, SEED } from './random.js';

const random = randomOf(SEED);
const pick = (list) => list[random(list.length)];

/** Lengths at which strings are written or read in another way. */
const LENGTHS = [0, 1, 2, 3, 7, 8, 12, 16, 17, 24, 31, 32, 48, 64, 192, 255, 256, 512, 2048, 4100];
const SCRIPTS = ['abcdefgh', 'Straßenbähn ', '汉字假名交じり', 'a “quote” b', '😀🎉a', 'naïve café'];

function text(longest = LENGTHS.length) {
  const script = [...pick(SCRIPTS)];
  const length = LENGTHS[random(longest)] + random(3);
  // One character of another script, at a random place.
  const odd = random(4) === 0 ? random(length + 1) : -1;
  let made = '';
  for (let i = 0; i < length; i++) made += i === odd ? '€' : script[i % script.length];
  return made;
}

function number() {
  const width = random(6);
  if (width === 0) return random(256) - 128;
  if (width === 1) return random(0x20000) - 0x10000;
  if (width === 2) return random(0x100000000) - 0x80000000;
  if (width === 3) return (random(0x100000) - 0x80000) * 0x100000000 + random(1000);
  return width === 4 ? random(1e6) / 64 : pick([-0, 2 ** 53 - 1, -(2 ** 53) + 1, 1e300, Infinity]);
}

function scalar() {
  const kind = random(9);
  if (kind < 3) return text(random(20) === 0 ? undefined : 12);
  if (kind < 6) return number();
  if (kind === 6) return pick([null, true, false, undefined]);
  if (kind === 7) return (1n << 60n) + BigInt(random(1000));
  return new Date(random(0x7fffffff) * 1000 + random(1000));
}

/** Objects of few shapes, of many, and dictionaries. */
function object(depth) {
  const made = {};
  const names = pick([['id', 'name', 'at'], ['x', 'y'], ['größe', '名'], null]);
  if (names === null)
    for (let n = random(12); n > 0; n--) made[`${pick(['k', 'ключ', ''])}${random(5000)}`] = scalar() ?? null;
  else for (const name of names) if (random(8) > 0) made[name] = any(depth - 1) ?? null;
  return made;
}

function any(depth) {
  const kind = depth <= 0 ? 0 : random(8);
  if (kind < 3) return scalar();
  if (kind < 6) return object(depth);
  return Array.from({ length: random(pick([3, 3, 40])) }, () => any(depth - 1));
}

/** An instance whose `toJSON` does something. */
class Json {
  #run;
  constructor(run) {
    this.#run = run;
  }

  toJSON() {
    return this.#run();
  }
}

const shared = { list: [], declined: 0 };

function sharingPackr() {
  return new Packr({
    structures: [],
    getStructures: () => structuredClone(shared.list),
    saveStructures(structures, isCompatible) {
      // Another process was faster.
      if (random(5) === 0 && shared.list.length < 32) shared.list.push([`other${random(1e6)}`]);
      if (!isCompatible(structuredClone(shared.list))) {
        shared.declined++;
        return false;
      }
      shared.list = structuredClone(structures);
      return true;
    },
  });
}

/** What packs and unpacks a value. */
const CODECS = {
  plain: { pack, unpack },
  records: new Packr({ records: true }),
  'no code generation': new noEval.Packr(),
  'maps as objects': new Packr({}),
  'checked limits': new Packr({ maxNodes: 1e6 }),
  columns: new Packr({ columns, records: true }),
  'columns without records': new Packr({ columns }),
  'plain entry points': {
    pack: plainPack.pack,
    unpack: plainUnpack.unpack,
  },
  'imported features': {
    pack: new plainPack.Packr({ features: [plainPack.records], records: true }).pack,
    unpack: new plainUnpack.Unpackr({ features: [plainUnpack.records], records: true }).unpack,
  },
};

/** A field for each way to abuse an instance: it fails when a result is wrong. */
const ABUSES = {
  'a value goes through': (value) => {
    const codec = pick(Object.values(CODECS));
    assert.deepEqual(codec.unpack(codec.pack(value)), value);
  },
  'msgpackr would read it': (value) => {
    const bytes = compatible.pack(value);
    assert.deepEqual(compatible.unpack(compatible.pack(compatible.unpack(bytes))), compatible.unpack(bytes));
  },
  'the memory of a message is transferred': (value) => {
    const codec = pick(Object.values(CODECS));
    const message = codec.pack(value);
    structuredClone(message, { transfer: [message.buffer] });
    assert.equal(message.length, 0);
    assert.throws(() => unpack(message), { kind: 'eof' });
    assert.deepEqual(codec.unpack(codec.pack(value)), value);
  },
  'memory is transferred while it is written': (value) => {
    const packr = new Packr({ records: random(2) === 0, columns: random(2) === 0 && columns });
    const before = packr.pack(1);
    const abused = new Json(() => {
      if (before.length > 0) structuredClone(before, { transfer: [before.buffer] });
      return value;
    });
    assert.deepEqual(packr.unpack(packr.pack([value, abused, value])), [value, value, value]);
  },
  'getStructures overwrites the input': (value) => {
    const packr = sharingPackr();
    const message = Uint8Array.from(packr.pack(value));
    const memory = new Uint8Array(message.length + random(64));
    memory.set(message);
    const unpackr = new Unpackr({
      getStructures() {
        memory.fill(0xc0);
        return structuredClone(shared.list);
      },
    });
    assert.deepEqual(unpackr.unpack(memory.subarray(0, message.length)), value);
    if (shared.list.length > 28) shared.list = [];
  },
  'getStructures overwrites the input of a View': (value) => {
    const packr = sharingPackr();
    const memory = Uint8Array.from(packr.pack([value, { value }]));
    const unpackr = new Unpackr({
      getStructures() {
        memory.fill(random(256));
        return structuredClone(shared.list);
      },
    });
    const view = new View(memory, unpackr);
    const found = view.get(1, 'value');
    assert.deepEqual(found instanceof View ? found.unpack() : found, value);
    assert.deepEqual(view.unpack(), [value, { value }]);
    if (shared.list.length > 28) shared.list = [];
  },
  'a Map or Set changes while it is written sorted or whole': (value) => {
    const held = pick([new Map(), new Set()]);
    const change = () => {
      held.delete('z');
      if (held instanceof Map) held.set(random(9), value);
      else held.add(value);
      return value;
    };
    if (held instanceof Map) held.set('a', new Json(change)).set('z', 1);
    else held.add(new Json(change)).add('z');
    const packr = new Packr({ rich: true, sortKeys: true, maps: 'map' });
    const read = packr.unpack(packr.pack([held, 5]));
    const plain = packr.unpack(packr.pack(value));
    const expected =
      held instanceof Map
        ? new Map([
            ['a', plain],
            ['z', 1],
          ])
        : new Set([plain, 'z']);
    assert.deepEqual(read, [expected, 5]);
  },
  'methods are taken out or overridden, and options set later': (value) => {
    const { pack: write, unpack: read } = new Packr({ records: random(2) === 0 });
    assert.deepEqual(read(write(value)), value);
    class Store extends Packr {
      getStructures() {
        assert.ok(this instanceof Store);
        return structuredClone(shared.list);
      }
      saveStructures(structures, isCompatible) {
        if (!isCompatible(structuredClone(shared.list))) return false;
        shared.list = structuredClone(structures);
        return true;
      }
    }
    const store = new Store({ structures: [] });
    assert.deepEqual(store.unpack(store.pack(value)), value);
    assert.throws(() => {
      store[pick(['maps', 'bigint', 'int64', 'timestamps'])] = true;
    }, TypeError);
    assert.deepEqual(store.unpack(store.pack(value)), value);
    if (shared.list.length > 28) shared.list = [];
  },
  'a schema reads some of the fields': (value) => {
    const codec = pick([CODECS.records, CODECS['maps as objects'], CODECS['checked limits']]);
    const held = { before: value, ...object(3), after: 1 };
    const names = Object.keys(held).filter(() => random(2) === 0);
    const one = schemas.object(Object.fromEntries(names.map((name) => [name, schemas.any])));
    const list = Array.from({ length: random(12) }, () => held);
    const whole = codec.unpack(codec.pack(list));
    assert.deepEqual(
      codec.unpack(codec.pack(list), schemas.array(one)),
      whole.map((read) => Object.fromEntries(names.map((name) => [name, read[name]]))),
    );
  },
  'integers of 64 bits are read as bigints': (value) => {
    const packr = new Packr({ int64: 'bigint', records: random(2) === 0 });
    const find = (read, given) => {
      if (Array.isArray(given)) given.forEach((element, i) => void find(read[i], element));
      else if (given !== null && given?.constructor === Object)
        for (const key of Object.keys(given)) find(read[key], given[key]);
      else assert.deepEqual(read, given);
    };
    find(packr.unpack(packr.pack(value)), value);
  },
  'rows are stored by column, and damaged': (value) => {
    const packr = new Packr({
      columns,
      records: random(2) === 0,
    });
    const like = object(2);
    const rows = Array.from({ length: 8 + random(60) }, (_, i) => ({
      ...(random(20) === 0 ? object(1) : like),
      i,
      ...(random(9) === 0 ? { value } : {}),
    }));
    const given = pick([rows, { rows, value }, rows.map(Object.values)]);
    const message = Uint8Array.from(packr.pack(given));
    assert.deepEqual(packr.unpack(message), given);
    for (let n = random(8) + 1; n > 0; n--) message[random(message.length)] = random(256);
    try {
      packr.unpack(message);
      for (const column of columnsOf(message).columns) column.values();
    } catch (error) {
      assert.ok(error instanceof MsgpackDecodeError || error instanceof TypeError, error.stack);
    }
  },
  'a Map changes while it is written': (value) => {
    const map = new Map([
      ['a', new Json(() => map.set('b', 1) && value)],
      ['c', value],
    ]);
    assert.throws(() => pack([value, map]), MsgpackEncodeError);
    assert.deepEqual(unpack(pack(value)), value);
  },
  'an instance is used within itself': (value) => {
    const packr = new Packr({ records: random(2) === 0, columns: random(2) === 0 && columns });
    const inner = new Json(() => packr.unpack(packr.pack(value)));
    assert.deepEqual(packr.unpack(packr.pack({ inner, value })), { inner: value, value });
  },
  'an object changes while it is written': (value) => {
    const object = {
      first: 1,
      second: new Json(() => {
        delete object.third;
        object.added = 1;
        return value;
      }),
      third: 3,
    };
    let read;
    try {
      read = CODECS.plain.unpack(pack([object, value]));
    } catch (error) {
      assert.ok(error instanceof MsgpackEncodeError, error.stack);
      return;
    }
    assert.deepEqual(read[1], value);
    assert.deepEqual(read[0].second, value);
  },
  'bytes are cut, moved and detached': (value) => {
    const codec = pick(Object.values(CODECS));
    const message = Uint8Array.from(codec.pack(value));
    const cut = message.subarray(0, random(message.length));
    // The build without code generation has classes of its own.
    assert.throws(() => codec.unpack(cut), { name: 'MsgpackDecodeError' });
    const moved = new Uint8Array(message.length + 10);
    const start = random(10);
    moved.set(message, start);
    assert.deepEqual(codec.unpack(moved, { start, end: start + message.length }), value);
  },
  'the source of a stream uses its memory again, or transfers it': (value) => {
    const bytes = CODECS.plain.pack([value, value]);
    const size = random(bytes.length) + 1;
    function* chunks() {
      const memory = new Uint8Array(size);
      for (let at = 0; at < bytes.length; at += size) {
        const part = Uint8Array.from(bytes.subarray(at, at + size));
        if (random(2) === 0) {
          yield part;
          structuredClone(part, { transfer: [part.buffer] });
        } else {
          memory.set(part);
          yield memory.subarray(0, part.length);
        }
      }
    }
    assert.deepEqual([...decodeIter(chunks(), {})], [[value, value]]);
  },
  'the input of a View changes or is detached': (value) => {
    const message = Uint8Array.from(pack([value, value]));
    const view = new View(message, {});
    view.get(0);
    if (random(2) === 0) structuredClone(message, { transfer: [message.buffer] });
    else for (let n = random(8) + 1; n > 0; n--) message[random(message.length)] = random(256);
    try {
      view.get(1);
      view.unpack();
    } catch (error) {
      assert.ok(error instanceof MsgpackDecodeError, error.stack);
    }
  },
};

describe('an instance', () => {
  it('writes and reads right values, or throws a typed error, whatever is done to it', (context) => {
    context.diagnostic(`SEED=${SEED}, ${SECONDS} s`);
    const counts = Object.fromEntries(Object.keys(ABUSES).map((name) => [name, 0]));
    const end = Date.now() + SECONDS * 1000;
    // A busy machine may have no time for each of them in these seconds.
    const isShort = () => Object.values(counts).includes(0) || shared.declined === 0;
    let rounds = 0;
    do {
      const name = pick(Object.keys(ABUSES));
      const value = any(4) ?? null;
      ABUSES[name](value);
      counts[name]++;
      rounds++;
    } while (Date.now() < end || (rounds < 10_000 && isShort()));
    context.diagnostic(JSON.stringify({ ...counts, 'saves declined': shared.declined }));
    for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
    assert.ok(shared.declined > 0);
  });
});
