/** What msgpackr writes otherwise than packord. */
import type { EncoderState } from '../encode/EncoderState.ts';
import { writeTimestamp96 } from '../encode/instances.ts';
import { C1Type } from '../ext/extension.ts';
import { isTimestamp } from '../ext/Timestamp.ts';
import * as M from '../wire/markers.ts';
import type { MsgpackrOptions } from './options.ts';

function writeDate(encoder: EncoderState, date: Date, options: MsgpackrOptions): boolean {
  const { msgpackrBytes } = encoder.config;
  const ms = date.getTime();
  if (Number.isNaN(ms)) {
    if (options.onInvalidDate !== undefined) encoder.write(options.onInvalidDate());
    else if (msgpackrBytes) encoder.ext(M.EXT_TIMESTAMP, Uint8Array.of(0xff));
    else return false;
    return true;
  }
  const seconds = Math.floor(ms / 1000);
  // msgpackr uses timestamp 96 from 2106 on, packord from 2514.
  if (msgpackrBytes && seconds >= 0x100000000)
    writeTimestamp96(encoder, BigInt(seconds), (ms - seconds * 1000) * 1_000_000);
  else if (options.useTimestamp32 && ms % 1000 !== 0) encoder.write(new Date(seconds * 1000));
  else return false;
  return true;
}

/** Returns what writes values of built-in classes where msgpackr does that otherwise. */
export function writerOf(
  options: MsgpackrOptions,
): (encoder: EncoderState, value: object) => boolean {
  return (encoder, value) => {
    if (value instanceof Date && !isTimestamp(value)) return writeDate(encoder, value, options);
    if (value instanceof Map && options.mapAsEmptyObject) encoder.mapHeader(0);
    else if (value instanceof Set && options.setAsEmptyObject) encoder.write({});
    else if (value instanceof C1Type) encoder.byte(M.RESERVED);
    else return false;
    return true;
  };
}

/** Returns the functions with which an extension writes into the message itself. */
export function packArguments(encoder: EncoderState): readonly unknown[] {
  const allocateForWrite = (size: number): object => {
    encoder.reserve(size);
    const { buf: target, view: targetView, pos: position } = encoder;
    encoder.pos += size;
    return { target, targetView, position };
  };
  return [allocateForWrite, encoder.write.bind(encoder)];
}
