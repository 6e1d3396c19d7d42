import { KINDS } from '../../wire/header.ts';
import type { ColumnNode, Values } from '../ColumnNode.ts';
import * as C from '../ColumnNode.ts';
import { need, oneError, skipPlain } from '../malformed.ts';
import { type ColumnData, dataOf } from './column-data.ts';
import { checkNode, type OpenPayload, readNode } from './columns.ts';
import { smallIntegers } from './numbers.ts';

/** The names of the kinds of nodes, in the order of their numbers. */
const NODES = ['plain', 'int', 'float', 'scaled', 'time', 'bytes', 'dict', 'list', 'struct', 'map', 'union'] as const;

/** The name of a kind of node (spec/columns.md section 2). */
export type ColumnKind = (typeof NODES)[number];

/** One column of a payload. Nothing but the directory is read before its values are asked for. */
export class ColumnView {
  /** Its place: `[]` for the elements of arrays, `{}` for the values of maps, `.key`. */
  readonly path: string;
  readonly kind: ColumnKind;
  /** Number of values. */
  readonly n: number;
  /** Number of maps in which its key is missing. */
  readonly missing: number;
  readonly #payload: OpenPayload;
  readonly #node: ColumnNode;
  readonly #place: KeyPlace | undefined;

  /** @internal */
  constructor(payload: OpenPayload, node: ColumnNode, path: string, place?: KeyPlace) {
    this.path = path;
    this.kind = NODES[node.kind] as ColumnKind;
    this.n = node.n;
    this.missing = place === undefined ? 0 : place.maps.n - node.n;
    this.#payload = payload;
    this.#node = node;
    this.#place = place;
  }

  /**
   * Tells, for each of the maps around the column, whether it has the key. Undefined if all have it, and for a
   * column that is not that of a key.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   * @example
   * columnsOf(bytes).column('[].note')?.present(); // [true, false, …]
   */
  present(): boolean[] | undefined {
    const [payload, place] = [this.#payload, this.#place];
    if (place === undefined || this.missing === 0) return undefined;
    return oneError(payload.decoder, payload.markerOffset, () => {
      checkNode(payload, place.maps, 'some');
      const haveKey = place.maps.shapes.map((keys) => keys.includes(place.key));
      const rows = Array.from(smallIntegers(payload.decoder.src, place.maps.child(0)), (shape) => {
        const hasKey = haveKey[shape];
        need(hasKey !== undefined);
        return hasKey;
      });
      need(rows.filter(Boolean).length === this.n);
      return rows;
    });
  }

  /**
   * Returns the number of elements of each array, or of entries of each map: the columns in this one have as many
   * values as these have together. Undefined for a column that is not of kind `list` or `map`.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   * @example
   * columnsOf(bytes).column('[].tags')?.lengths(); // [2, 0, …]
   */
  lengths(): number[] | undefined {
    const [payload, node] = [this.#payload, this.#node];
    if (node.kind !== C.LIST && node.kind !== C.MAP) return undefined;
    return oneError(payload.decoder, payload.markerOffset, () => {
      checkNode(payload, node, 'some');
      return Array.from(smallIntegers(payload.decoder.src, node.child(0)));
    });
  }

  /**
   * Number of values that are nil.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   */
  get nils(): number {
    const payload = this.#payload;
    return oneError(payload.decoder, payload.markerOffset, () => {
      checkNode(payload, this.#node, 'some');
      return countNils(payload, this.#node);
    });
  }

  /**
   * Reads the values: numbers as a typed array, which is a view of the message where the values are
   * in it one after another and aligned; others as an array. Nothing of other columns is read.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   * @example
   * columnsOf(bytes).column('[].price').values(); // Float64Array(1000) [ … ]
   */
  values(): Values {
    return readNode(this.#payload, this.#node, 'some');
  }

  /**
   * Returns how the values are stored, for other columnar formats.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   * @example
   * columnsOf(bytes).column('[].city').data().kind; // 'dictionary'
   */
  data(): ColumnData {
    return dataOf(this.#payload, this.#node);
  }
}

/** The maps that a column is in, and the number of its key. */
interface KeyPlace {
  readonly maps: ColumnNode;
  readonly key: number;
}

/** The columns of a payload. */
export class ColumnsView {
  /** All columns in the order of the payload, the value itself first. */
  readonly columns: readonly ColumnView[];
  /** Size of the value as plain MessagePack. */
  readonly plainSize: number;
  /** Number of values in it, keys included. */
  readonly count: number;

  /** @internal */
  constructor(payload: OpenPayload) {
    const columns: ColumnView[] = [];
    list(payload, payload.root, '', undefined, columns);
    this.columns = columns;
    this.plainSize = payload.header.plainSize;
    this.count = payload.header.values;
  }

  /**
   * Returns the column with a path; undefined if there is none.
   *
   * @example
   * columnsOf(bytes).column('[].name')?.values();
   */
  column(path: string): ColumnView | undefined {
    return this.columns.find((column) => column.path === path);
  }
}

/** Adds a column and those in it. What is in the branches of UNION and the entries of DICT belongs to no row. */
function list(
  payload: OpenPayload,
  node: ColumnNode,
  path: string,
  place: KeyPlace | undefined,
  to: ColumnView[],
): void {
  to.push(new ColumnView(payload, node, path, place));
  const { kind } = node;
  if (kind === C.LIST) list(payload, node.child(1), `${path}[]`, undefined, to);
  else if (kind === C.MAP) {
    list(payload, node.child(1), `${path}{key}`, undefined, to);
    list(payload, node.child(2), `${path}{}`, undefined, to);
  } else if (kind === C.STRUCT) {
    const first = node.shapes.length > 0 ? 1 : 0;
    node.keys.forEach((key, i) => {
      list(payload, node.child(first + i), `${path}.${key}`, { maps: node, key: i }, to);
    });
  }
}

function countNils(payload: OpenPayload, node: ColumnNode): number {
  const { src, view } = payload.decoder;
  if (node.kind === C.UNION) return node.children.slice(1).reduce((sum, child) => sum + countNils(payload, child), 0);
  let nils = 0;
  if (node.kind === C.PLAIN) {
    let p = node.at;
    for (let row = 0; row < node.n; row++) {
      if (KINDS[src[p] as number] === 'nil') nils++;
      p = skipPlain(src, view, p, node.at + node.size).end;
    }
  } else if (node.kind === C.DICT) {
    const entries = readNode(payload, node.child(1), 'some');
    const indexes = smallIntegers(src, node.child(0));
    for (let row = 0; row < node.n; row++) if (entries[indexes[row] as number] === null) nils++;
  }
  return nils;
}
