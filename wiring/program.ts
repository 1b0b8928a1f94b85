import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SourceMap, createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Script } from 'node:vm';
import type * as whole from './index.js';

/*
 * The build bundles the program with all its imports into one file, and writes V8's code caches beside it: with a cache, a process starts
 * without compiling the file again. V8 refuses a cache of another release or of other flags; then the program is compiled without it.
 */

/** What the file exports. */
type Program = Pick<typeof whole, 'main'>;

/** Makes stack traces name the sources, and loads the program. `file`: the bundle that the build wrote. */
export async function loadProgram(file: string): Promise<Program> {
  nameSources(file);
  return (await run(file)).program;
}

/**
 * Writes the code cache for processes with the flags of this one. The build calls it.
 * @returns the file
 */
export async function writeCodeCache(file: string): Promise<string> {
  const { script } = await run(file);
  const cache = cacheOf(file);
  writeFileSync(`${cache}.new`, script.createCachedData());
  renameSync(`${cache}.new`, cache);
  return cache;
}

async function run(file: string): Promise<{ readonly script: Script; readonly program: Program }> {
  // The one package that only `import` can load.
  const server: unknown = await import('uWebSockets.js');
  const require = createRequire(file);
  const cache = cacheOf(file);
  // The build writes ASCII, which `latin1` reads fastest.
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {\n${readFileSync(file, 'latin1')}\n})`, {
    filename: file,
    lineOffset: -1,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
  });
  const module = { exports: null as Program | null };
  const load: (...parts: readonly unknown[]) => void = script.runInThisContext();
  load(module.exports, (name: string): unknown => (name === 'uWebSockets.js' ? server : require(name)), module, file, dirname(file));
  if (module.exports === null) throw new Error(`${file} exports nothing.`);
  return { script, program: module.exports };
}

/** One for each set of flags that Tenor is started with (see `packaging/build/bundle.mjs`): V8 takes a cache under the same flags alone. */
function cacheOf(file: string): string {
  const flags = process.execArgv.filter((flag) => flag.startsWith('--max-semi-space-size='));
  return `${file}${flags.map((flag) => `.${flag.slice('--'.length)}`).join('')}.cache`;
}

/** V8 writes it as a line of a stack trace, which its type does not say. */
type Site = NodeJS.CallSite & { toString(): string };

/** Positions in the program become those of the sources. The map is read when a stack trace is asked for the first time. */
function nameSources(file: string): void {
  const position = new RegExp(`(?:file://)?${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:(\\d+):(\\d+)`);
  let map: SourceMap | null = null;
  Error.prepareStackTrace = (error, sites: readonly Site[]) => {
    map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    const known = map;
    const lines = sites.map((site) =>
      site.toString().replace(position, (found, line: string, column: string) => {
        const entry = known.findEntry(Number(line) - 1, Number(column) - 1);
        if (!('originalSource' in entry)) return found;
        return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
      }),
    );
    return [textOf(error), ...lines.map((line) => `    at ${line}`)].join('\n');
  };
}

/** As V8 begins a stack trace. */
function textOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}
