import { type Fault, refuse } from '../errors.js';
import { keptSecret, MASK, type SftpAddress, type SftpServer } from './campaigns/sftp.js';

/*
 * How the service logs in at a server of files: with a password, or with a pair of SSH keys that it has made for this record alone. The
 * public key is shown, since the owner of the server needs it. The private key is sealed like a password and opened for a connection alone.
 * What the record does not log in with is not kept.
 */

type SftpAccessMethod = 'usernamePassword' | 'keys';

/** The private key as PEM, the public one as a line of `authorized_keys`. */
export interface ServiceKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** What is stored in clear. Absent: a password. */
export interface SftpAccess {
  readonly accessMethod?: SftpAccessMethod;
  /** Of the pair that the service has made; null with a password. */
  readonly publicKey?: string | null;
}

/** What is sealed. */
export interface SftpAccessSecrets {
  readonly sftpPassword?: string | null;
  readonly sftpPrivateKey?: string | null;
}

/** With what the service logs in, in clear: it goes to the part that connects, and to nobody else. */
export interface SftpLogin extends Pick<SftpAccess, 'accessMethod'> {
  readonly password: string | null;
  readonly privateKey?: string | null;
}

export interface SftpAccessBody {
  /** `keys`: the service makes a pair of keys and needs no password; the answer has the public one. */
  readonly sftpAccessMethod?: SftpAccessMethod;
}

/** The pair that the gateway has made for this request: decisions compute nothing of that kind. */
export interface WithServiceKeyPair {
  readonly serviceKeyPair?: ServiceKeyPair;
}

export interface SftpAccessView {
  readonly sftpAccessMethod: SftpAccessMethod;
  /** For the owner of the server, with `keys`: a line of `authorized_keys`. */
  readonly sftpSSHServicePublicKey: string | null;
}

export const sftpAccessView = (access: SftpAccess | null): SftpAccessView =>
  access?.accessMethod === 'keys'
    ? { sftpAccessMethod: 'keys', sftpSSHServicePublicKey: access.publicKey ?? null }
    : { sftpAccessMethod: 'usernamePassword', sftpSSHServicePublicKey: null };

interface Changed {
  readonly access: Required<SftpAccess>;
  readonly secrets: Required<SftpAccessSecrets>;
  readonly faults: readonly Fault[];
}

/**
 * How a record logs in after a change. A pair stays as long as the method does. `known`: its secrets before. Throws 409 if another request
 * has removed the pair since the gateway looked for it.
 */
export function changedSftpAccess(
  before: SftpAccess | null,
  known: SftpAccessSecrets,
  { sftpAccessMethod, sftpPassword, serviceKeyPair }: SftpAccessBody & WithServiceKeyPair & Pick<SftpAccessSecrets, 'sftpPassword'>,
): Changed {
  const accessMethod = sftpAccessMethod ?? before?.accessMethod ?? 'usernamePassword';
  if (accessMethod === 'usernamePassword') {
    const secrets = { sftpPassword: keptSecret(sftpPassword, known.sftpPassword), sftpPrivateKey: null };
    return { access: { accessMethod, publicKey: null }, secrets, faults: [] };
  }
  const faults =
    sftpPassword == null || sftpPassword === MASK
      ? []
      : [{ path: 'sftpPassword', expected: 'null, with sftpAccessMethod keys', message: 'the service logs in with its key' }];
  const { publicKey, privateKey } =
    before?.accessMethod === 'keys'
      ? { publicKey: before.publicKey ?? null, privateKey: known.sftpPrivateKey ?? null }
      : (serviceKeyPair ?? refuse('invalidState', 'Another request has removed the pair of keys. Send this one again.'));
  return { access: { accessMethod, publicKey }, secrets: { sftpPassword: null, sftpPrivateKey: privateKey }, faults };
}

/** The same of a record that has to log in: a password that is missing is a fault, with what is expected. */
export function completeSftpAccess(
  before: SftpAccess | null,
  known: SftpAccessSecrets,
  body: Parameters<typeof changedSftpAccess>[2],
  expected: string,
): Changed {
  const changed = changedSftpAccess(before, known, body);
  if (changed.access.accessMethod === 'keys' || changed.secrets.sftpPassword !== null) return changed;
  return { ...changed, faults: [{ path: 'sftpPassword', expected, message: 'is missing' }] };
}

/** Without a server there is nothing to log in to. `expected` says when keys are possible. */
export const keysWithoutServer = ({ sftpAccessMethod }: SftpAccessBody, expected: string): readonly Fault[] =>
  sftpAccessMethod === 'keys' ? [{ path: 'sftpAccessMethod', expected, message: 'there is no server to log in to' }] : [];

/** The server with what the service logs in there. */
export const sftpServerOf = (
  address: SftpAddress & SftpAccess,
  { sftpPassword = null, sftpPrivateKey = null }: SftpAccessSecrets,
): SftpServer => ({ ...address, password: sftpPassword, privateKey: sftpPrivateKey });
