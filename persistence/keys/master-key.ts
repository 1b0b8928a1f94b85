import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { KEY_BYTES } from './envelope.js';

/** The master key is missing, malformed or not the one that the keys were wrapped with. Names no secret. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** The master key from the text of a setting, else from the file, which is made on first start for its owner alone. */
export function loadMasterKey(source: { readonly text: string | null; readonly file: string }): Uint8Array {
  if (source.text !== null) return parseMasterKey(source.text, 'the setting of the master key');
  if (!existsSync(source.file)) {
    writeFileSync(source.file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  }
  return parseMasterKey(readFileSync(source.file, 'utf8').trim(), source.file);
}

/** 32 bytes as 64 hexadecimal digits or as base64. */
export function parseMasterKey(text: string, origin: string): Uint8Array {
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new MasterKeyError(`${origin} does not hold 32 bytes as hexadecimal or base64`);
  return key;
}
