import { ExtData } from '../ext/extension.ts';
import { readTimestamp } from '../ext/Timestamp.ts';
import { NO_IDS } from '../record/structures.ts';
import * as M from '../wire/markers.ts';
import type { DecoderState, ExtReader } from './DecoderState.ts';

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
