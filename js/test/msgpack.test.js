/** `packord/msgpack`, compared with @msgpack/msgpack itself, whose names, bytes and errors it has. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import * as peer from '@msgpack/msgpack';
import fc from 'fast-check';
import { Unpackr } from 'packord';
import * as packord from 'packord/msgpack';
import * as compatible from 'packord/msgpackr';
import { measured } from './measure.js';

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 2000) };

class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  toJSON() {
    return 'not used';
  }
}

/** A codec of either package: points, maps of any keys, and bigints. */
function codecOf({ ExtensionCodec, encode, decode }) {
  const codec = new ExtensionCodec();
  codec.register({
    type: 5,
    encode: (value, context) =>
      value instanceof Point
        ? encode([value.x, value.y, context?.name ?? null], { extensionCodec: codec, context })
        : null,
    decode: (data, type, context) => ({
      type,
      point: decode(data, { extensionCodec: codec, context }),
      by: context?.name,
    }),
  });
  codec.register({
    type: 0,
    encode: (value) => (typeof value === 'bigint' ? encode(value.toString()) : null),
    decode: (data) => BigInt(decode(data)),
  });
  return codec;
}

/** Replaces each ExtData, of which each package has a class. */
function plain(given) {
  if (given instanceof peer.ExtData || given instanceof packord.ExtData) return { ext: given.type, data: given.data };
  if (Array.isArray(given)) return given.map(plain);
  const isObject = Object.prototype.toString.call(given) === '[object Object]';
  return isObject ? Object.fromEntries(Object.entries(given).map(([name, field]) => [name, plain(field)])) : given;
}

/** Runs a function of each package: the results, or the classes of the errors, have to be equal. */
function same(run) {
  const [theirs, ours] = [peer, packord].map((library) => {
    try {
      return { value: plain(run(library)) };
    } catch (error) {
      if (error instanceof RangeError) return { error: 'RangeError' };
      return { error: error instanceof library.DecodeError ? 'DecodeError' : 'Error' };
    }
  });
  assert.deepEqual(ours, theirs);
  if (ours.value instanceof Uint8Array) assert.equal(ours.value.constructor, theirs.value.constructor);
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const key = text.filter((name) => name !== '__proto__');
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double().filter((value) => !Object.is(value, -0)),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    text,
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.uint8Array({ maxLength: 300 }),
    fc.float64Array({ maxLength: 3 }),
    fc.date({ noInvalidDate: true }),
    fc.tuple(number, text).map(([x, y]) => new Point(x, y)),
    fc.array(tie('value'), { maxLength: 20 }),
    fc.dictionary(key, tie('value'), { maxKeys: 20, noNullPrototype: false }),
  ),
}));
const flag = fc.constantFrom(undefined, false, true);
const encoderOptions = fc.record({
  useBigInt64: flag,
  forceFloat32: flag,
  ignoreUndefined: flag,
  forceIntegerToFloat: flag,
  maxDepth: fc.constantFrom(undefined, 1, 2, 3, 4),
});

