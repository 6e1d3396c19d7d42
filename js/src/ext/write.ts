import type { Writer } from '../encode/writer.ts';
import * as M from '../wire/markers.ts';
import { viewOf } from '../wire/platform.ts';
import { C1Type } from './c1.ts';
import { ExtData, type Extension } from './extension.ts';
import { Timestamp } from './timestamp.ts';
import { typedArrayBytes } from './typed-array.ts';

const TypedArray = Object.getPrototypeOf(Uint8Array) as abstract new () => Uint8Array;

interface WithJSON {
  readonly toJSON?: () => unknown;
}

/** Writes an object that is neither a plain one nor a plain array. */
export function writeInstance(writer: Writer, value: object): void {
  const { config } = writer;
  const extension = config.extensions.ofValue(value);
  if (extension !== undefined) {
    writeExtension(writer, extension, value);
    return;
  }
  const own = config.useToJSON ? ownToJSON(value) : undefined;
  if (own !== undefined) {
    const json = own.call(value);
    if (json !== value) {
      writeReplacement(writer, value, json);
      return;
    }
  }
  if (!writeBuiltIn(writer, value)) writer.fieldsOf(value);
}

/** The `toJSON` that a class brings along, as opposed to those of the platform's own types. */
function ownToJSON(value: object): (() => unknown) | undefined {
  const { toJSON } = value as WithJSON;
  if (typeof toJSON !== 'function' || value instanceof Timestamp) return undefined;
  if (toJSON === Date.prototype.toJSON) return undefined;
  const proto = Object.getPrototypeOf(value);
  // Buffer is the one platform class besides Date with a toJSON, and Arrays have none.
  if (value instanceof TypedArray && proto !== null && !Object.hasOwn(value, 'toJSON'))
    return undefined;
  return toJSON;
}

/** Replacements within replacements are counted, so that they can't go on for ever. */
function writeReplacement(writer: Writer, value: object, replacement: unknown): void {
  if (writer.open?.includes(value)) throw writer.fail('cycle');
  if (++writer.replacements > writer.maxDepth) throw writer.fail('depth_limit');
  writer.write(replacement);
  writer.replacements--;
}

function writeExtension(writer: Writer, extension: Extension, value: object): void {
  const { context } = writer.config;
  if (extension.write !== undefined) {
    const replacement = extension.write(value, context);
    if (extension.type !== undefined) {
      writer.reserve(3);
      writer.extHeader(extension.type, 1);
      writer.byte(0);
    }
    if (replacement !== value) writeReplacement(writer, value, replacement);
    else if (Array.isArray(value)) writer.array(value);
    else writer.fieldsOf(value);
    return;
  }
  // msgpackr gives functions that write into the message, where packord gives the context.
  const pack = extension.pack as ((value: object, ...more: unknown[]) => unknown) | undefined;
  const payload = writer.config.compatible
    ? pack?.(value, (size: number) => allocateForWrite(writer, size), writer.write.bind(writer))
    : pack?.(value, context);
  if (payload === undefined || payload === null) return;
  if (!(payload instanceof Uint8Array))
    throw writer.fail('unsupported_type', 'pack of an extension gives no Uint8Array');
  writer.ext(extension.type as number, payload);
}

/** Room for bytes that an extension writes itself, as msgpackr hands it out. */
function allocateForWrite(writer: Writer, size: number): object {
  writer.reserve(size);
  const { buf: target, view: targetView, pos: position } = writer;
  writer.pos += size;
  return { target, targetView, position };
}

