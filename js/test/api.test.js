/** Entry points, classes and instances as their users meet them. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import * as packord from 'packord';
import { MsgpackDecodeError, MsgpackEncodeError, Packr, pack, Unpackr, unpack } from 'packord';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';
import * as plain from 'packord/pack';
import { View } from 'packord/view';
import { errorOf } from './vectors.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const require = createRequire(import.meta.url);

describe('entry points', () => {
  it('are the same by import and by require', async () => {
    for (const entry of [
      '',
      '/pack',
      '/unpack',
      '/schema',
      '/schema-no-eval',
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
    for (const name of Object.keys(peer)) assert.ok(name in compatible, name);
  });

  it('have one name for each thing', () => {
    assert.deepEqual(
      Object.keys(packord).filter((name) => /encode|Encoder|^decode$|Decoder|FLOAT32|MODE/.test(name)),
      ['encodeIter'],
    );
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
    const { pack: alone } = new Packr({ records: true });
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

describe('names', () => {
  it('of classes are those of their exports', async () => {
    const { exports } = require('packord/package.json');
    const entries = Object.keys(exports).filter((entry) => !entry.includes('.', 1));
    assert.ok(entries.length > 10);
    const isClass = (value) =>
      typeof value === 'function' && Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false;
    for (const entry of entries) {
      const module = Object.entries(await import(`packord${entry.slice(1)}`));
      for (const [name, value] of module) {
        // One that has two names, as in msgpackr, has one of them.
        const names = module.filter(([, other]) => other === value).map(([other]) => other);
        if (isClass(value)) assert.ok(names.includes(value.name), `${entry}: ${name}, ${value.name}`);
      }
    }
    assert.equal(new View(pack([1])).constructor.name, 'View');
  });
});

describe('pack', () => {
  it('is a function for map, and takes no other number', () => {
    const expected = ['81a16101', '02'];
    assert.deepEqual([{ a: 1 }, 2].map(pack).map(hex), expected);
    assert.deepEqual([{ a: 1 }, 2].map(plain.pack).map(hex), expected);
    for (const own of [pack, noEval.pack])
      for (const wrong of [0, 512, 'records', true, Symbol('s')])
        assert.throws(() => own(1, wrong), { name: 'TypeError', message: /packord\/msgpackr/ });
    assert.throws(() => plain.pack(1, 512), TypeError);
    assert.throws(() => plain.pack(1, { records: true }, []), TypeError);
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
    const packr = new compatible.Packr({ objectsAsMaps: true });
    assert.equal(hex(packr.pack({ a: 100 })), 'de0001a16164');
    assert.deepEqual(packr.unpack(packr.pack(new Map([['a', 1]]))), { a: 1 });
  });
});

describe('an instance', () => {
  it('has methods that can be taken out of it', () => {
    const { pack: write, unpack: read, unpackMultiple } = new Packr();
    assert.deepEqual(read(write({ a: 1 })), { a: 1 });
    const { encode, decode } = new compatible.Packr();
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
    // A method that is assigned later replaces it.
    const later = new Store();
    later.getStructures = () => [['b']];
    assert.deepEqual(later.unpack(Buffer.from('4003', 'hex')), { read: { b: 3 } });
  });

  it('calls the callbacks of its options with itself as this', () => {
    const seen = [];
    const packr = new compatible.Packr({
      onInvalidDate() {
        seen.push(this);
        return null;
      },
    });
    packr.pack(new Date(Number.NaN));
    assert.deepEqual(seen, [packr]);
  });

  it('shows its options, which cannot be set later', () => {
    const packr = new Packr({ maxDepth: 9 });
    assert.deepEqual([packr.maxDepth, packr.rich], [9, undefined]);
    for (const name of ['maxDepth', 'bigint', 'getStructures'])
      assert.throws(
        () => {
          packr[name] = true;
        },
        new RegExp(`${name} can only be set by the constructor`),
      );
  });

  it('of packord/msgpackr shows its options, which can be set later', () => {
    const packr = new compatible.Packr({ mapsAsObjects: true, maxDepth: 9 });
    assert.deepEqual([packr.mapsAsObjects, packr.maxDepth, packr.useRecords], [true, 9, undefined]);
    assert.ok(packr instanceof compatible.Unpackr);
    const bytes = compatible.pack({ a: 1 });
    assert.deepEqual(packr.decode(bytes), { a: 1 });
    packr.mapsAsObjects = false;
    assert.deepEqual(packr.decode(bytes), new Map([['a', 1]]));
    packr.useRecords = false;
    assert.deepEqual(packr.encode({ a: 1 }), bytes);
    packr.onInvalidDate = function () {
      return this === packr;
    };
    assert.deepEqual([...packr.pack(new Date(Number.NaN))], [0xc3]);
    const list = [['b']];
    const loading = new compatible.Packr({
      list,
      getStructures() {
        return this.list;
      },
    });
    assert.equal(loading.list, list);
    assert.deepEqual(loading.unpack(Buffer.from('4003', 'hex')), { b: 3 });
    const reader = new compatible.Unpackr({});
    reader.getStructures = () => [['b']];
    assert.deepEqual(reader.unpack(Buffer.from('4003', 'hex')), { b: 3 });
  });
});

describe('errors', () => {
  it('have kind, offset and path when reading', () => {
    const place = (text) => {
      const unpackr = new Unpackr({ records: true });
      const error = errorOf(() => unpackr.unpack(Buffer.from(text, 'hex')));
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
    const packr = new Packr({ records: true, sequential: true });
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
    const source = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}},"hasOwnProperty":3,"toString":2}';
    const value = JSON.parse(source);
    for (const options of [{}, { records: true }, { structures: [] }, { canonical: true }])
      for (const library of [packord, noEval]) {
        const packr = new library.Packr(options);
        for (let i = 0; i < 30; i++) {
          const back = packr.unpack(packr.pack([value, value]))[1];
          assert.equal(JSON.stringify(back), source);
          assert.equal(Object.getPrototypeOf(back), Object.prototype);
        }
      }
    assert.equal({}.polluted, undefined);
    assert.equal({}.x, undefined);
  });

  it('of a polluted prototype are not written', () => {
    const packr = new Packr();
    packr.pack({ a: 1, b: 2 });
    Object.prototype.b = 5;
    try {
      assert.equal(hex(packr.pack({ a: 1 })), '81a16101');
    } finally {
      delete Object.prototype.b;
    }
  });
});
