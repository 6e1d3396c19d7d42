/**
 * Bytes in memory, and what differs between Node (and runtimes with its Buffer) and browsers: allocating memory,
 * and converting bytes to strings and back.
 */

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

interface NodeBuffer extends Uint8Array {
  latin1Slice(start: number, end: number): string;
  ucs2Slice(start: number, end: number): string;
  utf8Write(value: string, offset: number, length: number): number;
}
interface NodeBufferConstructor {
  prototype: NodeBuffer;
  byteLength(value: string): number;
  allocUnsafeSlow(size: number): OwnBytes;
  from(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array;
  readonly [Symbol.species]?: ViewConstructor & { readonly prototype: NodeBuffer };
}
type ViewConstructor = new (buffer: ArrayBufferLike, offset: number, length: number) => Uint8Array;

/** What packing returns: a Buffer where the program has the types of Node, else a Uint8Array. */
export type Packed = typeof globalThis extends {
  Buffer: { alloc(size: number): infer B extends Uint8Array };
}
  ? B
  : OwnBytes;

const nodeBuffer: NodeBufferConstructor | undefined = (globalThis as { Buffer?: NodeBufferConstructor }).Buffer;
const hasSlices =
  typeof nodeBuffer?.prototype?.latin1Slice === 'function' && typeof nodeBuffer.prototype.utf8Write === 'function';
const proto = (hasSlices ? nodeBuffer?.prototype : undefined) as NodeBuffer;

// Made when they are used: some runtimes lack them, and don't need them.
let utf8Encoder: TextEncoder | undefined;
let latin1Decoder: TextDecoder | undefined;

/** Allocates memory, not cleared where the platform can do so: a Buffer in Node. */
export const allocate: (size: number) => OwnBytes =
  nodeBuffer === undefined ? (size) => new Uint8Array(size) : (size) => nodeBuffer.allocUnsafeSlow(size);

/**
 * The class of views of memory. In Node it is the one that Buffer makes its own views with: called
 * directly it takes a quarter of the time of `Buffer.from` and `subarray`.
 */
const Species = /* @__PURE__ */ (() => nodeBuffer?.[Symbol.species])();
const View: ViewConstructor | undefined =
  nodeBuffer === undefined
    ? Uint8Array
    : Species?.prototype === nodeBuffer.prototype && (Species as unknown) !== nodeBuffer
      ? Species
      : undefined;

/** Makes a view of memory: a Buffer in Node, else a Uint8Array. */
export const viewOf: (buffer: ArrayBufferLike, offset: number, length: number) => Uint8Array =
  View === undefined
    ? (buffer, offset, length) => (nodeBuffer as NodeBufferConstructor).from(buffer, offset, length)
    : (buffer, offset, length) => new View(buffer, offset, length);

/** Whether {@link viewOf} makes views of the same class as these bytes. */
export function isOwnClass(bytes: Uint8Array): boolean {
  return Object.getPrototypeOf(bytes) === (nodeBuffer ?? Uint8Array).prototype;
}

/**
 * Returns one character for each byte. Only ASCII is used: in browsers the decoder with the
 * label latin1 returns other characters from 0x80 to 0x9f.
 */
export const latin1String: (bytes: Uint8Array, start: number, end: number) => string = hasSlices
  ? (bytes, start, end) => proto.latin1Slice.call(bytes, start, end)
  : (bytes, start, end) => {
      latin1Decoder ??= new TextDecoder('latin1');
      return latin1Decoder.decode(bytes.subarray(start, end));
    };

/**
 * Counts the bytes from 0x80 on in what {@link latin1String} returned; undefined where the
 * platform has no way to do so that is faster than converting UTF-8.
 */
export const countWide: ((latin: string) => number) | undefined = hasSlices
  ? (latin) => (nodeBuffer as NodeBufferConstructor).byteLength(latin) - latin.length
  : undefined;

/** Converts UTF-16 code units to a string. */
export const utf16String: (units: Uint16Array, length: number) => string = hasSlices
  ? (units, length) => proto.ucs2Slice.call(units as unknown as Uint8Array, 0, length * 2)
  : (units, length) => {
      let value = '';
      // Engines limit the number of arguments.
      for (let i = 0; i < length; i += 4096)
        value += String.fromCharCode.apply(null, units.subarray(i, Math.min(i + 4096, length)) as unknown as number[]);
      return value;
    };

/**
 * Writes a string as UTF-8, lone surrogates as U+FFFD, and returns the number of bytes. There
 * must be room for three bytes per code unit.
 */
export const writeUtf8: (bytes: Uint8Array, value: string, at: number) => number = hasSlices
  ? // Node writes nothing where it is given more room than 2^31 - 1.
    (bytes, value, at) => proto.utf8Write.call(bytes, value, at, Math.min(bytes.length - at, 0x7fffffff))
  : (bytes, value, at) => {
      utf8Encoder ??= new TextEncoder();
      return utf8Encoder.encodeInto(value, bytes.subarray(at)).written;
    };
