/** The vectors of defaults: what is written and read where no option is set. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Decimal,
  Duration,
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
import { pack as plainPack } from 'packord/pack';
import { unpack as plainUnpack } from 'packord/unpack';
import { native } from './natives.js';
import { casesOf, difference, errorOf, expand, optionNames } from './vectors.js';

const LANGUAGE = 'javascript';

const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** The ways to pack and to unpack: with options, those of instances and of the functions. */
function waysToPack(options) {
  const ways = {
    Packr: (value) => new Packr(options).pack(value),
    pack: (value) => pack(value, options),
  };
  if (options === undefined) ways['pack of packord/pack'] = plainPack;
  return Object.entries(ways);
}

function waysToUnpack(options) {
  const ways = {
    Unpackr: (bytes) => new Unpackr(options).unpack(bytes),
    unpack: (bytes) => unpack(bytes, options),
  };
  if (options === undefined) ways['unpack of packord/unpack'] = plainUnpack;
  return Object.entries(ways);
}

/** The cases of this language that have a member. */
function ours(member) {
  return casesOf('defaults').filter(
    ({ languages, [member]: found }) =>
      found !== undefined && (languages?.includes(LANGUAGE) ?? true),
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
  else if (Array.isArray(value))
    value.forEach((item, i) => void kindsOf(item, `${path}[${i}]`, kinds));
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
  if (LANGUAGE in instead)
    assert.equal(hex(packed(value)), hex(packed(native(instead[LANGUAGE]))), name);
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
      const value = unpack(bytes, options);
      assert.equal(hex(pack(value, options)), hex(expand(entry.again ?? entry.bytes)));
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
      else assert.equal(hex(plainPack(value.toString())), hex(expand(plain.bytes)));
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

/** The texts of values without a case of writing them. */
const withoutText = new Set();
