/**
 * From the first message: new processes that pack and unpack 1, 10, 100 and 1,000 messages, start
 * and import included. Prints how many times faster those with packord are than those with
 * msgpackr, by the least CPU time of the whole process; they take turns. `ROUNDS=n` sets their number.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.env.ROUNDS ?? 30);
const COUNTS = [1, 10, 100, 1000];
const [, , library, count] = process.argv;

/** The messages of a service: four shapes, some of them nested. */
function message(i) {
  const user = { id: i, name: `user ${i % 50}`, admin: i % 9 === 0 };
  if (i % 4 === 0) return { type: 'join', user, at: 1_700_000_000_000 + i };
  if (i % 4 === 1) return { type: 'text', from: i, text: `some words, ${i}`, tags: ['a', 'b'] };
  if (i % 4 === 2)
    return {
      type: 'move',
      points: [
        { x: i, y: i / 3 },
        { x: 2, y: 0.5 },
      ],
    };
  return { type: 'leave', user, reason: null };
}

async function run() {
  const { pack, unpack } = await import(library);
  for (let i = 0; i < Number(count); i++) unpack(pack(message(i)));
  const { user, system } = process.cpuUsage();
  console.log(user + system);
}

/** Microseconds of CPU time of a new process. */
function measure(name, messages) {
  const args = [fileURLToPath(import.meta.url), name, String(messages)];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return Number(stdout);
}

if (library !== undefined) await run();
else
  for (const messages of COUNTS) {
    const samples = { packord: [], msgpackr: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const name of Object.keys(samples)) samples[name].push(measure(name, messages));
    const [own, other] = [Math.min(...samples.packord), Math.min(...samples.msgpackr)];
    const milliseconds = (time) => `${(time / 1000).toFixed(1)} ms`;
    console.log(
      `| ${String(messages).padStart(4)} messages | ${(other / own).toFixed(2)} | ${milliseconds(own)} | ${milliseconds(other)} |`,
    );
  }
