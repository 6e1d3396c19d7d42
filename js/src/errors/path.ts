/** A step of a path: an index, a name, or the key of a Map. */
export type PathPart = number | string | { readonly key: unknown };

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function escaped(text: string): string {
  return JSON.stringify(text).replace(/[\u007f\ud800-\udfff]/g, (c, at: number, all: string) => {
    if (c === '\u007f') return '\\u007f';
    // Halves of a pair stand for themselves, others can't be written.
    const code = c.charCodeAt(0);
    const mate = all.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
    const paired = code < 0xdc00 ? (mate & 0xfc00) === 0xdc00 : (mate & 0xfc00) === 0xd800;
    return paired ? c : '\ufffd';
  });
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A key that is no str, in diagnostic notation as far as keys usually go. */
function notation(key: unknown): string {
  if (key === null || key === undefined) return 'nil';
  if (typeof key === 'number') {
    if (Number.isInteger(key) && !Object.is(key, -0)) {
      return Number.isSafeInteger(key) ? String(key) : floatText(key);
    }
    if (Number.isNaN(key)) return 'nan';
    if (!Number.isFinite(key)) return key < 0 ? '-inf' : 'inf';
    return floatText(key);
  }
  if (typeof key === 'string') return escaped(key);
  if (key instanceof Uint8Array) return `h'${hex(key)}'`;
  if (Array.isArray(key)) return `[${key.map(notation).join(', ')}]`;
  return typeof key === 'object' ? '{…}' : String(key);
}

function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e');
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A path as spec/errors.md section 1 writes it. */
export function formatPath(parts: readonly PathPart[], message = 0): string {
  let path = message === 0 ? '$' : `$${message}`;
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else {
      const key = typeof part === 'string' ? part : part.key;
      if (typeof key !== 'string') path += `[key ${notation(key)}]`;
      else path += NAME.test(key) ? `.${key}` : `[${escaped(key)}]`;
    }
  }
  return path;
}
