import type { Test } from 'tap';
import { SftpFolder } from '../../bench/bank/sftp-folder.js';

export interface SftpServer {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** SHA-256 of its key. */
  readonly hostKey: string;
  /** After so many files have been written, connections are cut. */
  cutAfter: number | null;
  readonly written: string[];
}

/** A real SSH server with the files of a folder, on a free port of this machine. */
export async function sftpServerFor(t: Test, folder: string): Promise<SftpServer> {
  const server = await SftpFolder.open(folder, { username: 'tenor', password: 'a password of tests' });
  t.teardown(server.close);
  const state: SftpServer = { port: server.port, ...server.login, hostKey: server.hostKey, cutAfter: null, written: [] };
  server.mayWrite = (path) => {
    if (state.cutAfter !== null && state.written.length >= state.cutAfter) return false;
    state.written.push(path);
    return true;
  };
  return state;
}
