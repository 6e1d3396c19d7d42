/** Node streams, Web Streams and iterables. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as peer from 'msgpackr';
import {
  decodeArrayStream,
  decodeAsync,
  decodeIter,
  decodeMultiStream,
  encodeIter,
  Packr,
  PackrStream,
  PackrTransformStream,
  pack,
  Unpackr,
  UnpackrStream,
  UnpackrTransformStream,
} from 'packord';
import * as compatible from 'packord/msgpackr';
import { measured } from './measure.js';

const VALUES = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, [1, 2, { id: 3, name: 'é'.repeat(50) }], 'text', 64, 1.5];

async function collect(source) {
  const values = [];
  for await (const value of source) values.push(value);
  return values;
}

function cut(bytes, size) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

async function* later(chunks) {
  for (const chunk of chunks) {
    await null;
    yield chunk;
  }
}

describe('Node streams', () => {
  it('report nesting that ends the stack as a typed error', () => {
    const bytes = new Uint8Array(1_000_000).fill(0x91);
    for (const chunks of [[bytes], cut(bytes, 300_000)])
      assert.throws(() => [...decodeIter(chunks, { maxDepth: 1e9 })], { kind: 'depth_limit' });
  });

  it('deliver the error of a chunk that has no bytes', async () => {
    await assert.rejects(pipeline(Readable.from(['text']), new UnpackrStream(), collect), TypeError);
  });

  it('take the example of the first README', async () => {
    const sending = PackrStream();
    const receiving = UnpackrStream();
    sending.pipe(receiving);
    for (const value of VALUES) sending.write(value);
    sending.end();
    assert.deepEqual(await collect(receiving), VALUES);
  });

  it('write definitions once, and msgpackr reads them and the other way round', async () => {
    for (const [Pack, Unpack] of [
      [PackrStream, peer.UnpackrStream],
      [peer.PackrStream, UnpackrStream],
    ]) {
      const sending = new Pack(Pack === PackrStream ? { records: true } : {});
      const options = Unpack === UnpackrStream ? { records: true } : { sequential: true };
      const receiving = sending.pipe(new Unpack(options));
      for (let i = 0; i < 3; i++) for (const value of VALUES) sending.write(value);
      sending.end();
      assert.deepEqual(await collect(receiving), [...VALUES, ...VALUES, ...VALUES]);
    }
  });

  it('fail with a typed error, and with eof at the end', async () => {
    const failing = (bytes) => pipeline(Readable.from(cut(Buffer.from(bytes, 'hex'), 1)), new UnpackrStream().resume());
    await assert.rejects(failing('01c1'), { kind: 'reserved_marker', offset: 1 });
    await assert.rejects(failing('0192'), { kind: 'eof', offset: 2 });
    const packing = new PackrStream();
    packing.write({ s: Symbol('s') });
    await assert.rejects(collect(packing), { kind: 'unsupported_type', path: '$.s' });
  });

  it('pass on the messages of one tick as one chunk, before the next turn', async () => {
    const chunks = [];
    const packing = new PackrStream().on('data', (chunk) => chunks.push(chunk));
    for (const value of VALUES) packing.write(value);
    assert.equal(chunks.length, 0);
    await nextTurn();
    assert.equal(chunks.length, 1);
    packing.write('later');
    // Messages that others pack with the same instance are between those of the stream.
    assert.deepEqual(new Unpackr().unpack(packing.packr.pack([1])), [1]);
    packing.write('x'.repeat(20_000));
    packing.write('last');
    packing.end();
    await once(packing, 'end');
    const values = [...decodeIter(chunks, { sequential: true })];
    assert.deepEqual(values, [...VALUES, 'later', 'x'.repeat(20_000), 'last']);
  });

  it('take values while their packer packs another one', async () => {
    const packr = new Packr({ sequential: true });
    const [outer, inner] = [new PackrStream({ packr }), new PackrStream({ packr })];
    outer.write('first');
    inner.write(1);
    outer.write(
      new (class {
        toJSON() {
          inner.write({ b: 2 });
          return 'made';
        }
      })(),
    );
    for (const stream of [outer, inner]) stream.end('last');
    assert.deepEqual([...decodeIter(await collect(inner))], [1, { b: 2 }, 'last']);
    assert.deepEqual([...decodeIter(await collect(outer))], ['first', 'made', 'last']);
  });

  it('pass on each message alone when chunks are objects, and as msgpackr does', async () => {
    for (const packing of [
      new PackrStream({ readableObjectMode: true }),
      new compatible.PackrStream(),
      new peer.PackrStream(),
    ]) {
      const chunks = [];
      packing.on('data', (chunk) => chunks.push(chunk));
      for (const value of ['a', 'b', 'c']) packing.write(value);
      packing.end();
      await once(packing, 'end');
      assert.deepEqual(chunks.map(String), ['\ufffda', '\ufffdb', '\ufffdc']);
    }
  });

  it('pass on what was written before a value that fails', async () => {
    const chunks = [];
    const packing = new PackrStream().on('data', (chunk) => chunks.push(chunk));
    packing.write('good');
    packing.write(Symbol('s'));
    await assert.rejects(once(packing, 'end'), { kind: 'unsupported_type' });
    assert.deepEqual([...decodeIter(chunks)], ['good']);
  });

  it('apply backpressure when nobody reads', async () => {
    const packing = new PackrStream();
    const text = 'x'.repeat(1000);
    for (let i = 0; i < 200; i++) {
      packing.write(text);
      if (i % 5 === 0) await nextTurn();
    }
    assert.ok(packing.writableLength > 100, `${packing.writableLength} values wait`);
    assert.ok(packing.readableLength < 64_000, `${packing.readableLength} bytes wait`);
    packing.end();
    assert.deepEqual(await collect(packing.pipe(new UnpackrStream())), new Array(200).fill(text));
  });

  it('unpack no more values than the consumer asks for', async () => {
    const count = 1000;
    const bytes = Buffer.concat(Array.from({ length: count }, (_, i) => pack(i)));
    const unpacking = new UnpackrStream();
    unpacking.write(bytes.subarray(0, 1500));
    unpacking.end(bytes.subarray(1500));
    await nextTurn();
    assert.ok(unpacking.readableLength <= unpacking.readableHighWaterMark);
    const values = [];
    // A reader may pause, and take further values while it gets one.
    for await (const value of unpacking) {
      values.push(value);
      if (value % 7 === 0) values.push(...[unpacking.read()].filter((next) => next !== null));
      if (value % 100 === 0) await nextTurn();
    }
    assert.deepEqual(
      values,
      Array.from({ length: count }, (_, i) => i),
    );
  });

  it('unpack for consumers that read more values while they receive one', async () => {
    const count = 1000;
    const values = [];
    const unpacking = new UnpackrStream().on('data', (value) => {
      values.push(value);
      if (value % 5 === 0) {
        unpacking.pause();
        setImmediate(() => unpacking.resume());
      }
      if (value % 3 === 0) unpacking.read(0);
    });
    for (let i = 0; i < count; i++) unpacking.write(pack(i));
    unpacking.end();
    await once(unpacking, 'end');
    assert.deepEqual(
      values,
      Array.from({ length: count }, (_, i) => i),
    );
  });

  it('deliver nil as a symbol', async () => {
    assert.deepEqual(await collect(Readable.from([pack(null)]).pipe(new UnpackrStream())), [Symbol.for('null')]);
  });
});

describe('Web Streams', () => {
  it('pack and unpack', async () => {
    const values = new ReadableStream({
      start(controller) {
        for (const value of VALUES) controller.enqueue(value);
        controller.close();
      },
    });
    const back = values.pipeThrough(new PackrTransformStream()).pipeThrough(new UnpackrTransformStream());
    assert.deepEqual(await collect(back), VALUES);
  });

  it('fail with a typed error', async () => {
    const bytes = new Response(Buffer.from([0x92])).body;
    await assert.rejects(collect(bytes.pipeThrough(new UnpackrTransformStream())), {
      kind: 'eof',
      offset: 1,
    });
  });

  it('unpack bodies of responses', async () => {
    assert.deepEqual(await decodeAsync(new Response(pack(VALUES)).body), VALUES);
  });
});

describe('iterables of chunks', () => {
  const bytes = Buffer.concat([...encodeIter(VALUES)]);

  it('are unpacked to the same values wherever they are cut', async () => {
    for (const size of [1, 2, 3, 5, 64, 1000]) {
      assert.deepEqual([...decodeIter(cut(bytes, size))], VALUES);
      assert.deepEqual(await collect(decodeIter(later(cut(bytes, size)))), VALUES);
    }
    assert.deepEqual(await collect(decodeIter(encodeIter(later(VALUES)))), VALUES);
    assert.deepEqual(await collect(decodeIter(await encodeIter(Promise.resolve(VALUES)))), VALUES);
  });

  it('are ended by await using', async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield pack(1);
        yield pack(2);
      } finally {
        isClosed = true;
      }
    }
    for (const read of [decodeIter, decodeMultiStream, decodeArrayStream]) {
      isClosed = false;
      const values = read(source());
      assert.deepEqual(await values.next(), { done: false, value: 1 });
      await values[Symbol.asyncDispose]();
      assert.deepEqual([isClosed, await values.next()], [true, { done: true, value: undefined }]);
    }
  });

  it('are unpacked to one value, many, or the elements of an array', async () => {
    const array = pack(VALUES);
    assert.deepEqual(await decodeAsync(later(cut(array, 3))), VALUES);
    assert.deepEqual(await collect(decodeArrayStream(later(cut(array, 3)))), VALUES);
    assert.deepEqual(await collect(decodeArrayStream(later([pack('alone')]))), ['alone']);
    const many = Buffer.concat([pack(1), pack([2])]);
    assert.deepEqual(await collect(decodeMultiStream(later(cut(many, 1)))), [1, [2]]);
    await assert.rejects(decodeAsync(later([many])), { kind: 'trailing_bytes', offset: 1 });
    await assert.rejects(decodeAsync(later([])), { kind: 'eof', offset: 0 });
    await assert.rejects(collect(decodeArrayStream(later([Buffer.from([0x92, 1])]))), {
      kind: 'eof',
      offset: 2,
    });
    await assert.rejects(collect(decodeArrayStream(later([Buffer.from([0x91, 1, 2])]))), {
      kind: 'trailing_bytes',
      offset: 2,
    });
  });

  it('take linear time for a large message', () => {
    const time = (length) => {
      const chunks = cut(pack(Array.from({ length }, (_, i) => `text ${i}`)), 10);
      return measured(() => {
        for (const value of decodeIter(chunks)) assert.equal(value.length, length);
      }).milliseconds;
    };
    time(20_000);
    const [small, large] = [time(20_000), time(200_000)];
    assert.ok(large < small * 10 * 5, `${small} and ${large} ms`);
  });

  it('are kept up to maxBuffer', () => {
    assert.throws(() => [...decodeIter([Buffer.from('c6000003e8', 'hex')], { maxBuffer: 100 })], {
      kind: 'length_limit',
      offset: 0,
    });
  });
});

describe('unpackMultiple', () => {
  it('returns all values, and passes each with its start and end', () => {
    const packr = new Packr({ records: true, sequential: true });
    const bytes = Buffer.concat(VALUES.map((value) => Buffer.from(packr.pack(value))));
    const unpackr = new Unpackr({ records: true });
    assert.deepEqual(unpackr.unpackMultiple(bytes), VALUES);
    const places = [];
    unpackr.unpackMultiple(bytes, (_value, start, end) => {
      places.push(end - start);
      return places.length < 3;
    });
    assert.equal(places.length, 3);
  });

  it('reports the values before a fault', () => {
    const bytes = Buffer.concat([pack(1), Buffer.from([0x92, 1])]);
    assert.throws(
      () => new Unpackr().unpackMultiple(bytes),
      (error) => {
        assert.deepEqual([error.incomplete, error.lastPosition, error.values], [true, 1, [1]]);
        return true;
      },
    );
  });
});

describe('chunks', () => {
  it('give payloads of their own class, wherever they are cut', () => {
    const bytes = pack({ a: Uint8Array.of(1, 2, 3) });
    for (const [kind, Class] of [
      [(chunk) => Uint8Array.from(chunk), Uint8Array],
      [(chunk) => Buffer.from(chunk), Buffer],
    ])
      for (let at = 0; at < bytes.length; at++) {
        const chunks = [bytes.subarray(0, at), bytes.subarray(at)].map(kind);
        const [value] = [...decodeIter(chunks, {})];
        assert.equal(value.a.constructor, Class, `cut at ${at}`);
      }
  });

  it('may be an ArrayBuffer, a DataView, another view or numbers, and the source a Blob', async () => {
    const { decodeAsync, decodeIter } = await import('packord/stream');
    const bytes = Uint8Array.of(0x92, 0x01, 0xa1, 0x61);
    const { buffer } = bytes;
    for (const chunk of [buffer, new DataView(buffer), new Uint16Array(buffer), [...bytes]]) {
      assert.deepEqual([...decodeIter([chunk])], [[1, 'a']]);
      assert.deepEqual(await decodeAsync([chunk]), [1, 'a']);
    }
    const blob = new Blob([bytes]);
    assert.deepEqual(await decodeAsync(blob), [1, 'a']);
    assert.deepEqual(await decodeAsync(blob.stream()), [1, 'a']);
    assert.throws(() => [...decodeIter(['text'])], TypeError);
  });
});

/** The results of an iterator up to its end: values, and the kinds of errors. */
async function results(values) {
  const found = [];
  for (;;)
    try {
      const { done, value } = await values.next();
      if (done) return found;
      found.push(value);
    } catch (error) {
      found.push(error.kind ?? error.message);
    }
}

