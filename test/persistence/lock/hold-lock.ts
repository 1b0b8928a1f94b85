import { lockFolder } from '../../../persistence/folder-lock.js';

/** A process of its own that locks the folder given to it, says so, and lives until its input ends. */
await lockFolder(process.argv[2] ?? '');
process.stdout.write('locked\n');
for await (const chunk of process.stdin) void chunk;
