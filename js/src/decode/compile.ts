/**
 * Decoders as generated code. A Content-Security-Policy may forbid that: then the functions
 * here return null from the first refusal on. Nothing is tried before it is needed, because
 * even a refused attempt is reported. In the build without code generation they return null
 * always.
 */
import type { RecordDecoder } from '../record/structures.ts';
import { evaluate } from '../wire/evaluate.ts';
import { eachWord, keyBytes, literalName } from '../wire/keys.ts';
import type { DecoderState } from './DecoderState.ts';

/**
 * A generated decoder of maps: it compares the bytes of each key with those expected, which
 * is far cheaper than reading the key. It returns undefined when the first key differs, and null as `readObject`.
 * `make` builds the same object from values that were read without it.
 */
export interface MapDecoder {
  (decoder: DecoderState, shape: MapShape): object | null | undefined;
  make(values: readonly unknown[]): object;
}

/** The keys that objects have in common, in their order. */
export interface MapShape {
  readonly keys: readonly string[];
  /** Index in the table of shapes. */
  readonly place: number;
  /** Uses without a generated decoder, within the window of that number. */
  uses: number;
  window: number;
  read: MapDecoder | null;
  /** The next shape at the same place. */
  next: MapShape | undefined;
}

/** Continues an object whose next key is not the predicted one. */
export type OnMiss = (decoder: DecoderState, shape: MapShape, values: unknown[], outerPending: number) => object | null;

declare const GENERATES_CODE: boolean;

/** Whether this build generates code; scripts/build.js sets it. */
export const GENERATES: boolean = GENERATES_CODE;

/** Maximum number of generated decoders, as foreign bytes must not generate code without end. */
const MAX_GENERATED = 1000;
/** Functions that all instances have in common by their code, and how many of them are kept. */
const known = new Map<string, unknown>();
const MAX_KNOWN = 500;

let generated = 0;
let refused = false;

export function isAllowed(): boolean {
  return !refused && generated < MAX_GENERATED;
}

export function generate<T>(code: string, parameter: string, argument: unknown): T | null {
  try {
    const make = evaluate(`function(${parameter}){return ${code}}`) as (argument: unknown) => T;
    const made = make(argument);
    generated++;
    return made;
  } catch {
    refused = true;
    return null;
  }
}

/** As {@link generate}, for code that needs nothing else: one function for all instances. */
function shared<T>(code: string): T | null {
  const before = known.get(code);
  if (before !== undefined) return before as T;
  const made = isAllowed() ? generate<T>(code, 'unused', undefined) : null;
  if (made !== null && known.size < MAX_KNOWN) known.set(code, made);
  return made;
}

/** Returns code that reads one value into a variable: short and common ones without a call. */
export function valueCode(variable: string, pending: number): string {
  return (
    `t=p<e?s[p]:193;if(t<f){${variable}=t;p++}` +
    `else if(t>=160&&t<192){${variable}=D.stringAt(p+1,t&=31);p+=1+t}` +
    `else if(t===217&&p+1<e){t=s[p+1];${variable}=D.stringAt(p+2,t);p+=2+t}` +
    `else if(t===192){${variable}=null;p++}` +
    `else if(t===194||t===195){${variable}=t===195;p++}` +
    `else if(t===205&&p+2<e){${variable}=s[p+1]<<8|s[p+2];p+=3}` +
    `else if(t===206&&p+4<e){${variable}=V.getUint32(p+1);p+=5}` +
    `else if(t===203&&p+8<e){${variable}=V.getFloat64(p+1);p+=9}` +
    `else if(t===204&&p+1<e){${variable}=s[p+1];p+=2}` +
    `else if(t===207&&p+8<e&&(t=V.getUint32(p+1))<N){${variable}=t*4294967296+V.getUint32(p+5);p+=9}` +
    `else{D.pos=p;D.pending=o+${pending};${variable}=D.read();p=D.pos}`
  );
}

