/** The checksum of zstd frames: xxHash of 64 bits with the seed 0. */
const P1: bigint = 0x9e3779b185ebca87n;
const P2: bigint = 0xc2b2ae3d27d4eb4fn;
const P3: bigint = 0x165667b19e3779f9n;
const P4: bigint = 0x85ebca77c2b2ae63n;
const P5: bigint = 0x27d4eb2f165667c5n;

const wrapped = (value: bigint): bigint => BigInt.asUintN(64, value);

function rotated(value: bigint, count: bigint): bigint {
  return wrapped(value << count) | (value >> (64n - count));
}

function round(lane: bigint, word: bigint): bigint {
  return wrapped(rotated(wrapped(lane + word * P2), 31n) * P1);
}

function merged(hash: bigint, lane: bigint): bigint {
  return wrapped((hash ^ round(0n, lane)) * P1 + P4);
}

/** Returns the lower 32 bits of the hash of bytes. */
export function lowXxh64(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { length } = bytes;
  let p = 0;
  let hash = P5;
  if (length >= 32) {
    const lanes = [wrapped(P1 + P2), P2, 0n, wrapped(-P1)];
    for (; p <= length - 32; p += 32)
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i] as bigint, view.getBigUint64(p + 8 * i, true));
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    hash = wrapped(rotated(a, 1n) + rotated(b, 7n) + rotated(c, 12n) + rotated(d, 18n));
    hash = lanes.reduce(merged, hash);
  }
  hash = wrapped(hash + BigInt(length));
  for (; p <= length - 8; p += 8) {
    hash ^= round(0n, view.getBigUint64(p, true));
    hash = wrapped(rotated(hash, 27n) * P1 + P4);
  }
  if (p <= length - 4) {
    hash ^= wrapped(BigInt(view.getUint32(p, true)) * P1);
    hash = wrapped(rotated(hash, 23n) * P2 + P3);
    p += 4;
  }
  for (; p < length; p++) {
    hash ^= wrapped(BigInt(view.getUint8(p)) * P5);
    hash = wrapped(rotated(hash, 11n) * P1);
  }
  hash = wrapped((hash ^ (hash >> 33n)) * P2);
  hash = wrapped((hash ^ (hash >> 29n)) * P3);
  return Number((hash ^ (hash >> 32n)) & 0xffffffffn);
}
