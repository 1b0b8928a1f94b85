import { test } from 'tap';
import { DataKeyMissing } from '../../../persistence/index.js';
import { type DataKey, DataKeys } from '../../../persistence/keys/data-keys.js';
import { limits } from '../../../persistence/limits.js';

const CONTEXT = 'name/ND-1';

/** Keys over a store that counts how often each owner's key is unwrapped, and finds none that was forgotten. */
function openKeys(): { readonly keys: DataKeys; readonly stored: Map<string, DataKey>; readonly unwraps: string[] } {
  const stored = new Map<string, DataKey>();
  const unwraps: string[] = [];
  const keys = new DataKeys((owner) => {
    unwraps.push(owner);
    return stored.get(owner);
  });
  return { keys, stored, unwraps };
}

test('of very many owners the keys that were used longest ago are unwrapped again, and each opens what it sealed', async (t) => {
  const { keys, stored, unwraps } = openKeys();
  const owners = Array.from({ length: limits.unwrappedKeys + 2 }, (_, at) => `BO-${at}`);
  for (const owner of owners) stored.set(owner, keys.make(owner));
  const [first = '', second = ''] = owners;
  const last = owners.at(-1) ?? '';
  t.equal(keys.open(last, keys.seal(last, 'Quimby', CONTEXT), CONTEXT), 'Quimby');
  t.same(unwraps, [], 'the newest is in memory');
  t.equal(keys.open(first, keys.seal(first, 'Alder', CONTEXT), CONTEXT), 'Alder');
  t.same(unwraps, [first], 'the first is unwrapped again, once');
  t.equal(keys.open(second, keys.seal(first, 'Alder', CONTEXT), CONTEXT), undefined, 'the key of another owner opens nothing');
});

test('a key that is forgotten seals nothing any more, however long ago it was used', async (t) => {
  const { keys, unwraps } = openKeys();
  keys.make('BO-FIRST');
  for (let at = 0; at < limits.unwrappedKeys / 2; at += 1) keys.make(`BO-${at}`);
  t.ok(keys.seal('BO-FIRST', 'Quimby', CONTEXT).length > 0, 'it is still in memory');
  t.same(unwraps, []);
  keys.make('BO-SECOND');
  for (const owner of ['BO-FIRST', 'BO-SECOND', 'BO-0']) {
    keys.forget(owner);
    t.throws(() => keys.seal(owner, 'Quimby', CONTEXT), DataKeyMissing);
  }
  keys.forgetAll();
  t.throws(() => keys.seal('BO-1', 'Quimby', CONTEXT), DataKeyMissing);
});

test('a key that comes back into memory as the others leave it opens what it sealed', async (t) => {
  const { keys, unwraps } = openKeys();
  const half = limits.unwrappedKeys / 2;
  for (let at = 0; at < half; at += 1) keys.make(`BO-${at}`);
  const sealed = keys.seal('BO-0', 'Quimby', CONTEXT);
  for (let at = half; at < 2 * half; at += 1) keys.make(`BO-${at}`);
  for (let times = 0; times < 2; times += 1) t.equal(keys.open('BO-0', sealed, CONTEXT), 'Quimby');
  t.same(unwraps, []);
  t.throws(() => keys.open('BO-1', sealed, CONTEXT), DataKeyMissing, 'those beside it have left');
});
