/** The bytes that tell the parts of a container file apart (spec/container.md section 1). */

/** The bytes that every container file begins with: an array of 3, "packord" and the version 1. */
export const BEGINNING: Uint8Array = /* @__PURE__ */ Uint8Array.of(
  0x93,
  0xa7,
  0x70,
  0x61,
  0x63,
  0x6b,
  0x6f,
  0x72,
  0x64,
  0x01,
);

/** Sizes of the parts in bytes. */
export const SYNC_SIZE = 16;
export const MARK_SIZE = 18;
export const TRAILER_SIZE = 10;

const EXT_MARK = 0x5d;
const FIXEXT8 = 0xd7;
const FIXEXT16 = 0xd8;

/** Returns the mark of a file with these sync bytes. */
export function markOf(sync: Uint8Array): Uint8Array {
  const mark = new Uint8Array(MARK_SIZE);
  mark[0] = FIXEXT16;
  mark[1] = EXT_MARK;
  mark.set(sync, 2);
  return mark;
}

/** Returns the trailer for an index whose mark is at an offset. */
export function trailerOf(offset: number): Uint8Array {
  const trailer = new Uint8Array(TRAILER_SIZE);
  trailer[0] = FIXEXT8;
  trailer[1] = EXT_MARK;
  new DataView(trailer.buffer).setBigUint64(2, BigInt(offset));
  return trailer;
}

/** Whether the two bytes at a position begin a trailer. */
export function isTrailer(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === FIXEXT8 && bytes[at + 1] === EXT_MARK;
}

/** Whether bytes agree with a mark, as many of its bytes as there are. */
export function agrees(bytes: Uint8Array, at: number, mark: Uint8Array): boolean {
  const size = Math.min(mark.length, bytes.length - at);
  for (let i = 0; i < size; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}

/** Returns the position of the first whole mark from `from` on; -1 without one. */
export function findMark(bytes: Uint8Array, from: number, mark: Uint8Array): number {
  const last = bytes.length - MARK_SIZE;
  let at = bytes.indexOf(FIXEXT16, from);
  while (at >= 0 && at <= last) {
    if (bytes[at + 1] === EXT_MARK && agrees(bytes, at, mark)) return at;
    at = bytes.indexOf(FIXEXT16, at + 1);
  }
  return -1;
}
