// Runs commands of the tool, compiled to WebAssembly, on files in memory. One worker runs one job: a new input ends it.

import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { decode } from 'cbor-x';
import { pack } from 'packord';

/** One command, and the file that it makes, if any. */
export interface Step {
  args: string[];
  makes?: string;
}

/** What the worker is asked for. */
export interface Job {
  engine: WebAssembly.Module;
  /** The files that the commands see, by name. */
  files: Record<string, Uint8Array<ArrayBuffer>>;
  /** A file that is CBOR: it becomes MessagePack under the second name before the first command. */
  cbor?: [from: string, to: string];
  steps: Step[];
}

/** What one command wrote. */
export interface StepResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** What the worker answers: all results up to the first command that failed, and the files that were made. */
export interface JobResult {
  results: StepResult[];
  made: Record<string, Uint8Array<ArrayBuffer>>;
  /** Why the worker itself failed. */
  failure?: string;
}

function run(engine: WebAssembly.Module, args: string[], folder: Map<string, File>): StepResult {
  const written: [Uint8Array[], Uint8Array[]] = [[], []];
  const output = (index: 0 | 1) => new ConsoleStdout((bytes) => void written[index].push(bytes.slice()));
  const descriptors = [
    new OpenFile(new File([])),
    output(0),
    output(1),
    new PreopenDirectory('.', folder as unknown as Map<string, never>),
  ];
  const wasi = new WASI(['packord', ...args], ['NO_COLOR=1'], descriptors, { debug: false });
  const instance = new WebAssembly.Instance(engine, { wasi_snapshot_preview1: wasi.wasiImport });
  let code: number;
  try {
    code = wasi.start(instance as Parameters<typeof wasi.start>[0]);
  } catch (error) {
    written[1].push(new TextEncoder().encode(`error: ${error instanceof Error ? error.message : error}\n`));
    code = 101;
  }
  const text = (parts: Uint8Array[]) => {
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  };
  return { code, stdout: text(written[0]), stderr: text(written[1]) };
}

function perform({ engine, files, cbor, steps }: Job): JobResult {
  const folder = new Map(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
  const result: JobResult = { results: [], made: {} };
  if (cbor) {
    const bytes = pack(decode(files[cbor[0]] as Uint8Array)) as Uint8Array<ArrayBuffer>;
    folder.set(cbor[1], new File(bytes));
    result.made[cbor[1]] = bytes;
  }
  for (const { args, makes } of steps) {
    const step = run(engine, args, folder);
    result.results.push(step);
    // A page about damaged bytes is made, and the command still fails.
    const file = makes === undefined ? undefined : folder.get(makes);
    if (makes !== undefined && file) result.made[makes] = file.data as Uint8Array<ArrayBuffer>;
    if (step.code !== 0) break;
  }
  return result;
}

self.onmessage = ({ data }: MessageEvent<Job>) => {
  let result: JobResult;
  try {
    result = perform(data);
  } catch (error) {
    result = { results: [], made: {}, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(result);
};
