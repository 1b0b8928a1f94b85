#!/usr/bin/env node
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './wiring/program.js';
import { isSupported, runOnPinnedNode } from './wiring/supported-node.js';

/** Name of `program-HASH.cjs`, set by the build. The name changes with the text, so a code cache always fits its program. */
declare const PROGRAM_FILE: string;

const parameters = process.argv.slice(2);
if (isSupported(process.versions.node)) {
  const { main } = await loadProgram(join(import.meta.dirname, PROGRAM_FILE));
  process.exitCode = await main(parameters);
} else process.exitCode = await runOnPinnedNode(fileURLToPath(import.meta.url), parameters);
