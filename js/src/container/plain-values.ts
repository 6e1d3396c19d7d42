/** Values of plain messages that this library wrote. */
import * as M from '../wire/markers.ts';
import { SCHEMA_TYPES, type SchemaType } from './ContainerIndex.ts';

const TWO_32 = 0x100000000;

/** The number of a type in {@link SCHEMA_TYPES}. */
const numberOf = (type: SchemaType): number => SCHEMA_TYPES.indexOf(type);

/** The number of the type that each marker stands for; nil has none, and a timestamp is an ext. */
const TYPE_OF: Int8Array = /* @__PURE__ */ (() => {
  const types = new Int8Array(256).fill(numberOf('int'));
  types.fill(numberOf('map'), 0x80, 0x90);
  types.fill(numberOf('array'), 0x90, 0xa0);
  types.fill(numberOf('str'), 0xa0, 0xc0);
  types.fill(-1, M.NIL, M.FALSE);
  types.fill(numberOf('bool'), M.FALSE, M.BIN8);
  types.fill(numberOf('bin'), M.BIN8, M.EXT8);
  types.fill(numberOf('ext'), M.EXT8, M.FLOAT32);
  types.fill(numberOf('float'), M.FLOAT32, M.UINT8);
  types.fill(numberOf('ext'), M.FIXEXT1, M.STR8);
  types.fill(numberOf('str'), M.STR8, M.ARRAY16);
  types.fill(numberOf('array'), M.ARRAY16, M.MAP16);
  types.fill(numberOf('map'), M.MAP16, 0xe0);
  return types;
})();

const UINT: number = /* @__PURE__ */ numberOf('uint');
const EXT: number = /* @__PURE__ */ numberOf('ext');
const TIMESTAMP: number = /* @__PURE__ */ numberOf('timestamp');

/** Returns the number of the type of the value at a position, in {@link SCHEMA_TYPES}; -1 for nil. */
export function typeAt(bytes: Uint8Array, p: number): number {
  const marker = bytes[p] as number;
  if (marker === M.UINT64 && (bytes[p + 1] as number) >= 0x80) return UINT;
  const type = TYPE_OF[marker] as number;
  if (type !== EXT) return type;
  const typeOfExt = bytes[p + (M.HEADER_SIZE[marker] as number) - 1] as number;
  return typeOfExt === 0xff ? TIMESTAMP : EXT;
}

/** Returns the number at a position, exactly: a bigint where a number is not. */
export function numberAt(view: DataView, p: number): number | bigint {
  const marker = view.getUint8(p);
  switch (marker) {
    case M.FLOAT32:
      return view.getFloat32(p + 1);
    case M.FLOAT64:
      return view.getFloat64(p + 1);
    case M.UINT8:
      return view.getUint8(p + 1);
    case M.UINT16:
      return view.getUint16(p + 1);
    case M.UINT32:
      return view.getUint32(p + 1);
    case M.INT8:
      return view.getInt8(p + 1);
    case M.INT16:
      return view.getInt16(p + 1);
    case M.INT32:
      return view.getInt32(p + 1);
    case M.UINT64:
    case M.INT64: {
      const high = marker === M.INT64 ? view.getInt32(p + 1) : view.getUint32(p + 1);
      const value = high * TWO_32 + view.getUint32(p + 5);
      if (Number.isSafeInteger(value)) return value;
      return marker === M.INT64 ? view.getBigInt64(p + 1) : view.getBigUint64(p + 1);
    }
    default:
      return (marker << 24) >> 24;
  }
}

/** Returns the position of the payload of the value at a position. */
export function bodyAt(bytes: Uint8Array, p: number): number {
  return p + (M.HEADER_SIZE[bytes[p] as number] as number);
}
