#!/usr/bin/env node
import { runCommandLine } from './bench/index.js';
import { door } from './wiring/index.js';

process.exitCode = await runCommandLine(door, process.argv.slice(2));
