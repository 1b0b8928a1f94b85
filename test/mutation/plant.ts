import { readFileSync } from 'node:fs';
import type { InitializeHook, LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * A module hook of Node: loads one compiled module with a mistake in it. Nothing on disk is changed. The thread in which hooks run also
 * ends the process when a test takes much more processor time than it does without the mistake.
 */

export interface Planted {
  /** URL of the compiled module. */
  readonly url: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The seconds of processor time at which the process ends; the thread of the tests raises it. */
  readonly secondsAllowed: SharedArrayBuffer;
}

/** Milliseconds between two checks of the processor time. */
const LOOK_MS = 200;

let planted: Planted | null = null;

export const initialize: InitializeHook<Planted> = (data) => {
  planted = data;
  const allowed = new Float64Array(data.secondsAllowed);
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1e6 > (allowed[0] ?? 0)) process.kill(process.pid, 'SIGKILL');
  }, LOOK_MS).unref();
};

export const load: LoadHook = async (url, context, nextLoad) => {
  if (planted === null || url !== planted.url) return nextLoad(url, context);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const source = text.slice(0, planted.start) + planted.text + text.slice(planted.end);
  return { format: 'module', source, shortCircuit: true };
};
