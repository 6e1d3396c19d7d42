/** Measures the memory for reading the hostile vectors, in a separate process. */
import { Unpackr } from 'packord';
import { casesOf, expand, optionsOf, sizeOf } from './vectors.js';

const used = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

let worst = { share: 0, factor: 0, name: '' };
for (const entry of casesOf('hostile')) {
  const options = optionsOf(entry.options);
  if (options === undefined) continue;
  const size = sizeOf(entry.bytes);
  if (size < 100_000 || size > 12e6) continue;
  const bytes = expand(entry.bytes);
  const unpackr = new Unpackr({ ...options, mapsAsObjects: true, mapKeyConverter: String });
  globalThis.gc();
  const before = used();
  let value;
  try {
    value = unpackr.unpack(bytes);
  } catch (error) {
    value = error;
  }
  // Garbage that was not collected yet counts, so this is an upper bound.
  const factor = (used() - before - 1e6) / bytes.length;
  const share = factor / (entry.factor ?? 128);
  if (share > worst.share && value !== undefined)
    worst = { share, factor, name: `${entry.file}: ${entry.name}` };
}

// What is remembered of keys: each of these is met twice, so that it is worth remembering.
const unpackr = new Unpackr({ useRecords: false });
const remember = (round) => {
  for (let i = 0; i < 100_000; i++) {
    const key = Buffer.from(
      `\x81\xaakey${String(round * 100_000 + i).padStart(7, '0')}\x01`,
      'latin1',
    );
    unpackr.unpack(key);
    unpackr.unpack(key);
  }
  globalThis.gc();
  return used();
};
const begin = remember(0);
process.send({ ...worst, kept: remember(3) - begin });
process.disconnect();
