import type { ShardBlock } from '../../../actors/index.js';

/** What a journal must hold. A batch whose append never resolved is there as a whole or not at all. */
export class Model {
  /** Records as `shard:text`, in the order of the journal. */
  readonly certain: string[] = [];
  #tried: readonly string[] = [];
  readonly #sequences = new Map<number, number>();

  nextSequence(shard: number): number {
    return (this.#sequences.get(shard) ?? 0) + 1;
  }

  try(blocks: readonly ShardBlock[]): void {
    this.#tried = blocks.flatMap(({ shard, records }) => records.map((record) => `${shard}:${Buffer.from(record).toString()}`));
  }

  /** What was tried is certain now. */
  resolve(): void {
    for (const text of this.#tried) {
      const shard = Number(text.slice(0, text.indexOf(':')));
      this.#sequences.set(shard, this.nextSequence(shard));
      this.certain.push(text);
    }
    this.#tried = [];
  }

  /** Compares with what a journal shows, which is certain from then on; returns what is wrong with it. */
  settle(seen: readonly string[]): string | undefined {
    const tried = this.#tried;
    const expected = [this.certain, [...this.certain, ...tried]].find((each) => each.length === seen.length);
    if (expected === undefined) return `${seen.length} records where ${this.certain.length} belong, or ${tried.length} more`;
    if (expected.some((text, index) => text !== seen[index])) return 'other records than those that were appended';
    if (seen.length > this.certain.length) this.resolve();
    this.#tried = [];
    return undefined;
  }
}
