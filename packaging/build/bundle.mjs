// Makes one file of the program with all that it imports, and V8's code caches for it: a process of Tenor then starts in a third of the
// processor time, which commands, workers and the tests that end processes pay each time. The compiled modules stay beside it for tests
// and for scripts that run by themselves.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** Packages that read files beside themselves, or load compiled code. */
const LEFT_OUTSIDE = [
  'lmdb',
  'msgpackr',
  'uWebSockets.js',
  'pino',
  'pino-pretty',
  'pdfkit',
  'piscina',
  'swagger-ui-dist',
  'fastify',
  'pg',
  '@duckdb/node-api',
  'ssh2',
  'ssh2-sftp-client',
];

/** Flags that Tenor is started with: none by commands, the other by `npm start` and in production. Each has a code cache of its own. */
const STARTED_WITH = [[], ['--max-semi-space-size=64']];

/**
 * @param {{ outDir: string, entryPoint: string, program: string, target: string, placed: readonly string[] }} order `entryPoint` and
 *   `program`: compiled modules; `placed`: compiled modules that use `import.meta`
 * @returns {Promise<string[]>} the files that were written
 */
export async function bundleProgram({ outDir, entryPoint, program, target, placed }) {
  const common = {
    outdir: outDir,
    bundle: true,
    platform: 'node',
    target,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'error',
  };
  const whole = await build({
    ...common,
    entryPoints: [{ in: program, out: 'program' }],
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    charset: 'ascii',
    // Code that comes out of a cache cannot import.
    supported: { 'dynamic-import': false },
    // A file a third smaller is read sooner; lines stay short enough for what prints them.
    minifyWhitespace: true,
    lineLimit: 200,
    external: LEFT_OUTSIDE,
    plugins: [keepPaths(resolve(outDir), placed)],
  });
  const written = Object.keys(whole.metafile.outputs);
  const name = basename(written.find((file) => file.endsWith('.cjs')));
  const front = await build({
    ...common,
    entryPoints: [{ in: entryPoint, out: 'tenor' }],
    format: 'esm',
    packages: 'external',
    define: { PROGRAM_FILE: JSON.stringify(name) },
  });
  const caches = await writeCodeCaches({ outDir, file: join(outDir, name) });
  return [...written, ...Object.keys(front.metafile.outputs), ...caches];
}

/** With the Node.js that Tenor runs on, which may be another one than this: V8 takes a cache of its own release alone. */
async function writeCodeCaches({ outDir, file }) {
  const { nodeToRun } = await import(pathToFileURL(resolve(outDir, 'wiring/supported-node.js')).href);
  const node = nodeToRun();
  if (node === null) return []; // the program says what to install
  const loader = join(outDir, 'wiring/program.js');
  return Promise.all(STARTED_WITH.map((flags) => writeCodeCache({ node, loader, file, flags })));
}

/** In a process of its own, since V8 takes a cache under the flags alone that it was made under. */
async function writeCodeCache({ node, loader, file, flags }) {
  const [from, program] = [loader, file].map((path) => JSON.stringify(resolve(path)));
  const script = `const { writeCodeCache } = await import(${from}); console.log(await writeCodeCache(${program}));`;
  const call = [...flags, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(node, call).catch((cause) => {
    throw new Error(`The program could not be loaded: ${cause.stderr ?? cause.message}`, { cause });
  });
  return relative('.', stdout.trim());
}

/** Keeps the values of `import.meta`, so that a module still finds the files beside it: the bundle lies at the root of the folder. */
const keepPaths = (folder, placed) => ({
  name: 'keep-paths',
  setup(bundle) {
    const known = new Set(placed.map((file) => resolve(file)));
    const names = [...new Set(placed.map((file) => basename(file)))].map((name) => name.replaceAll('.', '\\.'));
    bundle.onLoad({ filter: new RegExp(`/(?:${names.join('|')})$`) }, ({ path }) => {
      if (!known.has(path)) return null;
      const file = relative(folder, path).split(sep).join('/');
      const here = `require('node:path').join(__dirname, ${JSON.stringify(file)})`;
      return {
        contents: readFileSync(path, 'utf8')
          .replaceAll('import.meta.dirname', `require('node:path').dirname(${here})`)
          .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${here}).href`),
        loader: 'js',
      };
    });
  },
});
