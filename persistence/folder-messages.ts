import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from './files/durable-file.js';
import type { DeliveryAdapter, DeliveryAdapters, OutgoingMessage } from './ports.js';

/**
 * Writes messages to a folder, for another program to deliver: each is a file below mode, company and channel, named by its interaction.
 * That program removes the files. A message that is submitted twice is one file until it is removed.
 */
class FolderMessages implements DeliveryAdapter {
  #writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  async submit(message: OutgoingMessage): Promise<{ readonly providerMessageId: string }> {
    const { mode, company, channel, idempotencyKey } = message;
    const name = `${idempotencyKey}.json`;
    const path = join(this.folder, mode, company, channel, name);
    // One after the other: two owners of deliveries may submit the same message while one takes over from the other.
    const written = this.#writing.then(() => writeDurableFile(path, Buffer.from(`${JSON.stringify(message, null, 2)}\n`)));
    this.#writing = written.catch(() => undefined); // `submit` reports the failure
    await written;
    return { providerMessageId: `${channel}/${name}` };
  }
}

/** One folder for all channels. */
export function folderAdapters(folder: string): DeliveryAdapters {
  const adapter = new FolderMessages(folder);
  return { email: adapter, text: adapter, mail: adapter };
}

/** Removes the unencrypted messages to a borrower, also incomplete files that were being written when the machine stopped. */
export function removeMessages(folder: string, { mode, company, personId }: Pick<OutgoingMessage, 'mode' | 'company' | 'personId'>): void {
  const below = join(folder, mode, company);
  if (!existsSync(below)) return;
  for (const entry of readdirSync(below, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && readFileSync(path, 'utf8').includes(`"personId": "${personId}"`)) rmSync(path);
  }
}
