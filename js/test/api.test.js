/** Functions, classes and options as their users meet them. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as packord from 'packord';
import {
  ExtData,
  MsgpackDecodeError,
  MsgpackEncodeError,
  Packr,
  pack,
  Timestamp,
  Unpackr,
  unpack,
} from 'packord';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';
import { errorOf } from './vectors.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const require = createRequire(import.meta.url);

describe('entry points', () => {
  it('are the same by import and by require', async () => {
    for (const entry of [
      '',
      '/pack',
      '/unpack',
      '/stream',
      '/msgpackr',
      '/msgpack',
      '/index-no-eval',
      '/unpack-no-eval',
    ]) {
      const names = Object.keys(await import(`packord${entry}`)).sort();
      assert.deepEqual(Object.keys(require(`packord${entry}`)).sort(), names, entry);
    }
  });

  it('have every name of msgpackr', async () => {
    const peer = await import('msgpackr');
    for (const library of [packord, await import('packord/msgpackr')])
      for (const name of Object.keys(peer)) assert.ok(name in library, name);
  });

  it('make instances without new, and can be extended', () => {
    assert.ok(Packr() instanceof Packr);
    assert.ok(Packr() instanceof Unpackr);
    class Mine extends Packr {
      twice(value) {
        return this.unpack(this.pack([value, value]));
      }
    }
    assert.deepEqual(new Mine().twice({ a: 1 }), [{ a: 1 }, { a: 1 }]);
    const { pack: alone } = new Packr();
    assert.equal(hex(alone({ a: 1 })), 'd4724091a16101');
  });

  it('never generate code in the build for that', () => {
    const RealFunction = globalThis.Function;
    globalThis.Function = () => assert.fail('code was generated');
    try {
      const packr = new noEval.Packr();
      for (let i = 0; i < 100; i++)
        assert.deepEqual(packr.unpack(packr.pack([{ a: i }, { a: 1 }])), [{ a: i }, { a: 1 }]);
    } finally {
      globalThis.Function = RealFunction;
    }
  });
});

describe('the examples of the first README', () => {
  it('share structures that are saved and loaded', () => {
    let file = pack([]);
    const make = () =>
      Packr({
        getStructures: () => unpack(file) ?? [],
        saveStructures: (structures) => {
          file = Buffer.from(pack(structures));
        },
        structures: [],
      });
    const bytes = Buffer.from(make().pack({ name: 'x', size: 4 }));
    assert.equal(hex(bytes), '40a17804');
    assert.deepEqual(unpack(file), [['name', 'size']]);
    assert.deepEqual(make().unpack(bytes), { name: 'x', size: 4 });
  });

  it('reuse memory after resetMemory', () => {
    const packr = new Packr();
    const first = packr.pack(1);
    packr.resetMemory();
    assert.equal(packr.pack(2).byteOffset, first.byteOffset);
  });

  it('write no records with objectsAsMaps', () => {
    const packr = new Packr({ objectsAsMaps: true });
    assert.equal(hex(packr.pack({ a: 100 })), '81a16164');
    assert.deepEqual(packr.unpack(packr.pack(new Map([['a', 1]]))), { a: 1 });
  });
});

describe('shared structures', () => {
  it('loaded in the middle of a message leave its own definitions in force', () => {
    let loads = 0;
    const unpackr = new Unpackr({ getStructures: () => [['x'], ['y']].slice(0, ++loads) });
    const own = 'd4726091a16101';
    assert.deepEqual(unpackr.unpack(Buffer.from(`93${own}40056002`, 'hex')), [
      { a: 1 },
      { x: 5 },
      { a: 2 },
    ]);
    assert.deepEqual(unpackr.unpack(Buffer.from(`94${own}410540066002`, 'hex')), [
      { a: 1 },
      { y: 5 },
      { x: 6 },
      { a: 2 },
    ]);
    assert.equal(unpackr.unpack(Buffer.of(0x60)), 0x60);
  });

  it('are packed again when another encoder saved first', () => {
    let stored = [];
    const options = () => ({
      structures: stored.slice(),
      getStructures: () => stored.slice(),
      saveStructures(structures, isCompatible) {
        if (!isCompatible(stored)) return false;
        stored = structures.map((keys) => [...keys]);
      },
    });
    const [one, two] = [new Packr(options()), new Packr(options())];
    const first = Buffer.from(one.pack({ a: 1 }));
    const second = Buffer.from(two.pack({ b: 2 }));
    assert.deepEqual(stored, [['a'], ['b']]);
    const reader = new Unpackr(options());
    assert.deepEqual([reader.unpack(first), reader.unpack(second)], [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(one.unpack(second), { b: 2 });
  });

  it('are replaced by own ones where saving is always declined', () => {
    const packr = new Packr({ structures: [], saveStructures: () => false });
    const bytes = packr.pack({ a: 1 });
    assert.deepEqual(packr.structures, []);
    assert.deepEqual(new Unpackr().unpack(bytes), { a: 1 });
  });

  it('are as before when saving throws, and the instance stays usable', () => {
    let fail = true;
    const packr = new Packr({
      structures: [],
      saveStructures() {
        if (fail) throw new Error('disk full');
      },
    });
    assert.throws(() => packr.pack({ a: 1 }), /disk full/);
    assert.deepEqual(packr.structures, []);
    fail = false;
    assert.equal(hex(packr.pack({ a: 1 })), '4001');
  });
});

describe('errors', () => {
  it('have kind, offset and path when reading', () => {
    const place = (text) => {
      const error = errorOf(() => new Unpackr().unpack(Buffer.from(text, 'hex')));
      assert.ok(error instanceof MsgpackDecodeError);
      return [error.kind, error.offset, error.path];
    };
    assert.deepEqual(place('92c0c1'), ['reserved_marker', 2, '$[1]']);
    assert.deepEqual(place('81a161a1ff'), ['invalid_utf8', 4, '$.a']);
    assert.deepEqual(place('82a16101a3612062c1'), ['reserved_marker', 8, '$["a b"]']);
    assert.deepEqual(place('8105c1'), ['reserved_marker', 2, '$[key 5]']);
    assert.deepEqual(place('9181a162d4724091a178d6ff'), ['eof', 12, '$[0].b.x']);
    assert.deepEqual(place('0102'), ['trailing_bytes', 1, undefined]);
  });

  it('have kind and path when writing', () => {
    const place = (value, options) => {
      const error = errorOf(() => new Packr(options).pack(value));
      assert.ok(error instanceof MsgpackEncodeError, String(error));
      return [error.kind, error.path];
    };
    const cycle = { list: [] };
    cycle.list.push({ cycle });
    assert.deepEqual(place(cycle), ['cycle', '$.list[0].cycle']);
    assert.deepEqual(place({ a: new Map([[5, Symbol('s')]]) }), ['unsupported_type', '$.a[key 5]']);
    assert.deepEqual(place([2n ** 64n]), ['out_of_range', '$[0]']);
    assert.deepEqual(place([[[]]], { maxDepth: 2 }), ['depth_limit', '$[0][0]']);
    assert.deepEqual(place({ d: new Date(Number.NaN) }), ['out_of_range', '$.d']);
    const endless = { toJSON: () => new Endless() };
    class Endless {
      toJSON() {
        return new Endless();
      }
    }
    assert.equal(place([new Endless(), endless])[0], 'depth_limit');
  });

  it('leave an instance as it was', () => {
    const packr = new Packr({ sequential: true });
    packr.pack({ a: 1 });
    assert.throws(() => packr.pack({ b: Symbol('s') }));
    assert.equal(hex(packr.pack([{ a: 2 }, { b: 3 }])), '924002d4724191a16203');
    assert.throws(
      () =>
        packr.pack({
          c: {
            get d() {
              throw new Error('mine');
            },
          },
        }),
      /mine/,
    );
    assert.equal(hex(packr.pack({ a: 2 })), '4002');
  });
});

describe('keys', () => {
  it('are data whatever their name, and prototypes stay as they are', () => {
    const source =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}},"toString":2,"hasOwnProperty":3}';
    const value = JSON.parse(source);
    for (const options of [{}, { useRecords: false }, { structures: [] }, { canonical: true }])
      for (const library of [packord, noEval]) {
        const packr = new library.Packr(options);
        for (let i = 0; i < 30; i++) {
          const back = packr.unpack(packr.pack([value, value]))[1];
          const plain = back instanceof Map ? Object.fromEntries(back) : back;
          assert.equal(
            JSON.stringify(plain.constructor instanceof Map ? 1 : plain),
            plain.constructor instanceof Map ? '1' : source,
          );
          assert.equal(
            Object.getPrototypeOf(plain) === Object.prototype || back instanceof Map,
            true,
          );
        }
      }
    assert.equal({}.polluted, undefined);
    assert.equal({}.x, undefined);
  });

  it('of a polluted prototype are not written', () => {
    const packr = new Packr({ useRecords: false });
    packr.pack({ a: 1, b: 2 });
    Object.prototype.b = 5;
    try {
      assert.equal(hex(packr.pack({ a: 1 })), '81a16101');
    } finally {
      delete Object.prototype.b;
    }
  });
});

describe('an instance', () => {
  it('has methods that can be taken out of it', () => {
    const { encode, decode, pack: write, unpack: read, unpackMultiple } = new Packr();
    assert.deepEqual(read(write({ a: 1 })), { a: 1 });
    assert.deepEqual(decode(encode({ a: 1 })), { a: 1 });
    assert.deepEqual(unpackMultiple(Buffer.of(1, 2)), [1, 2]);
  });

  it('of a subclass calls the methods of the subclass', () => {
    const saved = [];
    class Store extends Packr {
      getStructures() {
        assert.ok(this instanceof Store);
        return [['a']];
      }
      saveStructures(structures) {
        saved.push([this.constructor, structures.length]);
      }
      unpack(bytes) {
        return { read: super.unpack(bytes) };
      }
    }
    const store = new Store({ structures: [] });
    assert.equal(hex(store.pack([{ a: 1 }, { b: 2 }])), '9240014102');
    assert.deepEqual(saved, [[Store, 2]]);
    assert.deepEqual(store.unpack(Buffer.from('4003', 'hex')), { read: { a: 3 } });
  });

  it('calls the callbacks of its options with itself as this', () => {
    const seen = [];
    const packr = new Packr({
      onInvalidDate() {
        seen.push(this);
        return null;
      },
    });
    packr.pack(new Date(Number.NaN));
    assert.deepEqual(seen, [packr]);
  });

  it('shows its options, which cannot be set later', () => {
    const packr = new Packr({ mapsAsObjects: true, maxDepth: 9 });
    assert.deepEqual([packr.mapsAsObjects, packr.maxDepth, packr.useRecords], [true, 9, undefined]);
    for (const name of ['mapsAsObjects', 'useBigIntExtension', 'getStructures'])
      assert.throws(
        () => {
          packr[name] = true;
        },
        new RegExp(`${name} can only be set by the constructor`),
      );
  });
});

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

  it('read 64-bit integers as numbers up to 2^53 - 1 of either sign', () => {
    const limit = 2n ** 53n;
    const read = (n) => new Unpackr().unpack(new Packr().pack(n));
    assert.deepStrictEqual([limit - 1n, 1n - limit].map(read), [2 ** 53 - 1, 1 - 2 ** 53]);
    assert.deepStrictEqual([limit, -limit].map(read), [limit, -limit]);
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

describe('extensions', () => {
  class Point {
    constructor(x, y) {
      Object.assign(this, { x, y });
    }
  }

  it('may not write what defines records while these are on', () => {
    const data = new ExtData(0x72, Buffer.from([0x40]));
    const extension = { Class: Point, type: 0x72, pack: () => Buffer.from([0x40]) };
    for (const packr of [new Packr({ extensions: [extension] }), new Packr({ structures: [] })]) {
      packr.addExtension(extension);
      for (const value of [data, new Point(1, 2)])
        assert.throws(() => packr.pack([{ a: value }]), {
          kind: 'unsupported_type',
          path: '$[0].a',
        });
      assert.deepEqual(packr.unpack(packr.pack([{ a: 1 }])), [{ a: 1 }]);
    }
    assert.deepEqual(new Packr({ useRecords: false }).pack(data), Buffer.from('d47240', 'hex'));
  });

  it('belong to an instance and get its context', () => {
    const seen = [];
    const extension = {
      Class: Point,
      type: 5,
      pack: (point, context) => {
        seen.push(context);
        return Uint8Array.of(point.x, point.y);
      },
      unpack: (bytes, context) => {
        seen.push(context);
        return new Point(bytes[0], bytes[1]);
      },
    };
    const packr = new Packr({ extensions: [extension], context: 'mine' });
    assert.deepEqual(packr.unpack(packr.pack([new Point(1, 2)])), [new Point(1, 2)]);
    assert.deepEqual(seen, ['mine', 'mine']);
    assert.deepEqual(
      new Unpackr().unpack(packr.pack(new Point(1, 2))),
      new ExtData(5, Buffer.from([1, 2])),
    );
  });

  it('may replace an instance by another value', () => {
    const packr = new Packr();
    packr.addExtension({
      Class: Point,
      type: 6,
      write: ({ x, y }) => [x, y],
      read: ([x, y]) => new Point(x, y),
    });
    assert.equal(hex(packr.pack(new Point(1, 2))), 'd40600920102');
    assert.deepEqual(packr.unpack(packr.pack({ p: new Point(1, 2) })), { p: new Point(1, 2) });
  });

  it('may use the instance that calls them', () => {
    const packr = new Packr({ structures: [] });
    packr.addExtension({
      Class: Point,
      type: 7,
      pack: ({ x, y }) => packr.pack({ x, y, nested: { z: 1 } }),
      unpack: (bytes) => new Point(packr.unpack(bytes).x, packr.unpack(bytes).y),
    });
    const value = [{ before: 1 }, new Point(1, 2), { before: 2 }, { x: 5, y: 6 }];
    for (let i = 0; i < 3; i++) assert.deepEqual(packr.unpack(packr.pack(value)), value);
    const json = {
      list: [
        new (class {
          toJSON() {
            return hex(packr.pack({ inner: 1 }));
          }
        })(),
        { after: 1 },
      ],
    };
    assert.deepEqual(packr.unpack(packr.pack(json)).list[1], { after: 1 });
  });

  it('that throw when reading are errors with offset and cause', () => {
    const unpackr = new Unpackr({
      extensions: [
        {
          type: 5,
          unpack: () => {
            throw new Error('no');
          },
        },
      ],
    });
    const error = errorOf(() => unpackr.unpack(Buffer.from('92c0d40500', 'hex')));
    assert.deepEqual([error.kind, error.offset, error.cause.message], ['invalid_ext', 2, 'no']);
  });
});

describe('structured clone', () => {
  it('keeps the errors of an AggregateError, which msgpackr ignores', () => {
    const packr = new Packr({ moreTypes: true });
    const error = new AggregateError([new TypeError('one'), 'two'], 'both');
    const back = packr.unpack(packr.pack(error));
    assert.ok(back instanceof AggregateError);
    assert.deepEqual([back.message, back.errors], ['both', [new TypeError('one'), 'two']]);
  });

  it('keeps cycles, identity and types', () => {
    const packr = new Packr({ structuredClone: true });
    const value = {
      list: [1],
      map: new Map(),
      set: new Set(),
      re: /a/g,
      error: new TypeError('t'),
      floats: new Float32Array([1.5]),
    };
    Object.assign(value, { self: value, again: value.list });
    value.map.set('up', value);
    value.set.add(value.list);
    const back = packr.unpack(packr.pack(value));
    assert.equal(back.self, back);
    assert.equal(back.again, back.list);
    assert.equal(back.map.get('up'), back);
    assert.ok(back.set.has(back.list));
    assert.deepEqual(
      [back.re, back.error.name, back.floats],
      [/a/g, 'TypeError', new Float32Array([1.5])],
    );
  });

  it('is off unless asked for', () => {
    const bytes = new Packr({ moreTypes: true }).pack([/a/, new Set()]);
    assert.ok(new Unpackr().unpack(Buffer.from([0xd4, 0x78, 0])) instanceof ExtData);
    assert.equal(errorOf(() => new Unpackr().unpack(bytes)).kind, 'trailing_bytes');
  });
});

describe('timestamps', () => {
  it('keep nanoseconds on request', () => {
    const packr = new Packr({ timestamps: 'timestamp' });
    const time = new Timestamp(-1n, 999_999_999);
    assert.deepEqual(packr.unpack(packr.pack(time)), time);
    assert.deepEqual(unpack(pack(time)), new Date(-1));
    assert.deepEqual(Timestamp.fromDate(new Date(-1)).toDate(), new Date(-1));
  });
});

describe('memory', () => {
  it('of a message is not overwritten by the next one', () => {
    const packr = new Packr();
    const messages = Array.from({ length: 500 }, (_, i) => [
      packr.pack({ i, text: 'x'.repeat(i) }),
      i,
    ]);
    for (const [bytes, i] of messages)
      assert.deepEqual(packr.unpack(bytes), { i, text: 'x'.repeat(i) });
  });

  it('may be that of the caller', () => {
    const packr = new Packr();
    const own = Buffer.alloc(100_000);
    packr.useBuffer(own);
    assert.equal(packr.pack([1]).buffer, own.buffer);
    const reserved = packr.pack(5, packord.RESERVE_START_SPACE + 4);
    assert.equal(reserved.length, 5);
    assert.equal(reserved[4], 5);
    const whole = packr.pack(6, packord.REUSE_BUFFER_MODE);
    assert.equal(whole[whole.start], 6);
  });
});
