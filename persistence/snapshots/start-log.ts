import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.js';

interface Life {
  readonly startMs: number;
  /** Whether it ended, or may still end, before it had served for a while. */
  readonly isShort: boolean;
}

/**
 * Remembers starts that were not followed by an orderly end. A damaged page can end the process each time that it is read;
 * when lives end like that in a row, the environments are read by another process before this one opens them:
 *
 *   three short lives within an hour       the page is met at the start, or by what every start does
 *   ten lives of any length                it is met now and then
 *
 * A life that has served for a while says that it was something else that ended it, and a check of all records may take
 * minutes: a process that is killed now and then starts without one.
 */
export class StartLog {
  readonly #path: string;
  #lives: readonly Life[] = [];

  constructor(folder: string) {
    this.#path = join(folder, 'starts');
  }

  /** Notes a start; tells whether too many before it, not long ago, had no orderly end. */
  noteStart(nowMs: number): boolean {
    const recent = this.#read().filter(({ startMs }) => startMs <= nowMs && nowMs - startMs < limits.uncleanLivesWithinMs);
    this.#write([...recent, { startMs: nowMs, isShort: true }].slice(-limits.uncleanLives));
    return recent.filter(({ isShort }) => isShort).length >= limits.shortLives || recent.length >= limits.uncleanLives;
  }

  /** The start that was noted has served for a while: those before it were no row of short lives either. */
  noteServed(): void {
    try {
      this.#write(this.#lives.map(({ startMs }) => ({ startMs, isShort: false })));
    } catch {
      // A full disk ends no service over this: the life counts as short, and a start may check more than it needs.
    }
  }

  noteEnd(): void {
    rmSync(this.#path, { force: true });
  }

  #write(lives: readonly Life[]): void {
    this.#lives = lives;
    writeFileSync(this.#path, lives.map(({ startMs, isShort }) => `${startMs} ${isShort ? 'short' : 'served'}`).join('\n'));
  }

  #read(): readonly Life[] {
    try {
      return readFileSync(this.#path, 'utf8')
        .split('\n')
        .map(lifeOf)
        .filter(({ startMs }) => startMs > 0);
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
      throw cause;
    }
  }
}

function lifeOf(line: string): Life {
  const [startMs, length] = line.split(' ');
  return { startMs: Number(startMs), isShort: length !== 'served' };
}
