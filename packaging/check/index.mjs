// `npm run check`: all that a program can say about the sources without running them, in under 30 s on two processors.
//
//   npm run check                     everything, as CI does
//   npm run check -- lint words       these parts alone
//   npm run check -- --lower          writes ceilings that have fallen to packaging/check/ceilings.json
//   npm run check -- --staged         what is staged, as the hook before a commit does (`npm run hooks`)
//
// The parts run at the same time. Each prints its time, then its faults: where, what is wrong, what to do. Exit code 1 on any fault.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { holdCeilings, lowerCeilings, readCeilings } from './ceilings.mjs';
import { changedFiles, writtenFiles } from './files.mjs';
import { checkLayers } from './layers.mjs';
import { checkLines } from './lines.mjs';
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
  { name: 'lines', reads: /./, run: () => checkLines(writtenFiles()) },
];

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { staged: { type: 'boolean', default: false }, lower: { type: 'boolean', default: false } },
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
  const ceilings = readCeilings();
  const changed = changedFiles();
  const waiting = [...parts];
  const done = [];
  await Promise.all(
    Array.from({ length: availableParallelism() + 1 }, async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) done.push(await runPart(part, ceilings, changed));
    }),
  );
  const faults = done.flatMap((part) => part.faults);
  for (const fault of faults) console.log(fault);
  const fallen = Object.fromEntries(
    done.filter((part) => Object.keys(part.fallen).length > 0).map(({ name, fallen: rules }) => [name, rules]),
  );
  if (flags.lower) lowerCeilings(fallen);
  else sayFallen(fallen);
  console.log(`check: ${faults.length === 0 ? 'no faults' : `${faults.length} lines of faults`}, ${secondsSince(startedAt)}`);
  return faults.length === 0 ? 0 : 1;
}

async function runPart({ name, run }, ceilings, changed) {
  const startedAt = performance.now();
  const found = await run();
  const held = holdCeilings(name, found, ceilings[name] ?? {}, changed);
  console.log(`${name.padEnd(8)}${secondsSince(startedAt).padStart(8)}${held.faults.length === 0 ? '' : '  faults, see below'}`);
  return { name, ...held };
}

function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

function sayFallen(fallen) {
  const rules = Object.entries(fallen).flatMap(([part, counts]) =>
    Object.entries(counts).map(([rule, count]) => `${part}/${rule} ${count}`),
  );
  if (rules.length > 0) console.log(`Below their ceilings: ${rules.join(', ')}. Lower them: npm run check -- --lower`);
}
