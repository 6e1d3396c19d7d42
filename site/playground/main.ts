// The playground: one input, one job at a time in a worker, and five views of the result. A view does its work when it is
// first shown; a new input ends whatever is under way.

import { fileName, type Form, type Kind, kindOf, programs } from './code.ts';
import { frame, keepInScheme, plainly } from './frames.ts';
import { type Format, type Input, NAMES, recognise } from './input.ts';
import { fromFragment, toFragment } from './share.ts';
import type { Job, JobResult, Step } from './worker.ts';

/** Inputs up to this size are shown in the text field. */
const SHOWN = 200_000;
/** How long to wait after a key, in milliseconds. */
const PAUSE = 250;
const VIEWS = ['bytes', 'sizes', 'schema', 'code', 'download'] as const;
type View = (typeof VIEWS)[number];
/** The bytes are here already. A length beyond them is the end of the input, and no limit of the tool refuses it before. */
const WHOLE = ['--max-message', '8g'];
const SCHEMAS = ['table', 'json-schema', 'typescript', 'python', 'rust', 'java', 'clojure'];

const element = <E extends HTMLElement>(id: string) => document.getElementById(`pg-${id}`) as E;
const text = element<HTMLTextAreaElement>('text');
const formatChoice = element<HTMLSelectElement>('format');
const formChoice = element<HTMLSelectElement>('form');
const errorBox = element('error');
const status = element('status');
const say = (message: string) => void (status.textContent = message);

const base = new URL('.', import.meta.url);
let engine: Promise<WebAssembly.Module> | undefined;
let worker: Worker | undefined;
/** Counts inputs, so that the answer to an earlier one is dropped. */
let current = 0;
let source: { bytes: Uint8Array<ArrayBuffer>; name: string } | undefined;
let input: Input | undefined;
/** The MessagePack of the input, in the form that is chosen, and what a program has to know about it. */
let packed: Uint8Array<ArrayBuffer> | undefined;
let kind: Kind = { layout: 'message', records: false, columns: false };
let shown: View = 'bytes';
/** The results that are made, and what is said of each. */
const ready = new Map<View, string>();

/** Loads the engine, once: nothing of it is asked for before there is an input. */
function loadEngine(): Promise<WebAssembly.Module> {
  engine ??= (async () => {
    say('Loading the engine, once …');
    const response = await fetch(new URL('packord.wasm.gz', base));
    if (!response.ok) throw new Error(`The engine of the playground is missing: packord.wasm.gz, status ${response.status}.`);
    const bytes = await response.blob();
    // Some servers unpack it on the way.
    const isPacked = new Uint8Array(await bytes.slice(0, 2).arrayBuffer()).join() === '31,139';
    const unpacked = isPacked ? bytes.stream().pipeThrough(new DecompressionStream('gzip')) : bytes.stream();
    const module = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
    say('Working …');
    void keepForOffline().catch(() => {});
    return module;
  })();
  engine.catch(() => (engine = undefined));
  return engine;
}

