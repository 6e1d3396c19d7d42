/**
 * Reads the vectors of spec/vectors, whose README.md defines their members, and compares
 * values with what a case expects.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ExtData, Packr, Timestamp } from 'packord';
import { columns } from 'packord/columns';

const ROOT = new URL('../../spec/vectors/', import.meta.url);

/** Returns all cases of a class, each with the name of its file. */
export function casesOf(className) {
  const folder = new URL(`${className}/`, ROOT);
  const cases = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { schema, cases: found } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    if (schema !== 1) throw new Error(`${file} has schema ${schema}`);
    for (const entry of found) cases.push({ ...entry, file });
  }
  if (cases.length === 0) throw new Error(`no cases of ${className}`);
  return cases;
}

/** Returns the bytes of a case. */
export function expand(pieces) {
  if (typeof pieces === 'string') return Buffer.from(pieces, 'hex');
  return Buffer.concat(pieces.map(part));
}

/** Size from which the memory for reading a hostile case is measured. */
export const LARGE = 100_000;

/** Returns the number of bytes of a case, which are not made. */
export function sizeOf(pieces) {
  const sizes = typeof pieces === 'string' ? [pieces.length / 2] : pieces.map(sizeOfPart);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function sizeOfPart(piece) {
  if (typeof piece === 'string') return piece.length / 2;
  if ('repeat' in piece) return sizeOf(piece.repeat) * piece.times;
  const around = sizeOf(piece.prefix) + sizeOf(piece.suffix);
  if ('counter' in piece) return piece.counter * (around + piece.digits);
  const { product, power } = piece;
  // Each letter is at each place of a word equally often.
  return product.length ** power * (around + (power * sizeOf(product)) / product.length);
}

function part(piece) {
  if (typeof piece === 'string') return Buffer.from(piece, 'hex');
  if ('repeat' in piece) {
    const once = expand(piece.repeat);
    return Buffer.alloc(once.length * piece.times, once);
  }
  const before = Buffer.from(piece.prefix, 'hex');
  const after = Buffer.from(piece.suffix, 'hex');
  const parts = [];
  if ('counter' in piece)
    for (let i = 0; i < piece.counter; i++)
      parts.push(before, Buffer.from(String(i).padStart(piece.digits, '0')), after);
  else {
    const letters = piece.product.map((hex) => Buffer.from(hex, 'hex'));
    const count = letters.length ** piece.power;
    for (let i = 0; i < count; i++) {
      const word = [];
      for (let rest = i, k = 0; k < piece.power; k++, rest = Math.floor(rest / letters.length))
        word.unshift(letters[rest % letters.length]);
      parts.push(before, ...word, after);
    }
  }
  return Buffer.concat(parts);
}

const NAMES = {
  sequential: 'sequential',
  max_shared_structures: 'maxSharedStructures',
  max_own_structures: 'maxOwnStructures',
  undefined_record: 'undefinedRecord',
  max_depth: 'maxDepth',
  max_str_len: 'maxStrLen',
  max_bin_len: 'maxBinLen',
  max_ext_len: 'maxExtLen',
  max_array_len: 'maxArrayLen',
  max_map_len: 'maxMapLen',
  max_nodes: 'maxNodes',
  max_record_keys: 'maxRecordKeys',
  max_buffer: 'maxBuffer',
  utf8: 'utf8',
  trailing: 'trailing',
  duplicate_key: 'duplicateKey',
  unknown_ext: 'unknownExt',
  canonical: 'canonical',
  bigint: 'bigint',
  rich: 'rich',
  sort_keys: 'sortKeys',
  skip_nil: 'skipNil',
  float32: 'float32',
  columns: 'columns',
  max_expansion: 'maxExpansion',
};

const TYPED_ARRAY = 0x74;

/** The ext types that the option `rich` reads. */
const RICH = [0x42, 0x65, 0x73, TYPED_ARRAY, 0x78, 83, 84, 85, 86, 87, 88, 89];

/**
 * Returns the options of a case under their names in JavaScript; undefined when it needs ext
 * types without a handler in JavaScript.
 */
export function optionsOf(options = {}, records = options.records ?? false) {
  const result = { records, maps: 'map', timestamps: 'timestamp' };
  for (const [name, value] of Object.entries(options)) {
    if (name === 'records') continue;
    if (name === 'shared_structures') result.structures = value.map((keys) => [...keys]);
    else if (name === 'ext_types') {
      if (value.some((type) => !RICH.includes(type))) return undefined;
      result.rich = true;
      result.bigint ??= value.includes(0x42);
    } else if (name === 'columns') result.columns = value && columns;
    else if (name in NAMES) result[NAMES[name]] = value;
    else throw new Error(`unknown option ${name}`);
  }
  return result;
}

/** Returns the options of a case of `defaults`; undefined for none. */
export function optionNames(options) {
  if (options === undefined) return undefined;
  const names = Object.keys(options);
  const given = (name) => (name === 'columns' ? options[name] && columns : options[name]);
  return Object.fromEntries(names.map((name) => [NAMES[name] ?? name, given(name)]));
}

function doubleOf(value) {
  const view = new DataView(new ArrayBuffer(8));
  if (value.f64 === undefined) {
    view.setUint32(0, Number.parseInt(value.f32, 16));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, BigInt(`0x${value.f64}`));
  return view.getFloat64(0);
}

function hexOf(value) {
  return typeof value === 'string' ? value : value.repeat.repeat(value.times);
}

function textOf(value) {
  return typeof value === 'string' ? value : value.repeat.repeat(value.times);
}

function* entriesOf(map) {
  if (Array.isArray(map)) yield* map;
  else
    for (let i = 0; i < map.count; i++)
      yield ['digits' in map ? { str: String(i).padStart(map.digits, '0') } : { int: String(i) }, map.value];
}

/** Returns a value of a vector as JavaScript has it: maps as Map, timestamps as Timestamp. */
export function vectorValue(value) {
  if (value === null || typeof value === 'boolean') return value;
  if ('int' in value) {
    const exact = BigInt(value.int);
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }
  if ('f64' in value || 'f32' in value) return doubleOf(value);
  if ('str' in value) return textOf(value.str);
  if ('bin' in value) return Buffer.from(hexOf(value.bin), 'hex');
  if ('timestamp' in value) return new Timestamp(BigInt(value.timestamp[0]), value.timestamp[1]);
  if ('ext' in value) return new ExtData(value.ext[0], Buffer.from(hexOf(value.ext[1]), 'hex'));
  if ('array' in value) return value.array.map(vectorValue);
  return new Map([...entriesOf(value.map)].map((entry) => entry.map(vectorValue)));
}

/** Describes how a value differs from the expected one; returns undefined if it does not. */
export function difference(expected, actual, path = '$') {
  const wrong = (text) => `${path}: expected ${text}, got ${typeof actual} ${String(actual).slice(0, 80)}`;
  if (expected === null || typeof expected === 'boolean') return actual === expected ? undefined : wrong(expected);
  if ('int' in expected) {
    const isInteger = typeof actual === 'bigint' || (Number.isInteger(actual) && !Object.is(actual, -0));
    return isInteger && BigInt(actual) === BigInt(expected.int) ? undefined : wrong(expected.int);
  }
  if ('f64' in expected || 'f32' in expected)
    return Object.is(actual, doubleOf(expected)) ? undefined : wrong(doubleOf(expected));
  if ('str' in expected)
    return actual === textOf(expected.str) ? undefined : wrong(`str ${textOf(expected.str).slice(0, 40)}`);
  if ('bin' in expected)
    return actual instanceof Uint8Array && Buffer.from(actual).toString('hex') === hexOf(expected.bin)
      ? undefined
      : wrong('bin');
  if ('timestamp' in expected) {
    const [seconds, nanoseconds] = expected.timestamp;
    const { seconds: read, nanoseconds: rest } =
      actual instanceof Date && !(actual instanceof Timestamp) ? Timestamp.fromDate(actual) : actual;
    const same = actual instanceof Date && read === BigInt(seconds) && rest === nanoseconds;
    return same ? undefined : wrong(`timestamp ${seconds} ${nanoseconds}`);
  }
  if ('ext' in expected) return differentExt(expected.ext, actual, wrong);
  if ('nest' in expected) {
    let inner = actual;
    for (let i = 0; i < expected.nest.array; i++) {
      if (!Array.isArray(inner) || inner.length !== 1) return wrong('an array of one');
      inner = inner[0];
    }
    return difference(expected.nest.inner, inner, `${path}…`);
  }
  if ('array' in expected) {
    const { array } = expected;
    const count = Array.isArray(array) ? array.length : array.times;
    if (!Array.isArray(actual) || actual.length !== count) return wrong(`array of ${count}`);
    for (let i = 0; i < count; i++) {
      const found = difference(Array.isArray(array) ? array[i] : array.repeat, actual[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if ('map' in expected) return differentMap(expected.map, actual, path, wrong);
  throw new Error(`unknown value ${JSON.stringify(expected)}`);
}

function differentExt([type, data], actual, wrong) {
  const hex = hexOf(data);
  if (type === 0 && hex === '00') return actual === undefined ? undefined : wrong('undefined');
  if (type === TYPED_ARRAY && !(actual instanceof ExtData))
    return ArrayBuffer.isView(actual) || actual instanceof ArrayBuffer ? undefined : wrong('typed array');
  if (type === 0x42 && typeof actual === 'bigint') return undefined;
  // Values of `rich` are compared by what they are written as.
  if (RICH.includes(type) && typeof actual === 'object' && !(actual instanceof ExtData)) {
    const packed = new Packr({ rich: true }).pack(actual);
    return packed.subarray(packed.length - hex.length / 2).toString('hex') === hex ? undefined : wrong(`ext ${type}`);
  }
  const same = actual instanceof ExtData && actual.type === type && Buffer.from(actual.data).toString('hex') === hex;
  return same ? undefined : wrong(`ext ${type}`);
}

function differentMap(map, actual, path, wrong) {
  const expected = [...entriesOf(map)];
  if (actual instanceof Map) {
    const entries = [...actual];
    if (entries.length !== expected.length) return wrong(`map of ${expected.length}, got ${entries.length}`);
    for (let i = 0; i < expected.length; i++) {
      const found =
        difference(expected[i][0], entries[i][0], `${path} key ${i}`) ??
        difference(expected[i][1], entries[i][1], `${path} value ${i}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (actual === null || typeof actual !== 'object' || Object.getPrototypeOf(actual) !== Object.prototype)
    return wrong('map');
  if (Object.keys(actual).length !== expected.length) return wrong(`record of ${expected.length}`);
  for (const [key, value] of expected) {
    if (!Object.hasOwn(actual, key.str)) return wrong(`key ${key.str}`);
    const found = difference(value, actual[key.str], `${path}.${key.str}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The values in a VALUE: its elements, or its keys and values. */
function partsOf(value) {
  if (value === null || typeof value !== 'object') return [];
  if ('nest' in value) return [value.nest.inner];
  if ('array' in value) return Array.isArray(value.array) ? value.array : [value.array.repeat];
  if ('map' in value) return Array.isArray(value.map) ? value.map.flat() : [value.map.value];
  return [];
}

/**
 * Returns why JavaScript writes a value otherwise, or not with these bits (spec/format.md section 7);
 * undefined if it does not. The canonical encoding is the same for all values.
 */
export function inexpressible(value, float32 = false) {
  if (value !== null && typeof value === 'object' && 'f64' in value) {
    const double = doubleOf(value);
    if (Number.isNaN(double) && !float32 && value.f64 !== '7ff8000000000000') return 'payload of a NaN';
    if (Number.isSafeInteger(double) && !Object.is(double, -0)) return '1.0 beside 1';
    return 'f32' in value && !float32 ? 'float 32' : undefined;
  }
  return partsOf(value)
    .map((part) => inexpressible(part, float32))
    .find(Boolean);
}

/** Whether a rule holds for the keys of each map in a VALUE. */
function everyMap(value, rule) {
  const keys = Array.isArray(value?.map) ? value.map.map(([key]) => key) : [];
  return rule(keys) && partsOf(value).every((part) => everyMap(part, rule));
}

/** Whether two keys of a map are one key of a Map: 1 and 1.0, or 0.0 and -0.0. */
export function keysCollide(value) {
  const differ = (keys) => new Set(keys.map((key) => toValue(key))).size === keys.length;
  return !everyMap(value, differ);
}

/** Whether the keys differ in a Map as they do in the format: -0.0 is 0 there. */
export function keysOfMapDiffer(value) {
  const isMinusZero = (key) => key?.f64 === '8000000000000000';
  return !keysCollide(value) && everyMap(value, (keys) => !keys.some(isMinusZero));
}

/** Whether a value has containers, bytes or ext values as keys, which a Map does not compare. */
export function hasObjectKeys(value) {
  return JSON.stringify(value).match(/\[\[\{"(array|map|bin|ext|timestamp)"/) !== null;
}

/** Converts a VALUE to a JavaScript value; with `objects`, maps of str keys become objects. */
export function toValue(value, objects = false) {
  if (value === null || typeof value === 'boolean') return value;
  if ('int' in value) {
    const exact = BigInt(value.int);
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }
  if ('f64' in value || 'f32' in value) return doubleOf(value);
  if ('str' in value) return textOf(value.str);
  if ('bin' in value) return Buffer.from(hexOf(value.bin), 'hex');
  if ('timestamp' in value) return new Timestamp(BigInt(value.timestamp[0]), value.timestamp[1]);
  if ('ext' in value) {
    const [type, data] = value.ext;
    const hex = hexOf(data);
    return type === 0 && hex === '00' ? undefined : new ExtData(type, Buffer.from(hex, 'hex'));
  }
  if ('nest' in value) {
    let inner = toValue(value.nest.inner, objects);
    for (let i = 0; i < value.nest.array; i++) inner = [inner];
    return inner;
  }
  if ('array' in value)
    return Array.isArray(value.array)
      ? value.array.map((element) => toValue(element, objects))
      : Array.from({ length: value.array.times }, () => toValue(value.array.repeat, objects));
  const entries = [...entriesOf(value.map)];
  if (objects && entries.every(([key]) => key !== null && typeof key === 'object' && 'str' in key)) {
    const object = {};
    for (const [key, element] of entries)
      Object.defineProperty(object, textOf(key.str), {
        value: toValue(element, objects),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    return object;
  }
  return new Map(entries.map(([key, element]) => [toValue(key, objects), toValue(element, objects)]));
}

/** Runs a function and returns the error that it throws; undefined if it throws none. */
export function errorOf(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
