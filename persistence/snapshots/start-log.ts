import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.js';

interface Life {
  readonly startMs: number;
  /** Whether it ended before it had served for a while, or has not served for a while yet. */
  readonly isShort: boolean;
}

/**
 * What earlier starts call for: nothing, that another process reads the environments before this one opens them, or that another process
 * reads them while this one serves.
 */
export type Suspicion = 'none' | 'readFirst' | 'readBeside';

/**
 * Records starts that were not followed by an orderly end. A damaged page can end the process each time that it is read. When several runs
 * (lives) of the process end like that in a row, another process reads the environments:
 *
 *   three short lives within an hour       before this one opens them: every start seems to read the page
 *   ten lives of any length                while this one serves: the page is read now and then, and a start need not wait for minutes
 *
 * A life that has served for a while was probably ended by something else, and a check of all records may take minutes: a process that is
 * killed now and then starts without one.
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

  /** This process has served for a while: earlier lives then do not count as short, either. */
  noteServed(): void {
    this.#amend(this.#lives.map(({ startMs }) => ({ startMs, isShort: false })));
  }

  /** All records are sound: earlier lives were ended by something else, and are forgotten. */
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
      // A full disk must not end the service here: the record stays as it was, and a later start may check more than it needs.
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
