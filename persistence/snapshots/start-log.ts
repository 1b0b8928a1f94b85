import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.js';

interface Life {
  readonly startMs: number;
  /** Whether it ended, or may still end, before it had served for a while. */
  readonly isShort: boolean;
}

/**
 * What earlier starts call for: nothing, that another process reads the environments before this one opens them, or that another process
 * reads them while this one serves.
 */
export type Suspicion = 'none' | 'readFirst' | 'readBeside';

/**
 * Remembers starts that were not followed by an orderly end. A damaged page can end the process each time that it is read;
 * when lives end like that in a row, another process reads the environments:
 *
 *   three short lives within an hour       before this one opens them: the page is met at the start, or by what every start does
 *   ten lives of any length                while this one serves: the page is met now and then, and a start does not wait for minutes
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

  /** Notes a start; returns the check that recent starts without an orderly end call for. */
  noteStart(nowMs: number): Suspicion {
    const recent = this.#read().filter(({ startMs }) => startMs <= nowMs && nowMs - startMs < limits.uncleanLivesWithinMs);
    this.#write([...recent, { startMs: nowMs, isShort: true }].slice(-limits.uncleanLives));
    if (recent.filter(({ isShort }) => isShort).length >= limits.shortLives) return 'readFirst';
    return recent.length >= limits.uncleanLives ? 'readBeside' : 'none';
  }

  /** The start that was noted has served for a while: those before it were no row of short lives either. */
  noteServed(): void {
    this.#amend(this.#lives.map(({ startMs }) => ({ startMs, isShort: false })));
  }

  /** All records are sound: what ended the lives before this one was something else. */
  noteSound(): void {
    this.#amend(this.#lives.slice(-1));
  }

  noteEnd(): void {
    rmSync(this.#path, { force: true });
  }

  #amend(lives: readonly Life[]): void {
    try {
      this.#write(lives);
    } catch {
      // A full disk ends no service over this: lives count as they did, and a start may check more than it needs.
    }
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
