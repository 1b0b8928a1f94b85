import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { must } from '../../../engine/index.js';
import { endsWithUs } from '../../cli/children.js';
import { HostileClient, type HostilePlan, type HostileResult } from './hostile-client.js';

const THIS_FILE = resolve(import.meta.dirname, 'hostile-process.js');
const CHILD_ARGUMENT = 'attack';
const READY = 'ready';
const ATTACK = 'attack';
const STOP = 'stop';

/** The hostile client in a process of its own. */
export interface HostileProcess {
  attack(): void;
  /** Resolves when it has its last answer. */
  stop(): Promise<HostileResult>;
}

/**
 * Resolves when the client has made what it needs.
 * @param nice its priority below that of the service, with which it shares the processors
 */
export async function hostileApart(plan: HostilePlan, nice: number): Promise<HostileProcess> {
  const child = endsWithUs(fork(THIS_FILE, [CHILD_ARGUMENT]));
  setPriority(must(child.pid, 'the id of the process'), nice);
  const result = new Promise<HostileResult>((done, failed) => {
    child.on('message', (message: HostileResult | typeof READY) => {
      if (message !== READY) done(message);
    });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the hostile client ended with code ${code ?? 'none'}`)));
  });
  result.catch(() => undefined); // `stop` reports the failure
  const ready = new Promise<void>((prepared) => {
    child.once('message', () => prepared());
  });
  child.send(plan);
  await Promise.race([ready, result]);
  return {
    attack: () => void child.send(ATTACK),
    stop: () => {
      child.send(STOP);
      return result;
    },
  };
}

if (process.argv[1] === THIS_FILE && process.argv[2] === CHILD_ARGUMENT) {
  process.once('message', (plan: HostilePlan) => {
    const client = new HostileClient(plan);
    process.on('message', (order) => {
      if (order !== ATTACK) return client.stop();
      void client.run().then((result) => process.send?.(result, () => process.exit(0)));
    });
    void client.prepare().then(() => process.send?.(READY));
  });
}
