// The playground: one input, one job at a time in a worker, and five views of the result. A view does its work when it is
// first shown; a new input ends whatever is under way.

import { type Form, programs } from './code.ts';
import { type Format, type Input, recognise } from './input.ts';
import { fromFragment, toFragment } from './share.ts';
import type { Job, JobResult, Step } from './worker.ts';

/** Inputs up to this size are shown in the text field. */
const SHOWN = 200_000;
/** How long to wait after a key, in milliseconds. */
const PAUSE = 250;
const VIEWS = ['bytes', 'sizes', 'schema', 'code', 'download'] as const;
type View = (typeof VIEWS)[number];
const SCHEMAS = ['table', 'json-schema', 'typescript', 'python', 'rust', 'java', 'clojure'];

const element = <E extends HTMLElement>(id: string) => document.getElementById(`pg-${id}`) as E;
const text = element<HTMLTextAreaElement>('text');
const formatChoice = element<HTMLSelectElement>('format');
const formChoice = element<HTMLSelectElement>('form');
const errorBox = element('error');
const say = (message: string) => void (element('status').textContent = message);

const base = new URL('.', import.meta.url);
let engine: Promise<WebAssembly.Module> | undefined;
let worker: Worker | undefined;
/** Counts inputs, so that the answer to an earlier one is dropped. */
let current = 0;
let source: { bytes: Uint8Array<ArrayBuffer>; name: string } | undefined;
let input: Input | undefined;
/** The MessagePack of the input, in the form that is chosen. */
let packed: Uint8Array<ArrayBuffer> | undefined;
let shown: View = 'bytes';
const ready = new Set<View>();

function loadEngine(): Promise<WebAssembly.Module> {
  engine ??= fetch(new URL('packord.wasm', base)).then(async (response) => {
    if (!response.ok) throw new Error(`The engine of the playground is missing: packord.wasm, status ${response.status}.`);
    return WebAssembly.compile(await response.arrayBuffer());
  });
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

function fail(message: string): void {
  errorBox.textContent = message;
  errorBox.hidden = false;
  say('');
}

const why = (result: JobResult): string | undefined => {
  const last = result.results.at(-1);
  return result.failure ?? (last && last.code !== 0 ? last.stderr.trim() || last.stdout.trim() : undefined);
};

function frame(html: Uint8Array<ArrayBuffer>, title: string): HTMLIFrameElement {
  const page = document.createElement('iframe');
  page.title = title;
  // The page has scripts of its own, and no access to this one.
  page.setAttribute('sandbox', 'allow-scripts');
  page.srcdoc = new TextDecoder().decode(html);
  return page;
}

function block(content: string, heading?: string): Node[] {
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.textContent = content;
  if (heading === undefined) return [pre];
  const title = document.createElement('h3');
  title.textContent = heading;
  return [title, pre];
}

const size = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;

/** Makes the MessagePack of the input, and shows its bytes. */
async function showBytes(): Promise<void> {
  if (!input) return;
  const form = formChoice.value as Form;
  const flags = form === 'plain' ? [] : [`--${form}`];
  const steps: Step[] = [];
  const files: Job['files'] = {};
  if (input.format === 'json') {
    files['input.json'] = input.bytes;
    steps.push({ args: ['pack', ...flags, '--out', 'data.msgpack', 'input.json'], makes: 'data.msgpack' });
  } else if (input.format === 'cbor') files['input.cbor'] = input.bytes;
  else files['data.msgpack'] = input.bytes;
  const isGiven = input.format === 'msgpack';
  if (isGiven) steps.push({ args: ['validate', 'data.msgpack'] });
  steps.push({ args: ['inspect', '--html', 'bytes.html', 'data.msgpack'], makes: 'bytes.html' });
  const cbor: Job['cbor'] = input.format === 'cbor' ? ['input.cbor', 'data.msgpack'] : undefined;
  let result = await perform({ files, steps, ...(cbor && { cbor }) });
  if (!result) return;
  const fault = why(result);
  if (fault !== undefined) {
    fail(fault);
    // The bytes before and around the fault are worth a look.
    if (!isGiven) return;
    result = await perform({ files, steps: steps.slice(1) });
    if (!result) return;
  }
  packed = isGiven ? input.bytes : result.made['data.msgpack'];
  const page = result.made['bytes.html'];
  element('bytes').replaceChildren(...(page ? [frame(page, 'The bytes and the tree of the data')] : []));
  if (fault === undefined)
    say(`${input.what}, ${size(input.bytes.length)}${isGiven || !packed ? '' : `; as MessagePack ${size(packed.length)}`}`);
}

async function showSizes(): Promise<void> {
  if (!packed || !input) return;
  const isJson = input.format === 'json';
  const steps: Step[] = isJson ? [] : [{ args: ['unpack', '--out', 'input.json', 'data.msgpack'] }];
  steps.push({ args: ['compare', '--quick', '--html', 'sizes.html', 'input.json'], makes: 'sizes.html' });
  const files: Job['files'] = isJson ? { 'input.json': input.bytes } : { 'data.msgpack': packed };
  say('Measuring …');
  const result = await perform({ files, steps });
  if (!result) return;
  const fault = why(result);
  if (fault !== undefined) return fail(fault);
  const page = result.made['sizes.html'];
  element('sizes').replaceChildren(...(page ? [frame(page, 'Sizes and speed in each format')] : []));
  say('Speeds are those of WebAssembly in this browser; natively all formats are faster.');
}

async function showSchema(): Promise<void> {
  if (!packed) return;
  const steps = SCHEMAS.map((kind) => ({ args: ['schema', '--to', kind, 'data.msgpack'] }));
  const result = await perform({ files: { 'data.msgpack': packed }, steps });
  if (!result) return;
  const fault = why(result);
  if (fault !== undefined) return fail(fault);
  element('schema').replaceChildren(...result.results.flatMap((step, at) => block(step.stdout, SCHEMAS[at])));
}

function showCode(): void {
  const isGiven = input?.format === 'msgpack';
  const form = isGiven ? 'plain' : (formChoice.value as Form);
  element('code').replaceChildren(...programs(form).flatMap(([language, code]) => block(code, language)));
}

async function showDownload(): Promise<void> {
  if (!packed || !input) return;
  const json = { args: ['unpack', '--out', 'data.json', 'data.msgpack'], makes: 'data.json' };
  const result = await perform({ files: { 'data.msgpack': packed }, steps: [json] });
  if (!result) return;
  const fault = why(result);
  if (fault !== undefined) return fail(fault);
  const links = Object.entries({ 'data.msgpack': packed, ...result.made }).map(([name, bytes]) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.textContent = `${name} (${size(bytes.length)})`;
    const line = document.createElement('p');
    line.append(link);
    return line;
  });
  element('download').replaceChildren(...links);
}

