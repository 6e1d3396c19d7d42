import { ExtData, type Extension } from '../ext/extension.ts';
import { readTimestamp } from '../ext/Timestamp.ts';
import * as M from '../wire/markers.ts';
import { type DecoderState, UNKNOWN } from './DecoderState.ts';

/** Reads the payload of an ext whose header was read. */
export function readExt(
  decoder: DecoderState,
  type: number,
  length: number,
  markerOffset: number,
): unknown {
  const { config } = decoder;
  if (type === M.EXT_RECORD && decoder.fix !== 0x80)
    throw decoder.fail('record_malformed', markerOffset);
  decoder.checkExt(length, markerOffset);
  const start = decoder.pos;
  if (start + length > decoder.end) throw decoder.eof();
  decoder.pos = start + length;

  const own = config.extensions.ofType(type);
  if (own !== undefined) return readRegistered(decoder, own, start, length, markerOffset);
  switch (type) {
    case M.EXT_TIMESTAMP: {
      const time = readTimestamp(decoder.view, start, length, config.exactTimestamps);
      if (time !== undefined) return time;
      if (config.compatible && length === 1) return new Date(Number.NaN);
      throw decoder.fail('invalid_timestamp', markerOffset);
    }
    case M.EXT_UNDEFINED:
      if (length === 1 && decoder.src[start] === 0) return undefined;
      break;
  }
  const { moreTypes } = decoder.features;
  if (moreTypes !== undefined) {
    const value = moreTypes.readMore(decoder, type, start, length, markerOffset);
    if (value !== UNKNOWN) return value;
  }
  if (config.unknownExt === 'error')
    throw decoder.fail('unknown_ext', markerOffset, `type ${type}`);
  return new ExtData(type, decoder.bytes(start - decoder.base, start + length - decoder.base));
}

/** Whether an ext of this type and length is followed by the value that it refers to. */
export function valueFollows(decoder: DecoderState, type: number, length: number): boolean {
  const { config, features } = decoder;
  const own = config.extensions.ofType(type);
  if (own !== undefined) return own.read !== undefined;
  return features.moreTypes?.valueFollows(config, type, length) ?? false;
}

/** Reads the value that follows an ext, one level deeper, so that the depth limit applies to it. */
export function readFollowing(decoder: DecoderState, markerOffset: number): unknown {
  if (++decoder.depth > decoder.maxDepth) throw decoder.fail('depth_limit', markerOffset);
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
  const { context } = decoder.config;
  const value = extension.read === undefined ? undefined : readFollowing(decoder, markerOffset);
  try {
    if (extension.read !== undefined) return extension.read(value, context);
    const offset = start - decoder.base;
    return extension.unpack?.(decoder.bytes(offset, offset + length), context);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw decoder.fail('invalid_ext', markerOffset, detail, cause);
  }
}
