/** The other packages, as the interoperability tests call them. */
import { createRequire } from 'node:module';

// They are development dependencies of the package, and installed there.
const require = createRequire(new URL('../../js/package.json', import.meta.url));
const msgpackr = require('msgpackr');
const msgpack = require('@msgpack/msgpack');

const plain = { useRecords: false, mapsAsObjects: false };
const records = { useRecords: true, mapsAsObjects: false };

export const PEERS = {
  msgpackr: {
    unpack: (bytes) => new msgpackr.Unpackr(plain).unpack(bytes),
    pack: (value) => new msgpackr.Packr(plain).pack(value),
  },
  'msgpackr records': {
    unpack: (bytes) => new msgpackr.Unpackr(records).unpack(bytes),
    pack: (value) => new msgpackr.Packr(records).pack(value),
  },
  '@msgpack/msgpack': {
    unpack: (bytes) => msgpack.decode(bytes, { useBigInt64: true }),
    pack: (value) => msgpack.encode(value, { useBigInt64: true }),
  },
};
