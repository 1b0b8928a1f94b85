import { createHash, generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { join, normalize } from 'node:path';
import type { AuthContext, Connection, FileEntry, SFTPWrapper } from 'ssh2';

/** Loaded with the first server: of all commands only the bank's needs it. */
const loaded = (): typeof import('ssh2') => createRequire(import.meta.url)('ssh2');

export interface SftpLogin {
  readonly username: string;
  readonly password: string;
}

export interface SftpRequest {
  readonly name: 'STAT' | 'REMOVE' | 'RENAME' | 'OPENDIR' | 'OPEN' | 'WRITE' | 'READ';
  readonly path: string;
  /** Of an opened file: whether it is written. */
  readonly isWritten?: boolean;
  /** Of a rename: the new name. */
  readonly to?: string;
  /** It was carried out, and is not answered yet. */
  readonly isDone: boolean;
}

/** A new private key of a server: of an elliptic curve, since RSA takes a thousand times as long. */
export const newServerKey = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** A real SSH server with the files of a folder, on 127.0.0.1 only, for one user. */
export class SftpFolder {
  /** Asked before each request is carried out, and before the answer to a change; true cuts the connection there: for tests. */
  cutsAt: (request: SftpRequest) => boolean = () => false;

  /** Lines of `authorized_keys`: their owner is let in without the password, too: for tests. */
  authorizedKeys: readonly string[] = [];

  private constructor(
    readonly port: number,
    readonly login: SftpLogin,
    /** SHA-256 of its key, in Base64 without padding. */
    readonly hostKey: string,
    readonly close: () => void,
  ) {}

  /** Opens the server on a port; 0: a free one. Rejects if the port is in use. */
  static async open(folder: string, login: SftpLogin, port = 0, privateKey = newServerKey()): Promise<SftpFolder> {
    const { Server, utils } = loaded();
    const parsed = utils.parseKey(privateKey);
    if (parsed instanceof Error) throw parsed;
    const connections = new Set<Connection>();
    const cutsAt = (request: SftpRequest): boolean => opened.cutsAt(request);
    const server = new Server({ hostKeys: [privateKey] }, (connection) => {
      connections.add(connection);
      connection
        .on('authentication', (context) => {
          if (isLetIn(context, login, opened.authorizedKeys)) context.accept();
          else context.reject(['password', 'publickey']);
        })
        .on('ready', () =>
          connection.on('session', (accept) => accept().on('sftp', (open) => serve(open(), folder, cutsAt, () => connection.end()))),
        )
        .on('error', () => undefined) // a client that goes away is no fault of the server
        .on('close', () => connections.delete(connection));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const close = (): void => {
      for (const connection of connections) connection.end();
      server.close();
    };
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
    const hostKey = createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '');
    const opened = new SftpFolder(address.port, login, hostKey, close);
    return opened;
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digestOf(given), digestOf(wanted));

/** A client shows its key first, and signs with it when the server knows it. */
function isLetIn(context: AuthContext, { username, password }: SftpLogin, authorizedKeys: readonly string[]): boolean {
  if (!isSame(context.username, username)) return false;
  if (context.method === 'password') return isSame(context.password, password);
  if (context.method !== 'publickey') return false;
  const { key, blob, signature, hashAlgo } = context;
  return authorizedKeys.some((line) => {
    const known = loaded().utils.parseKey(line);
    if (known instanceof Error || !known.getPublicSSH().equals(key.data)) return false;
    if (signature === undefined) return true;
    const isSigned: unknown = blob !== undefined && known.verify(blob, signature, hashAlgo); // of a key without a signature: an error
    return isSigned === true;
  });
}

function serve(sftp: SFTPWrapper, folder: string, cutsAt: (request: SftpRequest) => boolean, cut: () => void): void {
  const { STATUS_CODE, OPEN_MODE, flagsToString } = loaded().utils.sftp;
  const handles = new Map<number, { readonly path: string; readonly fd: number | null; isListed: boolean }>();
  let last = 0;
  const at = (path: string): string => join(folder, normalize(`/${path}`));
  const handled = (id: number, work: () => void): void => {
    try {
      work();
    } catch (cause) {
      const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
      sftp.status(id, isMissing ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE);
    }
  };
  const done = (id: number, work: () => void): void =>
    handled(id, () => {
      work();
      sftp.status(id, STATUS_CODE.OK);
    });
  const isCut = (request: SftpRequest): boolean => {
    if (!cutsAt(request)) return false;
    cut();
    return true;
  };
  const asked = (id: number, request: Omit<SftpRequest, 'isDone'>, work: () => void): void => {
    if (!isCut({ ...request, isDone: false })) handled(id, work);
  };
  const changed = (id: number, request: Omit<SftpRequest, 'isDone'>, work: () => void): void =>
    asked(id, request, () => {
      work();
      if (!isCut({ ...request, isDone: true })) sftp.status(id, STATUS_CODE.OK);
    });
  const opened = (path: string, fd: number | null): Buffer => {
    last += 1;
    handles.set(last, { path, fd, isListed: false });
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(last);
    return handle;
  };
  const of = (handle: Buffer): NonNullable<ReturnType<typeof handles.get>> => {
    const found = handles.get(handle.readUInt32BE());
    if (!found) throw new Error('no such handle');
    return found;
  };
  const attributes = (path: string): FileEntry['attrs'] => {
    const { mode, uid, gid, size, atimeMs, mtimeMs } = fs.statSync(path);
    return { mode, uid, gid, size, atime: atimeMs / 1000, mtime: mtimeMs / 1000 };
  };
  sftp
    .on('REALPATH', (id, path) =>
      sftp.name(id, [{ filename: normalize(`/${path}`), longname: '', attrs: { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 } }]),
    )
    .on('STAT', (id, path) => asked(id, { name: 'STAT', path }, () => sftp.attrs(id, attributes(at(path)))))
    .on('LSTAT', (id, path) => handled(id, () => sftp.attrs(id, attributes(at(path)))))
    .on('MKDIR', (id, path) => done(id, () => fs.mkdirSync(at(path))))
    .on('RMDIR', (id, path) => done(id, () => fs.rmdirSync(at(path))))
    .on('REMOVE', (id, path) => changed(id, { name: 'REMOVE', path }, () => fs.rmSync(at(path))))
    .on('RENAME', (id, path, to) => changed(id, { name: 'RENAME', path, to }, () => fs.renameSync(at(path), at(to))))
    .on('OPENDIR', (id, path) =>
      asked(id, { name: 'OPENDIR', path }, () => {
        fs.readdirSync(at(path));
        sftp.handle(id, opened(at(path), null));
      }),
    )
    .on('READDIR', (id, handle) =>
      handled(id, () => {
        const listed = of(handle);
        if (listed.isListed) return sftp.status(id, STATUS_CODE.EOF);
        listed.isListed = true;
        const names = fs.readdirSync(listed.path, { withFileTypes: true });
        sftp.name(
          id,
          names.map((entry) => ({
            filename: entry.name,
            longname: `${entry.isDirectory() ? 'd' : '-'}rw------- 1 u g 0 Jan 1 00:00 ${entry.name}`,
            attrs: attributes(join(listed.path, entry.name)),
          })),
        );
      }),
    )
    .on('OPEN', (id, path, flags) =>
      asked(id, { name: 'OPEN', path, isWritten: (flags & OPEN_MODE.WRITE) !== 0 }, () => {
        sftp.handle(id, opened(at(path), fs.openSync(at(path), flagsToString(flags) ?? 'r')));
      }),
    )
    .on('WRITE', (id, handle, offset, data) =>
      changed(id, { name: 'WRITE', path: of(handle).path }, () => void fs.writeSync(of(handle).fd ?? -1, data, 0, data.length, offset)),
    )
    .on('READ', (id, handle, offset, length) =>
      asked(id, { name: 'READ', path: of(handle).path }, () => {
        const data = Buffer.alloc(length);
        const read = fs.readSync(of(handle).fd ?? -1, data, 0, length, offset);
        if (read === 0) sftp.status(id, STATUS_CODE.EOF);
        else sftp.data(id, data.subarray(0, read));
      }),
    )
    .on('FSTAT', (id, handle) => handled(id, () => sftp.attrs(id, attributes(of(handle).path))))
    .on('SETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
    .on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
    .on('CLOSE', (id, handle) =>
      done(id, () => {
        const { fd } = of(handle);
        if (fd !== null) fs.closeSync(fd);
        handles.delete(handle.readUInt32BE());
      }),
    );
}
