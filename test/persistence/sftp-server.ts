import type { Test } from 'tap';
import { SftpFolder, type SftpRequest } from '../../bench/bank/sftp-folder.js';

export interface SftpServer {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** SHA-256 of its key. */
  readonly hostKey: string;
  /** After so many files have been written, connections are cut. */
  cutAfter: number | null;
  readonly written: string[];
  /** Lines of `authorized_keys`: their owner is let in, too. */
  authorizedKeys: readonly string[];
  /** Asked before each request is carried out, and before the answer to a change; true: the connection is cut there. */
  onRequest: ((request: SftpRequest) => boolean) | null;
}

/** A real SSH server with the files of a folder, on a free port of this machine. */
export async function sftpServerFor(t: Test, folder: string): Promise<SftpServer> {
  const server = await SftpFolder.open(folder, { username: 'tenor', password: 'a password of tests' });
  t.teardown(server.close);
  const state: SftpServer = {
    port: server.port,
    ...server.login,
    hostKey: server.hostKey,
    cutAfter: null,
    written: [],
    get authorizedKeys() {
      return server.authorizedKeys;
    },
    set authorizedKeys(keys) {
      server.authorizedKeys = keys;
    },
    onRequest: null,
  };
  server.cutsAt = (request) => {
    if (state.onRequest?.(request) === true) return true;
    if (request.isWritten !== true) return false;
    if (state.cutAfter !== null && state.written.length >= state.cutAfter) return true;
    state.written.push(request.path);
    return false;
  };
  return state;
}