describe('packord/msgpack and @msgpack/msgpack', () => {
  it('has every name', () => {
    assert.deepEqual(
      Object.keys(createRequire(import.meta.url)('@msgpack/msgpack')).filter((name) => !(name in packord)),
      [],
    );
    const required = createRequire(import.meta.url)('packord/msgpack');
    assert.deepEqual(Object.keys(required).sort(), Object.keys(packord).sort());
  });

  it('writes the same bytes under every option, and reads the same values', () => {
    const property = fc.property(value, encoderOptions, (given, options) => {
      same(({ encode }) => encode(given, options));
      same(({ Encoder }) => new Encoder(options).encode(given));
      const decoding = { ...options, maxDepth: 100 };
      same(({ decode }) => decode(peer.encode(given, decoding), decoding));
    });
    fc.assert(property, RUNS);
  });

  it('writes bigints with useBigInt64, and reads 64 bits as bigints or as numbers', () => {
    const property = fc.property(fc.bigInt(-(1n << 63n), (1n << 64n) - 1n), (given) => {
      same(({ encode }) => encode([given], { useBigInt64: true }));
      same(({ encode }) => encode(given));
      for (const useBigInt64 of [true, false])
        same(({ decode }) => decode(peer.encode(given, { useBigInt64: true }), { useBigInt64 }));
    });
    fc.assert(property, RUNS);
  });

  it('writes errors and regular expressions as their fields', () => {
    const named = Object.assign(new RangeError('x'), { code: 5 });
    same(({ encode }) => encode([new Error('x'), named, /x/g]));
  });

  it('sorts keys in the same order where UTF-16 and UTF-8 have the same order', () => {
    const keys = fc.dictionary(fc.string({ maxLength: 5 }), number, { noNullPrototype: false });
    const property = fc.property(keys, (given) => {
      if (Object.hasOwn(given, '__proto__')) return;
      same(({ encode }) => encode(given, { sortKeys: true }));
    });
    fc.assert(property, RUNS);
  });

  it('calls codecs with the context, for objects, bigints and within themselves', () => {
    const context = { name: 'c' };
    const property = fc.property(fc.array(fc.oneof(value, fc.bigInt())), (given) => {
      same((library) => {
        const extensionCodec = codecOf(library);
        return library.encode([given, new Point(new Point(1n, 2), given)], {
          extensionCodec,
          context,
        });
      });
      const extensionCodec = codecOf(peer);
      const bytes = peer.encode(given, { extensionCodec, context });
      same((library) => library.decode(bytes, { extensionCodec: codecOf(library), context: { name: 'd' } }));
      same((library) => library.decode(bytes));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('agrees about bytes of any kind, and about limits', () => {
    // The guide names what is left out: strings that are not UTF-8, malformed timestamps and announced
    // elements that the bytes can't hold, for which the classes of errors differ.
    const marker = fc.constantFrom(
      ...[0, 1, 0x7f, 0x80, 0x81, 0x82, 0x90, 0x91, 0x92, 0xa0, 0xa1, 0xa2, 0xc0, 0xc1, 0xc2, 0xc3],
      ...[0xc4, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xd9, 0xe0, 0xff],
    );
    const limit = fc.constantFrom(undefined, 0, 1, 2);
    const options = fc.record({
      maxStrLength: limit,
      maxBinLength: limit,
      maxArrayLength: limit,
      maxMapLength: limit,
      maxExtLength: limit,
    });
    const bytes = fc.array(fc.oneof(marker, fc.integer({ min: 0, max: 0x7f })), { maxLength: 12 });
    const property = fc.property(bytes, options, (given, limits) => {
      const [theirs, ours] = [peer, packord].map(({ decode }) => {
        try {
          return plain(decode(given, limits));
        } catch (error) {
          return error;
        }
      });
      if (JSON.stringify(ours)?.includes('\ufffd')) return;
      if (theirs instanceof Error) assert.ok(ours instanceof Error, `${ours}, not ${theirs}`);
      else assert.deepEqual(ours, theirs);
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('takes the options of each call, after one with a value of undefined too', () => {
    const bytes = Buffer.from('9191c0', 'hex');
    packord.decode(bytes, { rawStrings: undefined });
    assert.throws(() => packord.decode(bytes, { maxArrayLength: 0 }), { kind: 'length_limit' });
    packord.encode({ b: 1, a: 2 }, { extensionCodec: undefined });
    const sorted = packord.encode({ b: 1, a: 2 }, { sortKeys: true });
    assert.deepEqual(sorted, packord.encode({ a: 2, b: 1 }));
  });

  it('reads raw strings, and their keys as strings', () => {
    const bytes = peer.encode({ a: 'bc', d: ['e'] });
    same(({ decode }) => decode(bytes, { rawStrings: true }));
    same(({ decode }) => decode(bytes, { rawStrings: true, maxBinLength: 1 }));
  });

  it('refuses __proto__ and keys that are neither strings nor numbers, unless converted', () => {
    const proto = [0x81, 0xa9, ...Buffer.from('__proto__'), 0x80];
    const entry = (...bytes) => [0x81, ...bytes, 0x01];
    const keys = [proto, entry(0xc0), entry(0xc3), entry(5), entry(0xe0), entry(0x90), entry(0x80)];
    for (const bytes of keys) {
      // A generated decoder must not take part.
      for (let i = 0; i < 40; i++) same(({ decode }) => decode(bytes));
      same(({ decode }) => decode(bytes, { mapKeyConverter: (given) => `<${given}>` }));
    }
  });

  it('makes no prototype of what functions of the program return as keys', () => {
    const refused = { name: 'DecodeError', message: /__proto__/ };
    const value = '81a178c3';
    for (const key of ['__proto__', ['__proto__'], new String('__proto__')]) {
      const mapKeyConverter = () => key;
      for (const given of ['c0', '90', 'c40100']) {
        const bytes = Buffer.from(`81${given}${value}`, 'hex');
        assert.throws(() => packord.decode(bytes, { mapKeyConverter }), refused);
        const unpackr = new compatible.Unpackr({ mapsAsObjects: true, mapKeyConverter });
        assert.deepEqual(Object.keys(unpackr.unpack(bytes)), ['__proto__']);
      }
      const keyDecoder = { canBeCached: () => true, decode: () => key };
      const bytes = Buffer.from(`81a161${value}`, 'hex');
      assert.throws(() => packord.decode(bytes, { keyDecoder }), refused);
    }
    const str = Buffer.from(`81a9${Buffer.from('__proto__').toString('hex')}${value}`, 'hex');
    assert.throws(() => packord.decode(str, { rawStrings: true }), refused);
  });

  it('gives a payload its position in the message', () => {
    const data = (position) => Uint8Array.of(position, 2, 3);
    for (const before of [[], ['x'], ['é'.repeat(100), 'y'.repeat(20)]])
      same(({ encode, ExtData }) => encode([...before, new ExtData(7, data)]));
    same(({ decode }) => decode([0xc7, 3, 9, 1, 2, 3]));
    same(({ decode }) => decode([0xd4, 0, 0]));
  });

  it('writes times with negative nanoseconds as @msgpack/msgpack does', () => {
    for (const sec of [0, 1, 2 ** 33, 2 ** 40, -5])
      for (const nsec of [-1, -999_999_999]) same((library) => library.encodeTimeSpecToTimestamp({ sec, nsec }));
  });

  it('has the helpers for timestamps', () => {
    const sec = fc.integer({ min: -1e11, max: 1e11 });
    const nsec = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999_999 }));
    const property = fc.property(sec, nsec, (seconds, nanoseconds) => {
      const spec = { sec: seconds, nsec: nanoseconds };
      const date = new Date(seconds * 1000 + Math.floor(nanoseconds / 1e6));
      same((library) => library.encodeTimeSpecToTimestamp(spec));
      same((library) => library.encodeDateToTimeSpec(date));
      same((library) => library.encodeTimestampExtension(date));
      const bytes = peer.encodeTimeSpecToTimestamp(spec);
      same((library) => library.decodeTimestampToTimeSpec(bytes));
      same((library) => library.decodeTimestampExtension(bytes));
    });
    fc.assert(property, RUNS);
    same((library) => library.EXT_TIMESTAMP);
    same((library) => library.encodeTimestampExtension(5));
    same((library) => library.decodeTimestampExtension(new Uint8Array(3)));
  });

  it('takes every kind of input, and returns payloads as views of it', () => {
    const bytes = peer.encode({ a: Uint8Array.of(1, 2) });
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const kinds = [bytes, bytes.slice().buffer, new DataView(bytes.slice().buffer)];
    kinds.push({ length: bytes.length, ...bytes });
    for (const kind of [...kinds, Buffer.from(bytes), [...bytes], shared, shared.buffer]) {
      same(({ decode }) => decode(kind).a);
      same(({ decode }) => decode(kind));
    }
    assert.equal(packord.decode(bytes).a.buffer, bytes.buffer);
  });

  it('returns bytes with memory of their own, and keeps what encodeSharedRef returned', () => {
    const bytes = packord.encode({ a: 1 });
    assert.equal(bytes.buffer.byteLength, bytes.length);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    const encoder = new packord.Encoder();
    const first = encoder.encodeSharedRef([1]);
    encoder.encodeSharedRef([2]);
    assert.deepEqual(packord.decode(first), [1]);
  });

  it('reads streams cut anywhere, in any kind of chunk', async () => {
    const one = peer.encode([1, 'two', Uint8Array.of(3, 4, 5), { four: [new Date(5)] }]);
    const two = Uint8Array.from([...one, ...one]);
    const all = async (values) => {
      const list = [];
      for await (const each of values) list.push(each);
      return list;
    };
    const cut = (bytes, size) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
    for (const size of [1, 2, 7, 100])
      for (const kind of [(chunk) => chunk, (chunk) => [...chunk], (chunk) => chunk.buffer]) {
        const chunks = (bytes) => ReadableStream.from(cut(bytes, size).map(kind));
        const results = ({ decodeAsync, decodeArrayStream, decodeMultiStream, decodeMulti }) =>
          Promise.all([
            decodeAsync(chunks(one)),
            all(decodeArrayStream(chunks(one))),
            all(decodeMultiStream(chunks(two))),
            [...decodeMulti(kind(two))],
          ]);
        assert.deepStrictEqual(await results(packord), await results(peer));
      }
    assert.deepEqual([...packord.decodeMulti([])], []);
    assert.throws(() => [...packord.decodeMulti([1, 0x91])], RangeError);
    for (const library of [packord, peer]) {
      await assert.rejects(library.decodeAsync(ReadableStream.from([[0x91]])), RangeError);
      await assert.rejects(library.decodeAsync(ReadableStream.from([[1, 2]])), RangeError);
      const object = library.decodeArrayStream(ReadableStream.from([[0xa1]]));
      await assert.rejects(all(object), library.DecodeError);
    }
    await assert.rejects(all(packord.decodeArrayStream(ReadableStream.from([[0x92], [1]]))), {
      name: 'RangeError',
      kind: 'eof',
    });
  });

  it('has errors with kind, offset and path', () => {
    assert.throws(() => packord.decode([0x81, 0xa1, 0x61, 0xc1]), {
      name: 'DecodeError',
      kind: 'reserved_marker',
      offset: 3,
      path: '$.a',
    });
    assert.throws(() => packord.decode([0x92, 1]), { name: 'RangeError', kind: 'eof', offset: 2 });
    assert.throws(() => packord.decode([1, 2]), { name: 'RangeError', kind: 'trailing_bytes' });
    assert.throws(() => packord.encode({ a: [Symbol('s')] }), {
      kind: 'unsupported_type',
      path: '$.a[0]',
    });
    const cyclic = [];
    cyclic.push(cyclic);
    assert.throws(() => packord.encode(cyclic), { kind: 'cycle' });
    const own = new packord.DecodeError('own');
    const codec = new packord.ExtensionCodec();
    codec.register({
      type: 1,
      encode: () => null,
      decode() {
        throw own;
      },
    });
    assert.throws(
      () => packord.decode([0xd4, 1, 0], { extensionCodec: codec }),
      (error) => error === own,
    );
  });

  it('keeps an instance that failed in order', () => {
    const [encoder, decoder] = [new packord.Encoder(), new packord.Decoder()];
    for (let i = 0; i < 3; i++) {
      assert.throws(() => encoder.encode([() => {}]));
      assert.throws(() => decoder.decode([0x92, 1]));
      assert.deepEqual(decoder.decode(encoder.encode([i])), [i]);
    }
  });
});

describe('packord/msgpack differs from @msgpack/msgpack as the guide says', () => {
  const hex = (bytes) => Buffer.from(bytes).toString('hex');
  const written = (given, options) =>
    [packord, peer].map(({ encode }) => {
      try {
        return hex(encode(given, options));
      } catch (error) {
        return error.kind ?? error.constructor.name;
      }
    });
  const read = (bytes, options) =>
    [packord, peer].map(({ decode }) => {
      try {
        return decode(bytes, options);
      } catch (error) {
        return error.kind ?? error.constructor.name;
      }
    });

  it('in what it writes', () => {
    assert.deepEqual(written(new Map([['a', 1]])), ['81a16101', '80']);
    assert.deepEqual(written(new Set([1])), ['9101', '80']);
    assert.deepEqual(written(Uint8Array.of(1).buffer), ['c40101', '80']);
    assert.deepEqual(written(-0), ['cb8000000000000000', '00']);
    const large = written((1n << 64n) + 5n, { useBigInt64: true });
    assert.deepEqual(large, ['out_of_range', 'cf0000000000000005']);
    const [invalid, other] = written(new Date(Number.NaN));
    assert.equal(invalid, 'out_of_range');
    assert.match(other, /^c70cff/);
    assert.deepEqual(written('\ud800'), ['a3efbfbd', 'a3eda080']);
    const [utf8, utf16] = written({ '😀': 1, '\uffff': 2 }, { sortKeys: true });
    assert.notEqual(utf8, utf16);
    assert.ok(utf8.startsWith('82a3efbfbf'));
  });

  it('in what it reads', () => {
    const nested = Buffer.concat([Buffer.alloc(1024, 0x91), Buffer.of(0xc0)]);
    assert.equal(packord.decode(nested).length, 1);
    assert.equal(read(Buffer.concat([Buffer.of(0x91), nested]))[0], 'depth_limit');
    assert.throws(() => packord.decode([0x92, 0x91, 1], { maxDepth: 1 }), { kind: 'depth_limit' });
    const [fault, date] = read([0xd7, 0xff, 0xff, 0xff, 0xff, 0xfc, 0, 0, 0, 0]);
    assert.equal(fault, 'invalid_timestamp');
    assert.ok(date instanceof Date);
    const [replaced, wrong] = read([0xa2, 0xce, 0]);
    assert.equal(replaced, '\ufffd\0');
    assert.notEqual(wrong, replaced);
    const bom = Buffer.concat([Buffer.of(0xda, 1, 0, 0xef, 0xbb, 0xbf), Buffer.alloc(253, 'a')]);
    assert.deepEqual(
      read(bom).map((value) => value.length),
      [254, 253],
    );
    const raw = { rawStrings: true, maxStrLength: 0 };
    assert.deepEqual(read([0x81, 0xa1, 0x61, 1], raw), [{ a: 1 }, 'DecodeError']);
    assert.deepEqual(read([0xdd, 0x7f, 0xff, 0xff, 0xff])[0], 'eof');
  });

  it('in streams that end too early, or hold no array', async () => {
    const all = async (values) => {
      const list = [];
      for await (const each of values) list.push(each);
      return list;
    };
    const cut = () => ReadableStream.from([[0x92, 1]]);
    await assert.rejects(all(packord.decodeMultiStream(cut())), RangeError);
    assert.deepEqual(await all(peer.decodeMultiStream(cut())), []);
    await assert.rejects(all(packord.decodeArrayStream(cut())), RangeError);
    assert.deepEqual(await all(peer.decodeArrayStream(cut())), [1]);
    const map = () => ReadableStream.from([[0x81, 1, 2]]);
    await assert.rejects(all(packord.decodeArrayStream(map())), packord.DecodeError);
    assert.deepEqual(await all(peer.decodeArrayStream(map())), [1, 2]);
  });
});

describe('a call with options', () => {
  it('makes its encoder or decoder as fast as an Unpackr is made', () => {
    const time = (make) =>
      measured(() => {
        for (let i = 0; i < 200; i++) make();
      }).milliseconds;
    const makers = [
      () => new Unpackr(),
      () => new packord.Decoder({ useBigInt64: true }),
      () => new packord.Encoder({ useBigInt64: true }),
    ];
    for (const make of makers) for (let i = 0; i < 20; i++) time(make);
    const [unpackr, ...times] = makers.map((make) => Math.min(...Array.from({ length: 20 }, () => time(make))));
    // What is made by its checks takes several times as long.
    for (const each of times) assert.ok(each < unpackr * 1.5, `${each} ms, an Unpackr ${unpackr} ms`);
  });
});
