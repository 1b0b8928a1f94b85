// Turns sources into what runs, in `dist/`: only what has changed since the last build, and without checking types (`npm run check` does).
//
//   sources that have changed                      -> esbuild -> dist/**.js, with source maps
//   files that ask typia and reach a changed type  -> typia   -> dist/**.js, with source maps
//   the program with all that it imports           -> esbuild -> dist/tenor.js, dist/program-HASH.cjs and V8's code caches
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { bundleProgram } from './bundle.mjs';

/** The language level that every supported Node understands. */
const TARGET = 'node20.19';

const OUT = 'dist';
/** Folders of sources, beside the entry point. */
export const SOURCE_FOLDERS = ['engine', 'actors', 'persistence', 'gateway', 'bench', 'wiring', 'test'];
const ENTRY_POINT = 'tenor.ts';
const PROGRAM = 'wiring/index.ts';
const MANIFEST = `${OUT}/.build.json`;
const ASKS_TYPIA = /^import typia\b/m;
const USES_ITS_PATH = /\bimport\.meta\./;

/**
 * Brings `dist/` up to date with the sources. Throws where a source cannot be compiled; the next build then tries the same again.
 * @returns {Promise<{ changed: string[], removed: string[] }>} the sources that were new, changed or gone
 */
export async function build() {
  const rules = rulesHash();
  const before = readManifest(rules);
  const sources = stampSources();
  const changed = Object.keys(sources).filter((file) => before.sources[file] !== sources[file]);
  const removed = Object.keys(before.sources).filter((file) => sources[file] === undefined);
  if (changed.length === 0 && removed.length === 0) return { changed, removed };

  for (const file of removed) for (const end of ['', '.map']) rmSync(outputOf(file) + end, { force: true });
  const texts = new Map(changed.map((file) => [file, readFileSync(file, 'utf8')]));
  const asking = changed.filter((file) => ASKS_TYPIA.test(texts.get(file)));
  const kept = (files) => files.filter((file) => !texts.has(file) && sources[file] !== undefined);
  const placed = [...kept(before.placed), ...changed.filter((file) => USES_ITS_PATH.test(texts.get(file)))];
  const transpiled = transpile(changed.filter((file) => !asking.includes(file)));
  const validators = await refreshValidators(before.validators, {
    all: [...kept(Object.keys(before.validators.closures)), ...asking],
    changed,
    removed,
  });
  await transpiled;
  const isTestsAlone = [...changed, ...removed].every((file) => file.startsWith('test/'));
  const chunks = isTestsAlone ? before.chunks : await bundle(before.chunks, placed);
  writeManifest({ rules, sources, placed, validators, chunks });
  return { changed, removed };
}

const outputOf = (file) => join(OUT, (file === ENTRY_POINT ? 'entry-point.ts' : file).replace(/\.ts$/, '.js'));

/** A hash of the compilers and their settings: when it changes, everything is compiled again. */
function rulesHash() {
  const hash = createHash('sha256');
  for (const file of [
    'package-lock.json',
    'tsconfig.json',
    ...readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name)),
  ]) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

function readManifest(rules) {
  const none = { rules, sources: {}, placed: [], validators: { closures: {}, reached: {} }, chunks: [] };
  if (!existsSync(MANIFEST)) return none;
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  if (manifest.rules === rules) return manifest;
  rmSync(OUT, { recursive: true });
  return none;
}

/** Written last and as a whole, so that a build that was interrupted is done again. */
function writeManifest(manifest) {
  writeFileSync(`${MANIFEST}.new`, JSON.stringify(manifest));
  renameSync(`${MANIFEST}.new`, MANIFEST);
}

function stampSources() {
  const stamps = { [ENTRY_POINT]: stampOf(ENTRY_POINT) };
  for (const folder of SOURCE_FOLDERS) {
    for (const name of readdirSync(folder, { recursive: true })) {
      if (name.endsWith('.ts')) stamps[`${folder}/${name}`] = stampOf(join(folder, name));
    }
  }
  return stamps;
}

function stampOf(file) {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs}:${size}`;
}

/** Compiles each file by itself, without following its imports. */
async function transpile(files) {
  mkdirSync(OUT, { recursive: true });
  if (files.length === 0) return;
  await esbuild({
    entryPoints: files.map((file) => ({ in: file, out: outputOf(file).slice(OUT.length + 1, -'.js'.length) })),
    outdir: OUT,
    format: 'esm',
    target: TARGET,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
  });
}

/**
 * Compiles each asking file whose types have changed. Only changed files are parsed, unless a changed declaration is reached by some asking
 * file.
 * @returns `closures`: a hash for each asking file, `reached`: the declarations that any of them reaches, by file and name
 */
async function refreshValidators(before, { all, changed, removed }) {
  const isKnown = all.every((file) => before.closures[file] !== undefined);
  const suspects = [...changed, ...removed].filter((file) => before.reached[file] !== undefined);
  if (isKnown && suspects.length === 0) return before;

  const { TypeClosures } = await import('./type-closures.mjs');
  const types = new TypeClosures();
  const isSame = (file) => Object.entries(before.reached[file]).every(([name, hash]) => types.hashOf(file, name) === hash);
  if (isKnown && suspects.every(isSame)) return before;

  const after = { closures: {}, reached: {} };
  for (const file of all.sort()) {
    const closure = types.of(file);
    const lines = closure.map(({ file: where, name, hash }) => `${where} ${name} ${hash}`).sort();
    after.closures[file] = createHash('sha256').update(lines.join('\n')).digest('hex');
    for (const { file: where, name, hash } of closure) (after.reached[where] ??= {})[name] = hash;
  }
  const stale = all.filter((file) => after.closures[file] !== before.closures[file]);
  const { compileValidators } = await import('./validators.mjs');
  if (stale.length > 0) compileValidators({ all, files: stale, outDir: OUT });
  return after;
}

async function bundle(before, placed) {
  for (const chunk of before) rmSync(chunk, { force: true });
  return bundleProgram({
    outDir: OUT,
    entryPoint: outputOf(ENTRY_POINT),
    program: outputOf(PROGRAM),
    target: TARGET,
    placed: placed.filter((file) => file !== ENTRY_POINT).map(outputOf),
  });
}

if (process.argv[1] === import.meta.filename) await build();
