/** The vectors of spec/vectors/typed, read with the schemas of packord/schema. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MsgpackDecodeError, Unpackr } from 'packord';
import * as noEval from 'packord/index-no-eval';
import * as s from 'packord/schema';
import * as withoutEval from 'packord/schema-no-eval';
import { casesOf, difference, errorOf, expand, optionsOf } from './vectors.js';

/** Integers have no widths in JavaScript: the narrow ones are read as a number, those of 64 bits as a bigint. */
const SCALARS = { any: 'any', bool: 'boolean', str: 'string', bin: 'bytes', f64: 'number' };
for (const bits of [8, 16, 32]) for (const sign of ['u', 'i']) SCALARS[`${sign}${bits}`] = 'integer';
Object.assign(SCALARS, { u64: 'bigint', i64: 'bigint' });

/** Returns the schema of a type; undefined for a type that JavaScript does not have. */
function schemaOf(type, schemas) {
  if (typeof type === 'string') return type in SCALARS ? schemas[SCALARS[type]] : undefined;
  const inner = (of) => schemaOf(of, schemas);
  if ('option' in type) return schemas.nullable(inner(type.option));
  if ('list' in type) return schemas.array(inner(type.list));
  if ('map' in type) return schemas.dictionary(inner(type.map));
  if ('enum' in type) return schemas.oneOf(...type.enum);
  return schemas.object(Object.fromEntries(type.struct.map(([name, of]) => [name, inner(of)])));
}

/** Returns why JavaScript has not what a case is about; undefined if it has. */
function leftOut({ name, type, error }) {
  if (type === 'f32') return 'floats of 32 bits';
  if (/does not fit [ui]/.test(error?.detail)) return 'widths of integers';
  if (type.unknown === 'error') return 'schemas that refuse other fields';
  // Objects have them: they become strings.
  if (name === 'a key that is not a str') return 'maps of str keys alone';
  return undefined;
}

const LIBRARIES = [
  { Unpackr, schemas: s },
  { Unpackr: noEval.Unpackr, schemas: withoutEval },
];

describe('typed vectors are read as their types, or errors with their detail:', () => {
  const skipped = new Map();

  for (const entry of casesOf('typed'))
    it(`${entry.file}: ${entry.name}`, () => {
      const reason = leftOut(entry);
      if (reason !== undefined) {
        skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
        return;
      }
      const bytes = expand(entry.bytes);
      for (const { Unpackr: Class, schemas } of LIBRARIES) {
        const unpackr = new Class(optionsOf(entry.options));
        const schema = schemaOf(entry.type, schemas);
        // Code is generated for what was read a few times.
        for (let i = 0; i < 12; i++) check(entry, () => unpackr.unpack(bytes, schema));
      }
    });

  function check({ value, error: expected }, read) {
    if (expected === undefined) {
      assert.equal(difference(value, read()), undefined);
      return;
    }
    const error = errorOf(read);
    assert.ok(error instanceof MsgpackDecodeError || error instanceof noEval.MsgpackDecodeError);
    const { kind, offset, path = '$', detail } = error;
    const own = expected.detail?.replace(/(?<=does not fit )f64$/, 'number');
    assert.deepEqual(
      { kind, offset, path, detail: own === undefined ? undefined : detail },
      { ...expected, detail: own },
    );
  }

  it('but for what JavaScript has no type for', (context) => {
    for (const [reason, count] of skipped) context.diagnostic(`${count} cases left out: ${reason}`);
    const counts = [...skipped.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(counts < 45, `${counts}`);
  });
});
