/** The parts of container files in bytes, for tests of hostile ones. */

/** What CRC-32C makes of each byte. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  return crc;
});

/** CRC-32C. */
export function crc32c(bytes) {
  let crc = ~0;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

/** A number as uint 32. */
export function uint(value) {
  const bytes = Buffer.alloc(5, 0xce);
  bytes.writeUInt32BE(value, 1);
  return bytes;
}

/** Returns a block-array. Its data are one chunk, unless others are given. */
export function blockArray({
  kind = 1,
  count = 1,
  codec = null,
  data,
  raw = data.length,
  announced = data.length,
  chunks = [[raw, data.length, crc32c(data)]],
  elements = Buffer.of(0x95),
}) {
  const name = codec === null ? Buffer.of(0xc0) : Buffer.from([0xa0 + codec.length, ...Buffer.from(codec)]);
  const list = Buffer.from([0xdd, ...uint(3 * chunks.length).subarray(1)]);
  const head = [elements, Buffer.of(kind), uint(count), name, list, ...chunks.flat().map(uint)];
  return Buffer.concat([...head, Buffer.from([0xc6, ...uint(announced).subarray(1)]), data]);
}

/** Returns an index with its mark and trailer. */
export function indexOf(mark, array, offset) {
  const head = Buffer.from([0xc7, 0x0c, 0x5d, ...new Uint8Array(8)]);
  head.writeBigUInt64BE(BigInt(offset), 3);
  const covered = Buffer.concat([mark, array, head]);
  return Buffer.concat([covered, uint(crc32c(covered)).subarray(1)]);
}
