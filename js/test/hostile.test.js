/** Bytes from anyone lead to a value or to a MsgpackDecodeError, in bounded time and memory. */
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decodeIter, MsgpackDecodeError, Packr, Unpackr } from 'packord';
import { columns } from 'packord/columns';
import * as noEval from 'packord/index-no-eval';
import * as compatible from 'packord/msgpackr';
import { measured } from './measure.js';
import { randomOf, SECONDS, SEED } from './random.js';
import { casesOf, errorOf, expand, LARGE, optionsOf, sizeOf } from './vectors.js';

// Millions of errors are made here; their stacks are of no use.
Error.stackTraceLimit = 0;

const ALL_TYPES = { rich: true, columns, records: true };

/** Fails unless reading returns a value or throws the typed error. */
function read(unpackr, bytes) {
  try {
    return { value: unpackr.unpack(bytes) };
  } catch (error) {
    if (error instanceof MsgpackDecodeError || error instanceof noEval.MsgpackDecodeError)
      return { kind: error.kind, offset: error.offset, path: error.path };
    throw new Error(`${Buffer.from(bytes).toString('hex').slice(0, 200)}: ${error.stack}`);
  }
}

/** Longest vector without PACKORD_EXHAUSTIVE. */
const MAX_BYTES = process.env.PACKORD_EXHAUSTIVE === undefined ? 4e6 : Number.POSITIVE_INFINITY;

describe('hostile vectors', () => {
  const entries = casesOf('hostile').filter(
    (entry) => optionsOf(entry.options) !== undefined && sizeOf(entry.bytes) <= MAX_BYTES,
  );
  for (const entry of entries) {
    it(`${entry.file}: ${entry.name}`, () => {
      const options = optionsOf(entry.options);
      const bytes = expand(entry.bytes);
      // The process that measures the memory reads the large ones as objects.
      for (const maps of bytes.length < LARGE ? ['auto', 'map'] : ['map']) {
        const unpackr = new Unpackr({ ...options, maps });
        const { result, milliseconds } = measured(() => read(unpackr, bytes));
        if (entry.error !== undefined) assert.deepEqual({ kind: result.kind, offset: result.offset }, entry.error);
        else assert.ok('value' in result, `${result.kind} at ${result.offset}`);
        // A payload of columns may stand for 16 times its size (maxExpansion): 1 µs for each byte of that.
        const budget = 2000 + (bytes.length * (options.columns ? 6 + 16 : 6)) / 1000;
        assert.ok(milliseconds < budget, `${milliseconds} ms for ${bytes.length} bytes`);
      }
    });
  }

  it('reads sets in sets in linear time, and tells equal elements in each', () => {
    const unpackr = new Unpackr({ rich: true });
    // Each set has the one within it, and nil or an equal set.
    const nested = (levels, inner, around) => {
      let bytes = inner;
      for (let i = 0; i < levels; i++) {
        const head = Buffer.from([0xc9, 0, 0, 0, 0, 86, 0x92]);
        head.writeUInt32BE(1 + bytes.length + around.length, 1);
        bytes = Buffer.concat([head, bytes, around]);
      }
      return bytes;
    };
    const text = Buffer.concat([Buffer.from('db000f4240', 'hex'), Buffer.alloc(1e6, 0x61)]);
    const { result, milliseconds } = measured(() => read(unpackr, nested(500, text, Buffer.of(0xc0))));
    assert.equal(result.value.size, 2);
    assert.ok(milliseconds < 5000, `${milliseconds} ms`);
    const set = nested(1, Buffer.of(1), Buffer.of(2));
    const equal = nested(3, nested(1, set, Buffer.from('c70356920201', 'hex')), Buffer.of(3));
    assert.deepEqual(read(unpackr, equal).kind, 'invalid_ext');
    assert.equal(read(unpackr, nested(3, set, Buffer.of(3))).value.size, 2);
  });

  it('takes memory in proportion to the input', async (context) => {
    const child = fileURLToPath(new URL('memory-child.js', import.meta.url));
    const worst = await new Promise((resolve, reject) => {
      const process = fork(child, {
        execArgv: ['--expose-gc', '--max-semi-space-size=1', '--single-threaded-gc'],
      });
      process.on('message', resolve).on('exit', (code) => reject(new Error(`exit ${code}`)));
    });
    context.diagnostic(`worst: ${worst.factor.toFixed(1)} bytes a byte, ${worst.name}`);
    assert.deepEqual(worst.wrong, []);
    assert.ok(worst.share <= 1, worst.name);
    assert.ok(worst.kept < 1e6, `${worst.kept} bytes are kept of keys that come no more`);
  });
});

