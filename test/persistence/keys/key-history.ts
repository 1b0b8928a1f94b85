import { MasterKeyError, openKeyStore, type OpenedKeyStore } from '../../../persistence/index.js';
import { Random } from '../../random.js';
import { isProcessEnded } from '../faults.js';
import { FaultyDisk } from '../faulty-disk.js';

export const LIVES = 5;
export const FOLDER = '/data/keys';
export const CONTEXT = 'ssn';
/** Few, so that the file grows often. */
export const SLOTS_AHEAD = 16;

export const masterKey = (number: number): Uint8Array => new Uint8Array(32).fill(number);

/** A person's key as the outside knows it. `unsure` is what was asked for and not answered. */
interface Known {
  state: 'key' | 'destroyed' | 'unsure';
  readonly sealed: Uint8Array;
}

/** Lives of a key store on one disk, by chance, each ended by a kill or a power cut. */
export class History {
  readonly #random: Random;
  readonly #disk: FaultyDisk;
  readonly #known = new Map<string, Known>();
  /** More than one while a rotation has not been answered. */
  #masterKeys = [1];

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#disk = new FaultyDisk(this.#random);
  }

  /** What went wrong, or undefined. */
  async run(): Promise<string | undefined> {
    for (let life = 1; life <= LIVES; life += 1) {
      this.#disk.operationsUntilEnd = 1 + this.#random.below(80);
      this.#disk.end = this.#random.below(2) === 0 ? 'kill' : 'powerCut';
      try {
        const keys = await this.#open();
        const fault = this.#settle(keys);
        if (fault !== undefined) return `life ${life}: ${fault}`;
        for (;;) await this.#doSomething(keys);
      } catch (cause) {
        if (!isProcessEnded(cause)) return `life ${life}: ${String(cause)}`;
      }
    }
    this.#disk.cutPower();
    const fault = this.#settle(await this.#open());
    const broken = this.#disk.trace.brokenPromises();
    return broken.length > 0 ? `resolved before its flush: ${broken.join()}` : fault;
  }

  /** With the master key that fits: after a rotation without an answer it is the one or the other. */
  async #open(): Promise<OpenedKeyStore> {
    for (const number of this.#masterKeys) {
      try {
        const keys = await openKeyStore({
          folder: FOLDER,
          masterKey: masterKey(number),
          files: this.#disk.start(),
          slotsAhead: SLOTS_AHEAD,
        });
        this.#masterKeys = [number];
        return keys;
      } catch (cause) {
        if (!(cause instanceof MasterKeyError)) throw cause;
      }
    }
    throw new Error(`no master key of ${this.#masterKeys.join()} fits`);
  }

  #settle(keys: OpenedKeyStore): string | undefined {
    if (keys.report.torn > 0) return 'a sector was torn';
    for (const [owner, known] of this.#known) {
      if (known.state === 'unsure') {
        known.state = keys.has(owner) ? 'key' : 'destroyed';
        if (known.state === 'destroyed') this.#known.delete(owner);
      }
      if (known.state === 'key' && keys.open(owner, known.sealed, CONTEXT) !== owner) return `the key of ${owner} is lost`;
      if (known.state === 'destroyed' && keys.has(owner)) return `the key of ${owner} is back`;
    }
    return undefined;
  }

  async #doSomething(keys: OpenedKeyStore): Promise<void> {
    const choice = this.#random.below(8);
    const alive = [...this.#known].filter(([, known]) => known.state === 'key');
    const chosen = alive[this.#random.below(Math.max(1, alive.length))];
    if (choice === 0 && this.#masterKeys.length === 1) return this.#rotate(keys);
    if (choice <= 2 && chosen !== undefined) return this.#destroy(keys, ...chosen);
    return this.#create(keys);
  }

  async #create(keys: OpenedKeyStore): Promise<void> {
    const owners = Array.from({ length: 1 + this.#random.below(12) }, () => `PE-${this.#random.below(1_000_000_000)}`);
    for (const owner of owners) {
      keys.create(owner);
      this.#known.set(owner, { state: 'unsure', sealed: keys.seal(owner, owner, CONTEXT) });
    }
    await keys.flush();
    for (const owner of owners) {
      this.#disk.trace.promise(owner);
      this.#known.set(owner, { state: 'key', sealed: this.#known.get(owner)?.sealed ?? new Uint8Array() });
    }
  }

  async #destroy(keys: OpenedKeyStore, owner: string, known: Known): Promise<void> {
    known.state = 'unsure';
    await keys.destroy(owner);
    known.state = 'destroyed';
  }

  async #rotate(keys: OpenedKeyStore): Promise<void> {
    const next = (this.#masterKeys[0] ?? 0) + 1;
    this.#masterKeys.push(next);
    await keys.rotate(masterKey(next));
    this.#masterKeys = [next];
  }
}
