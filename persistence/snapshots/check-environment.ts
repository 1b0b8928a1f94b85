import { argv } from 'node:process';
import { LmdbStore } from './lmdb-store.js';
import { firstDamage } from './whole-check.js';

/**
 * Runs as a process of its own with the paths of environments: reads every record and exits with 0 when all are sound. LMDB may end a
 * process that follows a damaged page; here that affects no other process.
 */
const paths = argv.slice(2);
if (paths.length === 0) throw new Error('usage: check-environment PATH...');
for (const path of paths) {
  const store = new LmdbStore('environment', path);
  const damage = firstDamage(store);
  await store.close();
  if (damage !== null) throw damage;
}
