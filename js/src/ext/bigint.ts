/** Reads big-endian two's complement of any length, the payload of ext 0x42. */
export function readBigInt(bytes: Uint8Array): bigint {
  let hex = '';
  for (const byte of bytes) hex += byte < 16 ? `0${byte.toString(16)}` : byte.toString(16);
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** Whether two's complement has no redundant first byte. */
export function isShortest(bytes: Uint8Array): boolean {
  return bytes.length < 2 || bytes[0] !== ((bytes[1] as number) >= 0x80 ? 0xff : 0);
}

/** Returns the shortest big-endian two's complement of a bigint. */
export function bigIntBytes(value: bigint): Uint8Array {
  // -2^n needs as many bits as 2^n - 1, its complement.
  const hex = (value < 0n ? ~value : value).toString(16);
  const half = (hex.length + 1) >> 1;
  const length = half + (hex.length % 2 === 0 && (hex[0] as string) >= '8' ? 1 : 0);
  const digits = BigInt.asUintN(length * 8, value)
    .toString(16)
    .padStart(length * 2, '0');
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}
