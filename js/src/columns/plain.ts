/** Passing over the values of PLAIN. */
import { type Header, newHeader, readHeader } from '../wire/header.ts';
import { need } from './malformed.ts';

const header: Header = /* @__PURE__ */ newHeader();

/** Where a value ends, and how many values it is with those in it. One object for all calls. */
interface Passed {
  end: number;
  values: number;
}

const passed: Passed = { end: 0, values: 0 };

/** Passes over the value at a position. */
export function skipPlain(
  src: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): Readonly<Passed> {
  let p = start;
  let values = 0;
  for (let left = 1; left > 0; left--) {
    need(left <= end - p);
    const t = src[p] as number;
    values++;
    if (t < 0x80 || t >= 0xe0) p++;
    else if (t >= 0xa0 && t < 0xc0) {
      p += 1 + (t & 0x1f);
      need(p <= end);
    } else {
      need(readHeader(view, p, end, header));
      p += header.size;
      if (header.kind === 'array') left += header.count;
      else if (header.kind === 'map') left += 2 * header.count;
      else p += header.count;
    }
  }
  need(p <= end);
  passed.end = p;
  passed.values = values;
  return passed;
}
