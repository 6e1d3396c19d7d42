import { type Extension, ExtensionRegistry, register } from '../ext/extension.ts';
import { DIALECT, type InternalOptions } from '../options/dialect.ts';
import type { Feature, Preset } from '../options/options.ts';
import { bindCallbacks, checkNames, exposeOptions, optionNames, separated } from '../options/table.ts';
import type { SharedStructures, Structures } from '../record/structures.ts';

/** Whether instances have their options as properties: from the first one on. */
let areExposed = false;

/** What packing and unpacking share: the options and features, the extensions and the shared structures. */
export class Instance {
  /** The options of the constructor, with its callbacks bound to the instance. */
  protected readonly options: InternalOptions;
  /** @internal */
  readonly features: Feature;
  protected shared: SharedStructures | null = null;
  protected readonly registry: ExtensionRegistry;

  /** @throws TypeError for an option that does not exist */
  constructor(given: InternalOptions = {}, { features: preset, elsewhere }: Preset = {}) {
    if (!areExposed) exposeOptions(Instance.prototype, optionNames());
    areExposed = true;
    const { [DIALECT]: dialect } = given;
    if (!dialect?.anyOption) checkNames(given, elsewhere);
    const [others, features] = separated(given, dialect?.features ?? preset);
    const options = bindCallbacks(others, this, dialect?.callbacks);
    this.options = options;
    this.features = features;
    this.registry = dialect?.extensions?.() ?? new ExtensionRegistry();
    for (const extension of options.extensions ?? []) register(this.registry, extension);
    this.share(options);
  }

  protected share(options: InternalOptions): void {
    const { records, writeRecords } = this.features;
    this.shared = (records ?? writeRecords)?.newShared(options) ?? null;
  }

  protected configure(): void {
    this.share({ ...this.options, structures: this.structures });
  }

  /** The shared structures: the list that was passed, loaded or filled by packing. */
  get structures(): Structures {
    return this.shared?.list ?? [];
  }

  set structures(list: Structures) {
    if (this.shared !== null) this.shared.list = list;
  }

  /**
   * Registers an extension with this instance alone.
   *
   * @throws TypeError when it has no valid type or lacks functions
   * @example
   * unpackr.addExtension({ type: 5, unpack: (bytes) => new Point(bytes[0], bytes[1]) });
   */
  addExtension(extension: Extension): void {
    register(this.registry, extension);
  }
}
