import { setField } from '../wire/keys.ts';
import type { Reviver } from './DecodeConfig.ts';

/** Calls a reviver for each value, those within it first. */
export function revive(root: unknown, reviver: Reviver): unknown {
  // With structuredClone, an object may be in several places, or within itself.
  const seen = new Set<unknown>();
  const visit = (holder: unknown, key: unknown, value: unknown): unknown => {
    if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = visit(value, String(i), value[i]);
      else if (value instanceof Map)
        for (const [name, field] of [...value]) {
          const revived = visit(value, name, field);
          if (revived === undefined) value.delete(name);
          else value.set(name, revived);
        }
      else if (Object.getPrototypeOf(value) === Object.prototype) {
        const object = value as Record<string, unknown>;
        for (const name of Object.keys(object)) {
          const revived = visit(object, name, object[name]);
          if (revived === undefined) delete object[name];
          else setField(object, name, revived);
        }
      }
    }
    return reviver.call(holder, key, value);
  };
  return visit({ '': root }, '', root);
}
