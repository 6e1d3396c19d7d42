/** The vectors of spec/vectors: valid, invalid, stream and records. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeIter, MsgpackDecodeError, Packr, Unpackr } from 'packord';
import { columns } from 'packord/columns';
import * as noEval from 'packord/index-no-eval';
import { any } from 'packord/schema';
import { View } from 'packord/view';
import {
  casesOf,
  difference,
  errorOf,
  expand,
  hasObjectKeys,
  inexpressible,
  keysCollide,
  keysOfMapDiffer,
  optionsOf,
  toValue,
} from './vectors.js';

// Every prefix of every case makes an error; their stacks are of no use.
Error.stackTraceLimit = 0;

const hex = (bytes) => Buffer.from(bytes).toString('hex');

function assertValue(expected, actual, name) {
  assert.equal(difference(expected, actual), undefined, name);
}

function assertFault(error, expected, name) {
  const isOwn = error instanceof MsgpackDecodeError || error instanceof noEval.MsgpackDecodeError;
  assert.ok(isOwn, `${name}: ${error?.stack ?? 'no error'}`);
  const { kind, offset, path = '$' } = error;
  // A derived rule says nothing about the path.
  const found = 'path' in expected ? { kind, offset, path } : { kind, offset };
  assert.deepEqual(found, expected, name);
}

/** The number of cases that are left out, by the reason. */
const skipped = new Map();
function skip(reason) {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
}

function cut(bytes, size) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

/** The values of a stream cut into chunks of a size, and how it ended. */
function readStream(bytes, size, options) {
  return readChunks(cut(bytes, size), options);
}

function readChunks(chunks, options) {
  const values = [];
  const error = errorOf(() => {
    for (const value of decodeIter(chunks, options)) values.push(value);
  });
  return { values, error };
}

function assertStream({ values, error }, expected, end, name) {
  if (end === 'clean') assert.equal(error, undefined, `${name}: ${error}`);
  else assertFault(error, end, name);
  assert.equal(values.length, expected.length, name);
  expected.forEach((value, i) => {
    assertValue(value, values[i], name);
  });
}

/** Number of prefixes that are read of a long message, but for `PACKORD_EXHAUSTIVE=1`. */
const PREFIXES = 80;

/** Asserts that each prefix of a message, or some of a long one, is an `eof` at its end. */
function assertPrefixes(unpackr, bytes) {
  const most = process.env.PACKORD_EXHAUSTIVE ? 0 : Math.floor(bytes.length / PREFIXES);
  const step = bytes.length > 1500 ? Math.max(331, most | 1) : 1;
  for (let n = 0; n < bytes.length; n += step)
    assertFault(
      errorOf(() => unpackr.unpack(bytes.subarray(0, n))),
      { kind: 'eof', offset: n },
      `prefix of ${n}`,
    );
}

/** Defines a test for each case of a class. Those with ext types without a handler are left out. */
function eachCase(className, run) {
  for (const entry of casesOf(className))
    it(`${entry.file}: ${entry.name}`, () => {
      const options = optionsOf(entry.options);
      if (options === undefined) skip('ext types without a handler');
      else run(entry, options, expand(entry.bytes));
    });
}

describe('valid vectors are read, and written with the same bytes:', () => {
  eachCase('valid', (entry, options, bytes) => {
    const value = new Unpackr(options).unpack(bytes);
    const mayRepeat = entry.file === 'duplicate-keys.json' || options.utf8 === 'raw';
    if (mayRepeat && hasObjectKeys(entry.value)) return skip('equal containers, bytes and ext values as keys of a Map');
    if (entry.name === 'set of 1 and 1.0') return skip('1.0 beside 1');
    const hasKeys = keysOfMapDiffer(entry.value);
    if (hasKeys) assertValue(entry.value, value, 'value');
    else skip('keys that are not of a Map');

    if (hasKeys) writing(entry, options, bytes, value);
    if (entry.options === undefined) canonical(entry, bytes);
    prefixes(options, bytes);
    if (options.trailing === undefined && hasKeys) {
      const single = readStream(bytes, bytes.length, options);
      assertStream(single, [entry.value], 'clean', 'as a stream');
      const size = bytes.length > 2000 ? 4096 : 7;
      const twice = readStream(Buffer.concat([bytes, bytes]), size, options);
      assertStream(twice, [entry.value, entry.value], 'clean', 'as a stream, twice');
    }
  });

  function writing(entry, options, bytes, value) {
    const reason = inexpressible(entry.value, options.float32);
    if (reason !== undefined) return skip(reason);
    const packr = new Packr(options);
    const written = hex(packr.pack(toValue(entry.value)));
    if (entry.default === true) {
      assert.equal(written, hex(bytes), 'written');
      assert.equal(hex(packr.pack(value)), hex(bytes), 'read and written');
    } else if (entry.default === false) assert.notEqual(written, hex(bytes), 'written');
  }

  function canonical(entry, bytes) {
    const packr = new Packr({ ...optionsOf(), canonical: true });
    if (entry.canonical === true) assertValue(entry.value, packr.unpack(bytes), 'canonical reading');
    else {
      const { kind } = errorOf(() => packr.unpack(bytes)) ?? {};
      assert.ok(kind === 'not_canonical' || kind === 'duplicate_key', `canonical reading: ${kind}`);
    }
    if (entry.canonical === false || keysCollide(entry.value)) return;
    const pack = () => packr.pack(toValue(entry.value));
    if (entry.canonical.kind !== undefined) assert.equal(errorOf(pack)?.kind, entry.canonical.kind, 'canonical');
    else assert.equal(hex(pack()), hex(entry.canonical === true ? bytes : expand(entry.canonical)));
  }

  function prefixes(options, bytes) {
    if (options.trailing === 'allow') return;
    const unpackr = new Unpackr(options);
    assertPrefixes(unpackr, bytes);
    const more = Buffer.concat([bytes, Buffer.from([0xc0])]);
    assertFault(
      errorOf(() => unpackr.unpack(more)),
      { kind: 'trailing_bytes', offset: bytes.length },
      'trailing',
    );
  }
});

