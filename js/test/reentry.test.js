/** Functions of the program that pack while a value is packed: their errors come in linear time, and can be caught. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MsgpackEncodeError, Packr, pack, Unpackr, unpack } from 'packord';
import { columns } from 'packord/columns';
import { ExtensionCodec, encode } from 'packord/msgpack';
import * as compatible from 'packord/msgpackr';
import { pack as plainPack } from 'packord/pack';
import { errorOf } from './vectors.js';

class Nested {
  constructor(value) {
    this.value = value;
  }
}

function nested(depth, innermost) {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = new Nested(value);
  return value;
}

/** A packer with an extension that packs with it; `calls` counts that. */
function nestingPackr(Class) {
  const packr = new Class({
    extensions: [
      {
        Class: Nested,
        type: 1,
        pack: ({ value }) => {
          packr.calls++;
          return packr.pack(value);
        },
        unpack: (bytes) => new Nested(packr.unpack(bytes)),
      },
    ],
  });
  packr.calls = 0;
  return packr;
}

function assertDepth(run) {
  const error = errorOf(run);
  assert.ok(error instanceof MsgpackEncodeError, String(error));
  assert.equal(error.kind, 'depth_limit');
}

describe('packing within packing', () => {
  it('works', () => {
    const packr = nestingPackr(Packr);
    assert.deepEqual(packr.unpack(packr.pack(nested(20, [1]))), nested(20, [1]));
  });

  it('finds an error below nested extensions in linear time', () => {
    for (const Class of [Packr, compatible.Packr]) {
      const packr = nestingPackr(Class);
      const error = errorOf(() => packr.pack(nested(30, Symbol('innermost'))));
      assert.equal(error.kind, 'unsupported_type');
      // Functions for msgpackr may write into the message, each time that it is written.
      assert.ok(packr.calls <= (Class === Packr ? 30 : 60), `${packr.calls} calls`);
    }
  });

  it('finds an error below nested toJSON in linear time', () => {
    let calls = 0;
    class Json extends Nested {
      toJSON() {
        calls++;
        return pack(this.value);
      }
    }
    let value = Symbol('innermost');
    for (let i = 0; i < 30; i++) value = new Json(value);
    assert.equal(errorOf(() => pack(value)).kind, 'unsupported_type');
    assert.equal(calls, 30);
  });

  it('that never ends is an error that can be caught', () => {
    for (const own of [pack, plainPack, compatible.pack]) {
      class Endless {
        toJSON() {
          return own(this);
        }
      }
      assertDepth(() => own(new Endless()));
      const getter = {
        get itself() {
          return own(getter);
        },
      };
      assertDepth(() => own(getter));
    }
    const packr = nestingPackr(Packr);
    const cycle = new Nested();
    cycle.value = cycle;
    assertDepth(() => packr.pack(cycle));
    assertDepth(() => packr.pack(nested(5000, 1)));
    assert.deepEqual(unpack(packr.pack([1])), [1]);
    assert.equal(encode(1).length, 1);
  });
});

describe('functions of the program', () => {
  /** A class whose toJSON counts its calls. */
  class Counted {
    calls = 0;
    toJSON() {
      this.calls++;
      return { x: 1 };
    }
  }

  it('are called once where the value has an error, whose path is known', () => {
    const counted = new Counted();
    let written = 0;
    const extensions = [{ Class: Nested, type: 1, pack: () => Uint8Array.of(++written) }];
    for (const options of [{}, { rich: true }, { canonical: true }, { columns }]) {
      const value = { a: [counted, nested(1)], b: new Set([counted]), c: Symbol('x') };
      const packr = new Packr({ ...options, extensions });
      assert.throws(() => packr.pack(value), { kind: 'unsupported_type', path: '$.c' });
    }
    assert.equal(counted.calls, 8);
    assert.equal(written, 4);
  });

  it('are called once where a property is undefined', () => {
    const counted = new Counted();
    const value = { a: counted, list: [1, 2].values(), b: undefined, c: counted };
    const bytes = new Packr().pack(value);
    assert.deepEqual(unpack(bytes), { a: { x: 1 }, list: [1, 2], c: { x: 1 } });
    assert.equal(counted.calls, 2);
    const set = new Packr({ rich: true }).pack({ set: new Set([counted]), b: undefined });
    assert.deepEqual(new Unpackr({ rich: true }).unpack(set), { set: new Set([{ x: 1 }]) });
    assert.equal(counted.calls, 3);
  });

  it('are called once with columns, whether there are some or not', () => {
    for (const n of [2, 200]) {
      const rows = Array.from({ length: n }, () => new Counted());
      const bytes = new Packr({ columns }).pack({ rows, none: undefined });
      assert.equal(unpack(bytes, { columns }).rows.length, n);
      assert.ok(rows.every(({ calls }) => calls === 1));
    }
  });

  it('are called once where saving structures is declined', () => {
    const counted = new Counted();
    const packr = new Packr({ structures: [], saveStructures: () => false });
    assert.deepEqual(packr.unpack(packr.pack([counted])), [{ x: 1 }]);
    assert.equal(counted.calls, 1);
  });

  it('are called once by packord/msgpack', () => {
    let calls = 0;
    const extensionCodec = new ExtensionCodec();
    const type = 5;
    const own = (value) => (value instanceof Nested ? Uint8Array.of(++calls) : null);
    extensionCodec.register({ type, encode: own, decode: () => null });
    assert.throws(() => encode([nested(1), () => {}], { extensionCodec }), { path: '$[1]' });
    assert.equal(calls, 1);
  });
});
