/** Rows and container files for tests. */
import { ContainerReader, ContainerWriter } from 'packord/container';

export const SYNC = Uint8Array.from({ length: 16 }, (_, i) => i);

/** Rows of several types, some of which are missing. */
export function rowsOf(count) {
  return Array.from({ length: count }, (_, i) => ({
    id: i,
    name: `n${(i * 7) % 100}`,
    price: i % 11 === 0 ? null : i / 4,
    at: new Date(1_700_000_000_000 + i * 1000),
    tags: Array.from({ length: i % 3 }, (_, k) => `t${k}`),
    pos: { x: i % 5, y: -i },
    ...(i % 4 === 0 ? { note: 'é'.repeat(i % 9) } : {}),
  }));
}

/** Returns a container file in memory. */
export async function fileOf(rows, options = {}) {
  const writer = await ContainerWriter.open(null, { sync: SYNC, ...options });
  await writer.writeAll(rows);
  await writer.finish();
  return writer.bytes();
}

/** Returns all rows of a source. */
export async function readAll(source, options) {
  const reader = await ContainerReader.open(source, options);
  const rows = [];
  for await (const row of reader) rows.push(row);
  await reader.close();
  return rows;
}

/** The chunks of a stream of bytes. */
export async function* chunksOf(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
