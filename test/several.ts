import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Runs test files in one process, one after the other: most of the time of a small file is the loading of modules that all of them share.
 */
// tap follows each promise of the process to learn which test an error belongs to that nobody has caught. That takes 2 us for each promise,
// a seventh of the processor time of loading modules and of tests that run engines. Without it, such an error still ends the process, with
// its stack trace, and the tests that had not ended fail.
Object.assign(asyncHooks, { createHook: () => ({ enable: () => undefined, disable: () => undefined }) });
syncBuiltinESMExports();

// Many of them remove a folder when the process ends.
process.setMaxListeners(0);
const [first = ''] = process.argv.slice(2);
const beside = process.env['TENOR_TEST_FILES_BESIDE'] ?? '';
for (const file of [first, ...beside.split('\n').filter(Boolean)]) await import(pathToFileURL(resolve(file)).href);