describe('values of the greatest depth', () => {
  it('are read and written within the stack of a program, with room', () => {
    const child = fileURLToPath(new URL('depth-child.js', import.meta.url));
    // The default is 984 kB.
    const printed = execFileSync(process.execPath, ['--stack-size=960', child], {
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(printed), []);
  });

  for (const writer of ['default', 'canonical', 'rich'])
    it(`are written first in a process, with room: ${writer}`, () => {
      for (const kind of ['array', 'object', 'Map', 'key of a Map', 'Set']) {
        const child = fileURLToPath(new URL('depth-child.js', import.meta.url));
        const printed = execFileSync(process.execPath, ['--stack-size=940', child, writer, kind], { encoding: 'utf8' });
        assert.deepEqual(JSON.parse(printed), []);
      }
    });
});

/** Each of these reads the same bytes; all have to agree, and none may crash. */
const READERS = {
  records: new Unpackr({ records: true }),
  maps: new Unpackr(),
  msgpackr: new compatible.Unpackr(),
  'all types': new Unpackr({ ...ALL_TYPES, freezeData: true }),
  checked: new Unpackr({ maxNodes: 1e9 }),
  canonical: new Unpackr({ canonical: true, maps: 'map' }),
  'no code generation': new noEval.Unpackr({}),
};

function sameVerdict(bytes) {
  const results = Object.values(READERS).map((unpackr) => read(unpackr, bytes));
  const [, maps, , , checked, , withoutEval] = results;
  const agree =
    maps.kind === checked.kind &&
    maps.offset === checked.offset &&
    maps.path === checked.path &&
    maps.kind === withoutEval.kind;
  if (!agree) assert.deepEqual([checked, withoutEval], [maps, maps], Buffer.from(bytes).toString('hex'));
  return results;
}

describe('all short inputs are values or typed errors', () => {
  it('with one and two bytes', () => {
    for (let a = 0; a < 256; a++) {
      sameVerdict(Uint8Array.of(a));
      for (let b = 0; b < 256; b++) sameVerdict(Uint8Array.of(a, b));
    }
  });

  it('with three bytes: one in 127, or all with PACKORD_EXHAUSTIVE', () => {
    const unpackr = READERS.maps;
    for (let i = 0; i < 1 << 24; i += process.env.PACKORD_EXHAUSTIVE === undefined ? 127 : 1)
      read(unpackr, Uint8Array.of(i >> 16, i >> 8, i));
  });
});

describe('mutated input', () => {
  it('is a value or a typed error, and what was read can be written and read again', (context) => {
    context.diagnostic(`SEED=${SEED}, ${SECONDS} s`);
    const random = randomOf(SEED);
    const corpus = ['valid', 'invalid', 'records', 'stream']
      .flatMap(casesOf)
      .filter((entry) => entry.bytes !== undefined)
      .map((entry) => expand(entry.bytes))
      .filter(({ length }) => length > 0 && length < 4000);
    const markers = Buffer.from('c0c1c4c7c9cacbcccfd3d4d5d6d8d9dbdcdddedf9f8fbf4060727369656274', 'hex');
    const writer = new Packr({ records: true });
    const end = Date.now() + SECONDS * 1000;
    let rounds = 0;
    for (; Date.now() < end; rounds++) {
      let bytes = Buffer.from(corpus[random(corpus.length)]);
      for (let n = random(4) + 1; n > 0; n--) {
        const at = random(bytes.length);
        const kind = random(5);
        if (kind === 0) bytes[at] ^= 1 << random(8);
        else if (kind === 1) bytes[at] = markers[random(markers.length)];
        else if (kind === 2) bytes = bytes.subarray(0, at + 1);
        else if (kind === 3)
          bytes = Buffer.concat([bytes.subarray(0, at), corpus[random(corpus.length)], bytes.subarray(at)]);
        else bytes[at] = random(256);
      }
      if (bytes.length > 20_000) continue;
      try {
        check(writer, bytes);
      } catch (error) {
        const where = `SEED=${SEED}, round ${rounds}, ${bytes.toString('hex')}`;
        throw new Error(`${where}: ${error.message}`, { cause: error });
      }
    }
    context.diagnostic(`${rounds} inputs`);
    assert.ok(rounds > 100);
  });

  function check(writer, bytes) {
    const [result] = sameVerdict(bytes);
    if ('value' in result) {
      const again = read(READERS.records, writer.pack(result.value));
      assert.ok('value' in again, `written and read again: ${again.kind} at ${again.offset}`);
    }
    const chunks = [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)];
    assert.deepEqual(streamResult(chunks), streamResult([bytes]));
  }

  function streamResult(chunks) {
    let count = 0;
    const error = errorOf(() => {
      for (const _ of decodeIter(chunks, ALL_TYPES)) count++;
    });
    assert.ok(error === undefined || error instanceof MsgpackDecodeError, `${error?.stack ?? error}`);
    return { count, kind: error?.kind, offset: error?.offset };
  }
});
