import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseMasterKey } from '../../persistence/index.js';
import type { Workshop } from '../house.js';

const KEY_BYTES = 32;

/** Where the new key came from, or lies now. */
export interface Rotated {
  readonly masterKey: 'newFile' | 'environment';
  readonly file: string | null;
}

/** A rotation that cannot begin as things stand. */
export class RotationRefused extends Error {}

/** The name of the variable with the key to come, where the environment carries the key in force. */
export const NEW_KEY_VARIABLE = 'TENOR_NEW_MASTER_KEY';

/** What lies there while a rotation is under way. */
export const nextFileOf = (file: string): string => `${file}.next`;

/**
 * Wraps all data keys anew. A key in a file is replaced by a random one: first the new one is durable beside it, then the
 * keys are wrapped with it, then it takes the old one's name. Throws `RotationRefused`.
 */
export async function rotateMasterKey({ rotateKeys, masterKeyFile }: Workshop, environment: NodeJS.ProcessEnv): Promise<Rotated> {
  const given = environment[NEW_KEY_VARIABLE];
  if (masterKeyFile === null) {
    if (given === undefined)
      throw new RotationRefused(`The master key comes from the environment: set ${NEW_KEY_VARIABLE} to the new one.`);
    await rotateKeys(parseMasterKey(given, NEW_KEY_VARIABLE));
    return { masterKey: 'environment', file: null };
  }
  const next = nextFileOf(masterKeyFile);
  if (existsSync(next))
    throw new RotationRefused(`${next} is left from a rotation that was interrupted. The key in force opens the data, so delete it.`);
  const key = given === undefined ? randomBytes(KEY_BYTES) : parseMasterKey(given, NEW_KEY_VARIABLE);
  await writeFile(next, `${Buffer.from(key).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await syncFolder(dirname(next));
  await rotateKeys(key);
  await rename(next, masterKeyFile);
  await syncFolder(dirname(next));
  return { masterKey: 'newFile', file: masterKeyFile };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