const SHOW: Record<View, () => void | Promise<void>> = {
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
    await SHOW[needed]();
    if (turn !== current) return;
    ready.add(needed);
  }
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
  for (const view of VIEWS) element(view).replaceChildren();
  // An empty field waits for input; an empty file is a message that ends too early.
  if (bytes.length === 0) return name === '' ? say('') : fail(`eof at byte 0: ${name} is empty`);
  const found = recognise(bytes, name, formatChoice.value as Format | 'auto');
  if (typeof found === 'string') return fail(found);
  input = found;
  say('Working …');
  show(shown).catch((error: unknown) => fail(words(error)));
}

async function takeFile(file: File): Promise<void> {
  const turn = ++current;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (turn !== current) return;
  take(bytes, file.name);
  const isText = input?.format === 'json' && bytes.length <= SHOWN;
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

element('share').addEventListener('click', async () => {
  if (!input) return say('There is no data yet.');
  const fragment = await toFragment(input.bytes, input.format);
  if (fragment === undefined) return say('This data is too large for a link.');
  history.replaceState(null, '', fragment);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say('The link is in the address bar and the clipboard. It holds the data itself.');
});

async function takeFragment(): Promise<void> {
  const shared = await fromFragment(location.hash);
  if (!shared) return;
  const [format, bytes] = shared;
  formatChoice.value = format;
  if (format === 'json') text.value = new TextDecoder().decode(bytes);
  take(bytes, '');
}

/** Keeps all that this page has loaded, and what it will load, for times without a network. */
async function keepForOffline(): Promise<void> {
  await navigator.serviceWorker?.register(new URL('../playground-offline.js', base));
  const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
  const own = ['packord.wasm', 'worker.js'].map((name) => new URL(name, base).href);
  const all = new Set([...loaded, ...own, location.href.replace(/#.*/, '')]);
  const here = [...all].filter((name) => new URL(name).origin === location.origin);
  await (await caches.open('packord-playground')).addAll(here);
  document.documentElement.dataset['offline'] = 'ready';
}

void takeFragment();
window.addEventListener('load', () => void keepForOffline().catch(() => {}));
