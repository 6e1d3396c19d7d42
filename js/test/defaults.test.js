/** The vectors of defaults: what is written and read where no option is set. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  Decimal,
  Duration,
  ExtData,
  LocalDate,
  LocalTime,
  MsgpackDecodeError,
  MsgpackEncodeError,
  Packr,
  pack,
  Ratio,
  Timestamp,
  Unpackr,
  Uuid,
  unpack,
} from 'packord';
import * as writing from 'packord/pack';
import * as reading from 'packord/unpack';
import { native } from './natives.js';
import { casesOf, difference, errorOf, expand, inexpressible, optionNames } from './vectors.js';

const LANGUAGE = 'javascript';

const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** The ways to pack and to unpack: with options, those of instances and of the functions. */
const FEATURES = [writing.rich, writing.selection, reading.rich, reading.checks];

/** Options of functions, which are given the features that options need. */
function withFeatures(options) {
  return options && { ...options, features: FEATURES };
}

function waysToPack(options) {
  const ways = {
    Packr: (value) => new Packr(options).pack(value),
    pack: (value) => pack(value, withFeatures(options)),
  };
  if (options === undefined) ways['pack of packord/pack'] = writing.pack;
  return Object.entries(ways);
}

function waysToUnpack(options) {
  const ways = {
    Unpackr: (bytes) => new Unpackr(options).unpack(bytes),
    unpack: (bytes) => unpack(bytes, withFeatures(options)),
  };
  if (options === undefined) ways['unpack of packord/unpack'] = reading.unpack;
  return Object.entries(ways);
}

/** The cases of this language that have a member. */
function ours(member) {
  return casesOf('defaults').filter(
    ({ languages, [member]: found }) => found !== undefined && (languages?.includes(LANGUAGE) ?? true),
  );
}

function keyPath(key) {
  if (typeof key === 'string') return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `["${key}"]`;
  return `[key ${key === null ? 'nil' : String(key)}]`;
}

/** Returns the types that JavaScript has several of for one of MessagePack, by the paths of their values. */
function kindsOf(value, path = '$', kinds = {}) {
  if (value === undefined) kinds[path] = 'undefined';
  else if (typeof value === 'bigint') kinds[path] = 'bigint';
  else if (value instanceof Timestamp) kinds[path] = 'Timestamp';
  else if (value instanceof Date) kinds[path] = 'Date';
  else if (Array.isArray(value)) value.forEach((item, i) => void kindsOf(item, `${path}[${i}]`, kinds));
  else if (value instanceof Map) {
    kinds[path] = 'Map';
    for (const [key, item] of value) kindsOf(item, path + keyPath(key), kinds);
  } else if (value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    kinds[path] = 'object';
    for (const [key, item] of Object.entries(value)) kindsOf(item, path + keyPath(key), kinds);
  }
  return kinds;
}

