import { fieldOf } from '../../engine/index.js';
import { connect, type Socket } from 'node:net';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { OutsideFault, type SftpContent, type SftpServer, type Tenant } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { type AddressRules, faultOf, lookupWithin } from '../outgoing.js';
import { ServerKeyCheck, type ServerKeys } from './server-keys.js';

export const DEFAULT_SFTP_PORT = 22;

/** Loaded with the first file: few installations put any. */
export function newSftpClient(): SftpClient {
  const Client: typeof SftpClient = createRequire(import.meta.url)('ssh2-sftp-client');
  return new Client();
}

/** Who asks, where files may go, and how servers are known. */
export interface SftpAsked {
  readonly tenant: Tenant;
  readonly rules: AddressRules;
  readonly keys: ServerKeys;
}

/** Puts a file by SFTP, whole or not at all: it gets its name once it is there. Throws `OutsideFault`. */
export async function putBySftp({ tenant, rules, keys }: SftpAsked, server: SftpServer, name: string, content: SftpContent): Promise<void> {
  const { host, username, password, cdDir } = server;
  const check = new ServerKeyCheck(keys, tenant, server);
  const [machine = '', port] = host.split(':');
  const late = AbortSignal.timeout(LIMITS.sftpMs);
  const socket = await connected(rules, machine, port === undefined ? DEFAULT_SFTP_PORT : Number(port), late);
  const client = newSftpClient();
  const ended = (): void => void socket.destroy();
  late.addEventListener('abort', ended);
  try {
    await client.connect({
      sock: socket,
      username,
      readyTimeout: LIMITS.outgoingMs,
      ...check.options,
      ...(password === null ? {} : { password }),
    });
    await check.accept();
    const path = cdDir === null || cdDir === '' ? name : `${cdDir.replace(/\/$/, '')}/${name}`;
    const partial = `${path}.part`;
    await client.put(content instanceof Uint8Array ? Buffer.from(content) : Readable.from(content()), partial);
    if ((await client.exists(path)) !== false) await client.delete(path);
    await client.rename(partial, path);
  } catch (cause) {
    if (cause instanceof OutsideFault) throw cause;
    const why = check.faultOr(late.aborted ? 'timeout' : codeOf(cause));
    throw new OutsideFault(`The file could not be put by SFTP: ${why}.`, { cause });
  } finally {
    late.removeEventListener('abort', ended);
    await client.end().catch(() => undefined); // the connection may be gone already
    socket.destroy();
  }
}

/** Nothing of what the other side has written. */
export const codeOf = (cause: unknown): string => {
  const code = fieldOf(cause, 'code');
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'refused';
};

/** The connection goes to an address that the rules allow, whatever the name resolves to later. */
export function connected(rules: AddressRules, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: lookupWithin(rules, true) });
    const failed = (cause: Error): void => {
      socket.destroy();
      reject(new OutsideFault(`The SFTP server could not be reached: ${faultOf(cause)}.`, { cause }));
    };
    signal.addEventListener('abort', () => failed(new DOMException('late', 'TimeoutError')), { once: true });
    socket.once('error', failed);
    socket.once('connect', () => {
      if (rules.allows(socket.remoteAddress ?? '', true)) resolve(socket);
      else reject(new OutsideFault('The SFTP server must not have a private address.'));
    });
  });
}
