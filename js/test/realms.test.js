/** Values of other realms, as those of frames and of jsdom: they are what they are here. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createContext, runInContext, runInThisContext } from 'node:vm';
import { Packr, pack, unpack } from 'packord';
import * as compatible from 'packord/msgpackr';

const realm = createContext({});
const foreign = (source) => runInContext(`(${source})`, realm);

/** Expressions of built-in classes. */
const SOURCES = [
  'new Map([[1, new Map([["a", [1]]])]])',
  'new Set([1, new Set(["a"])])',
  'new Date(1500)',
  'new Uint8Array([1, 2])',
  'new Uint8ClampedArray([1, 2])',
  'new DataView(new Uint8Array([1, 2]).buffer)',
  'new Uint8Array([1, 2]).buffer',
  'new Float32Array([1, 1.5])',
  'new Float64Array([1, 1.5])',
  'new Int16Array([1, -2])',
  'new BigInt64Array([1n, -(2n ** 60n)])',
  '[1, [2]]',
  '({ a: { b: 1 } })',
  'new Number(5)',
  'new String("a")',
  'new Boolean(true)',
  'Object(5n)',
  'new (class Point { x = 1; toJSON() { return [this.x]; } })()',
];
const RICH = ['/x/g', 'new Error("message")', 'new RangeError("message", { cause: 1 })'];

/** A packer of each way to write types. */
const PACKRS = [
  ['without options', pack],
  ['rich', new Packr({ rich: true }).pack],
  ['canonical', new Packr({ canonical: true }).pack],
  ['msgpackr', compatible.pack],
  ['msgpackr with moreTypes', new compatible.Packr({ moreTypes: true }).pack],
];

describe('values of another realm', () => {
  for (const [name, packs] of PACKRS)
    it(`have the bytes of those here: ${name}`, () => {
      const kept = name.includes('rich') || name.includes('moreTypes') ? RICH : [];
      for (const source of [...SOURCES, ...kept])
        assert.deepEqual(packs([foreign(source)]), packs([runInThisContext(`(${source})`)]), source);
    });

  it('are refused as those here', () => {
    for (const source of RICH)
      assert.throws(() => pack({ a: foreign(source) }), { kind: 'unsupported_type', path: '$.a' });
    assert.throws(() => pack(foreign('new Date(NaN)')), { kind: 'out_of_range' });
  });

  it('are their fields where they have a tag of their own', () => {
    for (const tag of ['Map', 'Set', 'Date', 'Error', 'RegExp', 'ArrayBuffer', 'Number', 'BigInt'])
      assert.deepEqual(unpack(pack(foreign(`{ a: 1, [Symbol.toStringTag]: '${tag}' }`))), { a: 1 });
  });

  it('are unpacked', () => {
    const bytes = foreign('new Uint8Array([0x92, 1, 2])');
    assert.deepEqual(unpack(bytes), [1, 2]);
    assert.deepEqual(unpack(bytes.buffer), [1, 2]);
  });
});
