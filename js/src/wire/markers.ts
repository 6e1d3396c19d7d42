/**
 * The markers of the format (spec/format.md section 2) and the ext types with a
 * fixed meaning (spec/extensions.md). Ext types are signed numbers.
 */
export const FIXMAP = 0x80;
export const FIXARRAY = 0x90;
export const FIXSTR = 0xa0;
export const NIL = 0xc0;
export const RESERVED = 0xc1;
export const FALSE = 0xc2;
export const TRUE = 0xc3;
export const BIN8 = 0xc4;
export const BIN16 = 0xc5;
export const BIN32 = 0xc6;
export const EXT8 = 0xc7;
export const EXT16 = 0xc8;
export const EXT32 = 0xc9;
export const FLOAT32 = 0xca;
export const FLOAT64 = 0xcb;
export const UINT8 = 0xcc;
export const UINT16 = 0xcd;
export const UINT32 = 0xce;
export const UINT64 = 0xcf;
export const INT8 = 0xd0;
export const INT16 = 0xd1;
export const INT32 = 0xd2;
export const INT64 = 0xd3;
export const FIXEXT1 = 0xd4;
export const FIXEXT2 = 0xd5;
export const FIXEXT4 = 0xd6;
export const FIXEXT8 = 0xd7;
export const FIXEXT16 = 0xd8;
export const STR8 = 0xd9;
export const STR16 = 0xda;
export const STR32 = 0xdb;
export const ARRAY16 = 0xdc;
export const ARRAY32 = 0xdd;
export const MAP16 = 0xde;
export const MAP32 = 0xdf;
/** The first of the negative fixints. */
export const NEGATIVE = 0xe0;

export const EXT_TIMESTAMP = -1;
export const EXT_UNDEFINED = 0;
export const EXT_BIGINT = 0x42;
export const EXT_BUNDLE = 0x62;
export const EXT_ERROR = 0x65;
export const EXT_IDENTITY = 0x69;
export const EXT_POINTER = 0x70;
export const EXT_RECORD = 0x72;
export const EXT_COLUMNS = 0x5c;
export const EXT_SET = 0x73;
export const EXT_RICH_SET = 86;
export const EXT_TYPED_ARRAY = 0x74;
export const EXT_REGEXP = 0x78;

/**
 * Size of each marker's header in bytes, with the payload of integers and floats: what must
 * be in the input before anything else is checked.
 */
export const HEADER_SIZE: Uint8Array = /* @__PURE__ */ (() => {
  const size = new Uint8Array(256).fill(1);
  size.set([2, 3, 5], BIN8);
  size.set([3, 4, 6], EXT8);
  size.set([5, 9, 2, 3, 5, 9, 2, 3, 5, 9], FLOAT32);
  size.set([2, 2, 2, 2, 2], FIXEXT1);
  size.set([2, 3, 5, 3, 5, 3, 5], STR8);
  return size;
})();

export function isArray(t: number): boolean {
  return (t >= FIXARRAY && t < FIXSTR) || t === ARRAY16 || t === ARRAY32;
}

export function isMap(t: number): boolean {
  return (t >= FIXMAP && t < FIXARRAY) || t === MAP16 || t === MAP32;
}

export function isStr(t: number): boolean {
  return (t >= FIXSTR && t < NIL) || (t >= STR8 && t <= STR32);
}

/** Returns the size of the header of a str of fewer than 256 bytes; 0 for other markers. */
export function shortStrHeader(t: number): number {
  return t >= FIXSTR && t < NIL ? 1 : t === STR8 ? 2 : 0;
}

export function isInteger(t: number): boolean {
  return t < FIXMAP || t >= NEGATIVE || (t >= UINT8 && t <= INT64);
}
