import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { endsWithUs } from '../../cli/children.js';
import { HostileClient, type HostilePlan, type HostileResult } from './hostile-client.js';

const THIS_FILE = resolve(import.meta.dirname, 'hostile-process.js');
const CHILD_ARGUMENT = 'attack';
const READY = 'ready';

/** The hostile client in a process of its own, until it is stopped; resolves when it attacks. */
export async function attackApart(plan: HostilePlan): Promise<{ stop(): Promise<HostileResult> }> {
  const child = endsWithUs(fork(THIS_FILE, [CHILD_ARGUMENT]));
  const result = new Promise<HostileResult>((done, failed) => {
    child.on('message', (message: HostileResult | typeof READY) => {
      if (message !== READY) done(message);
    });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the hostile client ended with code ${code ?? 'none'}`)));
  });
  result.catch(() => undefined); // `stop` reports the failure
  const ready = new Promise<void>((attacks) => {
    child.once('message', () => attacks());
  });
  child.send(plan);
  await Promise.race([ready, result]);
  return {
    stop: () => {
      child.send('stop');
      return result;
    },
  };
}

if (process.argv[1] === THIS_FILE && process.argv[2] === CHILD_ARGUMENT) {
  process.once('message', (plan: HostilePlan) => {
    const client = new HostileClient(plan);
    process.once('message', () => client.stop());
    void client
      .prepare()
      .then(() => process.send?.(READY))
      .then(() => client.run())
      .then((result) => process.send?.(result, () => process.exit(0)));
  });
}
