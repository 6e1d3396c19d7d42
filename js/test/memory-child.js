/** Measures the memory for reading the larger hostile vectors, in a separate process, and what they are read as. */
import { Unpackr } from 'packord';
import { casesOf, expand, LARGE, optionsOf, sizeOf } from './vectors.js';

const used = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** Number of elements of an array of equal ones; more take as much memory for each byte. */
const MOST = process.env.PACKORD_EXHAUSTIVE ? Number.POSITIVE_INFINITY : 1e6;

/** The bytes of a case; of an array of very many equal elements, those of a shorter one. */
function shortened(pieces) {
  const [head, { times } = {}, ...more] = pieces;
  if (!/^dd.{8}$/.test(head) || more.length > 0 || !(times > MOST)) return pieces;
  if (Number.parseInt(head.slice(2), 16) !== times) return pieces;
  return [`dd${MOST.toString(16).padStart(8, '0')}`, { ...pieces[1], times: MOST }];
}

const wrong = [];
let worst = { share: 0, factor: 0, name: '' };
for (const entry of casesOf('hostile')) {
  const options = optionsOf(entry.options);
  if (options === undefined) continue;
  const pieces = shortened(entry.bytes);
  if (sizeOf(entry.bytes) < LARGE || sizeOf(pieces) > 12e6) continue;
  const bytes = expand(pieces);
  const unpackr = new Unpackr({ ...options, maps: 'auto' });
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
  const { kind, offset } = entry.error ?? {};
  if (value?.kind !== kind || (kind !== undefined && value.offset !== offset)) wrong.push(entry.name);
  if (share > worst.share && value !== undefined) worst = { share, factor, name: `${entry.file}: ${entry.name}` };
}

// What is remembered of keys: each of these is met twice, so that it is worth remembering.
const unpackr = new Unpackr({});
const remember = (round) => {
  for (let i = 0; i < 100_000; i++) {
    const key = Buffer.from(`\x81\xaakey${String(round * 100_000 + i).padStart(7, '0')}\x01`, 'latin1');
    unpackr.unpack(key);
    unpackr.unpack(key);
  }
  globalThis.gc();
  return used();
};
const begin = remember(0);
process.send({ ...worst, wrong, kept: remember(3) - begin });
process.disconnect();
