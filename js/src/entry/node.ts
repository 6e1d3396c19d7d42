/** `packord` in Node: all of the browser's entry and Node's streams. */

export { PackrStream, type StreamOptions, UnpackrStream } from '../api/node-streams.ts';
export * from './index.ts';
