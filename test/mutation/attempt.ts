import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Planted } from './plant.js';

/*
 * The process of one attempt: plants a mistake and runs test files one after the other, until an assertion fails. Its exit code is 0 when
 * no test has noticed. Its standard error names each file that it begins, and at the end the processor time.
 */

export interface Attempt {
  readonly mistake: Omit<Planted, 'secondsAllowed'> | null;
  /** Compiled test files, each with the seconds of processor time that it may take. */
  readonly tests: readonly { readonly file: string; readonly seconds: number }[];
}

const { mistake, tests }: Attempt = JSON.parse(process.argv[2] ?? '');
const secondsAllowed = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
const allow = (seconds: number): void => {
  const { user, system } = process.cpuUsage();
  new Float64Array(secondsAllowed)[0] = (user + system) / 1e6 + seconds;
};

/** Seconds for loading the modules that all tests load. */
const TO_LOAD = 30;
allow(TO_LOAD);
if (mistake !== null) register<Planted>('./plant.js', { parentURL: import.meta.url, data: { ...mistake, secondsAllowed } });
const { default: tap } = await import('tap');
const { default: fc } = await import('fast-check');
// Shrinking is off: the first history that shows the mistake is enough. Tests that draw without a seed use the seed of the run.
fc.configureGlobal({ endOnFailure: true, seed: Number(process.env['TENOR_SEED']) });

for (const { file, seconds } of tests) {
  allow(seconds);
  process.stderr.write(`# file ${file}\n`);
  await import(pathToFileURL(file).href);
  await tap.test('the file has ended', async () => {});
}
const { user, system } = process.cpuUsage();
process.stderr.write(`# processor seconds ${((user + system) / 1e6).toFixed(3)}\n`);
