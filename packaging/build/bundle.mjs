// Makes one file of the compiled front door with all that it imports: a process of Tenor then starts in half the processor time, which
// commands, workers and the tests that end processes pay each time. The compiled modules stay beside it for tests and for scripts that
// run by themselves.
import { readFileSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/** Packages that look for files beside themselves, or load compiled code. */
const LEFT_OUTSIDE = ['lmdb', 'msgpackr', 'uWebSockets.js', 'pino', 'pino-pretty', 'pdfkit', 'piscina', 'swagger-ui-dist', 'fastify', 'pg'];

/**
 * @param {{ outDir: string, entry: string, target: string, placed: readonly string[] }} order `entry`: the compiled front door;
 *   `placed`: compiled modules that use `import.meta`
 * @returns {Promise<string[]>} the files that were written
 */
export async function bundleFrontDoor({ outDir, entry, target, placed }) {
  const { metafile } = await build({
    entryPoints: [{ in: entry, out: 'tenor' }],
    outdir: outDir,
    chunkNames: 'tenor-[name]-[hash]',
    bundle: true,
    // What is imported dynamically becomes a file of its own: the front door can turn source maps on before the rest is loaded.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target,
    sourcemap: true,
    sourcesContent: false,
    external: LEFT_OUTSIDE,
    plugins: [keepPlaces(resolve(outDir), placed)],
    metafile: true,
    // Packages in CommonJS ask for Node's own modules with `require`.
    banner: { js: "import { createRequire as requireBeside } from 'node:module'; const require = requireBeside(import.meta.url);" },
    logLevel: 'error',
  });
  return Object.keys(metafile.outputs);
}

/** A module of ours finds what lies beside it also from within the bundle, which lies at the root of the folder. */
const keepPlaces = (folder, placed) => ({
  name: 'keep-places',
  setup(bundle) {
    const known = new Set(placed.map((file) => resolve(file)));
    const names = [...new Set(placed.map((file) => basename(file)))].map((name) => name.replaceAll('.', '\\.'));
    bundle.onLoad({ filter: new RegExp(`/(?:${names.join('|')})$`) }, ({ path }) => {
      if (!known.has(path)) return null;
      const file = relative(folder, path).split(sep).join('/');
      const beside = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      return {
        contents: readFileSync(path, 'utf8')
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${beside}`)})`)
          .replaceAll('import.meta.url', `new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href`),
        loader: 'js',
      };
    });
  },
});
