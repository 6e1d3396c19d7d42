import { UnpackrClass } from '../../api/Unpackr.ts';
import { skipPlain } from '../../columns/malformed.ts';
import { newHeader, readHeader } from '../../wire/header.ts';
import { isMap } from '../../wire/markers.ts';
import { crc32c } from '../codec/crc32c.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { endOf, fault } from '../source/fail.ts';
import { agrees, BEGINNING, markOf, SYNC_SIZE } from '../source/marks.ts';
import { passValues } from '../source/pass.ts';
import { HeadReader } from './FrameReader.ts';

/** What the header of a container file says (spec/container.md section 1). */
export interface ContainerHeader {
  /** The 16 bytes that are in all marks of the file. */
  readonly sync: Uint8Array;
  /** The codec of blocks that name none. */
  readonly codec: string;
  /** What the program that wrote the file put there. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The paths whose statistics are kept; undefined where the writer chose them. */
  readonly stats: readonly string[] | undefined;
}

export interface ReadHeader {
  readonly header: ContainerHeader;
  readonly mark: Uint8Array;
  /** Offset of the first byte after it. */
  readonly end: number;
}

export async function readContainerHeader(window: FileWindow, maxBlock: number): Promise<ReadHeader> {
  const at = BEGINNING.length;
  const available = await window.load(0, at);
  if (!agrees(window.bytes, 0, BEGINNING)) throw fault('invalid_container', 0, 'this is not a container file');
  if (available < at || (await window.load(at, 1)) === 0) throw endOf(window);
  if (!isMap(window.bytes[at - window.start] as number)) throw fault('invalid_container', at, 'the options are a map');
  const heads = new HeadReader(window);
  window.hold = 0;
  try {
    const crcAt = await passValues(window, at, 1, { limit: at + maxBlock, limitAt: at });
    const end = await heads.next(crcAt);
    const crc = heads.uint(crcAt);
    await window.load(0, end);
    if (crc !== crc32c(window.slice(0, crcAt)))
      throw fault('invalid_container', crcAt, 'the crc of the header is wrong');
    return { ...optionsOf(window.slice(at, crcAt - at), at), end };
  } finally {
    window.hold = Number.POSITIVE_INFINITY;
  }
}

/** Reads the map of options, which is well-formed; offsets are from `base` on. */
function optionsOf(bytes: Uint8Array, base: number): Omit<ReadHeader, 'end'> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const unpackr = new UnpackrClass({ copyBuffers: true, maps: 'map' });
  const map = newHeader();
  readHeader(view, 0, bytes.length, map);
  const options: Record<string, unknown> = {};
  let p = map.size;
  for (let i = 0; i < map.count; i++) {
    const valueAt = skipPlain(bytes, view, p, bytes.length).end;
    const end = skipPlain(bytes, view, valueAt, bytes.length).end;
    const entry = newHeader();
    readHeader(view, p, bytes.length, entry);
    const name = entry.kind === 'str' ? (unpackr.unpack(bytes.subarray(p, valueAt)) as string) : '';
    const isRight = CHECKS[name];
    if (isRight !== undefined && Object.hasOwn(CHECKS, name)) {
      readHeader(view, valueAt, bytes.length, entry);
      const reader = name === 'meta' ? new UnpackrClass({ copyBuffers: true }) : unpackr;
      const value: unknown = reader.unpack(bytes.subarray(valueAt, end));
      if (!isRight(value, entry.kind)) throw fault('invalid_container', base + valueAt, `${name} has another type`);
      options[name] = value;
    } else if (name.startsWith('!')) throw fault('invalid_container', base + p, `${name} is not known, and needed`);
    p = end;
  }
  const { sync, codec = 'none', meta, stats } = options as Partial<ContainerHeader>;
  if (sync === undefined) throw fault('invalid_container', base, 'sync is missing');
  return { header: { sync, codec, meta, stats }, mark: markOf(sync) };
}

/** Whether a value of some kind of header is one of an option. */
const CHECKS: Readonly<Record<string, (value: unknown, kind: string) => boolean>> = {
  sync: (value, kind) => kind === 'bin' && (value as Uint8Array).length === SYNC_SIZE,
  codec: (value) => typeof value === 'string',
  meta: (_, kind) => kind === 'map',
  stats: (value) => Array.isArray(value) && value.every((element) => typeof element === 'string'),
};
