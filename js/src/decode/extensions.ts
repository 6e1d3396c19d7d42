import { ExtData, type Extension } from '../ext/extension.ts';
import { readTimestamp } from '../ext/Timestamp.ts';
import { NO_IDS } from '../record/structures.ts';
import * as M from '../wire/markers.ts';
import { type DecoderState, type ExtReader, UNKNOWN } from './DecoderState.ts';

export function readExtension(decoder: DecoderState, type: number, length: number, markerOffset: number): unknown {
  const { rich } = decoder.features;
  // Before the payload is passed over, of which not all may be there.
  if (decoder.config.rich) rich?.checkNumber(decoder, type, length, markerOffset);
  return extAt(decoder, type, passExt(decoder, type, length, markerOffset), length, markerOffset);
}

/** Returns the value of an ext whose payload was passed over. */
export const extAt: ExtReader = (decoder, type, start, length, markerOffset) => {
  const { config } = decoder;
  const own = config.extensions.ofType(type);
  if (own !== undefined && !(decoder.alone && own.read !== undefined))
    return readRegistered(decoder, own, start, length, markerOffset);
  const { rich, types, references, columns } = decoder.features;
  if (type === M.EXT_COLUMNS && config.columns && !decoder.alone)
    if (columns?.isReadable(decoder, start, length)) return columns.readColumns(decoder, start, length, markerOffset);
  if (config.rich && rich !== undefined) {
    // Not by a function between the two: sets in sets take few frames of the stack.
    if (type === M.EXT_RICH_SET)
      return decoder.level === 0
        ? rich.readSet(decoder, start, length, markerOffset)
        : rich.readInner(decoder, start, length, markerOffset);
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
  return builtInAt(decoder, type, start, length, markerOffset);
};

export function valueFollows({ config, features }: DecoderState, type: number, length: number): boolean {
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

/** Passes over the payload of an ext whose header was read, and returns its position. */
export function passExt(decoder: DecoderState, type: number, length: number, markerOffset: number): number {
  if (type === M.EXT_RECORD && decoder.fix !== NO_IDS) throw decoder.fail('record_malformed', markerOffset);
  decoder.checkExt?.(length, markerOffset);
  const start = decoder.pos;
  if (start + length > decoder.end) throw decoder.eof();
  decoder.pos = start + length;
  return start;
}

/** Returns the value of an ext that nothing but the format knows, whose payload was passed over. */
export const builtInAt: ExtReader = (decoder, type, start, length, markerOffset) => {
  const { config, features } = decoder;
  if (type === M.EXT_TIMESTAMP) {
    const time = readTimestamp(decoder.view, start, length, config.timestamps) ?? features.peer?.dateOf(length);
    if (time !== undefined) return time;
    throw decoder.fail('invalid_timestamp', markerOffset);
  }
  if (type === M.EXT_UNDEFINED && length === 1 && decoder.src[start] === 0) return undefined;
  if (config.unknownExt === 'error') throw decoder.fail('unknown_ext', markerOffset, `type ${type}`);
  return new ExtData(type, decoder.bytes(start - decoder.base, start + length - decoder.base));
};
