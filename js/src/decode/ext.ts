import { ExtData, type Extension } from '../ext/extension.ts';
import { readTimestamp } from '../ext/Timestamp.ts';
import { NO_IDS } from '../record/structures.ts';
import * as M from '../wire/markers.ts';
import { type DecoderState, UNKNOWN } from './DecoderState.ts';

/** Reads the payload of an ext whose header was read. */
export function readExt(decoder: DecoderState, type: number, length: number, markerOffset: number): unknown {
  if (type === M.EXT_RECORD && decoder.fix !== NO_IDS) throw decoder.fail('record_malformed', markerOffset);
  decoder.checkExt(length, markerOffset);
  if (decoder.config.rich) decoder.features.rich?.checkNumber(decoder, type, length, markerOffset);
  const start = decoder.pos;
  if (start + length > decoder.end) throw decoder.eof();
  decoder.pos = start + length;
  return extAt(decoder, type, start, length, markerOffset);
}

/** Returns the value of an ext whose payload was passed over. */
export function extAt(
  decoder: DecoderState,
  type: number,
  start: number,
  length: number,
  markerOffset: number,
): unknown {
  const { config } = decoder;
  const own = config.extensions.ofType(type);
  if (own !== undefined && !(decoder.alone && own.read !== undefined))
    return readRegistered(decoder, own, start, length, markerOffset);
  switch (type) {
    case M.EXT_TIMESTAMP: {
      const time = readTimestamp(decoder.view, start, length, config.timestamps);
      if (time !== undefined) return time;
      const date = decoder.features.peer?.dateOf(length);
      if (date !== undefined) return date;
      throw decoder.fail('invalid_timestamp', markerOffset);
    }
    case M.EXT_UNDEFINED:
      if (length === 1 && decoder.src[start] === 0) return undefined;
      break;
  }
  const { rich, types, references, columns } = decoder.features;
  if (type === M.EXT_COLUMNS && config.columns && !decoder.alone)
    if (columns?.isReadable(decoder, start, length)) return columns.readColumns(decoder, start, length, markerOffset);
  if (config.rich && rich !== undefined) {
    // Not by a function between the two: sets in sets take few frames of the stack.
    if (type === M.EXT_RICH_SET) return rich.readSet(decoder, start, length, markerOffset);
    const value = rich.readRich(decoder, type, start, length, markerOffset);
    if (value !== UNKNOWN) return value;
  }
  if (types !== undefined) {
    const value = types.readMore(decoder, type, start, length, markerOffset);
    if (value !== UNKNOWN) return value;
  }
  if (references !== undefined && !decoder.alone) {
    const value = references.readReference(decoder, type, start, length, markerOffset);
    if (value !== UNKNOWN) return value;
  }
  if (config.unknownExt === 'error') throw decoder.fail('unknown_ext', markerOffset, `type ${type}`);
  return new ExtData(type, decoder.bytes(start - decoder.base, start + length - decoder.base));
}

/** Whether an ext of this type and length is followed by the value that it refers to. */
export function valueFollows(decoder: DecoderState, type: number, length: number): boolean {
  const { config, features } = decoder;
  const own = config.extensions.ofType(type);
  if (own !== undefined) return own.read !== undefined;
  return (
    (features.types?.valueFollows(config, type, length) || features.references?.valueFollows(config, type, length)) ??
    false
  );
}

/** Reads the value that follows an ext, one level deeper, so that the depth limit applies to it. */
export function readFollowing(decoder: DecoderState, markerOffset: number): unknown {
  decoder.deepen(markerOffset);
  const value = decoder.read();
  decoder.depth--;
  return value;
}

function readRegistered(
  decoder: DecoderState,
  extension: Extension,
  start: number,
  length: number,
  markerOffset: number,
): unknown {
  const offset = start - decoder.base;
  const given =
    extension.read === undefined ? decoder.bytes(offset, offset + length) : readFollowing(decoder, markerOffset);
  return made(decoder, extension, given, markerOffset);
}

/** Returns what an extension makes of a payload, or of the value that it refers to. */
export function made(decoder: DecoderState, extension: Extension, given: unknown, markerOffset: number): unknown {
  const { context } = decoder.config;
  try {
    return extension.read === undefined
      ? extension.unpack?.(given as Uint8Array, context)
      : extension.read(given, context);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw decoder.fail('invalid_ext', markerOffset, detail, cause);
  }
}
