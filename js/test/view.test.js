/** View: the same values and errors as unpack, without building the rest of the message. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExtData, MsgpackDecodeError, Packr, pack, Timestamp, Unpackr } from 'packord';
import * as compatible from 'packord/msgpackr';
import { View } from 'packord/view';
import { measured } from './measure.js';
import { casesOf, errorOf, expand, optionsOf } from './vectors.js';

Error.stackTraceLimit = 0;

/** What a view shows, made from its parts. */
function whole(view) {
  if (!(view instanceof View)) return view;
  if (view.kind === 'array') return Array.from(view, whole);
  if (view.kind === 'value') return view.unpack();
  if (view.kind === 'map') return new Map(Array.from(view, ([key, value]) => [key, whole(value)]));
  const object = {};
  for (const [key, value] of view)
    Object.defineProperty(object, key, {
      value: whole(value),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return object;
}

/** Times that a Date does not hold are not equal to themselves. */
function comparable(value) {
  if (value instanceof Timestamp) return { seconds: value.seconds, rest: value.nanoseconds };
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Map) return new Map(Array.from(value, (entry) => entry.map(comparable)));
  return value;
}

const sizeOf = (value) => value.size ?? value.length ?? Object.keys(value).length;

describe('View of the vectors', () => {
  const cases = [...casesOf('valid'), ...casesOf('records'), ...casesOf('invalid')].filter(
    ({ bytes, steps, options }) => bytes !== undefined && steps === undefined && optionsOf(options) !== undefined,
  );
  it('returns the same values and errors as unpack', () => {
    const seen = { values: 0, errors: 0 };
    for (const { file, name, bytes: pieces, options: given } of cases) {
      const options = optionsOf(given);
      const bytes = expand(pieces);
      let expected;
      const error = errorOf(() => {
        expected = new Unpackr(optionsOf(given)).unpack(bytes);
      });
      const label = `${file}: ${name}`;
      if (error === undefined) {
        seen.values++;
        const view = new View(bytes, options);
        assert.deepEqual(comparable(whole(view)), comparable(expected), label);
        assert.deepEqual(comparable(view.unpack()), comparable(expected), label);
        if (view.kind !== 'value') assert.equal(view.length, sizeOf(expected), label);
      } else {
        seen.errors++;
        const found = errorOf(() => new View(bytes, options).unpack());
        assert.ok(found instanceof MsgpackDecodeError, `${label}: ${found}`);
        const place = ({ kind, offset, path }) => ({ kind, offset, path });
        assert.deepEqual(place(found), place(error), label);
      }
    }
    assert.ok(seen.values > 500 && seen.errors > 300, JSON.stringify(seen));
  });

  it('fails in parts with typed errors only', () => {
    for (const { bytes: pieces, options, error } of casesOf('hostile')) {
      if (optionsOf(options) === undefined) continue;
      const bytes = expand(pieces);
      if (bytes.length > 20_000 || error === undefined) continue;
      const found = errorOf(() => whole(new View(bytes, optionsOf(options))));
      assert.ok(found === undefined || found instanceof MsgpackDecodeError, `${found?.stack}`);
    }
  });
});

describe('View', () => {
  const data = {
    users: [
      { name: 'Ada', tags: ['x', 'y'], age: 36 },
      { name: 'Bo', tags: [], age: 100 },
    ],
    total: 2,
    none: null,
  };

  for (const [name, options] of [
    ['records', { records: true }],
    ['maps', {}],
    ['shared structures', { structures: [] }],
  ])
    it(`finds the values in ${name}`, () => {
      const packr = new Packr(options);
      const view = new View(packr.pack(data), packr);
      assert.equal(view.get('users', 1, 'name'), 'Bo');
      assert.equal(view.get('users', -1, 'age'), 100);
      assert.equal(view.get('users', 0, 'tags', 1), 'y');
      assert.equal(view.get('users').at(0).get('name'), 'Ada');
      assert.equal(view.get('users', 2), undefined);
      assert.equal(view.get('total', 'further'), undefined);
      assert.equal(view.at(0), undefined);
      assert.deepEqual([...view.keys()], ['users', 'total', 'none']);
      assert.deepEqual([...view.get('users').keys()], [0, 1]);
      assert.equal(view.length, 3);
      assert.ok(view.has('none') && view.has('users', 1, 'tags') && view.has());
      assert.ok(!view.has('nobody') && !view.has('users', 2) && !view.has('total', 0));
      assert.deepEqual(view.get('users', 1).unpack(), data.users[1]);
      assert.deepEqual(view.unpack(), data);
    });

  it('knows the structures of each place, whatever the order of the questions', () => {
    const packr = new Packr({ records: true, maxOwnStructures: 2 });
    const list = Array.from({ length: 40 }, (_, i) => ({ [`key${i % 5}`]: { [`in${i % 3}`]: i } }));
    const view = new View(packr.pack(list), packr);
    for (let step = 0; step < 200; step++) {
      const i = (step * 17) % 40;
      assert.equal(view.get(i, `key${i % 5}`, `in${i % 3}`), i);
      assert.deepEqual(view.at(39 - i).unpack(), list[39 - i]);
    }
  });

  it('finds one field of a stored record without reading the others', () => {
    let stored = [];
    const options = {
      structures: [],
      getStructures: () => stored,
      saveStructures: (structures) => {
        stored = structures;
      },
    };
    const faulty = new ExtData(5, Uint8Array.of(1));
    const bytes = new Packr(options).pack({
      id: 7,
      owner: { name: 'Ada' },
      content: [faulty],
      end: 1,
    });
    const extensions = [
      {
        type: 5,
        unpack() {
          throw new Error('was read');
        },
      },
    ];
    const unpackr = new Unpackr({ getStructures: options.getStructures, extensions });
    const view = new View(bytes, unpackr);
    assert.ok(view instanceof View);
    assert.deepEqual([view.kind, view.get('end'), view.get('owner', 'name')], ['record', 1, 'Ada']);
    assert.throws(() => view.get('content', 0), /was read/);
    assert.equal(new View(bytes, new Packr(options)).get('id'), 7);
  });

  it('may load structures into the memory of the message, as lmdb does', () => {
    const message = new Packr({ structures: [] }).pack([{ a: 1, b: 'text' }, { a: 3 }]);
    const memory = Buffer.alloc(64);
    message.copy(memory);
    const unpackr = new Unpackr({
      getStructures() {
        memory.fill(0xc0);
        return [['a', 'b'], ['a']];
      },
    });
    const view = new View(memory.subarray(0, message.length), unpackr);
    assert.deepEqual([view.get(0, 'b'), view.get(1, 'a')], ['text', 3]);
    assert.deepEqual(view.unpack(), [{ a: 1, b: 'text' }, { a: 3 }]);
  });

  it('builds nothing that is not asked for', () => {
    let made = 0;
    const extensions = [{ type: 5, unpack: () => ++made }];
    const bytes = pack([new ExtData(5, Uint8Array.of(1)), new ExtData(5, Uint8Array.of(2)), 7]);
    const view = new View(bytes, { extensions });
    assert.equal(view.at(2), 7);
    assert.equal(made, 0);
    assert.equal(view.at(1), 1);
  });

  it('can be used by an extension that it reads', () => {
    let view;
    const extensions = [{ type: 5, unpack: () => view.get(2, 'b') }];
    const packr = new Packr();
    const bytes = packr.pack([{ a: new ExtData(5, Uint8Array.of(1)) }, { a: 1 }, { b: 3 }]);
    view = new View(bytes, { extensions });
    assert.deepEqual(view.unpack(), [{ a: 3 }, { a: 1 }, { b: 3 }]);
  });

  it('reports a fault with its path when it reaches it', () => {
    const bytes = Buffer.from('93a16181a162a1ffc1', 'hex');
    const view = new View(bytes, {});
    assert.equal(view.at(0), 'a');
    const text = errorOf(() => view.get(1, 'b'));
    assert.deepEqual([text.kind, text.offset, text.path], ['invalid_utf8', 7, '$[1].b']);
    const marker = errorOf(() => view.at(2));
    assert.deepEqual([marker.kind, marker.offset, marker.path], ['reserved_marker', 8, '$[2]']);
    const limited = errorOf(() => new View(pack(['abc', 'abcd']), { maxStrLen: 3 }));
    assert.deepEqual([limited.kind, limited.offset], ['length_limit', 5]);
    const deep = errorOf(() => new View(pack([[[1]]]), { maxDepth: 2 }).get(0, 0));
    assert.deepEqual([deep.kind, deep.offset], ['depth_limit', 2]);
    assert.throws(() => new View(bytes, new compatible.Unpackr()), TypeError);
  });

  it('takes the last of equal keys', () => {
    const view = new View(Buffer.from('83a16101a16202a16103', 'hex'), {});
    assert.deepEqual([view.get('a'), view.length, [...view.keys()]], [3, 2, ['a', 'b']]);
  });

  it('takes linear time over many definitions and much depth', () => {
    const definition = Buffer.from('d4724091a16101', 'hex');
    const count = 60_000;
    const head = Buffer.from([0xdd, 0, 0, count >> 8, count & 0xff]);
    const view = new View(Buffer.concat([head, ...Array(count).fill(definition)]), {
      records: true,
    });
    const { result, milliseconds } = measured(() => {
      let sum = 0;
      for (const record of view) sum += record.get('a') + record.unpack().a;
      return sum;
    });
    assert.equal(result, 2 * count);
    assert.ok(milliseconds < 4000, `${milliseconds} ms`);
  });
});
