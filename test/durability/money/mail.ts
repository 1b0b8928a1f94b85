import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../random.js';

interface Letter {
  readonly name: string;
  readonly content: Buffer;
  /** Deliveries that go before. */
  left: number;
}

/** What the bank gives, on its way to the inbox of the service: late and out of order, cut at first, twice under two names, or lost. */
export class BankMail {
  readonly #seen = new Set<string>();
  #waiting: Letter[] = [];
  #lost: Letter[] = [];
  readonly counts = { delivered: 0, late: 0, cut: 0, repeated: 0, lost: 0 };

  constructor(
    private readonly folder: string,
    private readonly random: Random,
  ) {}

  /** One delivery. Without faults the bank sends what was lost again, and everything arrives. */
  deliver({ isFaulty }: { readonly isFaulty: boolean }): void {
    for (const name of readdirSync(join(this.folder, 'in')).sort()) {
      if (name.startsWith('.') || this.#seen.has(name)) continue;
      this.#seen.add(name);
      const content = readFileSync(join(this.folder, 'in', name));
      if (isFaulty) this.#delay(name, content);
      else this.#waiting.push({ name, content, left: 0 });
    }
    if (!isFaulty) {
      this.#waiting.push(...this.#lost.map((letter) => ({ ...letter, left: 0 })));
      this.#lost = [];
    }
    const due = this.#waiting.filter(({ left }) => left <= 0 || !isFaulty);
    this.#waiting = this.#waiting.filter((letter) => !due.includes(letter));
    for (const letter of this.#waiting) letter.left -= 1;
    for (const { name, content } of due) this.give(name, content);
  }

  give(name: string, content: Buffer | string): void {
    this.counts.delivered += 1;
    writeFileSync(join(this.folder, 'inbox', `.${name}`), content);
    renameSync(join(this.folder, 'inbox', `.${name}`), join(this.folder, 'inbox', name));
  }

  /** The files in the inbox. */
  inbox(): readonly { readonly name: string; readonly sha256: string }[] {
    return readdirSync(join(this.folder, 'inbox'))
      .filter((name) => !name.startsWith('.'))
      .map((name) => ({
        name,
        sha256: createHash('sha256')
          .update(readFileSync(join(this.folder, 'inbox', name)))
          .digest('hex'),
      }));
  }

  #delay(name: string, content: Buffer): void {
    const { random, counts } = this;
    const letter = { name, content, left: random.below(4) };
    if (letter.left > 0) counts.late += 1;
    if (random.below(8) === 0) {
      counts.lost += 1;
      this.#lost.push(letter);
      return;
    }
    if (name.startsWith('RET_') && random.below(4) === 0) {
      counts.cut += 1;
      this.#waiting.push({ ...letter, content: content.subarray(0, 1 + random.below(content.length - 1)) });
      letter.left += 1 + random.below(2);
    }
    this.#waiting.push(letter); // behind its part
    if (random.below(4) === 0) {
      counts.repeated += 1;
      this.#waiting.push({ name: name.replace('_', `_${this.#seen.size}_`), content, left: random.below(5) });
    }
  }
}
