import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** The key file is damaged in its middle: a key may be lost, and nobody may guess which. */
export class KeyFileDamaged extends Error {
  override readonly name = 'KeyFileDamaged';
}

/** A line of the file: an owner and the wrapped key, with a checksum. */
export interface KeyLine {
  readonly owner: string;
  readonly wrapped: Uint8Array;
}

/**
 * The file of wrapped data keys: one line a key, appended and flushed before the first fact that needs it.
 * An incomplete last line was never flushed, so nothing depends on it, and it is cut.
 */
export async function readKeyFile(path: string): Promise<KeyLine[]> {
  let text: string;
  try {
    text = await readFile(path, 'latin1');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
  const lines = text.split('\n');
  const found: KeyLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const parsed = parseLine(line);
    if (parsed) found.push(parsed);
    else if (index < lines.length - 1) throw new KeyFileDamaged(`line ${index + 1} of the key file is damaged; restore the file from its backup`);
  }
  return found;
}

export function formatLine({ owner, wrapped }: KeyLine): string {
  const body = `${owner} ${Buffer.from(wrapped).toString('base64')}`;
  return `${body} ${crc32(body).toString(16)}\n`;
}

function parseLine(line: string): KeyLine | undefined {
  const [owner, key, checksum, ...rest] = line.split(' ');
  if (owner === undefined || key === undefined || rest.length > 0) return undefined;
  return checksum === crc32(`${owner} ${key}`).toString(16) ? { owner, wrapped: Buffer.from(key, 'base64') } : undefined;
}

/**
 * Replaces the file with these lines: what is not among them is gone from it. The former bytes are overwritten
 * before they are unlinked, as far as a file system allows that.
 */
export async function rewriteKeyFile(path: string, lines: Iterable<KeyLine>): Promise<void> {
  const next = `${path}.next`;
  const former = `${path}.former`;
  const file = await open(next, 'w', 0o600);
  for (const line of lines) await file.write(formatLine(line));
  await file.datasync();
  await file.close();
  await rm(former, { force: true });
  await linkIfThere(path, former);
  await rename(next, path);
  await syncFolder(dirname(path));
  await overwrite(former);
}

async function linkIfThere(path: string, copy: string): Promise<void> {
  try {
    await link(path, copy);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
}

async function overwrite(path: string): Promise<void> {
  let file;
  try {
    file = await open(path, 'r+');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw cause;
  }
  const { size } = await file.stat();
  await file.write(Buffer.alloc(size), 0, size, 0);
  await file.datasync();
  await file.close();
  await rm(path);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
