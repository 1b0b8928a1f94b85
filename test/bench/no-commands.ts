import type { Access } from '../../bench/index.js';

const refused = (): Promise<never> => Promise.reject(new Error('a command that is only described opens nothing'));

/** For commands that are described and not run. */
export const NO_COMMANDS: Access = {
  open: refused,
  openOfflineStore: refused,
  openWorker: refused,
  openGateway: refused,
  askShards: refused,
  openSource: refused,
  openTarget: refused,
};
