/** Random numbers that a seed repeats (mulberry32): a function of an upper end, which is left out. */
export function randomOf(seed) {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % max;
  };
}

/** Seconds that a test with random input runs, and its seed. */
export const SECONDS = Number(process.env.MUTATE_SECONDS ?? 5);
export const SEED = Number(process.env.SEED ?? Date.now() % 1e9);
