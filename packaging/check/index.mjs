// `npm run check`: all that a program can say about the sources without running them, in under 30 s on two processors.
//
//   npm run check                     everything, as CI does
//   npm run check -- lint words       these parts alone
//   npm run check -- --staged         what is staged, as the hook before a commit does (`npm run hooks`)
//
// The parts run at the same time. Each prints its time, then its faults: where, what is wrong, what to do. Exit code 1 on any fault.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checkCitations } from './citations.mjs';
import { changedFiles, writtenFiles } from './files.mjs';
import { checkLayers } from './layers.mjs';
import { checkLines } from './lines.mjs';
import { linesOf } from './shown.mjs';
import { checkStaged } from './staged.mjs';
import { checkFormat, checkLinks, checkLint, checkTypes, checkUnused } from './tools.mjs';
import { checkWords } from './words.mjs';

/** The parts, slowest first, and what each reads. */
const PARTS = [
  { name: 'lint', reads: /\.(ts|mjs)$|\.oxlintrc|tsconfig/, run: checkLint },
  { name: 'types', reads: /\.ts$|tsconfig|package/, run: checkTypes },
  { name: 'layers', reads: /\.(ts|mjs)$|package/, run: checkLayers },
  { name: 'unused', reads: /\.(ts|mjs)$|knip|package/, run: checkUnused },
  { name: 'format', reads: /\.(ts|mjs|js|json)$/, run: checkFormat },
  { name: 'links', reads: /./, run: checkLinks },
  { name: 'words', reads: /./, run: () => checkWords(writtenFiles()) },
  { name: 'cites', reads: /\.(ts|mjs|js)$/, run: () => checkCitations(writtenFiles()) },
  { name: 'lines', reads: /./, run: () => checkLines(writtenFiles()) },
];

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { staged: { type: 'boolean', default: false } },
});
const unknown = wanted.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`No part is named ${unknown.join(', ')}. Parts: ${PARTS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
process.exitCode = flags.staged
  ? checkStaged(PARTS)
  : await check(PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)));

/** @returns {Promise<0 | 1>} the exit code */
async function check(parts) {
  const startedAt = performance.now();
  const changed = changedFiles();
  const waiting = [...parts];
  const done = [];
  await Promise.all(
    Array.from({ length: availableParallelism() + 1 }, async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) done.push(await runPart(part, changed));
    }),
  );
  const faults = done.flat();
  for (const fault of faults) console.log(fault);
  console.log(`check: ${faults.length === 0 ? 'no faults' : `${faults.length} lines of faults`}, ${secondsSince(startedAt)}`);
  return faults.length === 0 ? 0 : 1;
}

/** @returns {Promise<readonly string[]>} the lines that name its faults */
async function runPart({ name, run }, changed) {
  const startedAt = performance.now();
  const faults = linesOf(await run(), changed);
  console.log(`${name.padEnd(8)}${secondsSince(startedAt).padStart(8)}${faults.length === 0 ? '' : '  faults, see below'}`);
  return faults;
}

function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
