/** Where values end. */
import { type Header, newHeader, readHeader, WHOLE_SIZE } from './header.ts';

const HEADER: Header = /* @__PURE__ */ newHeader();

/** Where a value ends, and how many values it is with those in it. One object for all calls. */
export interface Extent {
  end: number;
  values: number;
}

const extent: Extent = { end: 0, values: 0 };

/** Passes over the value at a position; undefined where `end` cuts it off. */
export function extentAt(src: Uint8Array, view: DataView, start: number, end: number): Readonly<Extent> | undefined {
  let p = start;
  let values = 0;
  for (let left = 1; left > 0; left--) {
    if (left > end - p) return undefined;
    values++;
    const size = WHOLE_SIZE[src[p] as number] as number;
    if (size > 0) {
      p += size;
      continue;
    }
    if (!readHeader(view, p, end, HEADER)) return undefined;
    const { kind, count } = HEADER;
    p += HEADER.size;
    if (kind === 'array') left += count;
    else if (kind === 'map') left += 2 * count;
    else p += count;
  }
  if (p > end) return undefined;
  extent.end = p;
  extent.values = values;
  return extent;
}
