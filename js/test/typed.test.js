/** The schemas of packord/schema: they read what they ask for, and skip the rest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExtData, MsgpackDecodeError, Packr, pack, Timestamp, Unpackr, unpack } from 'packord';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';
import * as s from 'packord/schema';
import * as withoutEval from 'packord/schema-no-eval';
import { unpack as plainUnpack } from 'packord/unpack';
import { randomOf, SEED } from './random.js';
import { casesOf, errorOf, expand, optionNames } from './vectors.js';

/** The packers of each way to write an object. */
const PACKERS = {
  maps: () => new Packr({}),
  'maps read as Map': () => new Packr({ maps: 'map' }),
  records: () => new Packr({ records: true }),
  'shared records': () => new Packr({ structures: [] }),
  'sequential records': () => new Packr({ records: true, sequential: true }),
  'no code generation': () => new noEval.Packr({ records: true }),
  'checked mode, which reads everything': () => new Packr({ maxNodes: 1e6 }),
  'structured clone, which reads everything': () => new compatible.Packr({ structuredClone: true }),
};

const place = ({ kind, offset, path, detail }) => [kind, offset, path, detail];

describe('a schema of packord', () => {
  const User = s.object({
    id: s.integer,
    name: s.string,
    tags: s.array(s.string),
    address: s.nullable(s.object({ city: s.string })),
    role: s.optional(s.oneOf('admin', 'user')),
    scores: s.dictionary(s.number),
    more: s.any,
  });
  const user = (i) => ({
    before: [[{ deep: i }]],
    id: i,
    name: `user ${i}`,
    skipped: { x: 'a long string '.repeat(30), y: new Uint8Array(i) },
    tags: i % 3 === 0 ? [] : ['a', 'b'],
    address: i % 2 === 0 ? null : { street: 'x', city: 'y', zip: [1, 2] },
    ...(i % 4 === 0 ? { role: 'admin' } : {}),
    scores: { a: 1.5, [`k${i}`]: i },
    more: [i, { any: 'thing' }],
    after: 2 ** 40,
  });
  const wanted = ({ id, name, tags, address, role, scores, more }) => ({
    id,
    name,
    tags,
    address: address && { city: address.city },
    ...(role === undefined ? {} : { role }),
    scores,
    more,
  });

  for (const [name, make] of Object.entries(PACKERS))
    it(`returns the fields that it asks for: ${name}`, () => {
      const packr = make();
      const list = Array.from({ length: 60 }, (_, i) => user(i));
      const read = packr.unpack(packr.pack(list), s.array(User));
      const without = (got) => ({ ...got, more: 0 });
      assert.deepEqual(read.map(without), list.map(wanted).map(without));
      // Maps within what is read whole are as the instance reads them.
      const other = make();
      for (const [i, got] of other.unpack(other.pack(list)).entries())
        assert.deepEqual(read[i].more, got instanceof Map ? got.get('more') : got.more);
      // One message after another, whose definitions may be kept.
      for (const value of list)
        assert.deepEqual(packr.unpack(packr.pack(value), s.object({ id: s.number })), {
          id: value.id,
        });
    });

  it('is taken by every entry point that unpacks', () => {
    const Id = s.object({ id: s.number });
    const bytes = pack({ id: 1, name: 'Ada' });
    for (const read of [unpack, plainUnpack, compatible.unpack, noEval.unpack, new Unpackr().unpack])
      assert.deepEqual(read(bytes, Id), { id: 1 });
    assert.deepEqual(noEval.unpack(bytes, withoutEval.object({ id: withoutEval.number })), {
      id: 1,
    });
    const frame = Buffer.concat([Buffer.of(1, 2), bytes, Buffer.of(3)]);
    assert.deepEqual(unpack(frame, { start: 2, end: frame.length - 1, schema: Id }), { id: 1 });
  });

  it('builds and checks nothing of what it skips', () => {
    const extensions = [
      {
        type: 5,
        unpack() {
          throw new Error('was read');
        },
      },
    ];
    const value = {
      a: new ExtData(5, Uint8Array.of(1)),
      b: 2,
      c: { d: new ExtData(5, Uint8Array.of(1)) },
    };
    for (const records of [true, false]) {
      const packr = new Packr({ records, extensions });
      for (let i = 0; i < 20; i++)
        assert.deepEqual(packr.unpack(packr.pack(value), s.object({ b: s.number })), { b: 2 });
      assert.throws(() => packr.unpack(packr.pack(value), s.object({ a: s.any })), /was read/);
    }
    const illFormed = Buffer.from('82a161a1ffa16202', 'hex');
    assert.deepEqual(unpack(illFormed, s.object({ b: s.number })), { b: 2 });
    assert.throws(() => unpack(illFormed, s.object({ a: s.string })), {
      kind: 'invalid_utf8',
      path: '$.a',
    });
  });

  it('knows definitions within what it skips', () => {
    const packr = new Packr();
    const bytes = packr.pack([
      { skip: [{ x: 1 }], keep: { x: 2 } },
      { skip: { y: 3 }, keep: { x: 4 } },
    ]);
    assert.deepEqual(packr.unpack(bytes, s.array(s.object({ keep: s.object({ x: s.number }) }))), [
      { keep: { x: 2 } },
      { keep: { x: 4 } },
    ]);
  });

  it('reads each type', () => {
    class Point {}
    const extensions = [{ Class: Point, type: 9, pack: () => Uint8Array.of(1), unpack: () => new Point() }];
    const packr = new Packr({ extensions });
    const read = (value, schema) => packr.unpack(packr.pack(value), schema);
    assert.equal(read(2n ** 60n, s.bigint), 2n ** 60n);
    assert.equal(read(5, s.bigint), 5n);
    assert.equal(read(1.5, s.number), 1.5);
    assert.deepEqual(read(Uint8Array.of(1, 2), s.bytes), Buffer.of(1, 2));
    assert.deepEqual(read(new Date(5), s.date), new Date(5));
    assert.ok(read(new Point(), s.instanceOf(Point)) instanceof Point);
    assert.equal(read(true, s.boolean), true);
    assert.equal(read(null, s.oneOf(1, 'a', null)), null);
    assert.deepEqual(read({ a: undefined }, s.object({ a: s.optional(s.string) })), {});
    const absent = Buffer.from('81a161d40000', 'hex');
    assert.deepEqual(unpack(absent, s.object({ a: s.optional(s.string) })), { a: undefined });
    assert.deepEqual(read({}, s.object({ a: s.optional(s.string) })), {});
    assert.deepEqual(read(new Map([[5, 1]]), s.dictionary(s.number)), { 5: 1 });
    const exact = new Unpackr({ timestamps: 'timestamp' });
    assert.ok(exact.unpack(pack(new Date(5)), s.instanceOf(Timestamp)) instanceof Timestamp);
    const own = read(JSON.parse('{"__proto__":1,"a":2}'), s.object({ ['__proto__']: s.number }));
    assert.deepEqual(Object.entries(own), [['__proto__', 1]]);
    assert.equal(Object.getPrototypeOf(own), Object.prototype);
  });

  it('reads text as the type that it was written of, and exts with the option rich', () => {
    const schemas = {
      decimal: s.decimal,
      uuid: s.uuid,
      date: s.localDate,
      time_of_day: s.localTime,
      duration: s.duration,
      uri: s.url,
    };
    const refused = [];
    const read = new Set();
    for (const { file, write, bytes, options } of casesOf('defaults')) {
      const schema = schemas[write?.native];
      if (schema === undefined || bytes === undefined) continue;
      const given = expand(bytes);
      const made = optionNames(options);
      const error = errorOf(() => new Unpackr(made).unpack(given, schema));
      if (error !== undefined) {
        assert.equal(error.kind, 'type_mismatch');
        assert.ok(error.detail.startsWith(`expected ${schema.expected}`), error.detail);
        const value = unpack(given);
        refused.push(value instanceof ExtData ? `ext ${value.type}` : value);
        continue;
      }
      const isBin = given[0] === 0xc4;
      for (const reader of [new Unpackr(made), new Unpackr({ ...made, maxNodes: 100 })]) {
        const value = reader.unpack(given, schema);
        const again = new Packr(made).pack(value);
        if (isBin) assert.equal(value.toString(), write.text);
        else if (write.text !== '-0') assert.deepEqual([...again], [...given], file);
        assert.deepEqual(schema['~standard'].validate(value), { value });
      }
      read.add(`${write.native} ${file}`);
    }
    assert.deepEqual(refused.sort(), [
      ...['-Infinity', '03:04:05+00:00', '03:04:05+01:00', '03:04:05-03:30', 'Infinity'],
      ...['NaN', 'NaN', 'ext 95'],
    ]);
    assert.equal(read.size, 11);
  });

  it('reads other writers’ text of the same values, and refuses what is none', () => {
    const same = [
      [s.decimal, '+1.5e2', '1.5E+2'],
      [s.uuid, 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
      [s.localTime, '03:04:05.5', '03:04:05.500'],
      [s.duration, 'P1DT1S', 'PT24H1S'],
      [s.duration, '-PT0.000000001S', '-PT0.000000001S'],
      [s.localDate, '-5877641-06-23', '-5877641-06-23'],
      [s.localDate, '+5881580-07-11', '+5881580-07-11'],
    ];
    for (const [schema, text, expected] of same) assert.equal(String(unpack(pack(text), schema)), expected);
    const wrong = [
      [s.decimal, ['', '.', '1.', 'x', '1e', '0x5', '1 ', '1E2147483649', '9'.repeat(200_000)]],
      [s.uuid, ['', 'f81d4fae7dec11d0a76500a0c91e6bf6', `${'0'.repeat(35)}`]],
      [
        s.localDate,
        ['2026-1-2', '2026-02-29', '2026-13-01', '+2026-01-02', '-0000-01-01', '5881581-01-01', '+5881580-07-12'],
      ],
      [s.localTime, ['24:00:00', '03:04', '03:60:00', '03:04:05.', '03:04:05Z']],
      [s.duration, ['P', 'PT', 'P1DT', 'PT1', '1S', 'PT9223372036854775808S', 'PT1.S']],
      [s.url, ['', 'no url']],
    ];
    for (const [schema, texts] of wrong)
      for (const text of texts) {
        const error = errorOf(() => unpack(pack({ a: text }), s.object({ a: schema })));
        const { kind, path, offset, detail } = error;
        const expected = ['type_mismatch', '$.a', 3, `expected ${schema.expected}`];
        assert.deepEqual([kind, path, offset, detail], expected, text.slice(0, 50));
      }
    const error = errorOf(() => unpack(pack({ a: 5 }), s.object({ a: s.uuid })));
    assert.equal(error.detail, 'expected a uuid, found integer');
    assert.equal(errorOf(() => unpack(pack(Uint8Array.of(1)), s.uuid)).detail, 'expected a uuid');
  });

  it('reads Sets', () => {
    const Numbers = s.set(s.number);
    for (const rich of [false, true]) {
      const packr = new Packr({ rich });
      const read = (value, schema) => packr.unpack(packr.pack(value), schema);
      assert.deepEqual(read(new Set([1, 2]), Numbers), new Set([1, 2]));
      assert.deepEqual(read([1, 1, 2], Numbers), new Set([1, 2]));
      const Holder = s.object({ a: Numbers });
      for (let i = 0; i < 12; i++) assert.deepEqual(read({ a: new Set([1]), b: 1 }, Holder), { a: new Set([1]) });
      for (const wrong of [{ a: new Set(['x']) }, { a: 5 }, { a: new ExtData(5, Uint8Array.of(1)) }]) {
        const error = errorOf(() => read(wrong, Holder));
        const { path, detail } = error;
        const within = !rich && wrong.a instanceof Set;
        assert.equal(path, within ? '$.a[0]' : '$.a');
        assert.match(detail, /^expected (a float, found str|an array, found (integer|ext))$/);
      }
    }
    const { issues } = Numbers['~standard'].validate(new Set(['x']));
    assert.deepEqual([issues[0].message, issues[0].path], ['expected a float, found str', [0]]);
  });

  it('reads layouts that change, in any order and with keys of any kind', () => {
    const schema = s.array(s.object({ a: s.number, b: s.optional(s.string), long: s.optional(s.number) }));
    const random = randomOf(SEED);
    const long = 'k'.repeat(40);
    const keys = ['a', 'b', 'other', 'long', long, 'ä', '7'];
    const list = Array.from({ length: 400 }, (_, i) => {
      const order = keys.slice(0, 2 + random(6)).sort(() => random(3) - 1);
      return Object.fromEntries([...new Set([...order, 'a'])].map((key) => [key, key === 'b' ? 'text' : i]));
    });
    const expected = list.map((value) =>
      Object.fromEntries(Object.entries(value).filter(([key]) => ['a', 'b', 'long'].includes(key))),
    );
    for (const make of Object.values(PACKERS)) {
      const packr = make();
      assert.deepEqual(packr.unpack(packr.pack(list), schema), expected);
    }
    // Of equal keys the last one, and keys with a longer header or of another type.
    const odd = Buffer.from('84a16101a16102d901620305c0', 'hex');
    for (let i = 0; i < 20; i++)
      assert.deepEqual(unpack(odd, s.object({ a: s.number, b: s.number, 5: s.any })), {
        a: 2,
        b: 3,
        5: null,
      });
  });

  it('reports what it refuses by path and offset, the same while it reads and afterwards', () => {
    const schema = s.array(User);
    const good = user(1);
    const faults = [
      ['$[2].id', { id: 1.5 }, 'expected an integer, found float'],
      ['$[2].id', { id: 2n ** 60n }, `${2n ** 60n} does not fit integer`, 'out_of_range'],
      [
        '$[2].scores.a',
        { scores: { a: -(2n ** 60n) - 1n } },
        `${-(2n ** 60n) - 1n} does not fit number`,
        'out_of_range',
      ],
      ['$[2].name', { name: 2n ** 60n }, 'expected a str, found integer'],
      ['$[2].name', { name: 5 }, 'expected a str, found integer'],
      ['$[2].tags', { tags: 'a' }, 'expected an array, found str'],
      ['$[2].tags[1]', { tags: ['a', 1, 'c'] }, 'expected a str, found integer'],
      ['$[2].address', { address: 7 }, 'expected a map, found integer'],
      ['$[2].address.city', { address: { city: null } }, 'expected a str, found nil'],
      ['$[2].address.city', { address: { city: new Date(5) } }, 'expected a str, found timestamp'],
      ['$[2].role', { role: 'guest' }, 'unknown variant "guest"'],
      ['$[2].role', { role: [1] }, 'expected a variant, found array'],
      ['$[2].scores.a', { scores: { a: '1' } }, 'expected a float, found str'],
    ];
    for (const [path, change, detail, kind = 'type_mismatch'] of faults)
      for (const records of [true, false]) {
        const bytes = new Packr({ records }).pack([good, good, { ...good, ...change }]);
        for (let i = 0; i < 12; i++) {
          const found = errorOf(() => new Unpackr({ records }).unpack(bytes, schema));
          const later = errorOf(() => new Unpackr({ records, maxNodes: 1e5 }).unpack(bytes, schema));
          assert.ok(found instanceof MsgpackDecodeError, found?.stack);
          assert.deepEqual([found.kind, found.path, found.detail], [kind, path, detail]);
          assert.deepEqual(place(later), place(found));
        }
      }
    const { id: _, ...without } = good;
    const bytes = pack([good, without]);
    const missing = errorOf(() => unpack(bytes, schema));
    assert.deepEqual(place(missing), ['type_mismatch', pack(good).length + 1, '$[1]', 'missing field "id"']);
    assert.deepEqual(place(errorOf(() => new Unpackr({ maxNodes: 1e5 }).unpack(bytes, schema))), place(missing));
  });

  it('reports bytes that end too early, and never fails in another way', () => {
    const random = randomOf(SEED);
    const schema = s.array(User);
    const list = Array.from({ length: 12 }, (_, i) => user(i));
    for (const make of [PACKERS.maps, PACKERS.records]) {
      const packr = make();
      const bytes = Uint8Array.from(packr.pack(list));
      for (let end = 0; end < bytes.length; end += 1 + random(7)) {
        const error = errorOf(() => packr.unpack(bytes.subarray(0, end), schema));
        assert.deepEqual([error?.kind, error?.offset], ['eof', end]);
      }
      for (let i = 0; i < 3000; i++) {
        const changed = bytes.slice();
        for (let n = 1 + random(3); n > 0; n--) changed[random(bytes.length)] = random(256);
        const error = errorOf(() => packr.unpack(changed, schema));
        assert.ok(error === undefined || error instanceof MsgpackDecodeError, error?.stack);
        if (error !== undefined) continue;
        // What the schema accepts may have faults within what it skips.
        const whole = errorOf(() => packr.unpack(changed));
        if (whole === undefined)
          assert.deepEqual(packr.unpack(changed, schema), schema['~standard'].validate(packr.unpack(changed)).value);
      }
    }
  });

  it('reads integers that a number holds exactly', () => {
    const large = [2n ** 53n, 2n ** 63n, -(2n ** 63n)];
    const numbers = large.map(Number);
    assert.deepEqual(unpack(pack(large), s.array(s.number)), numbers);
    const bytes = pack(large.map((n) => ({ n })));
    for (let i = 0; i < 12; i++)
      assert.deepEqual(
        unpack(bytes, s.array(s.object({ n: s.number }))).map(({ n }) => n),
        numbers,
      );
    const { issues } = s.number['~standard'].validate(2n ** 53n + 1n);
    assert.equal(issues[0].message, `${2n ** 53n + 1n} does not fit number`);
  });

  it('refuses a value of another type before its payload', () => {
    const schema = s.array(s.object({ a: s.number }));
    // Nine good rows, and one with a str that is not UTF-8.
    const rows = `9a${'81a16101'.repeat(9)}81a161a1ff`;
    for (let i = 0; i < 3; i++)
      assert.throws(() => unpack(Buffer.from(rows, 'hex'), schema), {
        kind: 'type_mismatch',
        path: '$[9].a',
        detail: 'expected a float, found str',
      });
    // What an extension or an option makes of it counts, and not its header.
    const extensions = [{ type: 9, unpack: () => 'text' }];
    const unpackr = new Unpackr({ extensions, utf8: 'raw' });
    const made = s.array(s.oneOf('text', 'b'));
    const error = errorOf(() => unpackr.unpack(Buffer.from('92d40900a161', 'hex'), made));
    assert.deepEqual([error.path, error.detail], ['$[1]', 'unknown variant "a"']);
    const raw = s.array(s.bytes);
    const bin = errorOf(() => unpackr.unpack(Buffer.from('93a1ffc401ffa161', 'hex'), raw));
    assert.deepEqual([bin.path, bin.detail], ['$[2]', 'expected a bin, found str']);
  });

  it('has the limits of its instance', () => {
    const deep = pack({ a: [[[1]]], b: 1 });
    const schema = s.object({ b: s.number });
    const error = errorOf(() => new Unpackr({ maxDepth: 3 }).unpack(deep, schema));
    assert.deepEqual([error.kind, error.offset], ['depth_limit', 5]);
    const wide = pack({ a: Array.from({ length: 2000 }, () => [[1], { x: 1, y: [] }]), b: 1 });
    const five = new Unpackr({ maxDepth: 5 });
    for (let i = 0; i < 20; i++) assert.deepEqual(five.unpack(wide, schema), { b: 1 });
    assert.throws(() => unpack(Buffer.concat([pack({ b: 1 }), Buffer.of(1)]), schema), {
      kind: 'trailing_bytes',
    });
    assert.throws(() => unpack(Buffer.from('82a161dcffff', 'hex'), schema), { kind: 'eof' });
  });

  it('can be used within itself', () => {
    const Inner = s.object({ x: s.number });
    let unpackr;
    const extensions = [{ type: 5, unpack: (bytes) => unpackr.unpack(bytes, Inner) }];
    unpackr = new Unpackr({ extensions });
    const bytes = new Packr().pack([{ e: new ExtData(5, pack({ x: 1, y: 2 })) }, { e: 2 }]);
    assert.deepEqual(unpackr.unpack(bytes, s.array(s.object({ e: s.any }))), [{ e: { x: 1 } }, { e: 2 }]);
  });

  it('is a Standard Schema', () => {
    const { version, vendor, validate } = s.object({ a: s.array(s.number) })['~standard'];
    assert.deepEqual([version, vendor], [1, 'packord']);
    assert.deepEqual(validate({ a: [1], b: 2 }), { value: { a: [1] } });
    const { issues } = validate({ a: ['x'] });
    assert.deepEqual([issues[0].message, issues[0].path], ['expected a float, found str', ['a', 0]]);
  });
});
