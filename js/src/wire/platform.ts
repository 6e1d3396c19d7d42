/**
 * What differs between Node (and runtimes with its Buffer) and browsers: making
 * bytes, and turning bytes into strings and back. Everything else in the package
 * is plain JavaScript.
 */
interface NodeBuffer extends Uint8Array {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
  ucs2Slice(start: number, end: number): string;
  utf8Write(text: string, offset: number, length: number): number;
}
interface NodeBufferConstructor {
  prototype: NodeBuffer;
  allocUnsafeSlow(size: number): Uint8Array<ArrayBuffer>;
  from(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array;
}

const nodeBuffer: NodeBufferConstructor | undefined = (
  globalThis as { Buffer?: NodeBufferConstructor }
).Buffer;
const hasSlices =
  typeof nodeBuffer?.prototype?.latin1Slice === 'function' &&
  typeof nodeBuffer.prototype.utf8Write === 'function';
const proto = (hasSlices ? nodeBuffer?.prototype : undefined) as NodeBuffer;

const utf8Decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });
const utf8Encoder = /* @__PURE__ */ new TextEncoder();

/** Memory that is not cleared where the platform has it: a Buffer in Node. */
export const allocate: (size: number) => Uint8Array<ArrayBuffer> =
  nodeBuffer === undefined
    ? (size) => new Uint8Array(size)
    : (size) => nodeBuffer.allocUnsafeSlow(size);

/** Bytes as the platform's users know them: a Buffer in Node, else a Uint8Array. */
export const viewOf: (buffer: ArrayBufferLike, offset: number, length: number) => Uint8Array =
  nodeBuffer === undefined
    ? (buffer, offset, length) => new Uint8Array(buffer, offset, length)
    : (buffer, offset, length) => nodeBuffer.from(buffer, offset, length);

/**
 * One character for each byte. Only the ASCII ones are used: in browsers the
 * decoder behind the label latin1 gives other characters from 0x80 to 0x9f.
 */
export const byteText: (bytes: Uint8Array, start: number, end: number) => string = hasSlices
  ? (bytes, start, end) => proto.latin1Slice.call(bytes, start, end)
  : /* @__PURE__ */ (() => {
      const decoder = new TextDecoder('latin1');
      return (bytes: Uint8Array, start: number, end: number) =>
        decoder.decode(bytes.subarray(start, end));
    })();

/** UTF-8 to text; ill-formed sequences become U+FFFD as the WHATWG decoder does it. */
export const utf8Text: (bytes: Uint8Array, start: number, end: number) => string = hasSlices
  ? (bytes, start, end) => proto.utf8Slice.call(bytes, start, end)
  : (bytes, start, end) => utf8Decoder.decode(bytes.subarray(start, end));

/** UTF-16 code units to text. */
export const unitText: (units: Uint16Array, length: number) => string = hasSlices
  ? (units, length) => proto.ucs2Slice.call(units as unknown as Uint8Array, 0, length * 2)
  : (units, length) =>
      String.fromCharCode.apply(null, units.subarray(0, length) as unknown as number[]);

/**
 * Text as UTF-8 at `at`, lone surrogates as U+FFFD; the number of bytes. There must
 * be room for three bytes a code unit.
 */
export const writeUtf8: (bytes: Uint8Array, text: string, at: number) => number = hasSlices
  ? (bytes, text, at) => proto.utf8Write.call(bytes, text, at, bytes.length - at)
  : (bytes, text, at) => utf8Encoder.encodeInto(text, bytes.subarray(at)).written;

/** Text as UTF-8 in an array of its own, lone surrogates as U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return utf8Encoder.encode(text);
}
