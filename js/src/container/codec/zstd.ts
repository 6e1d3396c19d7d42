/**
 * Unpacks zstd (RFC 8878), where the platform does not. It stops at the size that is stated, within a block as well:
 * few bytes can announce gigabytes.
 */
import { lowXxh64 } from './xxh64.ts';
import { ZstdBlocks } from './ZstdBlocks.ts';
import { sound } from './zstd-entropy.ts';

const MAGIC = 0xfd2fb528;
/** Frames with the program's own data, whose last four bits are any. */
const SKIPPED = 0x184d2a50;
const TWO_32 = 0x100000000;

/** Returns what frames, one after another, stand for; throws for malformed data, and for more than `size` bytes. */
export function unpackZstd(data: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let [p, written] = [0, 0];
  do {
    sound(p + 8 <= data.length);
    const magic = view.getUint32(p, true);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPED) p += 8 + view.getUint32(p + 4, true);
    else {
      sound(magic === MAGIC);
      const frame = out.subarray(written);
      const [end, count] = unpackFrame(data, view, p + 4, frame);
      p = end;
      written += count;
    }
    sound(p <= data.length);
  } while (p < data.length);
  return out.subarray(0, written);
}

/** Unpacks a frame after its magic number; returns the position after it and how many bytes it has. */
function unpackFrame(data: Uint8Array, view: DataView, start: number, out: Uint8Array): [end: number, count: number] {
  let p = start;
  const take = (count: number): number => {
    p += count;
    sound(p <= data.length);
    return p - count;
  };
  const descriptor = view.getUint8(take(1));
  const isSingle = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  sound((descriptor & 0x08) === 0);
  if (!isSingle) take(1);
  // No dictionary has the number 0.
  for (let i = (1 << (descriptor & 3)) >> 1; i > 0; i--) sound(view.getUint8(take(1)) === 0);
  const announced = contentSize(view, descriptor >> 6, isSingle, take);
  sound(announced === undefined || announced <= out.length);
  const blocks = new ZstdBlocks(data, out);
  for (let isLast = false; !isLast; ) {
    const at = take(3);
    const header = view.getUint8(at) | (view.getUint16(at + 1, true) << 8);
    isLast = (header & 1) === 1;
    const type = (header >> 1) & 3;
    const size = header >> 3;
    const from = take(type === 1 ? 1 : size);
    blocks.add(type, from, size);
  }
  sound(announced === undefined || announced === blocks.written);
  if (hasChecksum) sound(view.getUint32(take(4), true) === lowXxh64(out.subarray(0, blocks.written)));
  return [p, blocks.written];
}

/** Reads the size that a frame has to have; undefined where it has none. */
function contentSize(
  view: DataView,
  flag: number,
  isSingle: boolean,
  take: (count: number) => number,
): number | undefined {
  if (flag === 0) return isSingle ? view.getUint8(take(1)) : undefined;
  if (flag === 1) return view.getUint16(take(2), true) + 256;
  const low = view.getUint32(take(4), true);
  return flag === 2 ? low : low + view.getUint32(take(4), true) * TWO_32;
}
