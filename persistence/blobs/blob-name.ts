import { assert } from '../../engine/index.js';

/** Names are random UUIDs: they fit into paths and addresses as they are. */
export function checkedName(name: string): string {
  assert(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name), 'a blob is named by a UUID');
  return name;
}
