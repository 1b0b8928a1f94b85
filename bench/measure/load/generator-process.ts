import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { endsWithUs } from '../../cli/children.js';
import { generateLoad, type LoadPlan, type LoadResult } from './open-loop.js';

const THIS_FILE = resolve(import.meta.dirname, 'generator-process.js');
const CHILD_ARGUMENT = 'generate';
const MEASURED = 'measured';

/**
 * Runs the generator in a process of its own, so that it takes no processor time from the one that measures.
 * @param onMeasured called once, when the warm-up is over
 */
export function generateLoadApart(plan: LoadPlan, onMeasured: () => void = () => undefined): Promise<LoadResult> {
  return new Promise((done, failed) => {
    const child = endsWithUs(fork(THIS_FILE, [CHILD_ARGUMENT], { serialization: 'advanced' }));
    child.on('message', (message: LoadResult | typeof MEASURED) => {
      if (message === MEASURED) onMeasured();
      else done(message);
    });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the load generator ended with code ${code ?? 'none'}`)));
    child.send(plan);
  });
}

if (process.argv[1] === THIS_FILE && process.argv[2] === CHILD_ARGUMENT) {
  process.once('message', (plan: LoadPlan) => {
    void generateLoad(plan, () => process.send?.(MEASURED)).then((result) => process.send?.(result, () => process.exit(0)));
  });
}
