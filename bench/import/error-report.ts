import { closeSync, openSync, writeSync } from 'node:fs';
import { csvLine, type Fault } from '../../actors/index.js';

/** The rows that were not booked: one line of CSV for every fault. The file is made with the first of them. */
export class ErrorReport {
  #file: number | null = null;

  constructor(readonly path: string) {}

  get isEmpty(): boolean {
    return this.#file === null;
  }

  add(line: number, id: string, faults: readonly Fault[]): void {
    if (this.#file === null) {
      this.#file = openSync(this.path, 'w');
      writeSync(this.#file, 'line,id,path,message,expected\n');
    }
    const lines = faults.map(({ path, message, expected }) => csvLine([String(line), id, path, message, expected]));
    writeSync(this.#file, `${lines.join('\n')}\n`);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}
