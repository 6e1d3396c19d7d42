/**
 * `packord/schema`: schemas that read messages. What a schema does not ask for is skipped by its
 * headers, and nothing is built for it.
 *
 * @example
 * import { pack, unpack } from 'packord';
 * import { array, number, object } from 'packord/schema';
 * const bytes = pack([{ id: 1, name: 'Ada' }]);
 * unpack(bytes, array(object({ id: number }))); // [{ id: 1 }]
 */
export {
  any,
  array,
  bigint,
  boolean,
  bytes,
  date,
  dictionary,
  type Fields,
  type Infer,
  instanceOf,
  integer,
  nullable,
  number,
  type ObjectOf,
  object,
  oneOf,
  optional,
  set,
  string,
  type TypeSchema,
} from '../schema/typed.ts';
export { decimal, duration, localDate, localTime, url, uuid } from '../schema/typed-text.ts';