function writeBuiltIn(writer: Writer, value: object): boolean {
  const { config } = writer;
  if (value instanceof Map) {
    if (config.mapAsEmptyObject) writer.mapHeader(0);
    else writer.map(value);
  } else if (value instanceof Date) writeDate(writer, value);
  else if (value instanceof Timestamp) writeTimestamp(writer, value.seconds, value.nanoseconds);
  else if (value instanceof TypedArray || value instanceof DataView) writeBytes(writer, value);
  else if (value instanceof ArrayBuffer) {
    if (config.moreTypes) writeTypedArray(writer, value);
    else writer.bin(new Uint8Array(value));
  } else if (value instanceof ExtData) writer.ext(value.type, value.data);
  else if (value instanceof Set) {
    if (config.setAsEmptyObject) writer.write({});
    else writeTagged(writer, M.EXT_SET, Array.from(value));
  } else if (value instanceof Error)
    writeTagged(writer, M.EXT_ERROR, [value.name, value.message, value.cause]);
  else if (value instanceof RegExp) writeTagged(writer, M.EXT_REGEXP, [value.source, value.flags]);
  else if (Array.isArray(value)) writer.array(value);
  else if (value instanceof C1Type) {
    if (!config.compatible) throw writer.fail('unsupported_type', 'C1');
    writer.byte(M.RESERVED);
  } else return false;
  return true;
}

/** A value that msgpackr writes as an array, behind an ext with the option `moreTypes`. */
function writeTagged(writer: Writer, type: number, parts: unknown[]): void {
  if (writer.config.moreTypes) {
    writer.extHeader(type, 1);
    writer.byte(0);
  }
  if (writer.references === null) writer.array(parts);
  else writer.write(parts);
}

function writeBytes(writer: Writer, value: ArrayBufferView): void {
  const isBytes =
    value instanceof Uint8Array &&
    (!writer.config.moreTypes ||
      value.constructor === viewOf(new ArrayBuffer(0), 0, 0).constructor);
  if (isBytes) writer.bin(value);
  else if (writer.config.moreTypes) writeTypedArray(writer, value);
  else writer.bin(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
}

function writeTypedArray(writer: Writer, value: ArrayBuffer | ArrayBufferView): void {
  const payload = typedArrayBytes(value);
  if (!writer.config.compatible || payload.length > 0xff) {
    writer.ext(M.EXT_TYPED_ARRAY, payload);
    return;
  }
  // msgpackr never takes the fixext formats here.
  writer.raw(Uint8Array.of(M.EXT8, payload.length, M.EXT_TYPED_ARRAY));
  writer.raw(payload);
}

function writeDate(writer: Writer, date: Date): void {
  const { config } = writer;
  const ms = date.getTime();
  if (Number.isNaN(ms)) {
    if (config.onInvalidDate !== undefined) writer.write(config.onInvalidDate());
    else if (config.compatible) writer.ext(M.EXT_TIMESTAMP, Uint8Array.of(0xff));
    else throw writer.fail('out_of_range', 'an invalid Date needs onInvalidDate');
    return;
  }
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = config.timestamp32 ? 0 : (ms - seconds * 1000) * 1_000_000;
  // msgpackr has the format of 96 bits from 2106 on, packord from 2514.
  if (config.compatible && seconds >= 0x100000000)
    writeTimestamp96(writer, BigInt(seconds), (ms - seconds * 1000) * 1_000_000);
  else writeTimestamp(writer, BigInt(seconds), nanoseconds);
}

/** The smallest of the three formats that can hold a time. */
function writeTimestamp(writer: Writer, seconds: bigint, nanoseconds: number): void {
  if (seconds >= 0n && seconds < 0x100000000n && nanoseconds === 0) {
    writer.extHeader(M.EXT_TIMESTAMP, 4);
    writer.view.setUint32(writer.pos, Number(seconds));
    writer.pos += 4;
  } else if (seconds >= 0n && seconds < 0x400000000n) {
    writer.extHeader(M.EXT_TIMESTAMP, 8);
    writer.view.setBigUint64(writer.pos, (BigInt(nanoseconds) << 34n) | seconds);
    writer.pos += 8;
  } else writeTimestamp96(writer, seconds, nanoseconds);
}

function writeTimestamp96(writer: Writer, seconds: bigint, nanoseconds: number): void {
  writer.extHeader(M.EXT_TIMESTAMP, 12);
  writer.reserve(12);
  writer.view.setUint32(writer.pos, nanoseconds);
  writer.view.setBigInt64(writer.pos + 4, seconds);
  writer.pos += 12;
}
