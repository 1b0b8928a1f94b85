import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Runs several test files in one process, one after the other: most of the time of a small file is the loading of modules that
 * all of them share.
 */
// Many of them remove a folder when the process ends.
process.setMaxListeners(0);
const [first = ''] = process.argv.slice(2);
const beside = process.env['TENOR_TEST_FILES_BESIDE'] ?? '';
for (const file of [first, ...beside.split('\n')]) await import(pathToFileURL(resolve(file)).href);
