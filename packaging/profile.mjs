// `npm run profile -- bench replay`: runs `tenor` with the words behind `--` under the sampling profiler of V8, and writes the
// profile of that process to the folder `profiles/`, in which functions are at their lines of the sources. Browsers, editors and
// speedscope open them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TraceMap, originalPositionFor } from '@jridgewell/trace-mapping';

const OUT = 'profiles';

/** Functions that are printed. */
const SHOWN = 20;

const raw = mkdtempSync(join(tmpdir(), 'tenor-profile-'));
const flags = ['--cpu-prof', `--cpu-prof-dir=${raw}`, '--expose-gc', '--max-semi-space-size=64'];
// Ctrl+C ends the profiled process; this one then still writes the profile.
process.on('SIGINT', () => {});
const child = spawn(process.execPath, [...flags, 'dist/tenor.js', ...process.argv.slice(2)], { stdio: 'inherit' });
const [status] = await once(child, 'exit');
mkdirSync(OUT, { recursive: true });
const maps = new Map();
for (const name of readdirSync(raw)) {
  const profile = JSON.parse(readFileSync(join(raw, name), 'utf8'));
  for (const { callFrame } of profile.nodes) toSource(callFrame);
  const file = join(OUT, name);
  writeFileSync(file, JSON.stringify(profile));
  console.log(`\n${file}\n${summaryOf(profile)}`);
}
rmSync(raw, { recursive: true });
process.exitCode = status ?? 1;

/** Lines and columns of a call frame count from 0; those of source maps from 1 and 0. */
function toSource(frame) {
  if (!frame.url.startsWith('file:') || frame.lineNumber < 0) return; // a module as a whole has no line
  const script = fileURLToPath(frame.url);
  const map = mapOf(script);
  if (map === null) return;
  const { source, line, column } = originalPositionFor(map, { line: frame.lineNumber + 1, column: Math.max(0, frame.columnNumber) });
  if (source === null) return;
  frame.url = pathToFileURL(resolve(dirname(script), source)).href;
  frame.lineNumber = line - 1;
  frame.columnNumber = column;
}

function mapOf(script) {
  if (!maps.has(script)) maps.set(script, existsSync(`${script}.map`) ? new TraceMap(readFileSync(`${script}.map`, 'utf8')) : null);
  return maps.get(script);
}

/** Functions by the time in which they themselves were running. */
function summaryOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const spent = new Map();
  samples.forEach((id, at) => {
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    const location = url.startsWith('file:') ? `${relative('.', fileURLToPath(url))}:${lineNumber + 1}` : url;
    const key = `${functionName || '(anonymous)'}  ${location}`;
    spent.set(key, (spent.get(key) ?? 0) + timeDeltas[at]);
  });
  const all = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  return [...spent]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([key, microseconds]) => `${((100 * microseconds) / all).toFixed(1).padStart(5)} %  ${key}`)
    .join('\n');
}
