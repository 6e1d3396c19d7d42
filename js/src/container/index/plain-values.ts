/** Values of plain messages that this library wrote. */
import { KINDS } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import { SCHEMA_TYPES, type SchemaType } from './ContainerIndex.ts';

const numberOf = (type: SchemaType): number => SCHEMA_TYPES.indexOf(type);

/** The number of the type that each marker stands for; nil has none, and a timestamp is an ext. */
const TYPE_OF: Int8Array = /* @__PURE__ */ Int8Array.from(KINDS, (kind) =>
  numberOf(kind === 'integer' ? 'int' : (kind as SchemaType)),
);

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

export function bodyAt(bytes: Uint8Array, p: number): number {
  return p + (M.HEADER_SIZE[bytes[p] as number] as number);
}
