/** `packord/host`, by a host whose arrays and maps are classes of its own. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packr } from 'packord';
import { ExtData, HashGuard, HostCodec, Timestamp } from 'packord/host';
import { measured } from './measure.js';
import { casesOf, errorOf, expand, optionsOf } from './vectors.js';

class Vector {
  constructor(elements) {
    this.elements = elements;
  }
}

class Dictionary {
  constructor(entries) {
    this.entries = entries;
  }
}

class Name {
  constructor(text) {
    this.text = text;
  }
}

const host = {
  takesPrimitives: false,
  array: (elements) => new Vector(elements),
  key: (key) => key,
  hash: (key) => (typeof key === 'string' ? key.length : 0),
  map: (entries) => new Dictionary(entries),
  reader: (type) => {
    if (type === 5) return (payload) => new Name(payload.readText(payload.remaining));
    return type === 6 ? (payload) => [payload.readValue(), payload.readBytes(1)] : undefined;
  },
  write(encoder, value) {
    if (value instanceof Vector) encoder.array(value.elements);
    else if (value instanceof Dictionary) encoder.pairs(value.entries);
    else if (value instanceof Set) encoder.elements([...value]);
    else if (value instanceof Name) encoder.extOf(5, (inner) => inner.raw(new TextEncoder().encode(value.text)));
    else return false;
    return true;
  },
};

const codec = (options) => new HostCodec(host, { ...options });
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (digits) => Uint8Array.from(Buffer.from(digits, 'hex'));

describe('a codec of a host', () => {
  const value = new Dictionary([
    'a',
    new Vector([1, 1.5, 'é', null, true, new Vector([0.5, 1.5])]),
    7,
    new Dictionary([]),
  ]);

  it('writes the bytes of JavaScript, and builds the classes of the host', () => {
    const plain = new Map([
      ['a', [1, 1.5, 'é', null, true, [0.5, 1.5]]],
      [7, new Map()],
    ]);
    const written = codec().pack(value);
    assert.equal(hex(written), hex(new Packr({}).pack(plain)));
    assert.deepEqual(codec().unpack(written), value);
    for (const options of [{ maxNodes: 100 }, { canonical: true }])
      assert.deepEqual(codec(options).unpack(codec(options).pack(value)).entries.length, 4);
    assert.deepEqual([...codec().unpackAll([written.subarray(0, 3), written.subarray(3)])], [value]);
  });

  it('writes records', () => {
    const rows = new Vector([new Dictionary(['b', 1, 'a', 2]), new Dictionary(['b', 3, 'a', 4])]);
    const plain = new Packr({ records: true });
    const written = codec({ records: true }).pack(rows);
    const objects = [
      { b: 1, a: 2 },
      { b: 3, a: 4 },
    ];
    assert.equal(hex(written), hex(plain.pack(objects)));
    assert.deepEqual(codec({ records: true }).unpack(written), rows);
    const sorted = codec({ records: true, sortKeys: true });
    assert.deepEqual(sorted.unpack(sorted.pack(rows)).elements[0].entries, ['a', 2, 'b', 1]);
  });

  it('names a record that is a key in the path of a fault', () => {
    const fault = { kind: 'reserved_marker', path: '$[key {"a": 5}]' };
    assert.throws(() => codec({ records: true }).unpack(bytes('81d4724091a16105c1')), fault);
  });

  it('sorts the elements of sets when canonical', () => {
    const packed = (...elements) => hex(codec({ canonical: true }).pack(new Set(elements)));
    assert.equal(packed(3, 'a', 1), '93a1610103');
    assert.equal(packed('a', 1, 3), packed(3, 1, 'a'));
    assert.throws(() => packed(1, 1n), { kind: 'duplicate_key' });
  });

  it('reads and writes payloads', () => {
    assert.equal(hex(codec().pack([new Name('é')])), '91d505c3a9');
    assert.deepEqual(codec().unpack(bytes('d505c3a9')), new Name('é'));
    assert.deepEqual(codec().unpack(bytes('c7040692010209')), [new Vector([1, 2]), Uint8Array.of(9)]);
    assert.deepEqual(codec().unpack(bytes('d40700')), new ExtData(7, Uint8Array.of(0)));
    assert.deepEqual(codec().unpack(bytes('d40000')), new ExtData(0, Uint8Array.of(0)));
    assert.equal(hex(codec().pack(new Timestamp(1n, 0))), 'd6ff00000001');
  });

  it('reports every fault of a payload at its ext', () => {
    for (const [digits, options] of [
      ['91d505c3ff', {}],
      ['91d505c3ff', { utf8: 'replace' }],
      ['91d5069201', {}],
      ['91c70306920102', {}],
    ])
      assert.throws(() => codec(options).unpack(bytes(digits)), { kind: 'invalid_ext', offset: 1 });
    assert.throws(() => codec({ unknownExt: 'error' }).unpack(bytes('d40001')), {
      kind: 'unknown_ext',
    });
  });

  it('counts an ext with values in its payload as a container, whatever is in it', () => {
    const nested = {
      ...host,
      reader: (type) => (type === 94 || type === 86 ? (payload) => valuesOf(type, payload) : undefined),
    };
    function valuesOf(type, payload) {
      const name = type === 94 ? payload.readValue() : null;
      const isName = name === null || (typeof name === 'string' && name !== '');
      const value = payload.readValue();
      if (!isName || payload.remaining > 0) throw new Error('malformed');
      if (type === 86 && !(value instanceof Vector)) throw new Error('no array');
      if (name === null && type === 94 && typeof value !== 'string') throw new Error('no str');
      return { type, value };
    }
    // This host does not compare the elements of a set.
    const comparesElements = ({ name }) => /twice|in two |its bigint/.test(name);
    const isRun = ({ options: { ext_types: types } = {} }) => types?.every((type) => type === 94 || type === 86);
    const files = ['nested-ext.json', 'ext.json', 'packord-ext.json', 'depth.json'];
    let count = 0;
    for (const name of ['hostile', 'invalid', 'valid'])
      for (const entry of casesOf(name)
        .filter(({ file }) => files.includes(file))
        .filter((entry) => isRun(entry) && !comparesElements(entry))) {
        const options = optionsOf({ ...entry.options, ext_types: [] });
        const reader = new HostCodec(nested, options);
        const { result: error, milliseconds } = measured(() => errorOf(() => reader.unpack(expand(entry.bytes))));
        assert.ok(milliseconds < 1000, `${entry.name}: ${milliseconds} ms`);
        const { kind, offset, path = '$' } = error ?? {};
        const expected = entry.error && { path: '$', ...entry.error };
        assert.deepEqual(error && { kind, offset, path }, expected, entry.name);
        count++;
      }
    assert.ok(count > 40, `${count}`);
    const inner = new Set([new Vector([1])]);
    const writes = (value) => (encoder) => encoder.write(value);
    const named = {
      ...host,
      write: (encoder, value) =>
        value instanceof Name ? encoder.extOf(94, writes(inner)) === undefined : host.write(encoder, value),
    };
    const packed = (maxDepth) => new HostCodec(named, { maxDepth }).pack(new Name(''));
    assert.equal(packed(3).length > 0, true);
    assert.throws(() => packed(2), { kind: 'depth_limit' });
  });

  it('reports errors of writing with their path', () => {
    const wrong = new Dictionary(['a', new Vector([new Name(null), '\ud800'])]);
    const strict = codec({ utf8: 'error' });
    assert.throws(() => strict.pack(wrong), { kind: 'invalid_utf8', path: '$.a[1]' });
    assert.equal(codec().pack('\ud800').length, 4);
  });

  it('refuses keys that share their hash', () => {
    const entries = (count) => Array.from({ length: count }, (_, i) => [`k${1e5 + i}`, 1]).flat();
    assert.equal(codec().unpack(codec().pack(new Dictionary(entries(40)))).entries.length, 80);
    const many = codec().pack(new Dictionary(entries(1000)));
    assert.throws(() => codec().unpack(many), { kind: 'length_limit' });
    const guard = new HashGuard();
    assert.ok(Array.from({ length: 100_000 }, (_, i) => i).every((i) => guard.accepts(i)));
  });
});