/** Runs a job in a worker of its own; undefined if another input came meanwhile. */
async function perform(job: Omit<Job, 'engine'>): Promise<JobResult | undefined> {
  const turn = current;
  const module = await loadEngine();
  if (turn !== current) return undefined;
  worker?.terminate();
  const own = new Worker(new URL('worker.js', base), { type: 'module' });
  worker = own;
  const result = await new Promise<JobResult>((resolve) => {
    own.onmessage = ({ data }: MessageEvent<JobResult>) => resolve(data);
    own.onerror = (event) => resolve({ results: [], made: {}, failure: event.message || 'the worker failed' });
    own.postMessage({ ...job, engine: module });
  });
  own.terminate();
  return turn === current ? result : undefined;
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function fail(message: string): '' {
  errorBox.textContent = message;
  errorBox.hidden = false;
  say('');
  return '';
}

/** Why a job failed, without the words of the command line. */
const why = (result: JobResult): string | undefined => {
  const last = result.results.at(-1);
  if (result.failure !== undefined) return result.failure;
  return last && last.code !== 0 ? plainly(last.stderr.trim() || last.stdout.trim()) : undefined;
};

function block(content: string, heading?: string): Node[] {
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.textContent = content;
  if (heading === undefined) return [pre];
  const title = document.createElement('h3');
  title.textContent = heading;
  return [title, pre];
}

const size = (bytes: number) => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;

/** Says what the input was taken for, with a button for each other way to read it. */
function sayTaken(found: Input | undefined): void {
  const line = element('taken');
  line.hidden = found === undefined;
  if (!found) return;
  const buttons = found.others.map((format) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = NAMES[format];
    button.addEventListener('click', () => {
      formatChoice.value = format;
      again();
    });
    return button;
  });
  const words = formatChoice.value === 'auto' ? `Taken for ${found.what}.` : `Read as ${found.what}.`;
  line.replaceChildren(words, ...(buttons.length > 0 ? [' It can also be read as ', ...buttons] : []));
}

/** Makes the MessagePack of the input, and shows its bytes. */
async function showBytes(): Promise<string> {
  if (!input) return '';
  const form = formChoice.value as Form;
  const flags = form === 'plain' ? [] : [`--${form}`];
  const steps: Step[] = [];
  const files: Job['files'] = {};
  const isGiven = input.content === 'msgpack';
  if (input.content === 'json') {
    files['input.json'] = input.bytes;
    steps.push({ args: ['pack', ...flags, '--out', 'data.msgpack', 'input.json'], makes: 'data.msgpack' });
  } else if (input.content === 'cbor') files['input.cbor'] = input.bytes;
  else files['data.msgpack'] = input.bytes;
  const inspect: Step = { args: ['inspect', ...WHOLE, '--html', 'bytes.html', 'data.msgpack'], makes: 'bytes.html' };
  steps.push({ args: ['validate', ...WHOLE, 'data.msgpack'] }, inspect);
  const cbor: Job['cbor'] = input.content === 'cbor' ? ['input.cbor', 'data.msgpack'] : undefined;
  let result = await perform({ files, steps, ...(cbor && { cbor }) });
  if (!result) return '';
  const fault = why(result);
  const checked = result.results.at(-2)?.stdout ?? '';
  if (fault !== undefined) {
    fail(fault);
    // The bytes before and around the fault are worth a look.
    if (!isGiven) return '';
    result = await perform({ files, steps: [inspect] });
    if (!result) return '';
  }
  packed = isGiven ? input.bytes : result.made['data.msgpack'];
  const page = result.made['bytes.html'];
  const html = page ? new TextDecoder().decode(page) : '';
  kind = kindOf(checked, html);
  element('bytes').replaceChildren(...(page ? [frame(html, 'The bytes and the tree of the data')] : []));
  if (fault !== undefined) return '';
  return `${input.what}, ${size(input.bytes.length)}${isGiven || !packed ? '' : `; as MessagePack ${size(packed.length)}`}`;
}

async function showSizes(): Promise<string> {
  if (!packed || !input) return '';
  const isJson = input.content === 'json';
  const steps: Step[] = isJson ? [] : [{ args: ['unpack', '--out', 'input.json', 'data.msgpack'] }];
  steps.push({ args: ['compare', '--quick', '--html', 'sizes.html', 'input.json'], makes: 'sizes.html' });
  const files: Job['files'] = isJson ? { 'input.json': input.bytes } : { 'data.msgpack': packed };
  say('Measuring …');
  const result = await perform({ files, steps });
  if (!result) return '';
  const fault = why(result);
  if (fault !== undefined) return fail(fault);
  const page = result.made['sizes.html'];
  const html = page && new TextDecoder().decode(page);
  element('sizes').replaceChildren(...(html ? [frame(html, 'Sizes and speed in each format')] : []));
  return 'Speeds are those of WebAssembly in this browser; natively all formats are faster.';
}

