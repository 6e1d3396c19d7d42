/** The values of JavaScript that the NATIVEs of spec/vectors/defaults stand for. */
import { toValue } from './vectors.js';

const ARRAYS = {
  i8: Int8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
};

class Point {}
class Line {}
class Single {}
class Empty {}
const STRUCTS = { Point, Line, Single, Empty };

/** Sets a property of this name, whatever it is. */
function put(object, name, value) {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function withFields(object, fields) {
  for (const [name, value] of fields) put(object, name, native(value));
  return object;
}

/** Objects, each with its fields and a property that is not written, by their form. */
const FORMS = {
  plain: () => ({}),
  no_prototype: () => Object.create(null),
  symbol_key: () => ({ [Symbol('key')]: 1 }),
  inherited: () => Object.create({ inherited: 1 }),
  not_enumerable: () => Object.defineProperty({}, 'hidden', { value: 1 }),
};

/** Returns the value of a level of nested arrays, the innermost of which are typed arrays. */
function nested(Elements, values, [size, ...inner]) {
  if (inner.length === 0) return new Elements(values);
  const length = values.length / size;
  return Array.from({ length: size }, (_, i) => nested(Elements, values.slice(i * length, (i + 1) * length), inner));
}

function numbers({ type, of, shape = [of.length] }) {
  const Elements = ARRAYS[type];
  const big = type === 'i64' || type === 'u64';
  const values = of.map((element) => (big ? BigInt(element.int) : toValue(element)));
  return nested(Elements, values, shape);
}

function bytes({ type, hex }) {
  const { buffer } = Uint8Array.from(Buffer.from(hex, 'hex'));
  return type === 'ArrayBuffer' ? buffer : new globalThis[type](buffer);
}

function time({ date: [year, month, day], time: [hour, minute, second, nanosecond], offset }) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second - offset, nanosecond / 1_000_000);
  return date;
}

function* generated(values) {
  yield* values;
}

const SEQUENCES = {
  iterator: (values) => generated(values),
  view: (values) => new Map(values.map((value) => [value, 1])).keys(),
};

function cycle({ through }) {
  const container = through === 'array' ? [] : {};
  if (through === 'array') container.push(container);
  else container.a = container;
  return container;
}

const ERRORS = { TypeError };

const MAKERS = {
  bigint: ({ value }) => BigInt(value),
  numbers,
  bytes,
  utf16: ({ units }) => String.fromCharCode(...units),
  uri: ({ text }) => new URL(text),
  time,
  invalid_date: () => new Date(Number.NaN),
  set: ({ of }) => new Set(of.map(native)),
  sequence: ({ type, of }) => SEQUENCES[type](of.map(native)),
  entries: ({ of }) => new Map(of.map((entry) => entry.map(native))),
  struct: ({ name, fields }) => withFields(new STRUCTS[name](), fields),
  object: ({ form, fields }) => withFields(FORMS[form](), fields),
  primitive_object: ({ value }) => Object(native(value)),
  to_json: ({ value }) => ({ __proto__: { toJSON: () => native(value) } }),
  undefined: () => undefined,
  function: () => () => 1,
  unique_symbol: () => Symbol('unique'),
  promise: () => Promise.resolve(1),
  exception: ({ name, message }) => new ERRORS[name](message),
  regexp: ({ source, flags }) => new RegExp(source, flags),
  weak: () => new WeakMap(),
  cycle,
};

const isNative = (value) => value !== null && typeof value === 'object' && 'native' in value;

function isHole(value) {
  return isNative(value) && value.native === 'hole';
}

function arrayOf(elements) {
  const array = new Array(elements.length);
  elements.forEach((element, i) => {
    if (!isHole(element)) array[i] = native(element);
  });
  return array;
}

function mapOf(entries) {
  const isObject = entries.every(
    ([key]) => key !== null && typeof key === 'object' && ('str' in key || key.native === 'utf16'),
  );
  if (!isObject) return new Map(entries.map((entry) => entry.map(native)));
  return withFields(
    {},
    entries.map(([key, value]) => [native(key), value]),
  );
}

/** Returns the value of a NATIVE. */
export function native(value) {
  if (isNative(value)) return MAKERS[value.native](value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value.array)) return arrayOf(value.array);
  if (Array.isArray(value.map)) return mapOf(value.map);
  if ('nest' in value) {
    let inner = native(value.nest.inner);
    for (let i = 0; i < value.nest.array; i++) inner = [inner];
    return inner;
  }
  return toValue(value);
}
