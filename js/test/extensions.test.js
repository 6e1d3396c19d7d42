/** Extensions of programs, and the ext types of packord itself. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { ExtData, Packr, pack, Timestamp, Unpackr, unpack } from 'packord';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';
import { pack as plainPack } from 'packord/pack';
import { errorOf } from './vectors.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');

describe('extensions', () => {
  class Point {
    constructor(x, y) {
      Object.assign(this, { x, y });
    }
  }

  it('may not write what defines records while these are on', () => {
    const data = new ExtData(0x72, Buffer.from([0x40]));
    const extension = { Class: Point, type: 0x72, pack: () => Buffer.from([0x40]) };
    for (const options of [{ extensions: [extension], records: true }, { structures: [] }]) {
      const packr = new Packr(options);
      packr.addExtension(extension);
      for (const value of [data, new Point(1, 2)])
        assert.throws(() => packr.pack([{ a: value }]), {
          kind: 'unsupported_type',
          path: '$[0].a',
        });
      assert.deepEqual(packr.unpack(packr.pack([{ a: 1 }])), [{ a: 1 }]);
    }
    assert.deepEqual(new Packr({}).pack(data), Buffer.from('d47240', 'hex'));
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
    assert.deepEqual(new Unpackr().unpack(packr.pack(new Point(1, 2))), new ExtData(5, Buffer.from([1, 2])));
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

describe('an ExtData', () => {
  it('has a type of 8 bits', () => {
    for (const type of [-129, 128, 300, 2 ** 32, 1.5, Number.NaN])
      assert.throws(() => new ExtData(type, Uint8Array.of(1)), RangeError);
    for (const type of [-128, -1, 0, 127]) assert.equal(new ExtData(type, Buffer.of(1)).type, type);
  });

  it('is refused with a type that the program changed to another', () => {
    const data = new ExtData(5, Uint8Array.of(1));
    data.type = 300;
    assert.throws(() => pack([data]), { kind: 'out_of_range', path: '$[0]' });
  });

  it('may be of another build of the package', () => {
    const required = createRequire(import.meta.url)('packord');
    for (const build of [required, noEval]) {
      assert.notEqual(build.ExtData, ExtData);
      const data = new build.ExtData(5, Uint8Array.of(1));
      for (const bytes of [pack([data]), plainPack([data]), new Packr({ replacer: (_, v) => v }).pack([data])])
        assert.equal(Buffer.from(bytes).toString('hex'), '91d40501');
    }
  });
});

describe('structured clone', () => {
  it('keeps the errors of an AggregateError, which msgpackr ignores', () => {
    const packr = new Packr({ rich: true });
    const error = new AggregateError([new TypeError('one'), 'two'], 'both');
    const back = packr.unpack(packr.pack(error));
    assert.ok(back instanceof AggregateError);
    assert.deepEqual([back.message, back.errors], ['both', [new TypeError('one'), 'two']]);
  });

  it('keeps cycles, identity and types', () => {
    const packr = new compatible.Packr({ structuredClone: true });
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
    assert.deepEqual([back.re, back.error.name, back.floats], [/a/g, 'TypeError', new Float32Array([1.5])]);
  });

  it('is off unless asked for', () => {
    const bytes = new Packr({ rich: true }).pack([/a/, new Set()]);
    assert.ok(new Unpackr().unpack(Buffer.from([0xd4, 0x78, 0])) instanceof ExtData);
    assert.equal(errorOf(() => new Unpackr().unpack(bytes)).kind, 'trailing_bytes');
  });
});

describe('timestamps', () => {
  it('keep nanoseconds', () => {
    const packr = new Packr({ timestamps: 'timestamp' });
    const time = new Timestamp(-1n, 999_999_999);
    assert.deepEqual(packr.unpack(packr.pack(time)), time);
    assert.ok(packr.unpack(pack(new Date(1))) instanceof Timestamp);
    assert.deepEqual(unpack(pack(time)), time);
    assert.ok(time instanceof Date);
    assert.equal(time.getTime(), -1);
    assert.ok(Number.isNaN(new Timestamp(2n ** 60n).getTime()));
    assert.equal(Timestamp.fromDate(new Date(-1)).getTime(), -1);
    assert.equal(Timestamp.name, 'Timestamp');
    assert.deepEqual(compatible.unpack(pack(time)), new Date(-1));
  });

  it('have the time that methods of Date gave them', () => {
    const time = new Timestamp(0n, 5);
    time.setFullYear(2000);
    assert.deepEqual(unpack(pack(time)), new Date(Date.UTC(2000, 0)));
    time.setTime(Number.NaN);
    assert.throws(() => pack(time), { kind: 'out_of_range' });
  });
});

describe('bytes', () => {
  it('are those of the array, whatever its property length says', () => {
    const data = Object.defineProperty(new Uint8Array([1, 2, 3]), 'length', { value: 200 });
    for (const value of [data, [new ExtData(5, data)]]) {
      assert.ok(pack(value).length < 10);
      assert.deepEqual(compatible.pack(value), pack(value));
    }
  });
});
