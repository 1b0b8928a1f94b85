import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Fault } from '../../actors/index.js';

/** The rows that were not booked: one line of CSV for every fault. The file is made with the first of them. */
export class ErrorReport {
  #file: WriteStream | null = null;

  constructor(readonly path: string) {}

  get isEmpty(): boolean {
    return this.#file === null;
  }

  async add(line: number, id: string, faults: readonly Fault[]): Promise<void> {
    if (this.#file === null) {
      this.#file = createWriteStream(this.path);
      await once(this.#file, 'open');
      this.#file.write('line,id,path,message,expected\n');
    }
    for (const { path, message, expected } of faults) {
      this.#file.write(`${[String(line), id, path, message, expected].map(cell).join(',')}\n`);
    }
  }

  async close(): Promise<void> {
    if (this.#file === null) return;
    this.#file.end();
    await once(this.#file, 'close');
  }
}

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
