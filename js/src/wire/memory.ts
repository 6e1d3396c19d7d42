/** Bytes that share no memory with another thread: `Uint8Array<ArrayBuffer>` from TypeScript 5.7 on. */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['of']>;

export const NO_BYTES: OwnBytes = /* @__PURE__ */ new Uint8Array(0);

/** Returns the bytes of parts, one after another. */
export function joined(parts: readonly Uint8Array[]): OwnBytes {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns a copy of an array with room for more elements. */
export function enlarged<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

export function dataViewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Whether bytes are those of others from a position to another. */
export function sameBytes(a: Uint8Array, b: Uint8Array, start = 0, end: number = b.length): boolean {
  if (a.length !== end - start) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[start + i]) return false;
  return true;
}

/**
 * Returns the bytes of an ArrayBuffer or of any view of one; undefined for anything else. Memory
 * that was transferred to another thread has no bytes, and no view can be made of it.
 */
export function bytesIn(source: unknown): Uint8Array | undefined {
  if (source instanceof Uint8Array) return source.length === 0 ? NO_BYTES : source;
  if (ArrayBuffer.isView(source))
    return source.buffer.byteLength === 0
      ? NO_BYTES
      : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const tag = Object.prototype.toString.call(source);
  if (tag !== '[object ArrayBuffer]' && tag !== '[object SharedArrayBuffer]') return undefined;
  const buffer = source as ArrayBuffer;
  return buffer.byteLength === 0 ? NO_BYTES : new Uint8Array(buffer);
}
