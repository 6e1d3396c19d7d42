/**
 * Encoders as generated code, under the same conditions as decode/compile.ts. The
 * code of equal keys is shared by all instances.
 */
import { eachWord } from '../wire/keys.ts';
import type { ObjectWriter } from './shapes.ts';

/** Most encoders that are kept for other instances. */
const MAX_SHARED = 500;
/** Keys up to this many bytes are stored word by word. */
const MAX_INLINE = 64;

const known = new Map<string, ObjectWriter>();
let refused = false;

function generate(code: string): ObjectWriter | null {
  const before = known.get(code);
  if (before !== undefined) return before;
  if (refused) return null;
  try {
    const made = new Function(`"use strict";return ${code}`)() as ObjectWriter;
    if (known.size < MAX_SHARED) known.set(code, made);
    return made;
  } catch {
    refused = true;
    return null;
  }
}

/** Code that writes one value: integers of 16 bits, nil and booleans at once. */
function valueCode(key: string): string {
  return (
    `x=o[${JSON.stringify(key)}];` +
    "if(typeof x==='number'){" +
    'if((x>>>0)===x&&x<n&&(x!==0||1/x>0)){' +
    'if(x<f)t[p++]=x;else if(x<256){t[p]=204;t[p+1]=x;p+=2}' +
    'else{t[p]=205;t[p+1]=x>>8;t[p+2]=x;p+=3}' +
    '}else{W.pos=p;W.number(x);p=W.pos}}' +
    "else if(typeof x==='string'){W.pos=p;W.text(x);p=W.pos;t=W.buf;v=W.view}" +
    'else if(x===null)t[p++]=192;else if(x===true)t[p++]=195;else if(x===false)t[p++]=194;' +
    'else{W.pos=p;W.write(x);p=W.pos;t=W.buf;v=W.view}'
  );
}

function room(bytes: number): string {
  return `if(p+${bytes}>W.limit){W.pos=p;W.reserve(${bytes});p=W.pos;t=W.buf;v=W.view}`;
}

const PROLOGUE = 'function(W,o){const f=W.fix,n=W.inline;let t=W.buf,v=W.view,p=W.pos,x;';

/** The encoder of a map's keys and values, without its header. */
export function compileFields(
  keys: readonly string[],
  bytes: readonly Uint8Array[],
): ObjectWriter | null {
  if (bytes.some((key) => key.length > MAX_INLINE)) return null;
  let code = PROLOGUE;
  keys.forEach((key, i) => {
    const encoded = bytes[i] as Uint8Array;
    code += room(encoded.length);
    eachWord(
      encoded,
      (at, word) => {
        code += `v.setInt32(p+${at},${word});`;
      },
      (at, byte) => {
        code += `t[p+${at}]=${byte};`;
      },
    );
    code += `p+=${encoded.length};${valueCode(key)}`;
  });
  return generate(`${code}W.pos=p}`);
}

/** The encoder of a record's values. */
export function compileValues(keys: readonly string[]): ObjectWriter | null {
  const code = keys.map((key) => room(0) + valueCode(key)).join('');
  return generate(`${PROLOGUE}${code}W.pos=p}`);
}
