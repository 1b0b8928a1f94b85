import { createCipheriv, createDecipheriv, hkdfSync, randomFillSync } from 'node:crypto';

/** AES-256-GCM: nonce 12 | tag 16 | text. The context is authenticated, so a value cannot be moved elsewhere. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const KEY_BYTES = 32;
/** A sealed key: nonce, tag and the key. */
export const SEALED_KEY_BYTES = NONCE_BYTES + TAG_BYTES + KEY_BYTES;

export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Random bytes for so many nonces are asked for at once: a question to the operating system costs more than sealing a field. */
const NONCES = 512;
const nonces = Buffer.alloc(NONCES * NONCE_BYTES);
let used = nonces.length;

/** Each is given once, and copied: what is asked for later overwrites it here. */
function nextNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += NONCE_BYTES;
  return Buffer.from(nonces.subarray(used - NONCE_BYTES, used));
}

/** Undefined when key, context and bytes do not belong together. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const start = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([start, decipher.final()]);
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes('unable to authenticate')) return undefined;
    throw cause;
  }
}

/** The key that wraps data keys: of the master key and the file's salt, so that no two files share one. */
export function wrappingKey(masterKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, salt, 'tenor data keys', KEY_BYTES));
}
