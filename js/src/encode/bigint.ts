import { bigIntBytes } from '../ext/bigint.ts';
import * as M from '../wire/markers.ts';
import type { ScalarState } from './EncoderState.ts';

/**
 * Writes a bigint with 64 bits, so that it can come back as a bigint: unsigned from 0 on, as
 * other languages write the integers from 2^53 on (msgpackr: signed where it fits). Canonically
 * in the smallest format (spec/format.md section 7).
 */
export function writeBigInt(encoder: ScalarState, value: bigint): void {
  const { config } = encoder;
  const signed = BigInt.asIntN(64, value) === value;
  if (!signed && BigInt.asUintN(64, value) !== value) {
    writeLarge(encoder, value);
    return;
  }
  if (config.canonical && value >= -0x80000000n && value <= 0xffffffffn) {
    encoder.integer(Number(value));
    return;
  }
  const { pos, view, buf } = encoder;
  const asSigned = config.compatible && !config.canonical ? signed : value < 0n;
  buf[pos] = asSigned ? M.INT64 : M.UINT64;
  view.setBigUint64(pos + 1, BigInt.asUintN(64, value));
  encoder.pos = pos + 9;
}

function writeLarge(encoder: ScalarState, value: bigint): void {
  const { config } = encoder;
  if (config.largeBigIntToFloat) encoder.float(Number(value));
  else if (config.largeBigIntToString) encoder.string(value.toString());
  else if (config.bigInts) {
    const bytes = bigIntBytes(value);
    encoder.ext(M.EXT_BIGINT, config.compatible ? padded(bytes) : bytes);
  } else
    throw encoder.fail(
      'out_of_range',
      'a bigint of more than 64 bits; see useBigIntExtension, largeBigIntToFloat, largeBigIntToString',
    );
}

/** Pads to a multiple of 8 bytes, up to 2^65536, as msgpackr does. */
function padded(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil(bytes.length / 8) * 8;
  if (bytes.length > 8193) return bytes;
  const wide = new Uint8Array(length).fill((bytes[0] as number) >= 0x80 ? 0xff : 0);
  wide.set(bytes, length - bytes.length);
  return wide;
}
