/**
 * Encoders as generated code, under the same conditions as decode/compile.ts. The
 * code of equal keys is shared by all instances.
 */
import { evaluate } from '../wire/evaluate.ts';
import { eachWord } from '../wire/keys.ts';
import type { ObjectEncoder } from './EncoderState.ts';

declare const GENERATES_CODE: boolean;

/** Maximum number of encoders that are kept for other instances. */
const MAX_SHARED = 500;
/** Maximum size in bytes of a key that is stored word by word. */
const MAX_INLINE = 64;

const known = new Map<string, ObjectEncoder>();
let refused = false;

function generate(code: string): ObjectEncoder | null {
  const before = known.get(code);
  if (before !== undefined) return before;
  if (refused) return null;
  try {
    const made = evaluate(code) as ObjectEncoder;
    if (known.size < MAX_SHARED) known.set(code, made);
    return made;
  } catch {
    refused = true;
    return null;
  }
}

/** Returns code that writes one value: integers of 16 bits, nil and booleans without a call. */
function valueCode(key: string): string {
  return (
    `x=o[${JSON.stringify(key)}];` +
    "if(typeof x==='number'){" +
    'if((x>>>0)===x&&x<n&&(x!==0||1/x>0)){' +
    'if(x<f)t[p++]=x;else if(x<256){t[p]=204;t[p+1]=x;p+=2}' +
    'else{t[p]=205;t[p+1]=x>>8;t[p+2]=x;p+=3}' +
    '}else{E.pos=p;E.number(x);p=E.pos}}' +
    "else if(typeof x==='string'){E.pos=p;E.string(x);p=E.pos;t=E.buf;v=E.view}" +
    'else if(x===null)t[p++]=192;else if(x===true)t[p++]=195;else if(x===false)t[p++]=194;' +
    'else{E.pos=p;x===undefined?E.absent():E.write(x);p=E.pos;t=E.buf;v=E.view}'
  );
}

function room(bytes: number): string {
  return `if(p+${bytes}>E.limit){E.pos=p;E.reserve(${bytes});p=E.pos;t=E.buf;v=E.view}`;
}

const PROLOGUE = 'function(E,o){const f=E.fix,n=E.inline;let t=E.buf,v=E.view,p=E.pos,x;';

/**
 * Returns the encoder of a map's keys and values, without its header. That of `id` and `name` is, with VALUE for
 * {@link valueCode}, ROOM for {@link room} and after the prologue:
 *
 *     ROOM(3)t[p+0]=162;t[p+1]=105;t[p+2]=100;p+=3;VALUE("id")
 *     ROOM(5)v.setInt32(p+0,-1536269971);t[p+4]=101;p+=5;VALUE("name")E.pos=p
 */
export function compileFields(keys: readonly string[], bytes: readonly Uint8Array[]): ObjectEncoder | null {
  if (!GENERATES_CODE || bytes.some((key) => key.length > MAX_INLINE)) return null;
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
  return generate(`${code}E.pos=p}`);
}

export function compileValues(keys: readonly string[]): ObjectEncoder | null {
  if (!GENERATES_CODE) return null;
  const code = keys.map((key) => room(0) + valueCode(key)).join('');
  return generate(`${PROLOGUE}${code}E.pos=p}`);
}
