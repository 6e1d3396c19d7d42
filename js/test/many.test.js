/** Values that are read in another way among many than alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packr, pack, Unpackr, unpack } from 'packord';
import * as compatible from 'packord/msgpackr';

const unpackr = (options) => new Unpackr({ ...options });

describe('values among many', () => {
  it('are integers of 64 bits of the same type as alone', () => {
    const bits = [0n, 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    const values = bits.flatMap((value) => [value, -value, 2n ** 64n - 1n - value]);
    const parts = values.map((value) => {
      const part = Buffer.alloc(9, value < 0n ? 0xd3 : 0xcf);
      part.writeBigUInt64BE(BigInt.asUintN(64, value), 1);
      return part;
    });
    const list = Buffer.concat([Buffer.of(0xdc, 0, values.length), ...parts]);
    for (const int64 of ['auto', 'bigint', 'number', 'string']) {
      const reader = unpackr({ int64 });
      const alone = parts.map((part) => reader.unpack(part));
      assert.deepEqual(reader.unpack(list), alone);
      if (int64 === 'bigint') assert.deepEqual(alone, values);
      if (int64 === 'auto')
        values.forEach((value, i) => {
          assert.equal(typeof alone[i], Number.isSafeInteger(Number(value)) ? 'number' : 'bigint');
          assert.equal(BigInt(alone[i]), value);
        });
    }
  });

  it('are booleans, nil and empty containers, under every limit', () => {
    const list = [true, false, null, [], {}, [[], [null]], true];
    assert.deepEqual(unpack(pack(list)), list);
    assert.deepEqual(unpackr({ maxNodes: 20 }).unpack(pack(list)), list);
    assert.throws(() => unpackr({ maxNodes: 9 }).unpack(pack(list)), { kind: 'length_limit' });
    assert.throws(() => unpack(Buffer.of(0x92, 0xc0)), { kind: 'eof', offset: 2 });
    assert.throws(() => unpack(Buffer.of(0x92, 0xc0, 0xc1)), {
      kind: 'reserved_marker',
      offset: 2,
    });
  });

  it('are keys of a dictionary with thousands of them', () => {
    const entries = Array.from({ length: 6000 }, (_, i) => [`${i % 3 === 0 ? 'ü' : 'k'}${i}`, i]);
    const object = Object.fromEntries([...entries, ['7', 1], ['x'.repeat(40), 2]]);
    Object.defineProperty(object, '__proto__', { value: 3, enumerable: true });
    for (let i = 0; i < 2; i++) assert.deepEqual(unpack(pack(object)), object);
    assert.equal(Object.getPrototypeOf(unpack(pack(object))), Object.prototype);
    const head = Buffer.of(0xde, 0x13, 0x88);
    const numbers = Buffer.concat([head, ...Array.from({ length: 5000 }, (_, i) => pack([i, i]).subarray(1))]);
    assert.equal(unpack(numbers).size, 5000);
    const upper = { canBeCached: () => true, decode: (b, at, n) => `K${b[at + n - 1]}` };
    assert.ok('K48' in new compatible.Unpackr({ useRecords: false, keyDecoder: upper }).unpack(pack(object)));
  });
});

describe('dates', () => {
  it('take the smallest format that has them', () => {
    const seconds = [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 34 - 1, 2 ** 34, -1, -(2 ** 33)];
    for (const second of seconds)
      for (const ms of [0, 1, 999]) {
        const date = new Date(second * 1000 + ms);
        const bytes = pack(date);
        assert.deepEqual(unpack(bytes), date);
        const inTime64 = second >= 0 && second < 2 ** 34;
        const size = inTime64 ? (ms === 0 && second < 2 ** 32 ? 6 : 10) : 15;
        assert.equal(bytes.length, size);
        // As msgpackr from 2.1.4 on; earlier ones took 15 bytes from 2 ** 32 seconds on.
        assert.deepEqual(compatible.pack(date), bytes);
      }
  });
});

describe('views of memory', () => {
  it('are of the class of the memory', () => {
    class Own extends Uint8Array {}
    const bytes = Uint8Array.of(0xc4, 2, 7, 8);
    for (const [source, Class] of [
      [bytes, Uint8Array],
      [Buffer.from(bytes), Buffer],
      [new Own(bytes), Own],
      [Buffer.concat([Buffer.alloc(5), bytes]).subarray(5), Buffer],
    ]) {
      const value = unpack(source);
      assert.equal(value.constructor, Class);
      assert.deepEqual([...value], [7, 8]);
      assert.equal(value.buffer, source.buffer);
    }
    const packr = new Packr({});
    assert.equal(packr.pack(1).constructor, Buffer);
    for (const memory of [new Own(900), new Uint8Array(900).subarray(9), Buffer.alloc(900).subarray(7)]) {
      packr.useBuffer(memory);
      const message = packr.pack([1, 'ab']);
      assert.equal(message.constructor, memory.constructor);
      assert.equal(message.buffer, memory.buffer);
      assert.deepEqual(unpack(message), [1, 'ab']);
    }
  });
});