/** What is not compared: the types in keys have no path that `kindsOf` writes. */
function assertKinds(value, expected, name) {
  const found = kindsOf(value);
  for (const path of Object.keys(found)) if (/\[key [^\]]*\[/.test(path)) delete found[path];
  assert.deepEqual(found, expected ?? {}, name);
}

function assertRefused(run, { kind, or, path, option }, name) {
  const error = errorOf(run);
  assert.ok(error instanceof MsgpackEncodeError || name.includes('packord/'), `${name}: ${error}`);
  assert.ok(error.kind === kind || error.kind === or, `${name}: ${error}`);
  // An entry without the feature `paths` has none.
  if (path !== undefined && !name.includes('packord/')) assert.equal(error.path, path, name);
  if (option !== undefined) assert.match(error.message, new RegExp(`\\b${option}\\b`), name);
}

/** Messages that are generated. */
const RUNS = process.env.PACKORD_EXHAUSTIVE === undefined ? 3000 : 100_000;

describe('values of programs are written:', () => {
  for (const { name: title, file, options, write, bytes, error } of ours('write'))
    it(`${file}: ${title}`, () => {
      for (const [name, packed] of waysToPack(optionNames(options)))
        if (error === undefined) assert.equal(hex(packed(native(write))), hex(expand(bytes)), name);
        else assertRefused(() => packed(native(write)), error, name);
    });
});

/** The reasons of spec/format.md section 7 for other bytes, with the number of cases that show them. */
const exceptions = new Map(
  [
    '1.0 beside 1',
    'the bits of a NaN',
    'the order of keys that are index numbers',
    'undefined as a property',
    '−0.0 as a key',
    'float 32',
  ].map((reason) => [reason, 0]),
);

function assertAgain(entry, value, packed, name) {
  const { again, except = {}, instead = {} } = entry;
  const expected = again === true ? expand(entry.bytes) : expand(again);
  const reason = except[LANGUAGE];
  if (reason === undefined) {
    assert.equal(hex(packed(value)), hex(expected), name);
    return;
  }
  exceptions.set(reason, exceptions.get(reason) + 1);
  if (reason !== 'the bits of a NaN') assert.notEqual(hex(packed(value)), hex(expected), name);
  if (LANGUAGE in instead) assert.equal(hex(packed(value)), hex(packed(native(instead[LANGUAGE]))), name);
}

describe('messages are read:', () => {
  for (const entry of ours('bytes').filter((one) => !('write' in one) && one.file !== 'rich.json'))
    it(`${entry.file}: ${entry.name}`, () => {
      const { options, value, error, instead = {}, kinds = {} } = entry;
      const bytes = expand(entry.bytes);
      const packers = waysToPack(optionNames(options));
      waysToUnpack(optionNames(options)).forEach(([name, unpacked], i) => {
        if (error !== undefined) {
          const found = errorOf(() => unpacked(bytes));
          assert.equal(found?.kind, error.kind, `${name}: ${found}`);
          assert.equal(found.offset, error.offset, name);
          if (name.includes('packord/')) return;
          assert.ok(found instanceof MsgpackDecodeError, name);
          if ('path' in error) assert.equal(found.path ?? '$', error.path, name);
          return;
        }
        const read = unpacked(bytes);
        assert.equal(difference(instead[LANGUAGE] ?? value, read), undefined, name);
        assertKinds(read, kinds[LANGUAGE], name);
        if (entry.again !== undefined) assertAgain(entry, read, packers[i][1], name);
      });
    });

  it('and written again with the same bytes, but for the exceptions, each of which occurs', () => {
    for (const [reason, count] of exceptions) assert.ok(count > 0, reason);
  });
});

/** Whether a key is the number of a property, which comes before others in an object. */
const isIndex = (key) => /^(0|[1-9]\d*)$/.test(key) && Number(key) < 2 ** 32 - 1;

/** Whether the keys are in another order as properties of an object. */
function isReordered(keys) {
  const object = Object.fromEntries(keys.map((key) => [key, 1]));
  return Object.keys(object).some((key, i) => key !== keys[i]);
}

/** Returns why a message is written with other bytes after reading; undefined if it is not. */
function exceptionOf(value) {
  if (value === null || typeof value !== 'object') return undefined;
  if ('f32' in value) return 'float 32';
  const reason = inexpressible(value);
  if (reason !== undefined) return reason === 'payload of a NaN' ? 'the bits of a NaN' : reason;
  if (Array.isArray(value.array)) return value.array.map(exceptionOf).find(Boolean);
  const { map } = value;
  if (map?.digits !== undefined) {
    const keys = Array.from({ length: map.count }, (_, i) => String(i).padStart(map.digits, '0'));
    return isReordered(keys) ? 'the order of keys that are index numbers' : undefined;
  }
  if (!Array.isArray(map)) return undefined;
  const isObject = map.every(([key]) => typeof key?.str === 'string');
  if (isObject && map.some(([, { ext = [] } = {}]) => ext[0] === 0 && ext[1] === '00'))
    return 'undefined as a property';
  if (isObject && isReordered(map.map(([key]) => key.str))) return 'the order of keys that are index numbers';
  if (map.some(([key]) => key?.f64 === '8000000000000000')) return '−0.0 as a key';
  return map.flat().map(exceptionOf).find(Boolean);
}

describe('messages are written again with the same bytes:', () => {
  it('all minimal ones of valid/, but for the exceptions', () => {
    let same = 0;
    for (const { file, name, bytes: pieces, value, options, default: isDefault } of casesOf('valid')) {
      if (options !== undefined || isDefault !== true) continue;
      const bytes = expand(pieces);
      const reason = exceptionOf(value);
      if (reason === undefined) {
        assert.equal(hex(pack(unpack(bytes))), hex(bytes), `${file}: ${name}`);
        same++;
      } else assert.ok(exceptions.has(reason), `${file}: ${name}: ${reason}`);
    }
    assert.ok(same > 500, `${same}`);
  });

  it('generated ones', () => {
    const bytes = fc.uint8Array({ maxLength: 20 }).map((part) => Buffer.from(part));
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const seconds = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const nanoseconds = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999_999 }));
    const scalar = fc.oneof(
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      text,
      bytes,
      fc.constantFrom(null, true, false, undefined),
      fc.tuple(seconds, nanoseconds).map(([s, n]) => new Timestamp(s, n)),
      fc.tuple(fc.integer({ min: -128, max: 127 }), bytes).map(
        // Those of -1 and of undefined have a meaning.
        ([type, data]) => new ExtData(type === -1 || type === 0 ? 1 : type, data),
      ),
    );
    const { value } = fc.letrec((tie) => {
      const key = fc.oneof({ weight: 3, arbitrary: text }, scalar, fc.array(tie('value'), { maxLength: 2 }));
      const map = fc
        .array(fc.tuple(key, tie('value')), { maxLength: 6 })
        .map((entries) => new Map(entries.map(([name, item]) => [Object.is(name, -0) ? 0 : name, item])));
      return {
        value: fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          scalar,
          fc.array(tie('value'), { maxLength: 6 }),
          map,
        ),
      };
    });
    const isKept = (part) => {
      if (Array.isArray(part)) return part.every(isKept);
      if (!(part instanceof Map)) return true;
      const names = [...part.keys()];
      const isObject = names.every((name) => typeof name === 'string');
      if (isObject && (names.some(isIndex) || [...part.values()].includes(undefined))) return false;
      return [...part].flat().every(isKept);
    };
    const property = fc.property(value, (given) => {
      fc.pre(isKept(given));
      const message = hex(pack(given));
      for (const [name, unpacked] of waysToUnpack())
        assert.equal(hex(pack(unpacked(Buffer.from(message, 'hex')))), message, name);
    });
    fc.assert(property, { numRuns: Number(process.env.PROPERTY_RUNS ?? RUNS) });
  });
});

