// Makes of the compiled front door one file with all that it imports: a process of Tenor then starts in half the processor time, which
// commands, workers and the tests that kill processes pay each time. Compiled modules stay beside it for tests and for scripts that run by themselves.
import { relative, resolve, sep } from 'node:path';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const dist = resolve(import.meta.dirname, '../dist');
const frontDoor = resolve(dist, 'tenor.js');

/** Packages that look for files beside themselves, or load compiled code. */
const LEFT_OUTSIDE = ['lmdb', 'msgpackr', 'uWebSockets.js', 'pino', 'pdfkit', 'swagger-ui-dist', 'fastify', 'pg'];

/** A module of ours finds what lies beside it also from within the bundle, which lies at the root of `dist`. */
const places = {
  name: 'places',
  setup(bundle) {
    bundle.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(dist + sep)) return null;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return null;
      const file = relative(dist, path).split(sep).join('/');
      const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      return {
        contents: text
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${folder}`)})`)
          .replaceAll('import.meta.url', `new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href`),
        loader: 'js',
      };
    });
  },
};

await build({
  entryPoints: [frontDoor],
  outfile: frontDoor,
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: LEFT_OUTSIDE,
  plugins: [places],
  // Packages in CommonJS ask for Node's own modules with `require`.
  banner: { js: "import { createRequire as requireBeside } from 'node:module'; const require = requireBeside(import.meta.url);" },
  logLevel: 'error',
});
