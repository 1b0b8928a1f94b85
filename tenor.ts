#!/usr/bin/env node
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './wiring/program.js';
import { isSupported, runOnPinnedNode } from './wiring/supported-node.js';

/** `program-HASH.cjs`, of which the build puts the name here: with another text it has another name, so that a code cache fits its text. */
declare const PROGRAM_FILE: string;

const words = process.argv.slice(2);
if (isSupported(process.versions.node)) {
  const { main } = await loadProgram(join(import.meta.dirname, PROGRAM_FILE));
  process.exitCode = await main(words);
} else process.exitCode = await runOnPinnedNode(fileURLToPath(import.meta.url), words);
