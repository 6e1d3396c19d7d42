/**
 * Readers as generated code. A Content-Security-Policy may forbid that: then the
 * functions here give null from the first refusal on. Nothing is tried before it is
 * needed, because even a refused attempt is reported. The build without code
 * generation has compile-no-eval.ts in place of this file.
 */
import type { RecordReader } from '../record/structures.ts';
import { eachWord, keyBytes, literalName } from '../wire/keys.ts';
import { type MapReader, missed } from './objects.ts';

/** Whether code is generated, as far as it may be. */
export const GENERATES = true;

/** Most readers that are ever generated: foreign bytes must not generate code without end. */
const MAX_GENERATED = 1000;
/** Readers of records by their keys, for all instances, and most that are kept. */
const known = new Map<string, RecordReader>();
const MAX_KNOWN = 500;

let generated = 0;
let refused = false;

function isAllowed(): boolean {
  return !refused && generated < MAX_GENERATED;
}

function generate<T>(code: string, parameter: string, argument: unknown): T | null {
  try {
    const made = new Function(parameter, `"use strict";return ${code}`)(argument) as T;
    generated++;
    return made;
  } catch {
    refused = true;
    return null;
  }
}

/** Code that reads one value into a variable: what is short or common without a call. */
function valueCode(variable: string, rest: number): string {
  return (
    `t=p<e?s[p]:193;if(t<f){${variable}=t;p++}` +
    `else if(t>=160&&t<192){${variable}=R.textAt(p+1,t&=31);p+=1+t}` +
    `else if(t===217&&p+1<e){t=s[p+1];${variable}=R.textAt(p+2,t);p+=2+t}` +
    `else if(t===192){${variable}=null;p++}` +
    `else if(t===194||t===195){${variable}=t===195;p++}` +
    `else if(t===205&&p+2<e){${variable}=s[p+1]<<8|s[p+2];p+=3}` +
    `else if(t===206&&p+4<e){${variable}=V.getUint32(p+1);p+=5}` +
    `else if(t===203&&p+8<e){${variable}=V.getFloat64(p+1);p+=9}` +
    `else if(t===204&&p+1<e){${variable}=s[p+1];p+=2}` +
    `else if(t===207&&p+8<e&&(t=V.getUint32(p+1))<N){${variable}=t*4294967296+V.getUint32(p+5);p+=9}` +
    `else{R.pos=p;R.pending=o+${rest};${variable}=R.read();p=R.pos}`
  );
}

const PROLOGUE = 'const s=R.src,V=R.view,e=R.end,f=R.fix,o=R.pending,N=R.safeHigh;let p=R.pos,t';

function variables(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `v${i}`);
}

function literal(keys: readonly string[], value: (index: number) => string): string {
  return `{${keys.map((key, i) => `${literalName(key)}:${value(i)}`).join(',')}}`;
}

/** The reader of maps with these keys in this order. */
export function compileMapReader(keys: readonly string[]): MapReader | null {
  if (!isAllowed()) return null;
  const names = variables(keys.length);
  let code = `Object.assign(function(R,S){${PROLOGUE},${names.join(',')};`;
  keys.forEach((key, i) => {
    const bytes = keyBytes(key);
    const tests = [`p+${bytes.length}>e`];
    eachWord(
      bytes,
      (at, word) => tests.push(`V.getInt32(p+${at})!==${word}`),
      (at, byte) => tests.push(`s[p+${at}]!==${byte}`),
    );
    const miss = i === 0 ? 'return' : `{R.pos=p;return missed(R,S,[${names.slice(0, i)}],o)}`;
    const rest = 2 * (keys.length - i - 1);
    code += `if(${tests.join('||')})${miss};p+=${bytes.length};${valueCode(names[i] as string, rest)}`;
  });
  code += `R.pos=p;return ${literal(keys, (i) => `v${i}`)}},`;
  code += `{make:(v)=>(${literal(keys, (i) => `v[${i}]`)})})`;
  return generate<MapReader>(code, 'missed', missed);
}

/** The reader of the values of records with these keys. */
export function compileRecordReader(keys: readonly string[]): RecordReader | null {
  const name = JSON.stringify(keys);
  const before = known.get(name);
  if (before !== undefined) return before;
  if (!isAllowed()) return null;
  const names = variables(keys.length);
  let code = `function(R){${PROLOGUE}${names.map((variable) => `,${variable}`).join('')};`;
  keys.forEach((_, i) => {
    code += valueCode(names[i] as string, keys.length - i - 1);
  });
  code += `R.pos=p;return ${literal(keys, (i) => `v${i}`)}}`;
  const reader = generate<RecordReader>(code, 'unused', undefined);
  if (reader !== null && known.size < MAX_KNOWN) known.set(name, reader);
  return reader;
}
