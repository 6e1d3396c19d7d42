/** What each option changes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as packord from 'packord';
import { Packr, Unpackr } from 'packord';
import * as compatible from 'packord/msgpackr';
import { errorOf } from './vectors.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');

describe('options', () => {
  it('that do not exist throw, but not in packord/msgpackr', () => {
    for (const Class of [Packr, Unpackr])
      assert.throws(() => new Class({ useRecord: false }), /There is no option useRecord$/);
    assert.equal(hex(new compatible.Packr({ name: 'db', useRecords: false }).pack(1)), '01');
  });

  const bytes = (value, options) => hex(new Packr({ useRecords: false, ...options }).pack(value));

  it('change the bytes that are written', () => {
    assert.equal(bytes({ b: 1, a: undefined }, { ignoreUndefined: true }), '81a16201');
    assert.equal(bytes({ b: 1, a: 2 }, { sortKeys: true }), '82a16102a16201');
    assert.equal(bytes({ a: 1, b: null, c: 0 }, { skipValues: [null, 0] }), '81a16101');
    assert.equal(bytes({ 1: 'x' }, { coercibleKeyAsNumber: true }), '8101a178');
    assert.equal(bytes([1], { forceIntegerToFloat: true }), '91cb3ff0000000000000');
    // The same after an encoder could have been generated.
    const objects = Array.from({ length: 50 }, () => ({ a: 1 }));
    assert.equal(
      bytes(objects, { forceIntegerToFloat: true, useRecords: false }),
      `dc0032${'81a161cb3ff0000000000000'.repeat(50)}`,
    );
    assert.equal(bytes([undefined], { encodeUndefinedAsNil: true }), '91c0');
    assert.equal(bytes(new Set([1]), { setAsEmptyObject: true }), '80');
    assert.equal(bytes(new Map([[1, 2]]), { mapAsEmptyObject: true }), '80');
    assert.equal(bytes(new Date(Number.NaN), { onInvalidDate: () => 7 }), '07');
    assert.equal(bytes(new Date(1500), { useTimestamp32: true }), 'd6ff00000001');
    assert.equal(
      bytes(() => 1, { writeFunction: () => 'f' }),
      'a166',
    );
    assert.equal(bytes(1.5, { float32: true }), 'ca3fc00000');
    assert.equal(bytes(5n), 'cf0000000000000005');
    assert.equal(bytes(2n ** 63n), 'cf8000000000000000');
    assert.equal(bytes(5n, { canonical: true }), '05');
    assert.equal(bytes(-5n, { canonical: true }), 'fb');
    const exact = new Packr({ int64AsType: 'bigint' });
    assert.deepEqual(exact.unpack(exact.pack([5n, 5])), [5n, 5]);
    assert.equal(bytes({ a: 1 }, { variableMapSize: false }), 'de0001a16101');
    assert.equal(bytes('\ud800'), 'a3efbfbd');
    assert.equal(bytes(2 ** 40), 'cf0000010000000000');
    assert.equal(bytes(-0), 'cb8000000000000000');
  });

  it('change what is read', () => {
    const read = (text, options) =>
      new Unpackr({ useRecords: false, ...options }).unpack(Buffer.from(text, 'hex'));
    assert.deepEqual(read('a161', { rawStrings: true }), Buffer.from('a'));
    assert.equal(read('a1ff', { utf8: 'replace' }), '\ufffd');
    assert.deepEqual(read('a1ff', { utf8: 'raw' }), Buffer.from([0xff]));
    assert.equal(read('0102', { trailing: 'allow' }), 1);
    assert.deepEqual(read('8191010a', { allowArraysInMapKeys: true }), { 1: 10 });
    assert.deepEqual(read('81c005', { mapKeyConverter: String, mapsAsObjects: true }), { null: 5 });
    const strict = { objectKeys: 'strict', useRecords: false };
    assert.deepEqual(read('810502', strict), { 5: 2 });
    for (const bytes of ['81c005', '81a95f5f70726f746f5f5f80'])
      assert.throws(() => read(bytes, strict), { kind: 'type_mismatch', offset: 1 });
  });

  it('freeze or copy what is read', () => {
    const unpackr = new Unpackr({ freezeData: true, copyBuffers: true });
    const packed = new Packr().pack([{ a: [1] }, Buffer.from('x')]);
    const value = unpackr.unpack(packed);
    assert.ok(Object.isFrozen(value) && Object.isFrozen(value[0]) && Object.isFrozen(value[0].a));
    assert.notEqual(value[1].buffer, packed.buffer);
  });

  it('writes positive bigints as uint 64 and packord/msgpackr as msgpackr does', () => {
    const own = (value) => hex(packord.pack(value));
    assert.equal(own(5n), 'cf0000000000000005');
    assert.equal(own(2n ** 53n), 'cf0020000000000000');
    assert.equal(own(2n ** 63n - 1n), 'cf7fffffffffffffff');
    assert.equal(own(2n ** 64n - 1n), 'cfffffffffffffffff');
    assert.equal(own(-1n), 'd3ffffffffffffffff');
    for (const value of [0n, 5n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, -1n])
      assert.deepEqual(compatible.pack(value), msgpackr.pack(value), String(value));
  });

  it('choose the type of 64-bit integers', () => {
    const read = (int64AsType) =>
      new Unpackr({ int64AsType }).unpack(
        Buffer.from('92cfffffffffffffffff d3ffffffffffffffff'.replace(' ', ''), 'hex'),
      );
    assert.deepEqual(read('auto'), [2n ** 64n - 1n, -1]);
    assert.deepEqual(read('bigint'), [2n ** 64n - 1n, -1n]);
    assert.deepEqual(read('number'), [2 ** 64, -1]);
    assert.deepEqual(read('string'), ['18446744073709551615', '-1']);
  });

  it('read every integer as a bigint on request, and nothing else', () => {
    const value = {
      small: 5,
      list: [-1, 200, 70_000, -300, 2 ** 40],
      half: 0.5,
      one: 1n,
      text: 'a',
    };
    const expected = {
      small: 5n,
      list: [-1n, 200n, 70_000n, -300n, 2n ** 40n],
      half: 0.5,
      one: 1n,
      text: 'a',
    };
    for (const options of [
      { useRecords: false },
      {},
      { structures: [] },
      { bundleStrings: true },
    ]) {
      const packr = new Packr({ ...options, integersAsBigInt: true });
      const many = Array.from({ length: 40 }, () => value);
      assert.deepStrictEqual(
        packr.unpack(packr.pack(many)),
        many.map(() => expected),
      );
    }
    const bytes = Buffer.from(
      '8405a0ca3f800000cb3ff0000000000000cc01d001'.replace('84', '83'),
      'hex',
    );
    assert.deepStrictEqual(
      new Unpackr({ integersAsBigInt: true }).unpack(bytes),
      new Map([
        [5n, ''],
        [1, 1],
        [1n, 1n],
      ]),
    );
    const asObject = new Unpackr({ integersAsBigInt: true, useRecords: false });
    assert.deepStrictEqual(asObject.unpack(Buffer.of(0x81, 5, 6)), { 5: 6n });
  });

  it("keep numbers and bigints apart with int64AsType: 'bigint'", () => {
    const values = [5, 5n, 2 ** 32, -(2 ** 40), 2 ** 53 - 1, 2n ** 40n, -5n, 2n ** 63n, 1.5];
    for (const useRecords of [true, false]) {
      const packr = new Packr({ int64AsType: 'bigint', useRecords });
      const list = Array.from({ length: 40 }, () => values.map((n) => ({ n }))).flat();
      assert.deepStrictEqual(packr.unpack(packr.pack(list)), list);
    }
    const canonical = new Packr({ int64AsType: 'bigint', canonical: true });
    assert.equal(canonical.pack(2 ** 40).toString('hex'), 'cf0000010000000000');
  });

  it('change no byte of the canonical encoding', () => {
    const value = [
      1,
      -0,
      1.5,
      2 ** 40,
      2 ** 60,
      5n,
      new Date(2 ** 43),
      { a: 1 },
      Float32Array.of(1),
    ];
    const canonical = { canonical: true, moreTypes: true };
    const expected = bytes(value, canonical);
    assert.match(expected, /^990100cb3ff8000000000000cf0000010000000000cf100000000000000005d7ff/);
    for (const options of [
      { forceIntegerToFloat: true },
      { int64AsType: 'bigint' },
      { variableMapSize: false },
      { float32: true },
      { useFloat32: packord.FLOAT32_OPTIONS.ALWAYS },
      { useRecords: true, columns: true },
    ])
      assert.equal(bytes(value, { ...options, ...canonical }), expected, JSON.stringify(options));
    const packr = new compatible.Packr(canonical);
    assert.equal(packr.pack(value).toString('hex'), expected, 'packord/msgpackr');
    const keys = { b: 1, 10: 2, 9: 3 };
    assert.equal(bytes(keys, { coercibleKeyAsNumber: true, ...canonical }), '83a1620109030a02');
    const large = [2n ** 64n, -(2n ** 63n) - 1n];
    const floats = { canonical: true, largeBigIntToFloat: true };
    assert.equal(bytes(large, floats), '92cb43f0000000000000d38000000000000000');
  });

  it('write the elements of a Set in one order with canonical', () => {
    const packr = new Packr({ canonical: true, moreTypes: true });
    const packed = (...elements) => packr.pack(new Set(elements)).toString('hex');
    assert.equal(packed(3, 'b', 1, 'a'), 'd4730094a161a1620103');
    assert.equal(packed('a', 1, 'b', 3), packed(3, 'b', 1, 'a'));
    const arrays = new Packr({ canonical: true });
    assert.equal(arrays.pack(new Set([2, 1])).toString('hex'), '920102');
    const plain = new Packr({ moreTypes: true });
    assert.equal(plain.pack(new Set([2, 1])).toString('hex'), 'd47300920201');
  });

  it('write each element of a canonical Set once', () => {
    let set = new Set();
    for (let i = 0; i < 500; i++) set = new Set([set]);
    const packr = new Packr({ canonical: true, moreTypes: true });
    const begin = performance.now();
    assert.equal(packr.pack(set).toString('hex'), `${'d4730091'.repeat(500)}d4730090`);
    assert.ok(performance.now() - begin < 1000);
  });

  it('refuse two equal elements of a canonical Set', () => {
    for (const options of [{ canonical: true }, { canonical: true, moreTypes: true }])
      for (const elements of [
        [1, 1n],
        [-0, 'a', 0n],
        [{ a: 1 }, { a: 1 }],
      ])
        assert.throws(() => new Packr(options).pack({ s: new Set(elements) }), {
          kind: 'duplicate_key',
          path: `$.s[${elements.length - 1}]`,
        });
  });

  it('refuse references in what is sorted before its place is known', () => {
    for (const options of [{ canonical: true }, { sortKeys: true }])
      assert.throws(
        () => new Packr({ ...options, structuredClone: true }),
        /^TypeError: canonical and sortKeys need structuredClone to be off$/,
      );
  });

  it('read 64-bit integers as numbers up to 2^53 - 1 of either sign', () => {
    const limit = 2n ** 53n;
    const read = (n) => new Unpackr().unpack(new Packr().pack(n));
    assert.deepStrictEqual([limit - 1n, 1n - limit].map(read), [2 ** 53 - 1, 1 - 2 ** 53]);
    assert.deepStrictEqual([limit, -limit].map(read), [limit, -limit]);
  });

  it("take ±2^53 for exact with int64AsType: 'auto' of packord/msgpackr, as msgpackr does", () => {
    const values = [53, 54].flatMap((bits) => [2n ** BigInt(bits), 2n ** BigInt(bits) + 1n]);
    const all = [...values, ...values.map((value) => -value)];
    const ours = new compatible.Packr({ int64AsType: 'auto' });
    const theirs = new msgpackr.Packr({ int64AsType: 'auto' });
    for (const value of [...all, all, all.map((n) => ({ n }))])
      assert.deepStrictEqual(ours.unpack(ours.pack(value)), theirs.unpack(theirs.pack(value)));
  });

  it('choose the same type of 64-bit integers in arrays as elsewhere', () => {
    const edges = [0n, 1n, 2n ** 21n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    const wide = edges.flatMap((value) => {
      const both = Buffer.alloc(18, 0xcf);
      both.writeBigUInt64BE(value, 1);
      both[9] = 0xd3;
      both.writeBigInt64BE(-value, 10);
      return [both.subarray(0, 9), both.subarray(9)];
    });
    wide.push(Buffer.from('cfffffffffffffffff', 'hex'), Buffer.from('d38000000000000000', 'hex'));
    const array = Buffer.concat([Buffer.of(0xdc, 0, wide.length), ...wide, Buffer.alloc(8)]);
    for (const int64AsType of ['auto', 'bigint', 'number', 'string']) {
      const unpackr = new Unpackr({ int64AsType, useRecords: false, trailing: 'allow' });
      const alone = wide.map((bytes) => unpackr.unpack(bytes));
      assert.deepEqual(unpackr.unpack(array), alone);
    }
  });

  it('apply to empty containers in arrays', () => {
    const bytes = Buffer.from('92918091909290', 'hex');
    for (const options of [{}, { maxNodes: 100 }, { maxDepth: 2 }, { maxDepth: 1 }]) {
      const error = errorOf(() => new Unpackr({ useRecords: false, ...options }).unpack(bytes));
      const deep = options.maxDepth !== undefined;
      assert.deepEqual(
        [error.kind, error.offset],
        deep ? ['depth_limit', options.maxDepth] : ['trailing_bytes', 5],
      );
    }
    const inner = bytes.subarray(0, 5);
    const unpackr = (options) => new Unpackr({ useRecords: false, ...options });
    assert.deepEqual(unpackr().unpack(inner), [[{}], [[]]]);
    assert.deepEqual(unpackr({ mapsAsObjects: false }).unpack(inner), [[new Map()], [[]]]);
    assert.ok(Object.isFrozen(unpackr({ freezeData: true }).unpack(inner)[1][0]));
    // Too few bytes follow the empty array for what was announced before it.
    assert.equal(errorOf(() => unpackr().unpack(Buffer.from('939181a1619001', 'hex'))).kind, 'eof');
  });

  it('choose the type of 64-bit integers in objects with generated decoders', () => {
    // High halves that are markers of other values, and those around 2^53.
    const integers = [1n, 0xc0n, 0xccn, 0xcdn, 0x1fffffn, 0x200000n, 0xffffffffn].map(
      (high) => (high << 32n) | 5n,
    );
    const list = Array.from({ length: 4 }, () => integers.map((n) => ({ n, after: 7 }))).flat();
    const expected = {
      auto: (n) => (n < 2n ** 53n ? Number(n) : n),
      bigint: (n) => n,
      number: Number,
      string: String,
    };
    for (const [int64AsType, of] of Object.entries(expected))
      for (const useRecords of [true, false])
        assert.deepStrictEqual(
          new Unpackr({ int64AsType, useRecords }).unpack(new Packr({ useRecords }).pack(list)),
          list.map(({ n }) => ({ n: of(n), after: 7 })),
        );
  });

  it('start and end select a part of the bytes', () => {
    const packed = Buffer.from('ff01ff', 'hex');
    assert.equal(new Unpackr().unpack(packed, { start: 1, end: 2 }), 1);
    assert.equal(new Unpackr().unpack(packed, 1), -1);
  });
});
