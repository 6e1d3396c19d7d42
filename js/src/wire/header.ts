import * as M from './markers.ts';

/** What follows a header. */
export type HeaderKind = 'scalar' | 'str' | 'bin' | 'ext' | 'array' | 'map' | 'reserved';

/** A header without its payload or elements: enough to skip a value. */
export interface Header {
  kind: HeaderKind;
  /** Size in bytes, the payload of integers and floats included. */
  size: number;
  /** Bytes of a str, bin or ext; elements of an array; entries of a map. */
  count: number;
  /** The type of an ext. */
  type: number;
}

/** Makes a header for {@link readHeader} to fill. */
export function newHeader(): Header {
  return { kind: 'scalar', size: 0, count: 0, type: 0 };
}

/** Reads the header at `p` of the view; returns false when `end` cuts it off. */
export function readHeader(view: DataView, p: number, end: number, into: Header): boolean {
  if (p >= end) return false;
  const t = view.getUint8(p);
  const size = M.HEADER_SIZE[t] as number;
  if (p + size > end) return false;
  into.size = size;
  into.count = 0;
  if (t < 0x80 || t >= 0xe0) into.kind = 'scalar';
  else if (t < 0xc0) {
    into.kind = t < 0x90 ? 'map' : t < 0xa0 ? 'array' : 'str';
    into.count = t < 0xa0 ? t & 0x0f : t & 0x1f;
  } else if (t === M.RESERVED) into.kind = 'reserved';
  else if (t >= M.FIXEXT1 && t <= M.FIXEXT16) {
    into.kind = 'ext';
    into.count = 1 << (t - M.FIXEXT1);
    into.type = view.getInt8(p + 1);
  } else {
    into.kind = WIDE_KINDS[t] ?? 'scalar';
    if (into.kind === 'scalar') return true;
    const isExt = into.kind === 'ext';
    const width = size - 1 - (isExt ? 1 : 0);
    into.count =
      width === 1
        ? view.getUint8(p + 1)
        : width === 2
          ? view.getUint16(p + 1)
          : view.getUint32(p + 1);
    if (isExt) into.type = view.getInt8(p + size - 1);
  }
  return true;
}

const WIDE_KINDS: Readonly<Record<number, HeaderKind>> = {
  [M.BIN8]: 'bin',
  [M.BIN16]: 'bin',
  [M.BIN32]: 'bin',
  [M.EXT8]: 'ext',
  [M.EXT16]: 'ext',
  [M.EXT32]: 'ext',
  [M.STR8]: 'str',
  [M.STR16]: 'str',
  [M.STR32]: 'str',
  [M.ARRAY16]: 'array',
  [M.ARRAY32]: 'array',
  [M.MAP16]: 'map',
  [M.MAP32]: 'map',
};
