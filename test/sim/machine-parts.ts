import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Random } from '../random.js';
import type { Cancel, VirtualTime } from './virtual-time.js';

/*
 * Timers, clocks and random numbers of the machine, which a simulation replaces by its own. The program calls them directly, like every
 * Node program; a library of fake timers would replace the same names, but knows nothing of processes that are killed or paused.
 */

const realImmediate = globalThis.setImmediate;

/** Resolves when everything that can go on without waiting has gone on. */
export const drainEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    realImmediate(resolve);
  });

/** Duration of a round of the event loop, in milliseconds: also that of one operation of the simulated disk. */
const ROUND_MS = [0.02, 0.4] as const;

/** The return value of a timer: Node's own has the same methods. */
class Timer {
  constructor(readonly cancel: Cancel) {}
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

type Replaced = readonly [target: object, name: string, value: unknown];

/** Replaces them; returns the function that restores them. */
export function replaceMachineParts(time: VirtualTime, random: Random): () => void {
  const parts = replacements(time, random).map(
    (replaced) => [replaced, Object.getOwnPropertyDescriptor(replaced[0], replaced[1])] as const,
  );
  for (const [[target, name, value]] of parts)
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
  syncBuiltinESMExports();
  return () => {
    for (const [[target, name], descriptor] of parts) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, descriptor);
    }
    syncBuiltinESMExports();
  };
}

function replacements(time: VirtualTime, random: Random): readonly Replaced[] {
  const roundMs = (): number => time.between(...ROUND_MS);
  const clear = (timer: unknown): void => {
    if (timer instanceof Timer) timer.cancel();
  };
  const every = (run: () => void, milliseconds = 1): Timer => {
    let cancel: Cancel = () => undefined;
    const again = (): void => {
      cancel = time.after(milliseconds, () => {
        again();
        run();
      });
    };
    again();
    return new Timer(() => cancel());
  };
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => random.below(256)));
  return [
    [globalThis, 'setTimeout', (run: () => void, milliseconds = 1) => new Timer(time.after(milliseconds, run))],
    [globalThis, 'setInterval', every],
    [globalThis, 'setImmediate', (run: () => void) => new Timer(time.after(roundMs(), run))],
    [globalThis, 'clearTimeout', clear],
    [globalThis, 'clearInterval', clear],
    [globalThis, 'clearImmediate', clear],
    [timersPromises, 'setTimeout', (milliseconds = 1) => time.pause(milliseconds)],
    [timersPromises, 'setImmediate', () => time.pause(roundMs())],
    [performance, 'now', () => time.now],
    [Date, 'now', () => time.now],
    [crypto, 'randomBytes', bytes],
    [crypto, 'randomInt', (bound: number) => random.below(bound)],
    [
      crypto,
      'randomUUID',
      () =>
        bytes(16)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    ],
  ];
}
