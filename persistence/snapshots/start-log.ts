import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.js';

/**
 * Remembers starts that were not followed by an orderly end. A damaged page can end the process each time that it is read;
 * when ends like that come in a row, the environments are read by another process before this one opens them.
 */
export class StartLog {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, 'starts');
  }

  /** Notes a start; tells whether too many before it, not long ago, had no orderly end. */
  noteStart(nowMs: number): boolean {
    const recent = this.#read().filter((startMs) => startMs <= nowMs && nowMs - startMs < limits.uncleanStartsWithinMs);
    writeFileSync(this.#path, [...recent, nowMs].slice(-limits.uncleanStarts).join('\n'));
    return recent.length >= limits.uncleanStarts;
  }

  noteEnd(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): readonly number[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n').map(Number).filter((startMs) => startMs > 0);
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
      throw cause;
    }
  }
}
