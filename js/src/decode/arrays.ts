import * as M from '../wire/markers.ts';
import type { Reader } from './reader.ts';

/**
 * Two or three floats, as coordinates are: there are many in one message, and opening an
 * array takes longer than reading them. Undefined for all else.
 */
function readPoint(reader: Reader, count: number, p: number): number[] | undefined {
  const { src, view, end, pending } = reader;
  if (src[p] !== M.FLOAT64 || src[p + 9] !== M.FLOAT64 || p + 9 * count > end) return undefined;
  if (pending + count > end - p || reader.depth >= reader.maxDepth) return undefined;
  if (reader.inline === 0 || reader.config.freezeData) return undefined;
  if (count === 2) return [view.getFloat64(p + 1), view.getFloat64(p + 10)];
  if (src[p + 18] !== M.FLOAT64) return undefined;
  return [view.getFloat64(p + 1), view.getFloat64(p + 10), view.getFloat64(p + 19)];
}

/**
 * Reads the elements of an array whose header was read. Numbers, short strings and arrays are
 * taken at once, unless an option asks to look at each value (`inline` is 0 then).
 */
export function readArray(reader: Reader, count: number, at: number): unknown[] {
  reader.openArray(count, at);
  const outer = reader.pending;
  const array = new Array(count);
  const { src, view, end, inline } = reader;
  const numbersEnd = inline === 0 ? 0 : end - 8;
  let p = reader.pos;
  for (let i = 0; i < count; i++) {
    const t = p < end ? (src[p] as number) : M.RESERVED;
    if (t < inline) {
      array[i] = t;
      p++;
    } else if (t >= M.FLOAT64 && t <= M.INT32 && p < numbersEnd && t !== M.UINT64) {
      // Each kind of number is stored by a statement of its own: a float then gets into an
      // array of floats without an object around it.
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
      } else {
        array[i] = view.getInt8(p + 1);
        p += 2;
      }
    } else if (t >= 0xa0 && t < 0xc0 && inline > 0) {
      array[i] = reader.textAt(p + 1, t & 0x1f);
      p += 1 + (t & 0x1f);
    } else {
      reader.pending = outer + count - i - 1;
      const point = t === 0x92 || t === 0x93 ? readPoint(reader, t & 0x0f, p + 1) : undefined;
      if (point !== undefined) {
        array[i] = point;
        p += 1 + 9 * (t & 0x0f);
        continue;
      }
      if (t >= 0x90 && t < 0xa0 && inline > 0) {
        reader.pos = p + 1;
        array[i] = readArray(reader, t & 0x0f, p);
      } else {
        reader.pos = p;
        array[i] = reader.read();
      }
      p = reader.pos;
    }
  }
  reader.pos = p;
  reader.depth--;
  return reader.config.freezeData ? (Object.freeze(array) as unknown[]) : array;
}