/** A source that counts how often it is closed. */
function counted(chunks) {
  const source = {
    closed: 0,
    *[Symbol.iterator]() {
      try {
        yield* chunks;
      } finally {
        source.closed++;
      }
    },
  };
  return source;
}

describe('after a fault', () => {
  const hex = (text) => Buffer.from(text, 'hex');
  const bytes = hex('01a1ff0292a1ff9103');
  const expected = [1, 'invalid_utf8', 2, 'invalid_utf8'];

  it('iterators go on after the message', async () => {
    for (const size of [1, 2, 100]) {
      const chunks = cut(bytes, size);
      assert.deepEqual(await results(decodeIter(chunks)), expected);
      assert.deepEqual(await results(decodeIter(later(chunks))), expected);
      assert.deepEqual(await results(decodeMultiStream(later(chunks))), expected);
      const array = cut(Buffer.concat([hex('94'), bytes]), size);
      assert.deepEqual(await results(decodeArrayStream(later(array))), expected);
    }
  });

  it('loops may be continued', () => {
    const values = decodeIter([bytes]);
    const found = [];
    assert.throws(() => found.push(...values), { kind: 'invalid_utf8', offset: 2, path: '$1' });
    for (const value of values) {
      found.push(value);
      if (value === 2) break;
    }
    assert.deepEqual(found, [2]);
    assert.deepEqual([...values], []);
  });

  it('iterators end with one that ends the stream, and with their source', async () => {
    for (const decode of [decodeIter, decodeMultiStream]) {
      const source = counted([bytes, hex('c1'), bytes]);
      assert.deepEqual(await results(decode(source)), [...expected, 'reserved_marker']);
      assert.equal(source.closed, 1);
    }
    const failing = (function* failing() {
      yield bytes;
      throw new Error('of the source');
    })();
    assert.deepEqual(await results(decodeIter(failing)), [...expected, 'of the source']);
    const wrong = counted([bytes, 'text', bytes]);
    assert.equal((await results(decodeIter(wrong))).length, 5);
    assert.equal(wrong.closed, 1);
    for (const decode of [decodeIter, decodeMultiStream]) {
      const left = counted([bytes, bytes]);
      for await (const value of decode(left)) if (value === 1) break;
      assert.equal(left.closed, 1);
    }
  });

  it('of a hook, the next message is read', async () => {
    const reviver = (_key, value) => {
      if (value === 2) throw new Error('of the hook');
      return value;
    };
    assert.deepEqual(await results(decodeIter([hex('01920203c305')], { reviver })), [...[1, 'of the hook', true, 5]]);
    const throwing = (_key, value) => {
      if (value === 2) throw null;
      return value;
    };
    const values = decodeIter([hex('020305')], { reviver: throwing });
    assert.throws(
      () => values.next(),
      (error) => error === null,
    );
    assert.deepEqual([...values], [3, 5]);
  });

  it('the calls of next get messages in their order', async () => {
    const values = decodeMultiStream(later(cut(bytes, 1)));
    const settled = await Promise.allSettled(Array.from({ length: 6 }, () => values.next()));
    assert.deepEqual(
      settled.map(({ value, reason }) => reason?.kind ?? value.value),
      [...expected, undefined, undefined],
    );
  });

  it('what is passed over is not kept', () => {
    const chunk = Buffer.alloc(1 << 20);
    const size = 200 << 20;
    const header = Buffer.from([0x92, 0xa1, 0xff, 0xc6, size >>> 24, (size >> 16) & 0xff, 0, 0]);
    const before = process.memoryUsage.rss();
    function* chunks() {
      yield header;
      for (let i = 0; i < 200; i++) yield chunk;
      yield hex('07');
    }
    const values = decodeIter(chunks());
    assert.throws(() => values.next(), { kind: 'invalid_utf8', offset: 2 });
    assert.deepEqual([...values], [7]);
    const grown = (process.memoryUsage.rss() - before) / (1 << 20);
    assert.ok(grown < 100, `${grown} MiB`);
  });

  it('of msgpackr’s bundled strings, and in streams of a platform, it ends', async () => {
    const packr = new compatible.Packr({ bundleStrings: true });
    const options = { bundleStrings: true };
    const chunks = [packr.pack(['one string', 'two']), hex('d5ff0000'), hex('05')];
    const found = await results(compatible.decodeIter(chunks, options));
    assert.deepEqual(found.slice(1), ['invalid_timestamp']);
    const first = { kind: 'invalid_utf8', offset: 2, path: '$1' };
    const stream = new UnpackrStream();
    const values = [];
    stream.on('data', (value) => values.push(value));
    await assert.rejects(pipeline(Readable.from(cut(bytes, 1)), stream), first);
    const body = new Response(bytes).body.pipeThrough(new UnpackrTransformStream());
    await assert.rejects(async () => {
      for await (const value of body) values.push(value);
    }, first);
    assert.deepEqual(values, [1, 1]);
  });

  it('the streams of packord/msgpack end, as those of their peer', async () => {
    const { Decoder } = await import('packord/msgpack');
    const source = counted([hex('0192'), hex('c10203')]);
    const values = new Decoder().decodeStream(source);
    assert.equal((await results(values)).length, 2);
    assert.equal(source.closed, 1);
  });
});
