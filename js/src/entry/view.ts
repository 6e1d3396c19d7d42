/**
 * `packord/view`: access to a part of a message without building the rest.
 *
 * @example
 * import { View } from 'packord/view';
 * new View(pack({ users: [{ name: 'Ada' }, { name: 'Bo' }] })).get('users', 1, 'name'); // 'Bo'
 */
export { View } from '../api/View.ts';
