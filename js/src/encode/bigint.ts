import { bigIntBytes } from '../ext/bigint.ts';
import * as M from '../wire/markers.ts';
import type { Writer } from './writer.ts';

/**
 * Writes a bigint with 64 bits, so that it can come back as a bigint; canonically in the
 * smallest format (spec/format.md section 7).
 */
export function writeBigInt(writer: Writer, value: bigint): void {
  const { config } = writer;
  const signed = BigInt.asIntN(64, value) === value;
  if (!signed && BigInt.asUintN(64, value) !== value) {
    writeLarge(writer, value);
    return;
  }
  if (config.canonical && value >= -0x80000000n && value <= 0xffffffffn) {
    writer.integer(Number(value));
    return;
  }
  const { pos, view, buf } = writer;
  const asSigned = config.canonical ? value < 0n : signed;
  buf[pos] = asSigned ? M.INT64 : M.UINT64;
  view.setBigUint64(pos + 1, BigInt.asUintN(64, value));
  writer.pos = pos + 9;
}

function writeLarge(writer: Writer, value: bigint): void {
  const { config } = writer;
  if (config.largeBigIntToFloat) writer.float(Number(value));
  else if (config.largeBigIntToString) writer.text(value.toString());
  else if (config.bigInts) {
    const bytes = bigIntBytes(value);
    writer.ext(M.EXT_BIGINT, config.compatible ? padded(bytes) : bytes);
  } else
    throw writer.fail(
      'out_of_range',
      'a bigint of more than 64 bits needs useBigIntExtension, largeBigIntToFloat or largeBigIntToString',
    );
}

/** As msgpackr has it: a multiple of 8 bytes, up to 2^65536. */
function padded(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil(bytes.length / 8) * 8;
  if (bytes.length > 8193) return bytes;
  const wide = new Uint8Array(length).fill((bytes[0] as number) >= 0x80 ? 0xff : 0);
  wide.set(bytes, length - bytes.length);
  return wide;
}