/** What each way of reading a message throws. */
const WAYS = {
  'first, and again': (bytes, options) => {
    const unpackr = new Unpackr(options);
    return [errorOf(() => unpackr.unpack(bytes)), errorOf(() => unpackr.unpack(bytes))];
  },
  'with checks': (bytes, options) => {
    const unpackr = new Unpackr({ maxNodes: Number.MAX_VALUE, ...options });
    return [errorOf(() => unpackr.unpack(bytes))];
  },
  'without generated code': (bytes, options) => [errorOf(() => new noEval.Unpackr(options).unpack(bytes))],
  'with a schema': (bytes, options) => [errorOf(() => new Unpackr(options).unpack(bytes, any))],
  'as a view': (bytes, options) => [errorOf(() => new View(bytes, options).unpack())],
  'as several messages': (bytes, options) => [errorOf(() => new Unpackr(options).unpackMultiple(bytes))],
  // Without the limit that streams have.
  'as a stream': (bytes, options) =>
    [bytes.length || 1, 1].map((size) => readStream(bytes, size, { maxBuffer: 2 ** 40, ...options }).error),
};

/** Those that take bytes after a message for another one, and no bytes for none. */
const MANY = ['as several messages', 'as a stream'];

describe('invalid vectors are errors of their kind, offset and path in each way of reading:', () => {
  eachCase('invalid', (entry, options, bytes) => {
    const isOne = entry.error.kind === 'trailing_bytes' || bytes.length === 0;
    for (const [name, errors] of Object.entries(WAYS))
      for (const maps of ['map', 'auto']) {
        if (isOne && MANY.includes(name)) continue;
        const all = { ...options, maps };
        for (const error of errors(bytes, all)) assertFault(error, entry.error, name);
      }
  });
});

/** Asserts that an iterator has the parts of a stream, and goes on after each fault but one that ends it. */
async function assertParts(values, parts, name) {
  for (const { values: expected, end } of parts) {
    const found = [];
    let error;
    try {
      for (;;) {
        const { done, value } = await values.next();
        if (done) break;
        found.push(value);
      }
    } catch (thrown) {
      error = thrown;
    }
    assertStream({ values: found, error }, expected, end, name);
  }
  assert.equal((await values.next()).done, true, `${name}: closed`);
}

async function* later(chunks) {
  yield* chunks;
}

describe('stream vectors have the same values and errors wherever they are cut:', () => {
  for (const entry of casesOf('stream'))
    it(`${entry.file}: ${entry.name}`, async () => {
      const options = optionsOf(entry.options);
      if (options === undefined) return skip('ext types without a handler');
      const bytes = expand(entry.bytes);
      const parts = [entry, ...(entry.then ?? [])];
      const sizes = bytes.length > 2000 ? [1, 7, 4096] : [1, 2, 3, 7, 64];
      for (const size of [bytes.length || 1, ...sizes])
        for (const chunks of [cut(bytes, size), later(cut(bytes, size))])
          await assertParts(decodeIter(chunks, options), parts, `chunks of ${size}`);
      if (bytes.length > 2000) return;
      for (let at = 1; at < bytes.length; at++) {
        const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
        await assertParts(decodeIter(chunks, options), parts, `cut at ${at}`);
      }
    });
});

describe('columns vectors are read, written, or errors of their kind and offset:', () => {
  eachCase('columns', (entry, options, bytes) => {
    if (entry.encode) return writingColumns(entry, options, bytes);
    // The second decoder is the checked one.
    for (const more of [{}, { maxNodes: options.maxNodes ?? Number.MAX_VALUE }]) {
      const unpackr = new Unpackr({ ...options, ...more });
      if ('error' in entry)
        assertFault(
          errorOf(() => unpackr.unpack(bytes)),
          entry.error,
          entry.name,
        );
      else {
        assertValue(entry.value, unpackr.unpack(bytes), entry.name);
        assertPrefixes(unpackr, bytes);
        assertStream(readStream(bytes, 3, options), [entry.value], 'clean', 'chunks of 3');
      }
    }
  });
});

