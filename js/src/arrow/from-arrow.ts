/** Arrays of Arrow as values. */
import { type Data, DataType, type Vector } from 'apache-arrow';
import { timestampOf } from '../ext/Timestamp.ts';
import { secondsOf } from '../wire/timestamps.ts';

function numberOf(value: number | bigint): number | bigint {
  const number = Number(value);
  return typeof value === 'number' || Number.isSafeInteger(number) ? number : value;
}

function isValid({ nullBitmap, nullCount, offset }: Data, row: number): boolean {
  if (nullCount === 0 || nullBitmap === undefined || nullBitmap.length === 0) return true;
  const bit = offset + row;
  return (((nullBitmap[bit >> 3] as number) >> (bit & 7)) & 1) === 1;
}

/**
 * Returns the values of a vector.
 *
 * @throws TypeError for types that MessagePack has no value for: decimals, intervals, durations, times of day
 */
export function valuesOf(vector: Vector): unknown[] {
  return vector.data.flatMap((data) => {
    const get = getterOf(data);
    return Array.from({ length: data.length }, (_, row) => (isValid(data, row) ? get(row) : null));
  });
}

function getterOf(data: Data): (row: number) => unknown {
  const { type, values, valueOffsets } = data;
  if (DataType.isNull(type)) return () => null;
  if (DataType.isBool(type)) {
    const { offset } = data;
    return (row) => (((values[(offset + row) >> 3] as number) >> ((offset + row) & 7)) & 1) === 1;
  }
  if (DataType.isInt(type) || (DataType.isFloat(type) && !(values instanceof Uint16Array)))
    return (row) => numberOf(values[row]);
  if (DataType.isTimestamp(type)) {
    const digits = 3 * type.unit;
    return (row) => timestampOf(secondsOf(BigInt(values[row]), digits), 'native');
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    const decoder = new TextDecoder();
    return (row) => decoder.decode(values.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1])));
  }
  if (DataType.isBinary(type) || DataType.isLargeBinary(type))
    return (row) => values.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
  if (DataType.isFixedSizeBinary(type))
    return (row) => values.subarray(row * type.byteWidth, (row + 1) * type.byteWidth);
  if (DataType.isDictionary(type)) {
    const entries = valuesOf(data.dictionary as Vector);
    return (row) => entries[Number(values[row])];
  }
  return nestedGetter(data);
}

function nestedGetter(data: Data): (row: number) => unknown {
  const { type, valueOffsets, children } = data;
  const inner = children.map((child) => {
    const get = getterOf(child);
    return (row: number) => (isValid(child, row) ? get(row) : null);
  });
  const [first] = inner as [(row: number) => unknown];
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => first(from + i));
  if (DataType.isList(type) || DataType.isLargeList(type))
    return (row) => range(Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
  if (DataType.isFixedSizeList(type)) {
    const { listSize } = type;
    return (row) => range(row * listSize, (row + 1) * listSize);
  }
  if (DataType.isStruct(type)) {
    const names = type.children.map(({ name }) => name);
    return (row) => Object.fromEntries(names.map((name, i) => [name, inner[i]?.(row)]));
  }
  if (DataType.isMap(type)) {
    const [key, value] = (children[0] as Data).type.children.map(({ name }) => name) as [string, string];
    return (row) => {
      const entries = range(Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
      return new Map((entries as Record<string, unknown>[]).map((entry) => [entry[key], entry[value]]));
    };
  }
  if (DataType.isDenseUnion(type))
    return (row) => {
      const child = type.typeIdToChildIndex[data.typeIds[row] as number] as number;
      return inner[child]?.(valueOffsets[row] as number);
    };
  if (DataType.isSparseUnion(type))
    return (row) => inner[type.typeIdToChildIndex[data.typeIds[row] as number] as number]?.(row);
  throw new TypeError(`A column of Arrow's type ${type} has no values in MessagePack`);
}