async function showSchema(): Promise<string> {
  if (!packed) return '';
  const steps = SCHEMAS.map((to) => ({ args: ['schema', '--to', to, 'data.msgpack'] }));
  const result = await perform({ files: { 'data.msgpack': packed }, steps });
  if (!result) return '';
  const fault = why(result);
  if (fault !== undefined) return fail(fault);
  element('schema').replaceChildren(...result.results.flatMap((step, at) => block(step.stdout, SCHEMAS[at])));
  return `What the ${kind.layout === 'message' ? 'data has' : 'messages have'} in common, as types.`;
}

async function showCode(): Promise<string> {
  if (!packed) return '';
  element('code').replaceChildren(...programs(kind).flatMap(([language, code]) => block(code, language)));
  return `Each program reads ${fileName(kind)}, which is under Download.`;
}

async function showDownload(): Promise<string> {
  if (!packed || !input) return '';
  const json = { args: ['unpack', '--out', 'data.json', 'data.msgpack'], makes: 'data.json' };
  const result = await perform({ files: { 'data.msgpack': packed }, steps: [json] });
  if (!result) return '';
  const fault = why(result);
  if (fault !== undefined) return fail(fault);
  const links = Object.entries({ [fileName(kind)]: packed, ...result.made }).map(([name, bytes]) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.textContent = `${name} (${size(bytes.length)})`;
    const line = document.createElement('p');
    line.append(link);
    return line;
  });
  element('download').replaceChildren(...links);
  return 'The same data in both files.';
}

const SHOW: Record<View, () => Promise<string>> = {
  bytes: showBytes,
  sizes: showSizes,
  schema: showSchema,
  code: showCode,
  download: showDownload,
};

async function show(view: View): Promise<void> {
  shown = view;
  for (const name of VIEWS) {
    const tab = element(`tab-${name}`);
    tab.setAttribute('aria-selected', String(name === view));
    tab.tabIndex = name === view ? 0 : -1;
    element(name).hidden = name !== view;
  }
  if (!input) return;
  const turn = current;
  for (const needed of view === 'bytes' ? [view] : (['bytes', view] as View[])) {
    if (ready.has(needed)) continue;
    const words = await SHOW[needed]();
    if (turn !== current) return;
    ready.set(needed, words);
  }
  // Another result may have been chosen meanwhile.
  if (shown === view) say(ready.get(view) ?? '');
}

/** Takes a new input, and ends what is under way for the last one. */
function take(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  current++;
  worker?.terminate();
  source = { bytes, name };
  ready.clear();
  input = undefined;
  packed = undefined;
  errorBox.hidden = true;
  sayTaken(undefined);
  for (const view of VIEWS) element(view).replaceChildren();
  // An empty field waits for input; an empty file is a message that ends too early.
  if (bytes.length === 0) return void (name === '' ? say('') : fail(`eof at byte 0: ${name} is empty`));
  const found = recognise(bytes, name, formatChoice.value as Format | 'auto');
  if (typeof found === 'string') return void fail(found);
  input = found;
  sayTaken(found);
  say('Working …');
  show(shown).catch((error: unknown) => fail(words(error)));
}

async function takeFile(file: File): Promise<void> {
  const turn = ++current;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (turn !== current) return;
  take(bytes, file.name);
  const isText = input?.content === 'json' && bytes.length <= SHOWN;
  text.value = isText ? new TextDecoder().decode(bytes) : '';
  text.placeholder = `${file.name}, ${size(bytes.length)}`;
}

let pause: ReturnType<typeof setTimeout> | undefined;
text.addEventListener('input', () => {
  clearTimeout(pause);
  pause = setTimeout(() => take(new TextEncoder().encode(text.value.trim()), ''), PAUSE);
});
const again = () => source && take(source.bytes, source.name);
formatChoice.addEventListener('change', again);
formChoice.addEventListener('change', again);
const files = element<HTMLInputElement>('file');
files.addEventListener('change', () => {
  const file = files.files?.[0];
  if (file) void takeFile(file);
});