/** Writes the value of a plain message, and reads it again. */
function writingColumns({ plain: pieces, options: given, shared_after: sharedAfter }, options, bytes) {
  const plain = expand(pieces);
  const reading = { maps: 'map', timestamps: 'timestamp' };
  const value = new Unpackr(reading).unpack(plain);
  const writesPlain = (found) => Buffer.from(new Packr({}).pack(found)).equals(plain);
  if (!writesPlain(value)) return skip('columns of values that JavaScript writes otherwise');
  const all = { columns, ...options, maps: 'map' };
  const packr = new Packr(all);
  assert.equal(hex(packr.pack(value)), hex(bytes));
  const { shared_structures: structures = [] } = given ?? {};
  if (sharedAfter !== undefined) assert.deepEqual([...packr.structures], sharedAfter);
  const reader = new Unpackr({ ...all, structures: sharedAfter ?? structures });
  assert.ok(writesPlain(reader.unpack(bytes)), 'read again');
}

describe('records vectors are read, and written with the same bytes:', () => {
  for (const entry of casesOf('records')) {
    it(`${entry.file}: ${entry.name}`, () => {
      const options = optionsOf(entry.options, true);
      if (options === undefined) return skip('ext types without a handler');
      if (entry.steps !== undefined) return entry.encode ? writingSteps(entry, options) : readingSteps(entry, options);
      const bytes = expand(entry.bytes);
      if (entry.encode) return writing(entry, options, bytes);
      if (entry.error !== undefined) {
        assertFault(
          errorOf(() => new Unpackr(options).unpack(bytes)),
          entry.error,
          entry.name,
        );
      } else if ('value' in entry) {
        const unpackr = new Unpackr(options);
        assertValue(entry.value, unpackr.unpack(bytes), 'first');
        assertValue(entry.value, unpackr.unpack(bytes), 'again');
        assertPrefixes(unpackr, bytes);
      } else {
        assertStream(readStream(bytes, bytes.length, options), entry.values, 'clean', 'whole');
        assertStream(readStream(bytes, 1, options), entry.values, 'clean', 'chunks of 1');
      }
    });
  }

  function readingSteps({ steps }, options) {
    const unpackr = new Unpackr(options);
    for (const [i, step] of steps.entries()) {
      const bytes = expand(step.bytes);
      if (step.error === undefined) assertValue(step.value, unpackr.unpack(bytes), `step ${i}`);
      else
        assertFault(
          errorOf(() => unpackr.unpack(bytes)),
          step.error,
          `step ${i}`,
        );
    }
  }

  function writingSteps({ steps, shared_after }, options) {
    const packr = new Packr(options);
    for (const [i, { value, bytes, error }] of steps.entries()) {
      const run = () => packr.pack(toValue(value, true));
      if (error === undefined) assert.equal(hex(run()), hex(expand(bytes)), `step ${i}`);
      else assert.equal(errorOf(run)?.kind, error.kind, `step ${i}`);
    }
    if (shared_after !== undefined) assert.deepEqual(packr.structures, shared_after);
    const done = steps.filter(({ error }) => error === undefined);
    const written = Buffer.concat(done.map(({ bytes }) => expand(bytes)));
    const reading = { ...options, structures: shared_after ?? options.structures };
    assertStream(
      readStream(written, 3, reading),
      done.map(({ value }) => value),
      'clean',
      'read again',
    );
  }

  /** Integer-like keys come first in an object, whatever the order in which they were set. */
  function reorders(value) {
    return /\{"str":"\d+"\}|"digits":\d/.test(JSON.stringify(value));
  }

  function writing(entry, options, bytes) {
    const values = 'values' in entry ? entry.values : [entry.value];
    if (values.some(reorders)) return skip('keys that are numbers in an object');
    const reason = values.map((value) => inexpressible(value)).find(Boolean);
    if (reason !== undefined) return skip(reason);
    const packr = new Packr(options);
    const written = Buffer.concat(values.map((value) => Buffer.from(packr.pack(toValue(value, true)))));
    assert.equal(hex(written), hex(bytes), 'written');
    if (entry.shared_after !== undefined) assert.deepEqual(packr.structures, entry.shared_after);
    const reading = { ...options, structures: entry.shared_after ?? options.structures };
    assertStream(readStream(bytes, bytes.length, reading), values, 'clean', 'read again');
  }
});

describe('cases that JavaScript cannot express', () => {
  it('are fewer than 400', (context) => {
    for (const [reason, count] of skipped) context.diagnostic(`${count} cases left out: ${reason}`);
    assert.ok([...skipped.values()].reduce((sum, count) => sum + count, 0) < 400);
  });
});
