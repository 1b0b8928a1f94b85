// `npm run dev`: the service from the sources. When a source changes, it is built and the service restarts over the same data. Types are
// checked at the same time; their faults are printed and stop nothing. Options after `npm run dev --` go to `tenor serve`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { build, SOURCE_FOLDERS } from './build/index.mjs';

/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 60;

/** A service that has not ended by then is killed; its journal holds all that it has answered. */
const STOP_MS = 10_000;

/** A debugger attaches there, and again after each start. */
const INSPECTOR = '--inspect=127.0.0.1:9229';

/** Types are checked behind a start, which needs both processors for itself. */
const TYPES_AFTER_MS = 1_500;

let service = null;
let types = null;
let typesTimer = null;
let timer = null;
let isAtWork = false;
let isStale = true;

for (const folder of SOURCE_FOLDERS) watch(folder, { recursive: true }, changed);
watch('tenor.ts', changed);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end());
await catchUp();

function changed(_event, name) {
  if (name === null || !name.endsWith('.ts')) return;
  isStale = true;
  clearTimeout(timer);
  timer = setTimeout(() => void catchUp(), QUIET_MS);
}

/** Builds and starts until nothing has changed meanwhile. */
async function catchUp() {
  if (isAtWork) return;
  isAtWork = true;
  while (isStale) {
    isStale = false;
    endTypes();
    const startedAt = performance.now();
    try {
      const { changed: files } = await build();
      if (files.length === 0 && service !== null) continue;
      await stop();
      start();
      console.log(`dev: built ${files.length} changed sources, started after ${Math.round(performance.now() - startedAt)} ms`);
    } catch (error) {
      // The compiler has printed the location. The service goes on unchanged until the source is mended.
      console.error(`dev: not built: ${error.message}`);
    } finally {
      typesTimer = setTimeout(checkTypes, TYPES_AFTER_MS);
    }
  }
  isAtWork = false;
}

function start() {
  const child = spawn(process.execPath, [INSPECTOR, 'dist/tenor.js', 'serve', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  child.once('exit', (code, signal) => {
    if (service !== child) return;
    service = null;
    console.error(`dev: the service ended with ${code ?? signal}; it starts again with the next change`);
  });
  service = child;
}

async function stop() {
  const child = service;
  service = null;
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(deadline);
}

/** A check that is under way looks at what was. */
function endTypes() {
  clearTimeout(typesTimer);
  types?.kill();
  types = null;
}

/** The native compiler over the whole program. */
function checkTypes() {
  endTypes();
  const child = spawn(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json', '--pretty'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const found = [];
  child.stdout.on('data', (text) => found.push(text));
  child.once('exit', (code) => {
    if (types !== child) return;
    types = null;
    console.log(code === 0 ? 'dev: types are right' : `dev: types\n${Buffer.concat(found)}`);
  });
  types = child;
}

async function end() {
  endTypes();
  await stop();
  process.exit(0);
}
