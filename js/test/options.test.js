/** What each option changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as msgpackr from 'msgpackr';
import { decodeIter, ExtData, Packr, pack, Unpackr, unpack } from 'packord';
import { columns } from 'packord/columns';
import * as msgpack from 'packord/msgpack';
import * as compatible from 'packord/msgpackr';
import { Packr as PlainPackr, pack as plainPack } from 'packord/pack';
import { unpack as plainUnpack } from 'packord/unpack';
import { View } from 'packord/view';
import { measured } from './measure.js';
import { errorOf } from './vectors.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');

const source = (file) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');

/** The table of all options, by name: the features that they need, and their values. */
const TABLE = new Map(
  [.../const TABLE =(.*?);/s.exec(source('options/table.ts'))[1].matchAll(/'(.*?)'/g)]
    .flatMap(([, line]) => line.trim().split(' '))
    .map((option) => {
      const [left, values] = option.split(':');
      const [name, needs = ''] = left.split('=');
      return [name, { needs: needs.split('/'), values: values?.split(',') ?? [] }];
    }),
);

describe('options', () => {
  it('that do not exist throw, but not in packord/msgpackr', () => {
    for (const Class of [Packr, Unpackr])
      assert.throws(() => new Class({ useRecord: false }), /There is no option useRecord$/);
    const calls = [
      (options) => pack(1, options),
      (options) => unpack(Buffer.of(1), options),
      (options) => new View(Buffer.of(1), options),
      (options) => decodeIter([], options),
    ];
    for (const call of calls) assert.throws(() => call({ depth: 4 }), /There is no option depth$/);
    for (const use of [() => new Unpackr().unpack(Buffer.of(1), { maxDepth: 4 })])
      assert.throws(use, /There is no option maxDepth here: an Unpackr has options$/);
    assert.throws(() => plainUnpack(Buffer.of(1), { maxDepth: 4 }), /no option maxDepth here/);
    assert.throws(() => plainPack(1, { canonical: true }), /has no options/);
    assert.equal(hex(new compatible.Packr({ name: 'db', useRecords: false }).pack(1)), '01');
    assert.equal(new compatible.Unpackr().unpack(Buffer.of(1), { transaction: {} }), 1);
    assert.equal(compatible.unpack(Buffer.of(1), { lazy: true }), 1);
  });

  it('of other packages throw, and name the option here and the module that has them', () => {
    for (const [name, text] of [
      ['useRecords', 'it is records, or useRecords of packord/msgpackr'],
      ['structuredClone', 'packord/msgpackr has it'],
      ['maxStrLength', 'it is maxStrLen, or maxStrLength of packord/msgpack'],
      ['ignoreUndefined', 'packord/msgpack has it'],
      ['useToJSON', 'packord/msgpackr has it'],
    ])
      for (const use of [
        (options) => new Packr(options),
        (options) => pack(1, options),
        (options) => unpack(Buffer.of(1), options),
      ])
        assert.throws(() => use({ [name]: true }), {
          name: 'TypeError',
          message: `There is no option ${name}; ${text}`,
        });
  });

  it('are at most 40', () => {
    assert.ok(TABLE.size <= 40, `${TABLE.size}`);
    for (const name of TABLE.keys()) new Packr({ [name]: undefined });
  });

  it('are those of the types, whose comments have the defaults of the table', () => {
    const text = source('options/options.ts');
    const typed = [...text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\?:/gs)];
    assert.deepEqual(typed.map(([, , name]) => name).sort(), [...TABLE.keys()].sort());
    const numbers = { 67108864: '64 MiB', Infinity: 'none' };
    for (const [, comment, name] of typed) {
      const [first] = TABLE.get(name).values;
      if (first === undefined) continue;
      const preset = /Default:? '?([\w ]+)'?/.exec(comment.replaceAll(/\s*\*\s*/g, ' '))?.[1];
      assert.equal(preset, numbers[first] ?? first, name);
    }
  });

  it('of the functions are those that need no feature, limits and columns', () => {
    const text = source('api/functions.ts');
    for (const [type, use] of [
      ['UnpackSettings', 1],
      ['PackSettings', 0],
    ]) {
      const body = new RegExp(`type ${type} = Pick<(.*?)>;`, 's').exec(text)[1];
      for (const [, name] of body.matchAll(/'(\w+)'/g)) {
        if (name === 'features') continue;
        const need = TABLE.get(name).needs[use] ?? '';
        assert.ok(['', 'limits', 'columns'].includes(need), `${type}: ${name}`);
      }
    }
  });

  it('of the rows of containers are chosen for each option', () => {
    const quoted = (file, name) => {
      const body = new RegExp(`const ${name}\\b[^=]*= \\[(.*?)\\]`, 's').exec(source(file))[1];
      return [...body.matchAll(/'(\w+)'/g)].map(([, option]) => option);
    };
    const whole =
      'structures getStructures saveStructures sequential records canonical columns maxRecordKeys ' +
      'shouldShareStructure maxSharedStructures maxOwnStructures';
    const unwritten = `${whole} utf8 int64`.split(' ');
    const written = quoted('container/write/row-packer.ts', 'NAMES');
    const read = quoted('container/read/BodyReader.ts', 'EXCLUDED');
    const harmless = quoted('container/read/RowSelection.ts', 'HARMLESS');
    // Options that change values which a predicate compares, or have no effect on rows.
    const compared =
      'undefinedRecord rich bigint int64 timestamps duplicateKey utf8 unknownExt extensions context ' +
      'maxStrLen maxBinLen maxExtLen maxArrayLen maxMapLen maxNodes maxRecordKeys maxBuffer';
    const [reading, writing] = source('options/options.ts').split('export interface Options ');
    const names = (text) => [...text.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set([...read, ...harmless, ...compared.split(' ')])].sort(), names(reading).sort());
    for (const name of names(writing)) assert.notEqual(written.includes(name), unwritten.includes(name), name);
    for (const name of written) assert.ok(!read.includes(name) || name === 'records', name);
  });

  it('of a few values are refused where another type looks like one of them', () => {
    for (const value of [['map'], { toString: () => 'map' }, Symbol('map'), null])
      assert.throws(() => new Unpackr({ maps: value }), /^TypeError: maps must be one of auto, map, /);
    for (const value of ['4', Symbol('4'), -1, Number.NaN])
      assert.throws(() => new Unpackr({ maxDepth: value }), /^TypeError: maxDepth must be a number/);
  });

  it('are read in few microseconds', () => {
    const make = (Class) =>
      measured(() => {
        for (let i = 0; i < 500; i++) new Class({ maxDepth: 4 });
      }).milliseconds;
    for (const Class of [Packr, Unpackr, compatible.Packr, msgpack.Decoder]) {
      const least = Math.min(...Array.from({ length: 12 }, () => make(Class)));
      assert.ok(least < 500 * 0.03, `${Class.name}: ${2 * least} µs each`);
    }
  });

  it('that need a feature which the functions of packord have not are refused by their names', () => {
    const reading = {
      records: true,
      structures: [],
      rich: true,
      bigint: true,
      canonical: true,
      duplicateKey: 'error',
      reviver: (_, value) => value,
    };
    const writing = {
      records: true,
      structures: [],
      rich: true,
      bigint: true,
      canonical: true,
      sortKeys: true,
      skipNil: true,
      float32: true,
      utf8: 'error',
      replacer: ['a'],
    };
    for (const [use, options] of [
      [(given) => unpack(Buffer.of(1), given), reading],
      [(given) => pack(1, given), writing],
    ])
      for (const [name, value] of Object.entries(options))
        assert.throws(() => use({ [name]: value }), {
          name: 'TypeError',
          message: `${name} is an option of Packr and Unpackr: { ${name} }`,
        });
    const rows = [{ a: 1 }, { a: 2 }];
    assert.deepEqual(unpack(pack(rows, { columns }), { columns }), rows);
  });

  it('of the functions are those of the classes', () => {
    const deep = Buffer.from('919191919190', 'hex');
    assert.throws(() => unpack(deep, { maxDepth: 4 }), { kind: 'depth_limit', offset: 4 });
    assert.deepEqual(unpack(deep, { maxDepth: 6 }), [[[[[[]]]]]]);
    assert.deepEqual(unpack(deep, { maxDepth: 1, start: 5 }), []);
    assert.equal(hex(pack([1.5, 2 ** 40], { int64: 'bigint' })), '92cb3ff8000000000000cb4270000000000000');
    for (const { maxStrLen, kind } of [{ maxStrLen: 1, kind: 'length_limit' }, { maxStrLen: 2 }])
      assert.equal(errorOf(() => unpack(pack('ab'), { maxStrLen }))?.kind, kind);
    assert.equal(hex(pack({ b: 1, a: 2 }, {})), '82a16201a16102');
  });

  const bytes = (value, options) => hex(new Packr(options).pack(value));
  const peers = (value, options) =>
    hex(new compatible.Packr({ useRecords: false, variableMapSize: true, ...options }).pack(value));

  it('change the bytes that are written', () => {
    assert.equal(bytes({ b: 1, a: undefined }), '81a16201');
    assert.equal(peers({ b: 1, a: undefined }, { ignoreUndefined: true }), '81a16201');
    assert.equal(bytes({ a: 1, b: null, c: 0 }, { skipNil: true }), '82a16101a16300');
    assert.equal(bytes(new Map([['a', null]]), { skipNil: true }), '80');
    assert.equal(bytes({ b: 1, a: 2 }, { sortKeys: true }), '82a16102a16201');
    assert.equal(peers({ a: 1, b: null, c: 0 }, { skipValues: [null, 0] }), '81a16101');
    assert.equal(peers({ 1: 'x' }, { coercibleKeyAsNumber: true }), '8101a178');
    assert.equal(peers([1], { forceIntegerToFloat: true }), '91cb3ff0000000000000');
    // The same after an encoder could have been generated.
    const objects = Array.from({ length: 50 }, () => ({ a: 1 }));
    assert.equal(peers(objects, { forceIntegerToFloat: true }), `dc0032${'81a161cb3ff0000000000000'.repeat(50)}`);
    assert.equal(peers([undefined], { encodeUndefinedAsNil: true }), '91c0');
    assert.equal(peers(new Set([1]), { setAsEmptyObject: true }), '80');
    assert.equal(peers(new Map([[1, 2]]), { mapAsEmptyObject: true }), '80');
    assert.equal(peers(new Date(Number.NaN), { onInvalidDate: () => 7 }), '07');
    assert.equal(peers(new Date(1500), { useTimestamp32: true }), 'd6ff00000001');
    // What 32 bits do not hold keeps its milliseconds.
    for (const ms of [-1500, 2 ** 32 * 1000 + 500])
      assert.equal(peers(new Date(ms), { useTimestamp32: true }), hex(pack(new Date(ms))));
    assert.equal(
      peers(() => 1, { writeFunction: () => 'f' }),
      'a166',
    );
    assert.equal(bytes(1.5, { float32: true }), 'ca3fc00000');
    assert.equal(bytes(2n ** 63n), 'cf8000000000000000');
    assert.equal(bytes(5n), '05');
    assert.equal(bytes(-5n), 'fb');
    assert.equal(peers({ a: 1 }, { variableMapSize: false }), 'de0001a16101');
    assert.equal(bytes('\ud800'), 'a3efbfbd');
    assert.equal(bytes(2 ** 40), 'cf0000010000000000');
    assert.equal(bytes(-0), 'cb8000000000000000');
  });

  it('change what is read', () => {
    const read = (text, options) => new Unpackr(options).unpack(Buffer.from(text, 'hex'));
    assert.equal(read('a1ff', { utf8: 'replace' }), '\ufffd');
    assert.deepEqual(read('a1ff', { utf8: 'raw' }), Buffer.from([0xff]));
    assert.equal(read('0102', { trailing: 'allow' }), 1);
    assert.deepEqual(read('81a16101', { maps: 'map' }), new Map([['a', 1]]));
    const peer = (text, options) =>
      new compatible.Unpackr({ useRecords: false, ...options }).unpack(Buffer.from(text, 'hex'));
    assert.deepEqual(peer('8191010a', { allowArraysInMapKeys: true }), { 1: 10 });
    assert.deepEqual(peer('81c005', { mapKeyConverter: String }), { null: 5 });
  });

  it('freeze or copy what is read', () => {
    const unpackr = new Unpackr({ freezeData: true, copyBuffers: true });
    const packed = new Packr().pack([{ a: [1] }, Buffer.from('x')]);
    const value = unpackr.unpack(packed);
    assert.ok(Object.isFrozen(value) && Object.isFrozen(value[0]) && Object.isFrozen(value[0].a));
    assert.notEqual(value[1].buffer, packed.buffer);
  });

  it('writes bigints in packord/msgpackr as msgpackr does', () => {
    for (const value of [0n, 5n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, -1n])
      assert.deepEqual(compatible.pack(value), msgpackr.pack(value), String(value));
  });

  it('choose the type of 64-bit integers', () => {
    const read = (int64) =>
      new Unpackr({ int64 }).unpack(Buffer.from('92cfffffffffffffffff d3ffffffffffffffff'.replace(' ', ''), 'hex'));
    assert.deepEqual(read('auto'), [2n ** 64n - 1n, -1]);
    assert.deepEqual(read('bigint'), [2n ** 64n - 1n, -1n]);
    assert.deepEqual(read('number'), [2 ** 64, -1]);
    assert.deepEqual(read('string'), ['18446744073709551615', '-1']);
  });

  it("keep large numbers and bigints apart with int64: 'bigint'", () => {
    const values = [5, 2 ** 32, -(2 ** 40), 2 ** 53 - 1, 2n ** 40n, 2n ** 63n, 1.5];
    for (const records of [true, false]) {
      const packr = new Packr({ int64: 'bigint', records });
      const list = Array.from({ length: 40 }, () => values.map((n) => ({ n }))).flat();
      assert.deepStrictEqual(packr.unpack(packr.pack(list)), list);
    }
    const canonical = new Packr({ int64: 'bigint', canonical: true });
    assert.equal(canonical.pack(2 ** 40).toString('hex'), 'cf0000010000000000');
  });

  it('change no byte of the canonical encoding', () => {
    const value = [1, -0, 1.5, 2 ** 40, 2 ** 60, 5n, new Date(2 ** 43), { a: 1 }, Float32Array.of(1)];
    const canonical = { canonical: true };
    const expected = bytes(value, canonical);
    assert.match(expected, /^990100cb3ff8000000000000cf0000010000000000cf100000000000000005d7ff.*9101$/);
    for (const options of [{ int64: 'bigint' }, { float32: true }, { records: true, columns }])
      assert.equal(bytes(value, { ...options, ...canonical }), expected, JSON.stringify(options));
    // There, typed arrays are bytes.
    const first = value.slice(0, -1);
    for (const options of [
      {},
      { forceIntegerToFloat: true },
      { variableMapSize: false },
      { useFloat32: compatible.FLOAT32_OPTIONS.ALWAYS },
    ])
      assert.equal(peers(first, { ...options, ...canonical }), bytes(first, canonical));
    const keys = { b: 1, 10: 2, 9: 3 };
    assert.equal(peers(keys, { coercibleKeyAsNumber: true, ...canonical }), '83a1620109030a02');
    const large = [2n ** 64n, -(2n ** 63n) - 1n];
    const floats = { canonical: true, largeBigIntToFloat: true };
    assert.equal(peers(large, floats), '92cb43f0000000000000d38000000000000000');
  });

  it('write the elements of a Set in one order with canonical', () => {
    const packr = new Packr({ canonical: true, rich: true });
    const packed = (...elements) => packr.pack(new Set(elements)).toString('hex');
    assert.equal(packed(3, 'b', 1, 'a'), 'c7075694a161a1620103');
    assert.equal(packed('a', 1, 'b', 3), packed(3, 'b', 1, 'a'));
    const arrays = new Packr({ canonical: true });
    assert.equal(arrays.pack(new Set([2, 1])).toString('hex'), '920102');
    const plain = new Packr({ rich: true });
    assert.equal(plain.pack(new Set([2, 1])).toString('hex'), 'c70356920201');
  });

  it('write each element of a canonical Set once', () => {
    let set = new Set();
    for (let i = 0; i < 500; i++) set = new Set([set]);
    const packr = new Packr({ canonical: true });
    const { milliseconds } = measured(() => {
      assert.equal(packr.pack(set).toString('hex'), `${'91'.repeat(500)}90`);
      assert.deepEqual(new Unpackr({ rich: true }).unpack(new Packr({ rich: true }).pack(set)), set);
    });
    assert.ok(milliseconds < 2000);
  });

  it('refuse two equal elements of a canonical Set', () => {
    for (const options of [{ canonical: true }, { canonical: true, rich: true }])
      for (const elements of [
        [1, 1n],
        [-0, 'a', 0n],
        [{ a: 1 }, { a: 1 }],
      ])
        assert.throws(() => new Packr(options).pack({ s: new Set(elements) }), {
          kind: 'duplicate_key',
          // The place within an ext is not known.
          path: options.rich ? '$.s' : `$.s[${elements.length - 1}]`,
        });
  });

  it('refuse references in what is sorted before its place is known', () => {
    for (const options of [{ canonical: true }, { sortKeys: true }])
      assert.throws(
        () => new compatible.Packr({ ...options, structuredClone: true }),
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
    for (const int64 of ['auto', 'bigint', 'number', 'string']) {
      const unpackr = new Unpackr({ int64, trailing: 'allow' });
      const alone = wide.map((bytes) => unpackr.unpack(bytes));
      assert.deepEqual(unpackr.unpack(array), alone);
    }
  });

  it('apply to empty containers in arrays', () => {
    const bytes = Buffer.from('92918091909290', 'hex');
    for (const options of [{}, { maxNodes: 100 }, { maxDepth: 2 }, { maxDepth: 1 }]) {
      const error = errorOf(() => new Unpackr(options).unpack(bytes));
      const deep = options.maxDepth !== undefined;
      assert.deepEqual([error.kind, error.offset], deep ? ['depth_limit', options.maxDepth] : ['trailing_bytes', 5]);
    }
    const inner = bytes.subarray(0, 5);
    const unpackr = (options) => new Unpackr(options);
    assert.deepEqual(unpackr().unpack(inner), [[{}], [[]]]);
    assert.deepEqual(unpackr({ maps: 'map' }).unpack(inner), [[new Map()], [[]]]);
    assert.ok(Object.isFrozen(unpackr({ freezeData: true }).unpack(inner)[1][0]));
    // Too few bytes follow the empty array for what was announced before it.
    assert.equal(errorOf(() => unpackr().unpack(Buffer.from('939181a1619001', 'hex'))).kind, 'eof');
  });

  it('choose the type of 64-bit integers in objects with generated decoders', () => {
    // High halves that are markers of other values, and those around 2^53.
    const integers = [1n, 0xc0n, 0xccn, 0xcdn, 0x1fffffn, 0x200000n, 0xffffffffn].map((high) => (high << 32n) | 5n);
    const list = Array.from({ length: 4 }, () => integers.map((n) => ({ n, after: 7 }))).flat();
    const expected = {
      auto: (n) => (n < 2n ** 53n ? Number(n) : n),
      bigint: (n) => n,
      number: Number,
      string: String,
    };
    for (const [int64, of] of Object.entries(expected))
      for (const records of [true, false])
        assert.deepStrictEqual(
          new Unpackr({ int64, records }).unpack(new Packr({ records }).pack(list)),
          list.map(({ n }) => ({ n: of(n), after: 7 })),
        );
  });

  it('start and end select a part of the bytes', () => {
    const packed = Buffer.from('ff01ff', 'hex');
    assert.equal(new Unpackr().unpack(packed, { start: 1, end: 2 }), 1);
    assert.equal(new Unpackr().unpack(packed, 1), -1);
    assert.equal(new Unpackr().unpack(packed, { start: 2, end: Number.POSITIVE_INFINITY }), -1);
    for (const read of [unpack, plainUnpack, compatible.unpack, new Unpackr().unpack])
      for (const at of [-1, 0.5, Number.NaN])
        for (const place of [{ start: at }, { end: at }, at])
          assert.throws(() => read(packed, place), /^RangeError: start and end must be integers/);
  });

  it('that are numbers are checked', () => {
    const limits = ['maxDepth', 'maxStrLen', 'maxNodes', 'maxRecordKeys', 'maxBuffer'];
    for (const name of limits)
      for (const wrong of [-1, Number.NaN, '5', null, 5n])
        for (const Class of [Packr, Unpackr, compatible.Packr, compatible.Unpackr])
          assert.throws(() => new Class({ [name]: wrong }), new RegExp(`^TypeError: ${name} must be`));
    for (const name of ['maxDepth', 'maxRecordKeys'])
      for (const wrong of [-1, Number.NaN, '5'])
        assert.throws(() => new PlainPackr({ [name]: wrong }), new RegExp(`${name} must be`));
    for (const name of ['maxSharedStructures', 'maxOwnStructures'])
      for (const wrong of [-1, Number.NaN, 1.5, '5', 1e6, 5n])
        for (const Class of [Packr, compatible.Packr])
          assert.throws(
            () => new Class({ structures: [], [name]: wrong }),
            new RegExp(`^RangeError: ${name} must be an integer`),
          );
  });

  it('of pack are a sum of modes, or those of map', () => {
    const packr = new Packr();
    for (const wrong of [-1, 1.5, 4096, 1 << 16, 2 ** 40, '5', {}])
      assert.throws(() => packr.pack(1, wrong), /^TypeError: There is no mode /);
    const values = Array.from({ length: 4200 }, (_, i) => i % 100);
    for (const { pack: own } of [packr, new compatible.Packr()])
      for (const [i, message] of values.map(own).entries()) assert.equal(unpack(message), values[i]);
  });

  it('of memory and of exts are bytes', () => {
    const packr = new Packr();
    for (const wrong of [null, 5, 'x', [], new ArrayBuffer(4096)])
      assert.throws(() => packr.useBuffer(wrong), TypeError);
    assert.equal(hex(packr.pack(1)), '01');
    for (const wrong of [null, 5, 'x', [1], undefined]) assert.throws(() => new ExtData(5, wrong), /must be bytes/);
    const { buffer } = Uint8Array.of(1);
    for (const given of [buffer, new DataView(buffer), new Int8Array(buffer)])
      assert.equal(hex(pack(new ExtData(5, given))), 'd40501');
  });

  it('records of msgpackr have as many keys as it writes', () => {
    for (const n of [1025, 70_000]) {
      const object = Object.fromEntries(Array.from({ length: n }, (_, i) => [`key ${i}`, i % 50]));
      const theirs = new msgpackr.Packr().pack(object);
      const own = new compatible.Packr().pack(object);
      assert.deepEqual(own.subarray(0, 8), theirs.subarray(0, 8));
      for (const bytes of [theirs, own])
        for (const packr of [new compatible.Packr(), new msgpackr.Packr()])
          assert.deepEqual(packr.unpack(bytes), object);
    }
    const large = Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`key ${i}`, 1]));
    const packr = new Packr({ records: true, maxRecordKeys: 1e5 });
    assert.deepEqual(packr.unpack(packr.pack(large)), large);
  });

  it('bundled keys of definitions are placeholders, and no other ext', () => {
    const packr = new compatible.Packr({ bundleStrings: true });
    const rows = [{ 'a long key': 'é' }, { 'a long key': 'text' }];
    assert.deepEqual(packr.unpack(packr.pack(rows)), rows);
    for (const key of ['d60100000000', 'c800010501', 'c7010501'])
      assert.throws(
        () => packr.unpack(Buffer.from(`d4724091${key}01`, 'hex')),
        { kind: 'record_malformed', offset: 0 },
        key,
      );
  });

  it('duplicateKey finds keys that become one property', () => {
    const options = { duplicateKey: 'error', mapsAsObjects: true };
    for (const [bytes, key] of [
      ['820101a13102', 3],
      ['82a131020101', 4],
      ['82c001a46e756c6c02', 3],
      ['82c301a47472756502', 3],
    ]) {
      const given = Buffer.from(bytes, 'hex');
      assert.throws(() => new compatible.Unpackr(options).unpack(given), {
        kind: 'duplicate_key',
        offset: key,
      });
      // As keys of a Map they differ.
      assert.equal(new Unpackr({ duplicateKey: 'error' }).unpack(given).size, 2);
    }
  });

  it('zero stays zero where floats are rounded', () => {
    const packr = new compatible.Packr({ useFloat32: compatible.FLOAT32_OPTIONS.DECIMAL_ROUND });
    assert.ok(Object.is(packr.unpack(Buffer.from('ca00000000', 'hex')), 0));
    assert.ok(Object.is(packr.unpack(Buffer.from('ca80000000', 'hex')), -0));
    assert.ok(Object.is(compatible.roundFloat32(0), 0));
  });
});
