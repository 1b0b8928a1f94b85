import { argv } from 'node:process';
import { LmdbStore } from './lmdb-store.js';
import { firstDamage } from './whole-check.js';

/**
 * Run as a process of its own with an environment's path: reads every record and exits with 0 when all are sound. LMDB may
 * end a process that follows a damaged page; here it ends nobody else.
 */
const path = argv[2];
if (path === undefined) throw new Error('usage: check-environment PATH');
const store = new LmdbStore('environment', path);
const damage = firstDamage(store);
await store.close();
if (damage !== null) throw damage;
