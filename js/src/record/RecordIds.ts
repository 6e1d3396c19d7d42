import * as M from '../wire/markers.ts';
import { FIRST_ID, FIRST_WIDE_ID, MAX_STRUCTURES, SharedStructures, type SharingOptions } from './structures.ts';

interface IdTarget {
  readonly config: { readonly maxRecordKeys: number };
  byte(value: number): void;
}

/** What ids use of the shape of objects. */
interface RecordShape {
  readonly keys: readonly string[];
  /** The index of its structure, and the epoch of the message for which it holds. */
  index: number;
  epoch: number;
}

/** Maximum number of shared structures (spec/records.md section 6). */
const MAX_SHARED = 8160;
/** The `epoch` of shapes in the shared list. */
const SHARED = -1;

/** The options about the ids of structures; see `Options`. */
export interface RecordOptions extends Pick<SharingOptions, 'structures' | 'saveStructures'> {
  readonly maxSharedStructures?: number | undefined;
  readonly maxOwnStructures?: number | undefined;
  readonly sequential?: boolean | undefined;
  readonly shouldShareStructure?: ((keys: string[]) => boolean) | undefined;
}

function checkCount(name: string, count: number, most: number): void {
  if (!Number.isInteger(count) || count < 0 || count > most)
    throw new RangeError(`${name} must be an integer from 0 to ${most}, not ${count}`);
}

/**
 * Assigns ids to structures while packing: to shared ones permanently, to own ones until the
 * message or the sequential stream ends, or until another structure takes their index.
 */
export class RecordIds {
  readonly maxShared: number;
  readonly maxOwn: number;
  readonly shared: SharedStructures;
  readonly #wide: boolean;
  readonly #sequential: boolean;
  readonly #shouldShare: ((keys: string[]) => boolean) | undefined;
  /** The own structures of a message have its epoch, which changes with each message. */
  #epoch = 1;
  #next = 0;
  #own: (RecordShape | undefined)[] = [];
  #undo: { slot: number; before: RecordShape | undefined }[] = [];
  #nextBefore = 0;
  /** Shapes of the shared list, and that list. */
  #sharedShapes: RecordShape[] = [];
  #list: readonly string[][] | undefined;
  /** Length of the shared list before the message. */
  sharedBefore = 0;
  /** Whether the shared list may grow: not after saving was declined too often. */
  growing = true;

  constructor(shared: SharedStructures, options: RecordOptions) {
    const hasShared = options.structures !== undefined || options.saveStructures !== undefined;
    this.shared = shared;
    const maxShared = options.maxSharedStructures ?? 32;
    checkCount('maxSharedStructures', maxShared, MAX_SHARED);
    // Without a list, nobody could read what refers to it.
    this.maxShared = hasShared ? maxShared : 0;
    this.maxOwn = options.maxOwnStructures ?? (hasShared ? 32 : 64);
    checkCount('maxOwnStructures', this.maxOwn, MAX_STRUCTURES - this.maxShared);
    this.#wide = this.maxShared > 32 || this.maxShared + this.maxOwn > 64;
    this.#sequential = options.sequential ?? false;
    this.#shouldShare = options.shouldShareStructure;
  }

