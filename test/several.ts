import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Runs several test files in one process, one after the other: most of what a small file takes is the loading of the
 * modules that all of them share.
 */
// Many of them remove a folder when the process ends.
process.setMaxListeners(0);
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