const zone = document.querySelector('.pg-input') as HTMLElement;
zone.addEventListener('dragover', (event) => {
  event.preventDefault();
  zone.classList.add('pg-over');
});
zone.addEventListener('dragleave', () => zone.classList.remove('pg-over'));
zone.addEventListener('drop', (event) => {
  event.preventDefault();
  zone.classList.remove('pg-over');
  const file = event.dataTransfer?.files[0];
  if (file) void takeFile(file);
});

const tabs = document.querySelector('.pg-tabs') as HTMLElement;
tabs.addEventListener('click', (event) => {
  const id = (event.target as HTMLElement).id.replace('pg-tab-', '') as View;
  if (VIEWS.includes(id)) show(id).catch((error: unknown) => fail(words(error)));
});
tabs.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: VIEWS.length - 1 }[event.key];
  if (step === undefined) return;
  const next = VIEWS[(VIEWS.indexOf(shown) + step) % VIEWS.length] as View;
  element(`tab-${next}`).focus();
  show(next).catch((error: unknown) => fail(words(error)));
});

/** Inputs to begin with. */
const EXAMPLES: Record<string, string> = {
  json: '{"users":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]}',
  // An id, a name and a point in time.
  bytes: '83 a2 69 64 07 a4 6e 61 6d 65 a3 41 64 61 a4 73 65 65 6e d6 ff 69 57 35 a5',
  // A str of two bytes, of which the second cannot follow the first.
  damaged: "b'\\x81\\xa5users\\x91\\x81\\xa4name\\xa2\\xc3('",
};
element('examples').addEventListener('click', (event) => {
  const example = EXAMPLES[(event.target as HTMLElement).dataset['example'] ?? ''];
  if (example === undefined) return;
  formatChoice.value = 'auto';
  text.value = example;
  take(new TextEncoder().encode(example), '');
});

element('share').addEventListener('click', async () => {
  if (!source || !input) return say('There is no data yet.');
  const { bytes, name } = source;
  const choices = { read: formatChoice.value, write: formChoice.value, view: shown, name, bytes };
  const fragment = await toFragment(choices);
  if (fragment === undefined) return say('This data is too large for a link.');
  history.replaceState(null, '', fragment);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say('The link is in the address bar and the clipboard. It holds the data itself.');
});

/** Whether a choice of a link is one of the page. */
const offers = (select: HTMLSelectElement, value: string) => [...select.options].some((option) => option.value === value);

async function takeFragment(): Promise<void> {
  const shared = await fromFragment(location.hash);
  if (shared === undefined) return;
  if (typeof shared === 'string' || !offers(formatChoice, shared.read) || !offers(formChoice, shared.write)) {
    take(new Uint8Array(), '');
    return void fail(typeof shared === 'string' ? shared : 'This link is damaged: it has a choice that the page does not offer.');
  }
  formatChoice.value = shared.read;
  formChoice.value = shared.write;
  if (VIEWS.includes(shared.view as View)) await show(shared.view as View);
  text.value = shared.name === '' ? new TextDecoder().decode(shared.bytes) : '';
  if (shared.name !== '') text.placeholder = `${shared.name}, ${size(shared.bytes.length)}`;
  take(shared.bytes, shared.name);
}

/** Keeps all that this page has loaded, for times without a network. */
async function keepForOffline(): Promise<void> {
  await navigator.serviceWorker?.register(new URL('../playground-offline.js', base));
  const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
  const own = ['packord.wasm.gz', 'worker.js'].map((name) => new URL(name, base).href);
  const all = new Set([...loaded, ...own, location.href.replace(/#.*/, '')]);
  const here = [...all].filter((name) => new URL(name).origin === location.origin);
  await (await caches.open('packord-playground')).addAll(here);
  document.documentElement.dataset['offline'] = 'ready';
}

keepInScheme();
void takeFragment();
window.addEventListener('hashchange', () => void takeFragment());
