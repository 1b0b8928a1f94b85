import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import type SftpClient from 'ssh2-sftp-client';
import { writeDurableFile } from '../files/durable-file.js';
import { limits } from '../limits.js';
import { type BucketLocation, signed } from '../ports.js';
import { readOrNothing } from './letter-files.js';

/** A batch as it leaves: its files one after the other, its manifest last. */
interface LeavingBatch {
  readonly name: string;
  readonly manifest: Buffer;
  readonly files: () => AsyncIterable<{ readonly file: string; readonly content: Buffer }>;
}

const require = createRequire(import.meta.url);

/** Where batches of letters go. A batch is there as a whole under its name, or not at all; to put it twice is to put it once. */
export interface LetterTarget {
  put(batch: LeavingBatch): Promise<void>;
}

const MANIFEST = 'manifest.json';

/** A folder of this machine. */
export const folderTarget = (folder: string): LetterTarget => ({
  async put({ name, manifest, files }) {
    const [part, final] = [join(folder, `${name}.part`), join(folder, name)];
    const there = await readOrNothing(join(final, MANIFEST));
    if (there?.equals(manifest)) return;
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true, mode: 0o700 });
    for await (const { file, content } of files()) await writeDurableFile(join(part, file), content);
    await writeDurableFile(join(part, MANIFEST), manifest);
    await rm(final, { recursive: true, force: true });
    await rename(part, final);
  },
});

export interface SftpAccount {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly path: string;
  readonly password: string | null;
  /** Of the key that is shown to the server. */
  readonly privateKey: Buffer | null;
  /** SHA-256 of the server's key in base64: another server is not spoken to. */
  readonly hostKey: string;
}

/** A folder of an SFTP server, over a connection of its own for each batch. */
export const sftpTarget = ({ path, hostKey, password, privateKey, ...server }: SftpAccount): LetterTarget => ({
  async put({ name, manifest, files }) {
    const Client: typeof SftpClient = require('ssh2-sftp-client'); // with the first batch: a start without it is shorter
    const client = new Client('letters');
    try {
      await client.connect({
        ...server,
        ...(password === null ? {} : { password }),
        ...(privateKey === null ? {} : { privateKey }),
        readyTimeout: limits.sftpMs,
        hostHash: 'sha256',
        hostVerifier: (hash: string) => Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '') === hostKey,
      });
      const [part, final] = [posix.join(path, `${name}.part`), posix.join(path, name)];
      if ((await client.exists(final)) !== false) {
        const there = await client.get(posix.join(final, MANIFEST));
        if (Buffer.isBuffer(there) && there.equals(manifest)) return;
        await client.rmdir(final, true);
      }
      if ((await client.exists(part)) !== false) await client.rmdir(part, true);
      await client.mkdir(part, true);
      for await (const { file, content } of files()) await client.put(content, posix.join(part, file));
      await client.put(manifest, posix.join(part, MANIFEST));
      await client.rename(part, final);
    } finally {
      await client.end().catch(() => undefined); // it has ended by itself
    }
  },
});

/** A bucket of a store that speaks S3: nothing is renamed there, and a batch is whole once its manifest is there. */
export const bucketTarget = ({ address, key }: BucketLocation): LetterTarget => ({
  async put({ name, manifest, files }) {
    const store = async (file: string, body: Buffer): Promise<void> => {
      const url = new URL(`${name}/${file}`, address);
      const answer = await fetch(url, {
        method: 'PUT',
        headers: signed({ method: 'PUT', url, body }, key, new Date()),
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.timeout(limits.blobMs),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the store of letters answers ${answer.status}`);
    };
    for await (const { file, content } of files()) await store(file, content);
    await store(MANIFEST, manifest);
  },
});
