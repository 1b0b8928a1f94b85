import type { Door } from '../../bench/index.js';

const refused = (): Promise<never> => Promise.reject(new Error('a command that is only described opens nothing'));

/** For commands that are looked at and not carried out. */
export const NO_COMMANDS: Door = {
  open: refused,
  openOfflineStore: refused,
  openWorker: refused,
  openGateway: refused,
  askShards: refused,
  openSource: refused,
  openTarget: refused,
};
