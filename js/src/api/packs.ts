/** What makes a class of instances pack: with a decoder, or without one. */

import { encodeConfig } from '../options/config.ts';
import type { InternalOptions } from '../options/dialect.ts';
import type { Options, Preset } from '../options/options.ts';
import { checkFeatures } from '../options/table.ts';
import type { Packed } from '../wire/platform.ts';
import type { Instance } from './Instance.ts';
import { modes } from './modes.ts';
import { Packing } from './Packing.ts';

/** What an instance that packs also has. */
export interface Packs {
  /**
   * Packs a value. The bytes share memory with other messages, as small Buffers do.
   *
   * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
   * @throws MsgpackEncodeError
   * @example
   * packr.pack({ x: 1 }, RESERVE_START_SPACE + 4); // four bytes are free before the message
   */
  readonly pack: (value: unknown, options?: number) => Packed;
  /** @internal */
  readonly packing: Packing;
  /** Offset in memory after the last message, as in msgpackr. */
  readonly offset: number;
  /** Offset in memory at which the next message may begin. */
  position: number;
  /**
   * Writes the next messages into this memory, and overwrites its content.
   *
   * @example
   * packr.useBuffer(Buffer.alloc(65_536));
   */
  useBuffer(buffer: Uint8Array): void;
  /** Reuses the memory of all messages that were packed, which must no longer be in use. */
  resetMemory(): void;
  /** Replaces the shared structures by an empty list. */
  clearSharedData(): void;
}

export type InstanceClass<T extends Instance> = new (options?: Options) => T;

/** Returns a class that packs, and does what another one does. */
export function packs<C extends new (...args: never[]) => Instance>(
  Base: C,
  preset?: Preset,
): new (
  ...args: ConstructorParameters<C>
) => InstanceType<C> & Packs {
  class Packer extends (Base as unknown as typeof Instance) implements Packs {
    pack: Packs['pack'];
    packing: Packing;

    constructor(given: InternalOptions = {}) {
      super(given, preset);
      this.packing = this.#configured();
      this.pack = this.packing.pack;
    }

    protected override configure(): void {
      super.configure();
      this.packing = this.#configured();
      this.pack = this.packing.pack;
    }

    #configured(): Packing {
      const { options, features } = this;
      checkFeatures(options, features, 'write');
      return new Packing(encodeConfig(options, this.registry), features, this.shared, options, modes);
    }

    get offset(): number {
      return this.packing.offset;
    }

    get position(): number {
      return this.packing.encoder.pos;
    }

    set position(value: number) {
      this.packing.encoder.pos = value;
    }

    useBuffer(buffer: Uint8Array): void {
      this.packing.encoder.useMemory(buffer);
    }

    resetMemory(): void {
      this.packing.encoder.pos = 0;
    }

    clearSharedData(): void {
      this.structures = [];
    }
  }
  return Packer as never;
}
