/**
 * Measures one row of the benchmark: `node part.js MODE NAME` a document in a mode, and
 * `node part.js streams TITLE` a stream. Prints the result as a line of JSON.
 */
import { contestants } from './contestants.js';
import { documents } from './documents.js';
import { heldOut } from './held-out.js';
import { measure } from './measure.js';
import { benchStream } from './streams.js';

function benchDocument(mode, name) {
  const { value } = { ...documents, ...heldOut }[name];
  const packs = {};
  const unpacks = {};
  const sizes = {};
  for (const [packer, { pack, unpack }] of Object.entries(contestants[mode](value))) {
    try {
      pack(value);
      // A copy, because packers reuse their memory.
      const packed = pack(value);
      const bytes = typeof packed === 'string' ? packed : Buffer.from(packed);
      unpack(bytes);
      packs[packer] = () => pack(value);
      unpacks[packer] = () => unpack(bytes);
      sizes[packer] = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
    } catch (error) {
      console.error(`${packer} can't handle ${name}: ${error.message}`);
    }
  }
  return { pack: measure(packs), unpack: measure(unpacks), sizes };
}

const [, , mode, name] = process.argv;
const result = mode === 'streams' ? await benchStream(name) : benchDocument(mode, name);
console.log(JSON.stringify(result));
