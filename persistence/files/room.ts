import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files of a folder, without those of folders in it; a file that goes meanwhile does not count. */
export async function folderBytes(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes that the file system of a folder has left for this process. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
