/** Typed decoding with the schemas of zod, valibot and arktype. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type } from 'arktype';
import { MsgpackDecodeError, Packr, pack, Unpackr, unpack } from 'packord';
import * as compatible from 'packord/msgpackr';
import * as v from 'valibot';
import { z } from 'zod';

const SCHEMAS = {
  zod: z.object({
    id: z.number(),
    tags: z.array(z.object({ name: z.string() })),
    note: z.string().optional(),
  }),
  valibot: v.object({
    id: v.number(),
    tags: v.array(v.object({ name: v.string() })),
    note: v.optional(v.string()),
  }),
  arktype: type({ id: 'number', tags: type({ name: 'string' }).array(), 'note?': 'string' }),
};
const GOOD = { id: 1, tags: [{ name: 'a' }, { name: 'b' }] };
const WRONG = { id: 1, tags: [{ name: 'a' }, { name: 5 }], note: 'x' };

/** The error of a schema. */
function refused(run) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof MsgpackDecodeError, error);
    return error;
  }
  return assert.fail('accepted');
}

describe('typed decoding', () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`returns what a schema of ${name} accepts`, () => {
      assert.deepEqual(unpack(pack(GOOD), schema), GOOD);
      assert.deepEqual(compatible.unpack(pack(GOOD), schema), GOOD);
      assert.deepEqual(new Unpackr().unpack(pack(GOOD), schema), GOOD);
      const frame = Buffer.concat([Buffer.of(1, 2), pack(GOOD), Buffer.of(3)]);
      const range = { start: 2, end: frame.length - 1, schema };
      assert.deepEqual(unpack(frame, range), GOOD);
    });

    it(`reports path and offset of what a schema of ${name} refuses`, () => {
      const bytes = pack(WRONG);
      const error = refused(() => unpack(bytes, schema));
      assert.equal(error.kind, 'type_mismatch');
      assert.equal(error.path, '$.tags[1].name');
      assert.equal(error.offset, bytes.indexOf(5));
      assert.deepEqual(
        error.issues.map(({ path, offset }) => [path, offset]),
        [[error.path, error.offset]],
      );
      assert.ok(error.message.includes(error.issues[0].message));
      const frame = Buffer.concat([Buffer.of(1, 2), bytes]);
      assert.equal(refused(() => unpack(frame, { start: 2, schema })).offset, error.offset + 2);
    });

    it(`finds values within records for ${name}`, () => {
      const packr = new Packr({ structures: [] });
      // The second message has the ids of shared structures, and one of its own.
      packr.pack(GOOD);
      for (const each of [packr, new Packr()]) {
        const bytes = each.pack(WRONG);
        const error = refused(() => each.unpack(bytes, schema));
        assert.deepEqual([error.path, error.offset], ['$.tags[1].name', bytes.lastIndexOf(5)]);
      }
    });
  }

  it('gives a missing field the offset of its container', () => {
    const error = refused(() => unpack(pack({ tags: [{}], id: 1 }), SCHEMAS.zod));
    assert.deepEqual([error.path, error.offset], ['$.tags[0].name', 7]);
  });

  it('reports every issue, the first one first', () => {
    const { issues, message } = refused(() => unpack(pack({ id: 'x', tags: 5 }), SCHEMAS.zod));
    assert.deepEqual(
      issues.map(({ path, offset }) => [path, offset]),
      [
        ['$.id', 4],
        ['$.tags', 11],
      ],
    );
    assert.match(message, /^type_mismatch at byte 4 \(\$\.id\): value has an unexpected type: /);
  });

  it('returns what a schema converts to', () => {
    const schema = z.object({ at: z.date().transform((date) => date.getTime()) });
    assert.deepEqual(unpack(pack({ at: new Date(1500) }), schema), { at: 1500 });
  });

  it('has the offset of the last of equal keys, and of keys that are numbers', () => {
    const schema = z.object({ a: z.string() });
    const twice = Uint8Array.of(0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2);
    assert.equal(refused(() => unpack(twice, schema)).offset, 6);
    const number = Uint8Array.of(0x81, 7, 1);
    assert.equal(refused(() => unpack(number, z.object({ 7: z.string() }))).offset, 2);
  });

  it('reads with the same instance within a schema, and keeps faults of the bytes', () => {
    const unpackr = new Unpackr({});
    const inner = z.instanceof(Uint8Array).transform((bytes) => unpackr.unpack(bytes));
    assert.deepEqual(unpackr.unpack(pack([pack({ a: 1 })]), z.array(inner)), [{ a: 1 }]);
    assert.throws(() => unpack(Uint8Array.of(0xc1), SCHEMAS.zod), { kind: 'reserved_marker' });
  });

  it('refuses a schema that is asynchronous', () => {
    const schema = z.number().refine(async () => true);
    assert.throws(() => unpack(pack(5), schema), { name: 'TypeError', message: /asynchronous/ });
  });

  it('does without the offset of what is in a bundle of strings', () => {
    const packr = new compatible.Packr({ bundleStrings: true });
    const error = refused(() => packr.unpack(packr.pack({ some: 'text here', id: 1 }), SCHEMAS.zod));
    assert.equal(error.path, '$.tags');
    assert.equal(error.offset, 0);
  });
});