/** What JavaScript has for the values of other languages. */
const CLASSES = {
  fraction: Ratio,
  decimal: Decimal,
  uuid: Uuid,
  date: LocalDate,
  time_of_day: LocalTime,
  duration: Duration,
};

describe('values with an ext type of their own are read as classes, and written again:', () => {
  const cases = casesOf('defaults').filter(({ file, bytes }) => file === 'rich.json' && bytes);
  for (const entry of cases)
    it(entry.name, () => {
      const bytes = expand(entry.bytes);
      const options = optionNames(entry.options);
      const value = unpack(bytes, withFeatures(options));
      assert.equal(hex(pack(value, withFeatures(options))), hex(expand(entry.again ?? entry.bytes)));
      const { native: kind } = entry.read ?? entry.write;
      const Class = CLASSES[kind];
      if (!entry.readers.includes(LANGUAGE)) return;
      if (kind === 'bigint') return assert.equal(BigInt(value), native(entry.write));
      if (Class === undefined) return assert.deepEqual(value, native(entry.read ?? entry.write));
      assert.ok(value instanceof Class, String(value));
      const plain = casesOf('defaults').find(
        ({ file, languages = ['java'], write, bytes: written, options: none }) =>
          file.startsWith('write') &&
          none === undefined &&
          written !== undefined &&
          // serde writes a uuid as bytes.
          languages.some((language) => language !== 'rust-serde') &&
          languages.some((language) => ['python', 'java'].includes(language)) &&
          JSON.stringify(write) === JSON.stringify(entry.write),
      );
      if (plain === undefined) withoutText.add(value.toString());
      else assert.equal(hex(writing.pack(value.toString())), hex(expand(plain.bytes)));
      if (kind === 'fraction') return;
      assert.equal(hex(pack(value)), hex(pack(value.toString())));
      assert.equal(JSON.stringify([value]), JSON.stringify([value.toString()]));
    });

  it('and have the text of the specification', () => {
    assert.deepEqual(
      [...withoutText].sort(),
      [
        ...['-1/3', '22/7', '1/18446744073709551615', '18446744073709551616/3'],
        ...['1970-01-02', '1969-12-31', '-0001-01-01', '00:00:01'],
        ...['PT1.500S', 'PT25H1M1.000001S', 'PT0.000000001S'],
      ].sort(),
    );
  });

  it('a fraction is written with the option alone', () => {
    assert.equal(new Ratio(-1n, 3n).toString(), '-1/3');
    assert.throws(() => pack({ a: new Ratio(-1n, 3n) }), {
      kind: 'unsupported_type',
      path: '$.a',
      message: /\brich\b/,
    });
  });
});

/** The strings of values without a case of writing them. */
const withoutText = new Set();
