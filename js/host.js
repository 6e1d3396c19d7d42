// ClojureScript's compiler finds packord/host by the name of this file.
export * from './dist/esm/host.js';
