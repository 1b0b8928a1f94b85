import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'tap';
import { isSupported, nodeToRun } from '../../wiring/supported-node.js';

const SETUP = resolve(import.meta.dirname, '../../../setup.mjs');

/** Versions of Node.js, and whether the HTTP server library has a binary for them. */
const VERSIONS = [
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.3', false],
  ['22.0.0', true],
  ['22.23.3', true],
  ['23.1.0', false],
  ['24.4.1', false],
] as const;

test('Node.js 20.19 and later of the 20 line, and 22, run Tenor; every other version runs it on the pinned one', async (t) => {
  for (const [version, isExpected] of VERSIONS) t.equal(isSupported(version), isExpected, version);
  t.equal(nodeToRun(), process.execPath);
});

test('the script that installs and the program agree which versions are supported', async (t) => {
  const conditionOf = (text: string): string | undefined => /return (\(major === .*);/.exec(text)?.[1]?.replace('FIRST_OF_20', '19');
  const program = readFileSync(resolve(import.meta.dirname, '../../../wiring/supported-node.ts'), 'utf8');
  t.ok(conditionOf(program));
  t.equal(conditionOf(readFileSync(SETUP, 'utf8')), conditionOf(program));
});
