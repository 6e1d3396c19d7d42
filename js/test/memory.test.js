/** Memory that programs transfer to other threads, and values that change while they are packed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import {
  decodeArrayStream,
  decodeAsync,
  decodeIter,
  MsgpackEncodeError,
  Packr,
  pack,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'packord';
import { RESERVE_START_SPACE, REUSE_BUFFER_MODE } from 'packord/msgpackr';
import { View } from 'packord/view';

const transfer = (bytes) => structuredClone(bytes, { transfer: [bytes.buffer] });

describe('memory', () => {
  it('of a message may be transferred, and later messages are packed', () => {
    const packr = new Packr();
    for (const write of [pack, packr.pack]) {
      assert.deepEqual([...transfer(write(['a'])).subarray(-1)], [0x61]);
      for (let i = 0; i < 100; i++) assert.deepEqual(unpack(write([i])), [i]);
    }
  });

  it('of other messages is not in a copy that is cloned or posted', async () => {
    pack('secret');
    const copy = Uint8Array.from(pack({ a: 1 }));
    const { port1, port2 } = new MessageChannel();
    const received = once(port2, 'message');
    port1.postMessage(copy);
    const [posted] = await received;
    port1.close();
    for (const bytes of [structuredClone(copy), posted, transfer(copy)])
      assert.equal(Buffer.from(bytes.buffer).toString('hex'), '81a16101');
  });

  it('of the message that is being packed may be transferred', () => {
    const packr = new Packr();
    class Sender {
      first = packr.pack(1);
      toJSON() {
        if (this.first.length > 0) transfer(this.first);
        return 'sent';
      }
    }
    const value = { a: 1, b: new Sender(), c: [{ d: 2.5 }] };
    assert.deepEqual(packr.unpack(packr.pack(value)), { ...value, b: 'sent' });
  });

  it('of input that is transferred while it is read ends there', () => {
    const bytes = Uint8Array.of(0x93, 0xd4, 5, 0, 1, 0xa1, 0x61);
    const unpackr = new Unpackr({
      extensions: [{ type: 5, unpack: () => void transfer(bytes) }],
    });
    assert.throws(() => unpackr.unpack(bytes), { name: 'MsgpackDecodeError', kind: 'eof' });
    assert.equal(unpackr.unpack(Uint8Array.of(7)), 7);
  });

  it('of a View may be transferred, made smaller or overwritten', () => {
    const value = [{ a: [1, 'text'] }, { b: 2 }];
    const gone = Uint8Array.from(pack(value));
    const small = new Uint8Array(new ArrayBuffer(64, { maxByteLength: 64 }));
    small.set(pack(value));
    const overwritten = Uint8Array.from(pack(value));
    const views = [gone, small, overwritten].map((bytes) => {
      const view = new View(bytes, { trailing: 'allow' });
      assert.equal(view.get(0, 'a', 0), 1);
      return view;
    });
    transfer(gone);
    small.buffer.resize(1);
    overwritten.fill(0xdf);
    for (const view of views) {
      assert.throws(() => view.get(1, 'b'), { name: 'MsgpackDecodeError', kind: 'eof' });
      assert.throws(() => view.unpack(), { name: 'MsgpackDecodeError', kind: 'eof' });
    }
  });

  it('of chunks may be used again, or transferred, by their source', async () => {
    const values = [{ id: 1, name: 'abcdefgh' }, 'text', [1, 2, 300]];
    const bytes = Uint8Array.from(pack(values));
    for (const size of [1, 3, 8, 20]) {
      const memory = new Uint8Array(size);
      function* again() {
        for (let at = 0; at < bytes.length; at += size) {
          const part = bytes.subarray(at, at + size);
          memory.set(part);
          yield memory.subarray(0, part.length);
          memory.fill(0xc1);
        }
      }
      function* once() {
        for (let at = 0; at < bytes.length; at += size) {
          const chunk = bytes.slice(at, at + size);
          yield chunk;
          transfer(chunk);
        }
      }
      for (const source of [again, once]) {
        assert.deepEqual([...decodeIter(source(), {})], [values]);
        assert.deepEqual(await decodeAsync(source()), values);
        const elements = [];
        for await (const element of decodeArrayStream(source())) elements.push(element);
        assert.deepEqual(elements, values);
      }
    }
  });

  it('of a stream that is transferred while it is read ends there', () => {
    const bytes = Uint8Array.from([...pack(new Uint8Array(8)), ...pack(['a', 300, { b: 'cd' }])]);
    const gone = { name: 'MsgpackDecodeError', kind: 'eof', detail: 'its memory is gone' };
    for (let at = 1; at <= bytes.length; at++) {
      const values = decodeIter([bytes.slice(0, at), bytes.slice(at)]);
      const { value } = values.next();
      assert.deepEqual([...value], Array(8).fill(0));
      transfer(value);
      // A chunk that ends with the value is not needed any more.
      if (at === 10) assert.equal([...values].length, 1);
      else assert.throws(() => [...values], gone, `cut at ${at}`);
    }
  });

  it('of input that was transferred is read as no bytes', () => {
    const bytes = Uint8Array.of(1);
    const view = new DataView(bytes.buffer);
    transfer(bytes);
    const { buffer } = bytes;
    for (const source of [bytes, buffer, view])
      for (const read of [unpack, unpackMultiple, (input) => new View(input).get()])
        assert.throws(() => read(source), { kind: 'eof', offset: 0 });
  });

  it('before the input cannot be read', () => {
    const bytes = Buffer.from('0102', 'hex').subarray(1);
    for (const range of [{ start: -1 }, { start: Number.NaN }, { end: -1 }])
      assert.throws(() => unpack(bytes, range), RangeError);
  });
});

describe('a Map', () => {
  it('that toJSON changes while it is packed is an error', () => {
    for (const change of [(map) => map.delete('z'), (map) => map.set({}, 1)]) {
      const map = new Map([['a', { __proto__: { toJSON: () => change(map) && 1 } }]]);
      map.set('z', 2);
      assert.throws(() => pack(map), MsgpackEncodeError);
    }
  });
});

describe('a container that toJSON changes while it is packed', () => {
  const json = (toJSON) => ({ __proto__: { toJSON } });

  it('is written with the entries that it had, where these are sorted', () => {
    for (const options of [{ sortKeys: true }, { canonical: true }])
      for (const change of [(map) => map.delete('z'), (map) => map.set('q', 1), (map) => map.clear()]) {
        const map = new Map();
        map.set('z', 2).set(
          'a',
          json(() => {
            change(map);
            return 1;
          }),
        );
        const bytes = new Packr({ ...options }).pack([map, 3]);
        assert.equal(bytes.toString('hex'), '9282a16101a17a0203');
      }
  });

  it('is written with the elements that it had, when it is a Set', () => {
    const packr = new Packr({ rich: true });
    for (const change of [(set) => set.delete('z'), (set) => set.add('more')]) {
      const set = new Set();
      set
        .add(
          json(() => {
            change(set);
            return 1;
          }),
        )
        .add('z');
      assert.deepEqual(packr.unpack(packr.pack([set, 5])), [new Set([1, 'z']), 5]);
    }
  });
});

describe('an extension', () => {
  it('of primitive values is refused, because it would never be called', () => {
    for (const Class of [BigInt, String, Number, Boolean, Symbol])
      assert.throws(() => new Packr({ extensions: [{ Class, type: 5, pack: () => Uint8Array.of() }] }), TypeError);
  });
});

describe('memory of messages', () => {
  it('of a message is not overwritten by the next one', () => {
    const packr = new Packr();
    const messages = Array.from({ length: 500 }, (_, i) => [packr.pack({ i, text: 'x'.repeat(i) }), i]);
    for (const [bytes, i] of messages) assert.deepEqual(packr.unpack(bytes), { i, text: 'x'.repeat(i) });
  });

  it('may be that of the caller', () => {
    const packr = new Packr();
    const own = Buffer.alloc(100_000);
    packr.useBuffer(own);
    assert.equal(packr.pack([1]).buffer, own.buffer);
    const reserved = packr.pack(5, RESERVE_START_SPACE + 4);
    assert.equal(reserved.length, 5);
    assert.equal(reserved[4], 5);
    const whole = packr.pack(6, REUSE_BUFFER_MODE);
    assert.equal(whole[whole.start], 6);
  });
});
