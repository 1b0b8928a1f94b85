import { JournalFailed, openJournal, type OpenedJournal, verifyJournal } from '../../../persistence/index.js';
import { Random } from '../../random.js';
import { FaultyDisk } from '../faulty-disk.js';
import { isProcessEnded } from '../faults.js';
import { blockOf, SMALL_SEGMENT_BYTES, textsOf } from './blocks.js';
import { Model } from './model.js';

export const LIVES = 6;
const SHARDS = 4;

/** Several processes in a row on one faulty disk, everything by the chance of one seed. */
export class History {
  readonly #random: Random;
  readonly #disk: FaultyDisk;
  readonly #model = new Model();

  constructor(
    seed: number,
    private readonly met: Map<string, number>,
  ) {
    this.#random = new Random(seed);
    this.#disk = new FaultyDisk(this.#random);
  }

  /** What is wrong, if anything is. */
  async run(): Promise<string | undefined> {
    for (let life = 1; life <= LIVES; life++) {
      const fault = await this.#live();
      if (fault !== undefined) return `life ${life}: ${fault}`;
    }
    this.#disk.faults.length = 0;
    this.#disk.cutPower();
    const journal = await this.#open();
    const fault = this.#model.settle(textsOf(journal.read(new Map())));
    await journal.close();
    if (fault !== undefined) return `at the end: ${fault}`;
    const { findings, records } = await verifyJournal('/journal', this.#disk.start());
    if (findings.length > 0) return `verify finds ${findings.map((each) => each.case.name).join()}`;
    if (records !== this.#model.certain.length) return `verify counts ${records} records of ${this.#model.certain.length}`;
    const broken = this.#disk.trace.brokenPromises();
    return broken.length > 0 ? `resolved before its flush: ${broken.join()}` : undefined;
  }

  async #live(): Promise<string | undefined> {
    const disk = this.#disk;
    disk.operationsUntilEnd = 1 + this.#random.below(200);
    disk.end = this.#random.below(3) === 0 ? 'kill' : 'powerCut';
    disk.faults.length = 0;
    let journal: OpenedJournal | undefined;
    try {
      journal = await this.#open();
      const fault = this.#model.settle(textsOf(journal.read(new Map())));
      if (fault !== undefined) return fault;
      for (;;) {
        if (this.#random.below(20) === 0) {
          const operation = this.#random.below(2) === 0 ? 'write' : 'datasync';
          disk.faults.push({ operation, code: 'EIO', path: '.segment', times: 1 });
        }
        await this.#append(journal);
      }
    } catch (cause) {
      if (isProcessEnded(cause)) return undefined;
      if (!(cause instanceof JournalFailed) || journal === undefined) return String(cause);
      this.#meet('failed');
      return await this.#probeFailed(journal);
    } finally {
      await journal?.close();
    }
  }

  /** A journal that has failed says so to every later append, and can be opened again by the same process. */
  async #probeFailed(journal: OpenedJournal): Promise<string | undefined> {
    if (journal.hasRoom()) return 'a failed journal says that it has room';
    try {
      await journal.append([blockOf(0, (journal.heads().get(0)?.lastSequence ?? 0) + 1, ['late'])]);
      return 'a failed journal took an append';
    } catch (cause) {
      if (!(cause instanceof JournalFailed)) return String(cause);
    }
    return undefined;
  }

  async #open(): Promise<OpenedJournal> {
    const journal = await openJournal({ folder: '/journal', files: this.#disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
    for (const note of journal.report.notes) this.#meet(note.case.name);
    return journal;
  }

  async #append(journal: OpenedJournal): Promise<void> {
    const random = this.#random;
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard).filter(() => random.below(2) === 0);
    if (shards.length === 0) shards.push(random.below(SHARDS));
    const marker = `batch ${this.#model.certain.length} of ${random.below(1_000_000)}`;
    const blocks = shards.map((shard) => {
      const texts = Array.from({ length: 1 + random.below(4) }, () => `${marker} ${random.text(random.below(600))}`);
      return blockOf(shard, this.#model.nextSequence(shard), texts);
    });
    this.#model.try(blocks);
    await journal.append(blocks);
    this.#disk.trace.promise(marker);
    this.#model.resolve();
  }

  #meet(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}
