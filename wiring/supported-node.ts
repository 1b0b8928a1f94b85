import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * The HTTP server library is compiled code, with binaries for Node.js 20 and 22 only. Under another version Tenor runs on a Node.js 22 of
 * its own, which `npm start` and `npm test` install below `.node/`.
 */

/** The first release of the 20 line that the sources are written for. */
const FIRST_OF_20 = 19;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Exit code where no supported Node.js is installed. */
const NOT_INSTALLED = 2;

/** Also in `setup.mjs`, which runs before anything is compiled. */
export function isSupported(version: string): boolean {
  const [major, minor = 0] = version.split('.').map(Number);
  return (major === 20 && minor >= FIRST_OF_20) || major === 22;
}

/** The version of Node.js that runs, and the folder below which the pinned one is installed. */
interface Running {
  readonly version: string;
  readonly folder: string;
}

/** This process. */
const here = (): Running => ({ version: process.versions.node, folder: projectFolder() });

/** The Node.js to run Tenor with: this one, or the pinned one. Null where the pinned one is not installed. */
export function nodeToRun({ version, folder }: Running = here()): string | null {
  if (isSupported(version)) return process.execPath;
  const pinned = join(folder, `.node/node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return existsSync(pinned) ? pinned : null;
}

/**
 * Runs a script with the same parameters on the pinned Node.js, and forwards signals to it.
 * @returns its exit code; 2 where no supported Node.js is installed
 */
export async function runOnPinnedNode(script: string, parameters: readonly string[], running: Running = here()): Promise<number> {
  const node = nodeToRun(running);
  if (node === null) {
    process.stderr.write(
      `Tenor runs on Node.js 20.19 or later of the 20 line, and on 22; this is ${running.version}. ` +
        'Install one of them, or run "npm run build" in a checkout, which fetches Node.js 22 for it.\n',
    );
    return NOT_INSTALLED;
  }
  process.stderr.write(`Node.js ${running.version} has no binary of the HTTP server library: running on ${node}.\n`);
  const child = spawn(node, [...process.execArgv, script, ...parameters], { stdio: 'inherit' });
  for (const signal of SIGNALS) process.on(signal, () => void child.kill(signal));
  const [code]: readonly unknown[] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** The root of the checkout or package: this file is below `dist/`, by itself or in the bundle. */
function projectFolder(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  return join(folder.slice(0, folder.lastIndexOf('dist')));
}
