import type { DecoderState } from '../../decode/DecoderState.ts';

/** The payload of an ext, for the function that reads it and as long as that runs. */
export class Payload {
  #source: DecoderState | null;
  readonly #markerOffset: number;
  #hasValues = false;

  constructor(source: DecoderState, markerOffset: number) {
    this.#source = source;
    this.#markerOffset = markerOffset;
  }

  /** Ends the access to the payload. @internal */
  close(): void {
    this.#source = null;
  }

  #open(): DecoderState {
    if (this.#source === null) throw new TypeError('The payload was read before');
    return this.#source;
  }

  /** Number of bytes that were not read yet. */
  get remaining(): number {
    const source = this.#open();
    return source.end - source.pos;
  }

  /** Reads bytes. */
  readBytes(length: number): Uint8Array {
    const source = this.#open();
    const { pos, base } = source;
    if (!(length >= 0 && pos + length <= source.end)) throw source.eof();
    source.pos = pos + length;
    return source.bytes(pos - base, pos - base + length);
  }

  /** Reads text, which has to be UTF-8 whatever the options. */
  readText(length: number): string {
    const source = this.#open();
    if (source.config.utf8 === 'error') return source.string(length) as string;
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return strict.decode(this.readBytes(length));
  }

  /** Reads one value. The ext then counts as a container (spec/extensions.md section 2). */
  readValue(): unknown {
    const source = this.#open();
    if (!this.#hasValues) source.deepen(this.#markerOffset);
    this.#hasValues = true;
    return source.read();
  }
}