  begin(find: (keys: readonly string[]) => RecordShape): void {
    if (!this.#sequential) {
      this.#epoch++;
      this.#next = 0;
      if (this.#own.length > 0) this.#own = [];
    }
    this.#nextBefore = this.#next;
    if (this.#undo.length > 0) this.#undo = [];
    if (this.maxShared > 0) this.#syncShared(find);
  }

  #syncShared(find: (keys: readonly string[]) => RecordShape): void {
    const list = this.shared.ready();
    if (list !== this.#list || list.length < this.#sharedShapes.length) {
      for (const shape of this.#sharedShapes) shape.epoch = 0;
      this.#sharedShapes = [];
      this.#list = list;
    }
    for (let i = this.#sharedShapes.length; i < list.length && i < this.maxShared; i++) {
      const shape = find(list[i] as string[]);
      this.#sharedShapes.push(shape);
      // The first of two equal structures is in use.
      if (shape.epoch === SHARED) continue;
      shape.epoch = SHARED;
      shape.index = i;
    }
    this.sharedBefore = list.length;
  }

  get grown(): boolean {
    return this.maxShared > 0 && this.shared.list.length > this.sharedBefore;
  }

  rollback(): void {
    for (let i = this.#undo.length - 1; i >= 0; i--) {
      const { slot, before } = this.#undo[i] as { slot: number; before: RecordShape | undefined };
      const now = this.#own[slot];
      if (now !== undefined) now.epoch = 0;
      this.#own[slot] = before;
      if (before !== undefined) {
        before.epoch = this.#epoch;
        before.index = this.maxShared + slot;
      }
    }
    this.#undo = [];
    this.#next = this.#nextBefore;
    if (this.grown) {
      for (const shape of this.#sharedShapes.splice(this.sharedBefore)) shape.epoch = 0;
      this.shared.truncate(this.sharedBefore);
    }
  }

  /** Saves the list after packing made it longer; undoes what was not saved. */
  save(): boolean {
    let saved = false;
    try {
      saved = this.shared.save(this.sharedBefore);
      return saved;
    } finally {
      if (!saved) {
        this.rollback();
        this.shared.takeOver();
      }
    }
  }

  retry<T>(growing: boolean, pack: () => T): T {
    this.growing = growing;
    try {
      return pack();
    } finally {
      this.growing = true;
    }
  }

  /** Returns the structures and options for packing while these ids are in use. */
  nested<T extends RecordOptions>(options: T): [SharedStructures, T] {
    const { maxShared: maxSharedStructures, maxOwn: maxOwnStructures } = this;
    const structures = this.shared.list.slice(0, this.sharedBefore);
    const shouldShareStructure = () => false;
    const others = { shouldShareStructure, sequential: false, maxSharedStructures, maxOwnStructures };
    return [new SharedStructures({ structures }), { ...options, ...others }];
  }

  /** Replaces every shape by a new one, after all shapes were discarded. */
  forgetShapes(find: (keys: readonly string[]) => RecordShape): void {
    this.#sharedShapes = [];
    this.#list = undefined;
    const own = this.#own;
    this.#own = own.map((before, slot) => {
      if (before === undefined) return undefined;
      const shape = find(before.keys);
      shape.epoch = this.#epoch;
      shape.index = this.maxShared + slot;
      return shape;
    });
  }

  /** Writes the id or definition of a record; returns false if it has to be a map. */
  write<E extends IdTarget>(encoder: E, shape: RecordShape & { writeDefinition(encoder: E): void }): boolean {
    if (shape.keys.length > encoder.config.maxRecordKeys) return false;
    if (shape.epoch === SHARED || shape.epoch === this.#epoch || this.#addShared(shape)) {
      this.#writeId(encoder, shape.index);
      return true;
    }
    if (this.maxOwn === 0) return false;
    this.#addOwn(shape);
    const { index } = shape;
    encoder.byte(index >= 32 && this.#wide ? M.FIXEXT2 : M.FIXEXT1);
    encoder.byte(M.EXT_RECORD);
    this.#writeId(encoder, index);
    shape.writeDefinition(encoder);
    return true;
  }

  #writeId(encoder: IdTarget, index: number): void {
    if (index < 32 || !this.#wide) {
      encoder.byte(FIRST_ID + index);
      return;
    }
    encoder.byte(FIRST_WIDE_ID + (index & 31));
    encoder.byte((index - 32) >> 5);
  }

  #addShared(shape: RecordShape): boolean {
    if (this.maxShared === 0 || !this.growing) return false;
    const { list } = this.shared;
    if (list.length >= this.maxShared) return false;
    if (this.#shouldShare !== undefined && !this.#shouldShare([...shape.keys])) return false;
    shape.index = list.length;
    shape.epoch = SHARED;
    this.shared.add([...shape.keys]);
    this.#sharedShapes.push(shape);
    return true;
  }

  #addOwn(shape: RecordShape): void {
    const slot = this.#next % this.maxOwn;
    this.#next++;
    const before = this.#own[slot];
    if (before !== undefined && before.epoch !== SHARED) before.epoch = 0;
    this.#undo.push({ slot, before });
    this.#own[slot] = shape;
    shape.epoch = this.#epoch;
    shape.index = this.maxShared + slot;
  }
}
