import * as M from './markers.ts';

/** What a marker stands for, in the words of spec/errors.md section 3. */
export type MarkerKind = 'nil' | 'bool' | 'integer' | 'float' | 'str' | 'bin' | 'ext' | 'array' | 'map' | 'reserved';

export const KINDS: readonly MarkerKind[] = /* @__PURE__ */ (() => {
  const kinds = new Array<MarkerKind>(256).fill('integer');
  const from = (first: number, kind: MarkerKind) => kinds.fill(kind, first);
  from(M.FIXMAP, 'map');
  from(M.FIXARRAY, 'array');
  from(M.FIXSTR, 'str');
  from(M.NIL, 'nil');
  from(M.RESERVED, 'reserved');
  from(M.FALSE, 'bool');
  from(M.BIN8, 'bin');
  from(M.EXT8, 'ext');
  from(M.FLOAT32, 'float');
  from(M.UINT8, 'integer');
  from(M.FIXEXT1, 'ext');
  from(M.STR8, 'str');
  from(M.ARRAY16, 'array');
  from(M.MAP16, 'map');
  from(M.NEGATIVE, 'integer');
  return kinds;
})();

/** Sizes of the count or length that follows a marker; 0 without one. */
const COUNT_SIZE: Uint8Array = /* @__PURE__ */ (() => {
  const size = new Uint8Array(256);
  for (const first of [M.BIN8, M.EXT8, M.STR8]) size.set([1, 2, 4], first);
  size.set([2, 4, 2, 4], M.ARRAY16);
  return size;
})();

/** Sizes of nil, booleans, numbers and short strings with all that belongs to them; 0 for other markers. */
export const WHOLE_SIZE: Uint8Array = /* @__PURE__ */ Uint8Array.from(KINDS, (kind, t) => {
  if (kind === 'str') return M.HEADER_SIZE[t] === 1 ? 1 + (t & 0x1f) : 0;
  const isScalar = kind === 'nil' || kind === 'bool' || kind === 'integer' || kind === 'float';
  return isScalar ? (M.HEADER_SIZE[t] as number) : 0;
});

/** A header without its payload or elements: enough to skip a value. */
export interface Header {
  kind: MarkerKind;
  /** Size in bytes, the payload of integers and floats included. */
  size: number;
  /** Bytes of a str, bin or ext; elements of an array; entries of a map; else 0. */
  count: number;
  /** The type of an ext. */
  type: number;
}

export function newHeader(): Header {
  return { kind: 'nil', size: 0, count: 0, type: 0 };
}

/** Returns the length or count that the whole header at a position has; 0 for a scalar. */
export function countAt(view: DataView, p: number): number {
  const t = view.getUint8(p);
  if (t < M.NIL) return t < M.FIXMAP ? 0 : t & (t < M.FIXSTR ? 0x0f : 0x1f);
  if (t >= M.FIXEXT1 && t <= M.FIXEXT16) return 1 << (t - M.FIXEXT1);
  const size = COUNT_SIZE[t];
  if (size === 1) return view.getUint8(p + 1);
  if (size === 2) return view.getUint16(p + 1);
  return size === 4 ? view.getUint32(p + 1) : 0;
}

/** Reads the header at `p` of the view; returns false when `end` cuts it off. */
export function readHeader(view: DataView, p: number, end: number, into: Header): boolean {
  if (p >= end) return false;
  const t = view.getUint8(p);
  const size = M.HEADER_SIZE[t] as number;
  if (p + size > end) return false;
  into.size = size;
  into.kind = KINDS[t] as MarkerKind;
  into.count = countAt(view, p);
  if (into.kind === 'ext') into.type = view.getInt8(p + size - 1);
  return true;
}

/** Whether a header is that of an ext of one or two bytes, as definitions of records have it. */
export function isFixExt({ kind, size, count }: Header): boolean {
  return kind === 'ext' && size === 2 && count <= 2;
}

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
