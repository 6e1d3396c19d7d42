/**
 * Reads canonical MessagePack files, packs what they hold again, and prints a line for each file:
 * its name, `same` or `differs` for the bytes of the canonical form, and the median microseconds of
 * reading and of packing with default options, separated by tabs.
 *
 *     node roundtrip.js SECONDS FILE...
 *
 * SECONDS is the time to spend on each direction.
 */
import { readFileSync } from 'node:fs';
import { Packr, pack, unpack } from '../../js/dist/esm/node.js';

function median(seconds, call) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  while (times.length < 3 || performance.now() < end) {
    const start = performance.now();
    call();
    times.push((performance.now() - start) * 1000);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1].toFixed(2);
}

const canonical = new Packr({ canonical: true });
const [seconds, ...files] = process.argv.slice(2);
for (const file of files) {
  const bytes = readFileSync(file);
  const value = unpack(bytes);
  const verdict = bytes.equals(canonical.pack(value)) ? 'same' : 'differs';
  const read = median(Number(seconds), () => unpack(bytes));
  const written = median(Number(seconds), () => pack(value));
  console.log(`${file}\t${verdict}\t${read}\t${written}`);
}
