import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { atPath } from '../files/path-unusable.js';
import { KEY_BYTES } from './envelope.js';
import { MasterKeyError } from './errors.js';

/**
 * The master key from the text of a setting, else from the file, which is made on first start, for its owner alone and
 * durable before anything is wrapped with it.
 */
export function loadMasterKey(source: { readonly text: string | null; readonly file: string }): Uint8Array {
  if (source.text !== null) return parseMasterKey(source.text, 'the setting of the master key');
  const { file } = source;
  const text = atPath('the master key', file, () => {
    if (!existsSync(file)) makeKeyFile(file);
    return readFileSync(file, 'utf8');
  });
  return parseMasterKey(text, file);
}

/** The same, where it must be there already: what was wrapped with it cannot be opened by a new one. Throws `MasterKeyError`. */
export function readMasterKey(source: { readonly text: string | null; readonly file: string }): Uint8Array {
  if (source.text === null && !existsSync(source.file))
    throw new MasterKeyError(
      `there is no master key in ${source.file}: put the one there that the data was written under, or set TENOR_MASTER_KEY`,
    );
  return loadMasterKey(source);
}

const HEXADECIMAL = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;

export const isMasterKey = (text: string): boolean => HEXADECIMAL.test(text.trim()) || BASE64.test(text.trim());

/** 32 bytes as 64 hexadecimal digits or as base64. Throws `MasterKeyError`. */
export function parseMasterKey(text: string, origin: string): Uint8Array {
  const trimmed = text.trim();
  if (HEXADECIMAL.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (BASE64.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new MasterKeyError(`${origin} does not hold ${KEY_BYTES} bytes as hexadecimal or base64`);
}

/** Under another name first: a crash leaves a whole key or none, and of processes that start side by side one makes the key of all. */
function makeKeyFile(path: string): void {
  const unfinished = `${path}.${process.pid}.unfinished`;
  writeFileSync(unfinished, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(unfinished);
  }
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
