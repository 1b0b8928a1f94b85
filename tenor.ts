#!/usr/bin/env node
// Before anything else is loaded: stack traces name the sources.
process.setSourceMapsEnabled(true);
const { main } = await import('./wiring/index.js');

process.exitCode = await main(process.argv.slice(2));
