import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file atomically and durably. Only its owner may read it. */
export async function writeDurableFile(path: string, content: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFoldersAbove(folder, made);
  const part = `${path}.part`;
  try {
    await writeDurably(part, content);
    await rename(part, path);
    await syncFolder(folder);
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}

/** Makes new folders durable by flushing their parents, up to the first one that existed before. */
async function syncFoldersAbove(folder: string, firstMade: string): Promise<void> {
  for (let at = folder; at.length >= firstMade.length; at = dirname(at)) await syncFolder(dirname(at));
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
