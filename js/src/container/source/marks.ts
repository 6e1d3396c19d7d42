/** The bytes that tell the parts of a container file apart (spec/container.md section 1). */

import { dataViewOf, joined } from '../../wire/platform.ts';
import { crc32c } from '../codec/crc32c.ts';

/** The bytes that every container file begins with: an array of 4, "packord" and the version 1. */
export const BEGINNING: Uint8Array = /* @__PURE__ */ Uint8Array.of(
  0x94,
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

export const SYNC_SIZE = 16;
export const MARK_SIZE = 18;
export const TRAILER_SIZE = 15;
/** Size of the part of a trailer that its crc covers. */
export const TRAILER_HEAD = 11;

const EXT_MARK = 0x5d;
const FIXEXT16 = 0xd8;
/** The bytes that every trailer begins with: an ext of 12 bytes. */
const TRAILER: Uint8Array = /* @__PURE__ */ Uint8Array.of(0xc7, 0x0c, EXT_MARK);

export function markOf(sync: Uint8Array): Uint8Array {
  const mark = new Uint8Array(MARK_SIZE);
  mark[0] = FIXEXT16;
  mark[1] = EXT_MARK;
  mark.set(sync, 2);
  return mark;
}

/** Returns an index with its mark and trailer, for an offset in the file. */
export function withTrailer(mark: Uint8Array, index: Uint8Array, offset: number): Uint8Array {
  const at = mark.length + index.length;
  const bytes = joined([mark, index, TRAILER, new Uint8Array(TRAILER_SIZE - TRAILER.length)]);
  const view = dataViewOf(bytes);
  view.setBigUint64(at + TRAILER.length, BigInt(offset));
  view.setUint32(at + TRAILER_HEAD, crc32c(bytes, 0, at + TRAILER_HEAD));
  return bytes;
}

/** Returns the offset of the index that the trailer at a position names; undefined where there is no trailer. */
export function trailerAt(bytes: Uint8Array, view: DataView, at: number): number | undefined {
  const isTrailer = bytes.length - at >= TRAILER_SIZE && agrees(bytes, at, TRAILER);
  return isTrailer ? Number(view.getBigUint64(at + TRAILER.length)) : undefined;
}

/** Whether bytes at a position, of which there are some, begin a trailer or are the beginning of one. */
export function isTrailer(bytes: Uint8Array, at: number): boolean {
  return agrees(bytes, at, TRAILER);
}

export function beginsMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === FIXEXT16 && bytes[at + 1] === EXT_MARK;
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
    if (agrees(bytes, at, mark)) return at;
    at = bytes.indexOf(FIXEXT16, at + 1);
  }
  return -1;
}
