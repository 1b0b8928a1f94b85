import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection } from 'ssh2';
import type { Test } from 'tap';
import { newServerKey } from '../../../../bench/bank/sftp-folder.js';

export interface TestSftpServer {
  readonly host: string;
  /** SHA-256 of its key, as `ssh-keygen -lf` shows it. */
  readonly hostKey: string;
  /** By path. */
  readonly files: Map<string, string>;
  /** So many connections are refused before one is let in. */
  refuses: number;
  connections: number;
  /** Tries to log in. */
  logins: number;
  close(): Promise<void>;
}

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

/** An SFTP server on this machine that keeps files in memory, for one user; port 0: a free one. Its key is new. */
export async function openSftpServer(
  t: Test,
  login: { readonly username: string; readonly password: string },
  port = 0,
): Promise<TestSftpServer> {
  const privateKey = newServerKey();
  const files = new Map<string, string>();
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  const hostKey = `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`;
  const close = (): Promise<void> => new Promise<void>((resolve) => server.close(() => resolve()));
  const state: TestSftpServer = { host: '', hostKey, files, refuses: 0, connections: 0, logins: 0, close };
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    state.connections += 1;
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      state.logins += 1;
      const isRight = context.method === 'password' && context.username === login.username && context.password === login.password;
      if (isRight && state.connections > state.refuses) context.accept();
      else context.reject();
    });
    client.on('ready', () => serveFiles(client, files));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  t.teardown(close);
  return Object.assign(state, { host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function serveFiles(client: Connection, files: Map<string, string>): void {
  client.on('session', (accept) => {
    accept().on('sftp', (acceptSftp) => {
      const sftp = acceptSftp();
      const open = new Map<number, string>();
      let handles = 0;
      const handleOf = (handle: Buffer): number => handle.readUInt32BE(0);
      sftp.on('OPEN', (id, path, flags) => {
        if ((flags & OPEN_MODE.WRITE) !== 0) files.set(path, '');
        const handle = Buffer.alloc(4);
        handle.writeUInt32BE((handles += 1), 0);
        open.set(handles, path);
        sftp.handle(id, handle);
      });
      sftp.on('WRITE', (id, handle, _offset, data) => {
        const path = open.get(handleOf(handle)) ?? '';
        files.set(path, (files.get(path) ?? '') + data.toString('utf8'));
        sftp.status(id, STATUS_CODE.OK);
      });
      sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
      sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
      sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: NO_ATTRIBUTES }]));
      const stat = (id: number, path: string): void =>
        files.has(path) ? sftp.attrs(id, NO_ATTRIBUTES) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      sftp.on('STAT', stat);
      sftp.on('LSTAT', stat);
      sftp.on('REMOVE', (id, path) => {
        files.delete(path);
        sftp.status(id, STATUS_CODE.OK);
      });
      sftp.on('RENAME', (id, from, to) => {
        files.set(to, files.get(from) ?? '');
        files.delete(from);
        sftp.status(id, STATUS_CODE.OK);
      });
    });
  });
}

const NO_ATTRIBUTES = { mode: 0o100_644, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
