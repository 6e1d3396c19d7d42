/** Measures functions in CPU time, which does not count the time of other processes. */

/** QUICK=1 asks for a rough run. */
export const QUICK = process.env.QUICK !== undefined && process.env.QUICK !== '0';

const ROUNDS = QUICK ? 7 : 9;
/** Long enough for V8 to compile what a document needs; in a quick run not always. */
const WARM_US = QUICK ? 230_000 : 700_000;
const WINDOW_US = QUICK ? 4000 : 12_000;

function cpu(run, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

function warmUp(run) {
  const before = process.cpuUsage();
  for (;;) {
    run();
    const { user, system } = process.cpuUsage(before);
    if (user + system > WARM_US) return;
  }
}

/** The minimum and the median of times. */
export function summary(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return { min: sorted[0], median: sorted[sorted.length >> 1] };
}

/** Microseconds of each function by its name, in rounds that take turns. */
export function measure(functions) {
  const runs = Object.entries(functions).map(([name, run]) => {
    warmUp(run);
    let times = 1;
    while (cpu(run, times) * times < WINDOW_US) times *= 2;
    return { name, run, times, samples: [] };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const entry of runs) entry.samples.push(cpu(entry.run, entry.times));
  return Object.fromEntries(runs.map(({ name, samples }) => [name, summary(samples)]));
}
