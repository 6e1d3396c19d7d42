import * as M from '../wire/markers.ts';
import type { DecoderState } from './DecoderState.ts';

/**
 * Reads two or three floats, as coordinates are: one message has many, and opening an array
 * takes longer than reading them. Returns undefined for anything else.
 */
function readPoint(decoder: DecoderState, count: number, p: number): number[] | undefined {
  const { src, view, end, pending } = decoder;
  if (src[p] !== M.FLOAT64 || src[p + 9] !== M.FLOAT64 || p + 9 * count > end) return undefined;
  if (pending + count > end - p || decoder.depth >= decoder.maxDepth) return undefined;
  if (!decoder.shortcuts) return undefined;
  if (count === 2) return [view.getFloat64(p + 1), view.getFloat64(p + 10)];
  if (src[p + 18] !== M.FLOAT64) return undefined;
  return [view.getFloat64(p + 1), view.getFloat64(p + 10), view.getFloat64(p + 19)];
}

/**
 * Whether an empty array or object may be read here, which takes less time than opening it as a
 * container. The options for arrays alone are not worth a test of their own.
 */
function mayBeEmpty(decoder: DecoderState, p: number): boolean {
  return (
    decoder.shortcuts &&
    decoder.depth < decoder.maxDepth &&
    decoder.pending < decoder.end - p &&
    decoder.config.maps !== 'map'
  );
}

/**
 * Reads the elements of an array whose header was read. Numbers, short strings and arrays are
 * read here, unless an option applies to each value (`inline` is 0 then).
 */
export function readArray(decoder: DecoderState, count: number, markerOffset: number): unknown[] {
  decoder.openArray(count, markerOffset);
  const outerPending = decoder.pending;
  const array = new Array(count);
  const { src, view, end, inline, safeHigh } = decoder;
  const numbersEnd = inline === 0 ? 0 : end - 8;
  let p = decoder.pos;
  for (let i = 0; i < count; i++) {
    const t = p < end ? (src[p] as number) : M.RESERVED;
    if (t < inline) {
      array[i] = t;
      p++;
    } else if (t >= M.FLOAT64 && t <= M.INT64 && p < numbersEnd) {
      // Each type of number has a store of its own: V8 then puts a float into an array of
      // floats without boxing it.
      if (t === M.FLOAT64) {
        array[i] = view.getFloat64(p + 1);
        p += 9;
      } else if (t === M.UINT8) {
        array[i] = src[p + 1];
        p += 2;
      } else if (t === M.UINT16) {
        array[i] = view.getUint16(p + 1);
        p += 3;
      } else if (t === M.INT32) {
        array[i] = view.getInt32(p + 1);
        p += 5;
      } else if (t === M.UINT32) {
        array[i] = view.getUint32(p + 1);
        p += 5;
      } else if (t === M.INT16) {
        array[i] = view.getInt16(p + 1);
        p += 3;
      } else if (t === M.INT8) {
        array[i] = view.getInt8(p + 1);
        p += 2;
      } else {
        const high = t === M.UINT64 ? view.getUint32(p + 1) : view.getInt32(p + 1);
        if (high < safeHigh && high > -safeHigh) {
          array[i] = high * 0x100000000 + view.getUint32(p + 5);
          p += 9;
        } else if (decoder.config.int64 === 'auto' && high % safeHigh !== 0) {
          array[i] = t === M.UINT64 ? view.getBigUint64(p + 1) : view.getBigInt64(p + 1);
          p += 9;
        } else {
          decoder.pos = p;
          array[i] = decoder.read();
          p = decoder.pos;
        }
      }
    } else if (t >= 0xa0 && t < 0xc0 && inline > 0) {
      array[i] = decoder.stringAt(p + 1, t & 0x1f);
      p += 1 + (t & 0x1f);
    } else if (t >= M.NIL && t <= M.TRUE && t !== M.RESERVED && inline > 0) {
      array[i] = t === M.NIL ? null : t === M.TRUE;
      p++;
    } else {
      decoder.pending = outerPending + count - i - 1;
      if ((t === 0x90 || t === 0x80) && mayBeEmpty(decoder, p)) {
        array[i] = t === 0x90 ? [] : {};
        p++;
        continue;
      }
      const point = t === 0x92 || t === 0x93 ? readPoint(decoder, t & 0x0f, p + 1) : undefined;
      if (point !== undefined) {
        array[i] = point;
        p += 1 + 9 * (t & 0x0f);
        continue;
      }
      if (t >= 0x90 && t < 0xa0 && inline > 0) {
        decoder.pos = p + 1;
        array[i] = decoder.array(t & 0x0f, p);
      } else {
        decoder.pos = p;
        array[i] = decoder.read();
      }
      p = decoder.pos;
    }
  }
  decoder.pos = p;
  decoder.depth--;
  return decoder.config.freezeData ? (Object.freeze(array) as unknown[]) : array;
}
