import { fieldOf } from '../../engine/index.js';
import { connect, type Socket } from 'node:net';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { OutsideFault, type SftpAddress, type SftpContent, type SftpLogin, type SftpServer, type Tenant } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { type AddressRules, faultOf, lookupWithin } from '../outgoing.js';
import { ServerKeyCheck, type ServerKeys } from './server-keys.js';

const DEFAULT_SFTP_PORT = 22;

/** Loaded with the first file: few installations put any. */
function newSftpClient(): SftpClient {
  const Client: typeof SftpClient = createRequire(import.meta.url)('ssh2-sftp-client');
  return new Client();
}

/** Who asks, where files may go, and how servers are known. */
export interface SftpAsked {
  readonly tenant: Tenant;
  readonly rules: AddressRules;
  readonly keys: ServerKeys;
}

interface Server extends SftpLogin, Pick<SftpAddress, 'host' | 'username' | 'hostKey'> {
  /** By kind, as the SSH library names them. */
  readonly disabledAlgorithms?: Readonly<Record<string, readonly string[]>>;
}

/** Puts a file by SFTP, whole or not at all: it gets its name once it is there. Throws `OutsideFault`. */
export function putBySftp(asked: SftpAsked, server: SftpServer, name: string, content: SftpContent): Promise<void> {
  const { cdDir } = server;
  return onSftpServer(asked, server, 'The file could not be put by SFTP', async (client) => {
    const path = cdDir === null || cdDir === '' ? name : `${cdDir.replace(/\/$/, '')}/${name}`;
    const partial = `${path}.part`;
    await client.put(content instanceof Uint8Array ? Buffer.from(content) : Readable.from(content()), partial);
    if ((await client.exists(path)) !== false) await client.delete(path);
    await client.rename(partial, path);
  });
}

/** Does work on a server, on a connection of its own. `fault`: how the fault of a server that refuses begins. Throws `OutsideFault`. */
export async function onSftpServer<Result>(
  { tenant, rules, keys }: SftpAsked,
  server: Server,
  fault: string,
  work: (client: SftpClient) => Promise<Result>,
): Promise<Result> {
  const login = loginOf(server);
  const check = new ServerKeyCheck(keys, tenant, server);
  const [machine = '', port] = server.host.split(':');
  const late = AbortSignal.timeout(LIMITS.sftpMs);
  const socket = await connected(rules, machine, port === undefined ? DEFAULT_SFTP_PORT : Number(port), late);
  const client = newSftpClient();
  const ended = (): void => void socket.destroy();
  late.addEventListener('abort', ended);
  const { username, disabledAlgorithms = {} } = server;
  const algorithms = Object.fromEntries(Object.entries(disabledAlgorithms).map(([kind, names]) => [kind, { remove: [...names] }]));
  try {
    await client.connect({ sock: socket, username, readyTimeout: LIMITS.outgoingMs, ...check.options, ...login, algorithms });
    await check.accept();
    return await work(client);
  } catch (cause) {
    if (cause instanceof OutsideFault) throw cause;
    throw new OutsideFault(`${fault}: ${check.faultOr(late.aborted ? 'timeout' : codeOf(cause))}.`, { cause });
  } finally {
    late.removeEventListener('abort', ended);
    await client.end().catch(() => undefined); // the connection may be gone already
    socket.destroy();
  }
}

/** A key alone where the record has one: a server that does not know it gets no password. */
function loginOf({ accessMethod, password, privateKey }: SftpLogin): { readonly password?: string; readonly privateKey?: string } {
  if (accessMethod !== 'keys') return password === null ? {} : { password };
  if (privateKey == null)
    throw new OutsideFault('The private key for the SFTP server is gone. Set sftpAccessMethod to usernamePassword, then to keys again.');
  return { privateKey };
}

/** Nothing of what the other side has written. */
export const codeOf = (cause: unknown): string => {
  const code = fieldOf(cause, 'code');
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'refused';
};

/** The connection goes to an address that the rules allow, whatever the name resolves to later. */
function connected(rules: AddressRules, host: string, port: number, signal: AbortSignal): Promise<Socket> {
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
