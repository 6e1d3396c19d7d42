/** Integers of all formats, and floats. */
import * as M from './markers.ts';

/** Returns the integer at a position, or NaN if it is not safe. */
export function safeIntegerAt(view: DataView, p: number): number {
  const marker = view.getUint8(p);
  if (marker < M.FIXMAP) return marker;
  switch (marker) {
    case M.UINT8:
      return view.getUint8(p + 1);
    case M.UINT16:
      return view.getUint16(p + 1);
    case M.UINT32:
      return view.getUint32(p + 1);
    case M.INT8:
      return view.getInt8(p + 1);
    case M.INT16:
      return view.getInt16(p + 1);
    case M.INT32:
      return view.getInt32(p + 1);
    case M.UINT64:
    case M.INT64: {
      const high = marker === M.UINT64 ? view.getUint32(p + 1) : view.getInt32(p + 1);
      const value = high * 0x100000000 + view.getUint32(p + 5);
      return Number.isSafeInteger(value) ? value : Number.NaN;
    }
    default:
      return (marker << 24) >> 24;
  }
}

/** Returns the integer at a position, a bigint if it is not safe. */
export function integerAt(view: DataView, p: number): number | bigint {
  const value = safeIntegerAt(view, p);
  if (!Number.isNaN(value)) return value;
  return view.getUint8(p) === M.UINT64 ? view.getBigUint64(p + 1) : view.getBigInt64(p + 1);
}

/** Returns the number at a position, exactly: a bigint where a number is not. */
export function numberAt(view: DataView, p: number): number | bigint {
  const marker = view.getUint8(p);
  if (marker === M.FLOAT32) return view.getFloat32(p + 1);
  if (marker === M.FLOAT64) return view.getFloat64(p + 1);
  return integerAt(view, p);
}

/** Returns the marker of an integer in its smallest format. */
export function integerMarker(value: number | bigint): number {
  if (value >= -32 && value < 0x80) return Number(value) & 0xff;
  // As many bits as the value and its complement, which has the sign of -1.
  const size = value < 0 ? 2 * -Number(value) - 1 : Number(value);
  const log = size <= 0xff ? 0 : size <= 0xffff ? 1 : size <= 0xffffffff ? 2 : 3;
  return (value < 0 ? M.INT8 : M.UINT8) + log;
}

/** Writes an integer in its smallest format, and returns its size. There must be room for nine bytes. */
export function setInteger(view: DataView, at: number, value: number | bigint): number {
  const marker = integerMarker(value);
  const size = M.HEADER_SIZE[marker] as number;
  view.setUint8(at, marker);
  if (size === 2) view.setUint8(at + 1, Number(value));
  else if (size === 3) view.setUint16(at + 1, Number(value));
  else if (size === 5) view.setUint32(at + 1, Number(value));
  else if (size === 9) view.setBigUint64(at + 1, BigInt.asUintN(64, BigInt(value)));
  return size;
}
