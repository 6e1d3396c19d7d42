import type { Options } from '../options/options.ts';
import type { OwnBytes } from '../wire/platform.ts';
import { pack } from './functions.ts';
import { decodeAsync } from './iterate.ts';

/** The registered media type of MessagePack. */
export const MEDIA_TYPE = 'application/vnd.msgpack';

/** Media types of bodies that are read. A body without a type is read too. */
const READABLE = /^(application\/(vnd\.msgpack|x-msgpack|msgpack|octet-stream))?\s*(;|$)/i;

/** What packs the values of bodies: a Packr, or anything else with its method `pack`. */
export interface BodyPacker {
  pack(value: unknown): Uint8Array;
}

const plain: BodyPacker = { pack };

/** Returns a copy with memory of its own, as the message may share its memory with others. */
function bytesOf(value: unknown, packr: BodyPacker): OwnBytes {
  return new Uint8Array(packr.pack(value));
}

function headersOf(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  if (!headers.has('content-type')) headers.set('content-type', MEDIA_TYPE);
  return headers;
}

/**
 * Packs a value as a Blob.
 *
 * @throws MsgpackEncodeError
 * @example
 * packBlob({ id: 1 }).type; // 'application/vnd.msgpack'
 */
export function packBlob(value: unknown, packr: BodyPacker = plain): Blob {
  return new Blob([bytesOf(value, packr)], { type: MEDIA_TYPE });
}

/**
 * Packs a value as the body of a Response.
 *
 * @throws MsgpackEncodeError
 * @example
 * packResponse({ id: 1 }, { status: 201 });
 */
export function packResponse(value: unknown, init: ResponseInit = {}, packr: BodyPacker = plain): Response {
  return new Response(bytesOf(value, packr), { ...init, headers: headersOf(init.headers) });
}

/**
 * Packs a value as the body of a Request, whose method is POST unless `init` has another.
 *
 * @throws MsgpackEncodeError
 * @example
 * await fetch(packRequest('https://example.com/users', { name: 'Ada' }));
 */
export function packRequest(
  url: string | URL,
  value: unknown,
  init: RequestInit = {},
  packr: BodyPacker = plain,
): Request {
  const body = bytesOf(value, packr);
  return new Request(url, { method: 'POST', ...init, body, headers: headersOf(init.headers) });
}

/**
 * Unpacks the body of a Request or a Response, or a Blob.
 *
 * @throws MsgpackDecodeError
 * @throws TypeError when the body is declared to be of another media type, such as HTML
 * @example
 * const user = await unpackBody(await fetch('/user'), { maxBuffer: 1_000_000 });
 */
export async function unpackBody(source: Request | Response | Blob, options: Options = {}): Promise<unknown> {
  const isBlob = source instanceof Blob;
  const type = isBlob ? source.type : (source.headers.get('content-type') ?? '');
  if (!READABLE.test(type)) throw new TypeError(`The body is ${type}, not MessagePack`);
  return decodeAsync(isBlob ? source : (source.body ?? []), options);
}
