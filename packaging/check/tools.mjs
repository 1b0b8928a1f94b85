// Runs a program of node_modules and turns its findings into faults: one line each, with where, what is wrong and what to do.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writtenFiles } from './files.mjs';

/**
 * @typedef {{ rule: string, at: string, text: string }} Fault `rule`: its name; `at`: FILE:LINE
 * @typedef {{ status: number | null, stdout: string, stderr: string }} Ended
 */

/** The most that a part may take, in milliseconds: a tool that hangs is a fault and not a build that never ends. */
const MOST_MILLISECONDS = 300_000;

/** @param {string} program a name of node_modules/.bin @param {readonly string[]} parameters @returns {Promise<Ended>} */
export function runTool(program, parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(join('node_modules/.bin', program), parameters, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MOST_MILLISECONDS,
      env: { ...process.env, NO_COLOR: '1', NO_UPDATE_NOTIFIER: '1' },
    });
    const stdout = [];
    const stderr = [];
    child.stdout.on('data', (bytes) => stdout.push(bytes));
    child.stderr.on('data', (bytes) => stderr.push(bytes));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }));
  });
}

/**
 * The answer of a tool that found faults, or that could not run: an end without success and without a fault is a fault of its own.
 * @param {string} program @param {Ended} ended @param {readonly Fault[]} faults
 */
function answered(program, { status, stdout, stderr }, faults) {
  if (status === 0 || faults.length > 0) return faults;
  const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n      ');
  return [{ rule: program, at: program, text: `ended with ${status ?? 'a signal'} and named no fault; it said:\n      ${said}` }];
}

/** JSON that a tool prints; null where it printed something else, which `answered` then shows. */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** Formatting, by Biome: 140 columns (biome.json). */
export async function checkFormat() {
  const ended = await runTool('biome', ['format', '--reporter=json', '--max-diagnostics=none', '.']);
  const faults = (jsonOf(ended.stdout)?.diagnostics ?? []).map(({ category, message, location }) => ({
    rule: 'format',
    at: location?.path ?? 'biome.json',
    text: category === 'format' ? 'is not formatted: npm run format' : message,
  }));
  return answered('biome', ended, faults);
}

/** Lint with types, by oxlint. The rules, and the reasons against others, are in .oxlintrc.json. */
export async function checkLint() {
  const ended = await runTool('oxlint', ['--format=json', '--report-unused-disable-directives-severity=error']);
  const faults = (jsonOf(ended.stdout)?.diagnostics ?? []).map(({ code, message, help, filename, labels }) => ({
    rule: code ?? 'oxlint',
    at: `${filename}:${labels?.[0]?.span?.line ?? 1}`,
    text: help === undefined || help === '' ? message : `${message} ${help}`,
  }));
  return [...answered('oxlint', ended, faults), ...rulesWithoutReason(), ...exemptionsWithoutReason()];
}

const LINT_RULES = '.oxlintrc.json';

/** Rules that are off without a comment above, or above the rules that are off next to them. */
function rulesWithoutReason() {
  const lines = readFileSync(LINT_RULES, 'utf8').split('\n');
  const isOff = (line) => /: *(\[ *)?("off"|"allow"|0)/.test(line);
  return lines.flatMap((line, index) => {
    if (!isOff(line)) return [];
    const above = lines.slice(0, index).findLast((before) => !isOff(before)) ?? '';
    return above.trim().startsWith('//')
      ? []
      : [{ rule: 'reason', at: `${LINT_RULES}:${index + 1}`, text: 'is off without a reason: write it in a comment above.' }];
  });
}

/** Comments that exempt a line from a rule and do not say why, behind two hyphens. */
function exemptionsWithoutReason() {
  return writtenFiles().flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      /^\s*(?:\/\/|\/\*).*(?:oxlint|eslint)-disable/.test(line) && !/ -- \S/.test(line)
        ? [{ rule: 'reason', at: `${path}:${index + 1}`, text: 'exempts a line without a reason: write it behind the rule, after " -- ".' }]
        : [],
    ),
  );
}

/** Types, by the native compiler. */
export async function checkTypes() {
  const ended = await runNativeCompiler();
  const faults = [...ended.stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (TS\d+): (.+(?:\n {2}.+)*)/gm)].map(
    ([, file, line, code, message]) => ({
      rule: code,
      at: `${file}:${line}`,
      text: message,
    }),
  );
  return answered('tsc', ended, faults);
}

/** Both compilers have a program named tsc, so that the native one is named by its package. */
const runNativeCompiler = () => runTool('../typescript-native/bin/tsc', ['-p', '.', '--pretty', 'false']);

/** Unused exports, files and packages, by knip (knip.json). */
export async function checkUnused() {
  const ended = await runTool('knip', ['--no-progress', '--reporter=json', '--treat-config-hints-as-errors']);
  const faults = (jsonOf(ended.stdout)?.issues ?? []).flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) =>
      Array.isArray(found)
        ? found.flat().map(({ name, line }) => ({
            rule: 'unused',
            at: line === undefined ? file : `${file}:${line}`,
            text: `${kind}: ${name} is not used anywhere or not declared: delete it, keep it to its file, or list the package.`,
          }))
        : [],
    ),
  );
  return answered('knip', ended, faults);
}

/** Links of the docs to files and headings, by remark-validate-links. Addresses outside of the project are not looked up. */
export async function checkLinks() {
  const ended = await runTool('remark', [
    '.',
    '--ignore-path=.gitignore',
    '--use=remark-validate-links=repository:false',
    '--frail',
    '--quiet',
    '--no-color',
    '--no-stdout',
  ]);
  let file = '';
  const faults = [];
  for (const line of ended.stderr.split('\n')) {
    const [, at, text] = /^\s*(\d+):\S+\s+(?:warning|error)\s+(.+?)\s+(?:missing-\S+\s+)?remark-validate-links/.exec(line) ?? [];
    if (at !== undefined) faults.push({ rule: 'links', at: `${file}:${at}`, text: `${text}: name a file or heading that exists.` });
    else if (/^\S.*\.md$/.test(line)) file = line;
  }
  return answered('remark', ended, faults);
}
