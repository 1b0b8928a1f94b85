import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from './files/durable-file.js';
import type { DeliveryAdapter, DeliveryAdapters, OutgoingMessage } from './ports.js';

/**
 * Brings messages no further than a folder: each is a file, under the mode, the company and the channel, named by its interaction. Whoever
 * delivers takes the files away. A message that is handed over twice is one file for as long as nobody has taken it.
 */
class FolderMessages implements DeliveryAdapter {
  #writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  async submit(message: OutgoingMessage): Promise<{ readonly providerMessageId: string }> {
    const { mode, company, channel, idempotencyKey } = message;
    const name = `${idempotencyKey}.json`;
    const path = join(this.folder, mode, company, channel, name);
    // One after the other: the same message may be handed over by two who take over from each other.
    const written = this.#writing.then(() => writeDurableFile(path, Buffer.from(`${JSON.stringify(message, null, 2)}\n`)));
    this.#writing = written.catch(() => undefined); // whoever asked is told
    await written;
    return { providerMessageId: `${channel}/${name}` };
  }
}

/** One folder for all channels. */
export function folderAdapters(folder: string): DeliveryAdapters {
  const adapter = new FolderMessages(folder);
  return { email: adapter, text: adapter, mail: adapter };
}

/** Takes away what lies there in clear for a borrower, be it a part of a file that was being written when the machine stopped. */
export function removeMessages(folder: string, { mode, company, personId }: Pick<OutgoingMessage, 'mode' | 'company' | 'personId'>): void {
  const below = join(folder, mode, company);
  if (!existsSync(below)) return;
  for (const entry of readdirSync(below, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && readFileSync(path, 'utf8').includes(`"personId": "${personId}"`)) rmSync(path);
  }
}
