/** Generated code that reads the fields of a schema from maps or records of the same keys. */
import { generate, isAllowed, keyTest, literal, PROLOGUE, valueCode, variables } from './compile.ts';
import type { SchemaDecoder, ValueReader } from './SchemaDecoder.ts';

declare const GENERATES_CODE: boolean;

/** Reads the entries of a container; returns undefined, at its first entry, when that has another key. */
export type FieldsDecoder = (decoder: SchemaDecoder, markerOffset: number) => object | undefined;

/** Continues a map at the entry that has another key than those before it announce. */
export type OnOtherKey = (decoder: SchemaDecoder, entry: number, values: unknown[], markerOffset: number) => object;

/** The entries of a map or record, in their order. */
export interface EntryPlan {
  /** The bytes of the keys with their headers; null for a record. */
  readonly keys: readonly Uint8Array[] | null;
  /** The fields that the entries are; -1 for those that are skipped. */
  readonly fields: readonly number[];
}

export const ABSENT: unique symbol = /* @__PURE__ */ Symbol('absent');

/** Returns code that skips a value: short ones without a call. */
function skipCode(pending: number): string {
  return (
    't=p<e?s[p]:193;n=Z[t];if(n!==0&&p+n<=e)p+=n;' +
    'else if(t===217&&p+1<e&&p+2+s[p+1]<=e)p+=2+s[p+1];' +
    `else{D.pos=p;D.pending=o+${pending};D.skip();p=D.pos}`
  );
}

/** Returns code that reads a value into a variable as its reader does. */
function fieldCode(field: number, { inline }: ValueReader, pending: number): string {
  const name = `v${field}`;
  if (inline === undefined) return `D.pos=p;D.pending=o+${pending};${name}=R[${field}].read(D);p=D.pos;`;
  const check = inline === '' ? '' : `if(typeof ${name}!=="${inline}")${name}=R[${field}].convert(D,n,${name})`;
  return `n=p;${valueCode(name, pending)}${check};`;
}

/**
 * Returns the decoder of containers with these entries, all of whose required fields are among them. That of a map
 * with the fields `id` and `tags`, and `x` between them which is not a field, is after the prologue:
 *
 *     if(p+3>e||…)return;p+=3;n=p;VALUE(v0,4);if(typeof v0!=="number")v0=R[0].convert(D,n,v0);
 *     if(p+2>e||…){D.pos=p;D.pending=o;return M(D,1,[v0,v1],m)};p+=2;SKIP(2)
 *     if(p+5>e||…){D.pos=p;D.pending=o;return M(D,2,[v0,v1],m)};p+=5;D.pos=p;D.pending=o+0;v1=R[1].read(D);p=D.pos;
 *     D.pos=p;D.pending=o;return {"id":v0,"tags":v1}
 */
export function compileFields(
  names: readonly string[],
  readers: readonly ValueReader[],
  { keys, fields }: EntryPlan,
  missed: OnOtherKey,
): FieldsDecoder | null {
  if (!GENERATES_CODE || !isAllowed()) return null;
  const present = names.map((_, i) => i).filter((i) => fields.includes(i));
  const all = variables(names.length);
  let code = `function(D,m){${PROLOGUE},n${all.map((name) => `,${name}=A`).join('')};const Z=D.sizes;`;
  fields.forEach((field, i) => {
    const rest = fields.length - i - 1;
    const pending = keys === null ? rest : 2 * rest;
    if (keys !== null) {
      const bytes = keys[i] as Uint8Array;
      const miss = i === 0 ? 'return' : `{D.pos=p;D.pending=o;return M(D,${i},[${all}],m)}`;
      code += `if(${keyTest(bytes)})${miss};p+=${bytes.length};`;
    }
    code += field < 0 ? skipCode(pending) : fieldCode(field, readers[field] as ValueReader, pending);
  });
  const made = literal(
    present.map((i) => names[i] as string),
    (i) => `v${present[i]}`,
  );
  code += `D.pos=p;D.pending=o;return ${made}}`;
  return generate<FieldsDecoder>(code, '[R,M,A]', [readers, missed, ABSENT]);
}
