#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { isSupported, runOnPinnedNode } from './wiring/supported-node.js';

const words = process.argv.slice(2);
if (isSupported(process.versions.node)) {
  // Before the rest is loaded: stack traces name the sources.
  process.setSourceMapsEnabled(true);
  const { main } = await import('./wiring/index.js');
  process.exitCode = await main(words);
} else process.exitCode = await runOnPinnedNode(fileURLToPath(import.meta.url), words);
