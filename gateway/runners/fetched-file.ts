import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { OutsideFault } from '../../actors/index.js';

/** A file of an SFTP server. Throws `OutsideFault` where it has more bytes: what a server says of its size may be wrong. */
export async function fetchedFile(client: SftpClient, path: string, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      done(bytes > mostBytes ? new Error('too large') : null);
    },
  });
  try {
    await client.get(path, sink);
  } catch (cause) {
    if (bytes <= mostBytes) throw cause;
    throw new OutsideFault(`The file has more than ${mostBytes} bytes, and cannot be read.`, { cause });
  }
  return Buffer.concat(chunks);
}

/** The SHA-256 of a file, which is not kept in memory. */
export async function digestOfFile(client: SftpClient, path: string): Promise<string> {
  const hash = createHash('sha256');
  await client.get(path, new Writable({ write: (chunk: Buffer, _encoding, done) => done(void hash.update(chunk)) }));
  return hash.digest('hex');
}
