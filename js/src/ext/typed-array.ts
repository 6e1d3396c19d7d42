type ElementArray = new (buffer: ArrayBuffer) => ArrayBufferView;

/** The names of the element types of ext 0x74, in their order. */
const TYPES: readonly string[] =
  /* @__PURE__ */ 'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float32 Float64 BigInt64 BigUint64'.split(' ');
const ARRAY_BUFFER = 16;
const DATA_VIEW = 17;

function isBigEndian(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;
}

function elementSize(view: ArrayBufferView): number {
  return (view as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
}

function swap(bytes: Uint8Array, size: number): void {
  for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
}

/** Returns the payload of ext 0x74: the element type, then the elements, little-endian. */
export function typedArrayBytes(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  const isView = ArrayBuffer.isView(value);
  const view = isView ? value : new Uint8Array(value);
  const bytes = new Uint8Array(view.byteLength + 1);
  bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), 1);
  // By its brand: the value may be of another realm.
  const tag = (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '';
  if (!isView) bytes[0] = ARRAY_BUFFER;
  else if (tag === 'DataView') bytes[0] = DATA_VIEW;
  else {
    const found = TYPES.indexOf(tag.replace('Array', ''));
    bytes[0] = found < 0 ? 1 : found;
    if (elementSize(view) > 1 && isBigEndian()) swap(bytes.subarray(1), elementSize(view));
  }
  return bytes;
}

/** Reads the payload of ext 0x74; returns undefined when it is malformed. */
export function readTypedArray(payload: Uint8Array): ArrayBuffer | ArrayBufferView | undefined {
  if (payload.length === 0) return undefined;
  const type = payload[0] as number;
  const bytes = new Uint8Array(payload.length - 1);
  bytes.set(payload.subarray(1));
  if (type === ARRAY_BUFFER) return bytes.buffer;
  if (type === DATA_VIEW) return new DataView(bytes.buffer);
  const Elements = (globalThis as unknown as Record<string, ElementArray | undefined>)[`${TYPES[type]}Array`];
  if (Elements === undefined) return undefined;
  const size = (Elements as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  if (bytes.length % size !== 0) return undefined;
  if (size > 1 && isBigEndian()) swap(bytes, size);
  return new Elements(bytes.buffer);
}
