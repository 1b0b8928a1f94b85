import type { tags } from 'typia';
import type { Fault } from '../errors.js';

/** Keys for what leaves: null where it is not encrypted, or not signed. Armored. */
export interface SealingKeys {
  readonly publicKey: string | null;
  readonly signingKey: string | null;
}

/** Keys for what comes. A signature that names the sender's key is checked. */
export interface OpeningKeys {
  readonly privateKey: string;
  readonly senderKey: string | null;
}

/**
 * OpenPGP for files. Takes a file away: its caller must not read it again. Throws `OutsideFault`, in words that show nothing of the file.
 */
export interface FilePgp {
  seal(content: Uint8Array, keys: SealingKeys): Promise<Uint8Array>;
  /** `mostBytes`: of what the file holds. */
  open(content: Uint8Array, keys: OpeningKeys, mostBytes: number): Promise<Uint8Array>;
}

/** Armored. */
export type PgpPublicKey = string & tags.MinLength<1> & tags.MaxLength<20000>;

/** How a file is encrypted for its receiver. */
export interface EncryptionBody {
  readonly encryptionMethod?: 'GPG' | null;
  /** The receiver's, armored. */
  readonly publicKey?: PgpPublicKey | null;
}

/** What the gateway has found wrong with the key of a body: decisions compute nothing of that kind. */
export interface WithKeyFault {
  readonly publicKeyFault?: string;
}

export interface EncryptionView {
  readonly encryptionMethod: 'GPG' | null;
  readonly publicKey: string | null;
}

/** A receiver has a key, or gets files in clear. Without a method no key is kept. */
export const encryptionView = (publicKey: string | null | undefined): EncryptionView =>
  publicKey == null ? { encryptionMethod: null, publicKey: null } : { encryptionMethod: 'GPG', publicKey };

export function changedReceiverKey(
  before: string | null | undefined,
  { encryptionMethod, publicKey: sent, publicKeyFault }: EncryptionBody & WithKeyFault,
): { readonly publicKey: string | null; readonly faults: readonly Fault[] } {
  const isEncrypted = encryptionMethod === undefined ? before != null : encryptionMethod !== null;
  const publicKey = sent === undefined ? (before ?? null) : sent;
  if (!isEncrypted)
    return {
      publicKey: null,
      faults: sent == null ? [] : [{ path: 'publicKey', expected: 'null, without encryptionMethod', message: 'no file is encrypted' }],
    };
  const fault = publicKey === null ? 'is missing' : publicKeyFault;
  return { publicKey, faults: fault === undefined ? [] : [keyFault('publicKey', fault)] };
}

export const keyFault = (path: string, message: string): Fault => ({
  path,
  expected: 'an armored OpenPGP public key that encrypts and has not expired',
  message,
});
