import type { SharedKeyValue } from '../../actors/index.js';
import { KeyValueUnavailable } from '../../persistence/index.js';
import type { Network } from './network.js';
import type { SimProcess, VirtualTime } from './virtual-time.js';

const PATIENCE_MS = 700;
const WATCH_DELAY_MS = [0.1, 20] as const;

const CUT_OFF_LOOK_MS = 20;

/** The key-value store of a cluster, as one process reaches it: requests and answers may be late or lost. */
export function recordsOver(store: SharedKeyValue, time: VirtualTime, network: Network, process: SimProcess): SharedKeyValue {
  const asked = <T>(ask: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const cancel = time.after(PATIENCE_MS, () => reject(new KeyValueUnavailable(new Error('no answer: simulated'))), process);
      const reply = (settle: () => void): void =>
        network.send(process, () => {
          if (process.isCutOff) return;
          cancel();
          settle();
        });
      let isAsked = false;
      network.send(null, () => {
        if (isAsked || process.isCutOff) return;
        isAsked = true;
        void ask().then(
          (value) => reply(() => resolve(value)),
          (cause: unknown) => reply(() => reject(cause)),
        );
      });
    });
  return {
    get: (key) => asked(() => store.get(key)),
    create: (key, value) => asked(() => store.create(key, value)),
    update: (key, value, revision) => asked(() => store.update(key, value, revision)),
    delete: (key, revision) => asked(() => store.delete(key, revision)),
    list: (prefix) => asked(() => store.list(prefix)),
    async *watch(prefix, signal) {
      const changes = store.watch(prefix, signal)[Symbol.asyncIterator]();
      for (;;) {
        const step = await time.within(null, () => changes.next());
        if (step.done === true) return;
        await time.pause(...WATCH_DELAY_MS);
        while (process.isCutOff) await time.pause(CUT_OFF_LOOK_MS);
        yield step.value;
      }
    },
  };
}