export const PROLOGUE = 'const s=D.src,V=D.view,e=D.end,f=D.fix,o=D.pending,N=D.safeHigh;let p=D.pos,t';

export function variables(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `v${i}`);
}

export function literal(keys: readonly string[], value: (index: number) => string): string {
  return `{${keys.map((key, i) => `${literalName(key)}:${value(i)}`).join(',')}}`;
}

/** Returns the code that tells whether the bytes at `p` are not those of a key. */
export function keyTest(bytes: Uint8Array): string {
  const tests = [`p+${bytes.length}>e`];
  eachWord(
    bytes,
    (at, word) => tests.push(`V.getInt32(p+${at})!==${word}`),
    (at, byte) => tests.push(`s[p+${at}]!==${byte}`),
  );
  return tests.join('||');
}

/**
 * Returns the decoder of maps with these keys in this order. That of `id` and `name` is, with VALUE for
 * {@link valueCode} and after the {@link PROLOGUE}:
 *
 *     if(p+3>e||s[p+0]!==162||s[p+1]!==105||s[p+2]!==100)return;p+=3;VALUE(v0,2)
 *     if(p+5>e||V.getInt32(p+0)!==-1536269971||s[p+4]!==101){D.pos=p;return missed(D,S,[v0],o)};p+=5;VALUE(v1,0)
 *     D.pos=p;return {"id":v0,"name":v1}
 */
export function compileMapDecoder(keys: readonly string[], missed: OnMiss): MapDecoder | null {
  if (!GENERATES_CODE || !isAllowed()) return null;
  const names = variables(keys.length);
  let code = `Object.assign(function(D,S){${PROLOGUE},${names.join(',')};`;
  keys.forEach((key, i) => {
    const bytes = keyBytes(key);
    const miss = i === 0 ? 'return' : `{D.pos=p;return missed(D,S,[${names.slice(0, i)}],o)}`;
    const pending = 2 * (keys.length - i - 1);
    code += `if(${keyTest(bytes)})${miss};p+=${bytes.length};${valueCode(names[i] as string, pending)}`;
  });
  code += `D.pos=p;return ${literal(keys, (i) => `v${i}`)}},`;
  code += `{make:(v)=>(${literal(keys, (i) => `v[${i}]`)})})`;
  return generate<MapDecoder>(code, 'missed', missed);
}

/** Returns what makes `n` objects with these keys, each from one column of values. */
export function compileRows(
  keys: readonly string[],
): ((columns: readonly ArrayLike<unknown>[], n: number) => object[]) | null {
  if (!GENERATES_CODE) return null;
  const names = variables(keys.length);
  const row = literal(keys, (i) => `v${i}[i]`);
  return shared(`function([${names}],n){const r=new Array(n);for(let i=0;i<n;i++)r[i]=${row};return r}`);
}

/** Returns what makes the next object with these keys, from the columns with these indexes. */
export function compileShapedRow(
  keys: readonly string[],
  columns: readonly number[],
): ((columns: readonly ArrayLike<unknown>[], next: Uint32Array) => object) | null {
  if (!GENERATES_CODE) return null;
  return shared(`function(c,n){return ${literal(keys, (i) => `c[${columns[i]}][n[${columns[i]}]++]`)}}`);
}

/**
 * Returns the decoder of the values of records with these keys. That of `id` and `name` is:
 *
 *     VALUE(v0,1)VALUE(v1,0)D.pos=p;return {"id":v0,"name":v1}
 */
export function compileRecordDecoder(keys: readonly string[]): RecordDecoder | null {
  if (!GENERATES_CODE) return null;
  const names = variables(keys.length);
  let code = `function(D){${PROLOGUE}${names.map((variable) => `,${variable}`).join('')};`;
  keys.forEach((_, i) => {
    code += valueCode(names[i] as string, keys.length - i - 1);
  });
  return shared<RecordDecoder>(`${code}D.pos=p;return ${literal(keys, (i) => `v${i}`)}}`);
}
