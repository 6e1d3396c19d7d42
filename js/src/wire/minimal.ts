import { isWhole } from './floats.ts';
import { type Header, newHeader, readHeader } from './header.ts';
import { integerAt, integerMarker } from './integers.ts';
import * as M from './markers.ts';
import { readTime, timeSize } from './timestamps.ts';

const HEADER: Header = /* @__PURE__ */ newHeader();
/** The bits of the one NaN that is written. */
const NAN_BITS = 0x7ff8000000000000n;
const FIXEXT: readonly number[] = [1, 2, 4, 8, 16];

/** Returns the size of the smallest header of a kind with a length or a count. */
function headerSize({ kind, count }: Header): number {
  const wide = count > 0xffff ? 5 : count > 0xff ? 3 : 2;
  switch (kind) {
    case 'str':
      return count < 32 ? 1 : wide;
    case 'bin':
      return wide;
    case 'ext':
      return FIXEXT.includes(count) ? 2 : wide + 1;
    default:
      return count < 16 ? 1 : Math.max(wide, 3);
  }
}

/** Whether the value at a position has its canonical header, integer, float or timestamp (spec/format.md 4.2). */
export function isMinimal(view: DataView, at: number): boolean {
  if (!readHeader(view, at, view.byteLength, HEADER)) return true;
  const { kind, size, count, type } = HEADER;
  switch (kind) {
    case 'nil':
    case 'bool':
    case 'reserved':
      return true;
    case 'integer':
      return view.getUint8(at) === integerMarker(integerAt(view, at));
    case 'float': {
      if (size !== 9) return false;
      const value = view.getFloat64(at + 1);
      return Number.isNaN(value) ? view.getBigUint64(at + 1) === NAN_BITS : !isWhole(value);
    }
  }
  if (kind === 'ext' && type === M.EXT_TIMESTAMP && at + size + count <= view.byteLength) {
    const time = readTime(view, at + size, count);
    if (time !== undefined && timeSize(time) !== count) return false;
  }
  return size === headerSize(HEADER);
}
