/**
 * MessagePack with records: small, fast and safe. `pack` and `unpack` speak plain
 * MessagePack; instances of `Packr` write objects of the same keys as records.
 *
 * @example
 * import { pack, unpack } from 'packord';
 * unpack(pack({ id: 1, tags: ['a', 'b'] })); // { id: 1, tags: ['a', 'b'] }
 */
export { mapsAsObjects, useRecords } from './api/options.ts';
export * from './pack.ts';
export * from './stream.ts';
