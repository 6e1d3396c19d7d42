/** Functions of the program that pack while a value is packed: their errors come in linear time, and can be caught. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MsgpackEncodeError, Packr, pack, unpack } from 'packord';
import { encode } from 'packord/msgpack';
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
      assert.ok(packr.calls <= 60, `${packr.calls} calls`);
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
    assert.ok(calls <= 60, `${calls} calls`);
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
