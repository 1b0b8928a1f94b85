import type { KeyValue, Snapshots } from '../../actors/index.js';
import { assert, must } from '../../engine/index.js';
import { DamagedRecord, SnapshotWriteFailed } from '../../persistence/index.js';
import { lookedAt } from '../looked-at.js';
import type { Random } from '../random.js';
import type { VirtualTime } from './virtual-time.js';

/** Duration of a transaction, in milliseconds: it is durable at some moment within, and acknowledged at the end. */
const COMMIT_MS = [0.2, 3] as const;

const NAMES = ['actors', 'events', 'replies'] as const;
type Name = (typeof NAMES)[number];

/** The snapshots of one worker on its disk, over all of its lives. */
export class SnapshotDisk {
  readonly #environments = new Map<Name, Environment>(NAMES.map((name) => [name, new Environment()]));
  isFull = false;

  constructor(
    readonly time: VirtualTime,
    private readonly random: Random,
  ) {}

  /** As a process that starts now finds them. */
  open(): Snapshots {
    return new SimulatedSnapshots(this);
  }

  environment(name: Name): Environment {
    return this.#environments.get(name) ?? new Environment();
  }

  /** The disk of another machine, or one that was lost: everything comes from the journal. */
  lose(): void {
    for (const name of NAMES) this.environment(name).clear();
  }

  /** Changes a byte of some record; its checksum shows that to readers. */
  damage(): void {
    this.environment(NAMES[this.random.below(NAMES.length)] ?? 'actors').damageOne(this.random);
  }
}

/** Records in the order of their keys. */
class Environment {
  readonly #records = new Map<string, Uint8Array>();
  readonly #damaged = new Set<string>();
  #sorted: readonly string[] | null = [];

  apply(entries: readonly (readonly [string, Uint8Array | null])[]): void {
    for (const [key, value] of entries) {
      this.#damaged.delete(key);
      if (value === null) this.#records.delete(key);
      if (value === null || !this.#records.has(key)) this.#sorted = null;
      if (value !== null) this.#records.set(key, value);
    }
  }

  get(name: string, key: string): Uint8Array | undefined {
    if (this.#damaged.has(key)) throw new DamagedRecord(name, key);
    return this.#records.get(key);
  }

  keys(): readonly string[] {
    this.#sorted ??= [...this.#records.keys()].sort();
    return this.#sorted;
  }

  clear(): void {
    this.#records.clear();
    this.#damaged.clear();
    this.#sorted = null;
  }

  damageOne(random: Random): void {
    const keys = this.keys();
    const key = keys[random.below(Math.max(1, keys.length))];
    if (key !== undefined) this.#damaged.add(key);
  }
}

class SimulatedSnapshots implements Snapshots {
  readonly rebuilt: readonly string[] = [];
  readonly #stores = new Map<Name, Store>();

  constructor(private readonly disk: SnapshotDisk) {
    for (const name of NAMES) this.#stores.set(name, new Store(disk, name));
  }

  get actors(): KeyValue {
    return this.#store('actors');
  }
  get events(): KeyValue {
    return this.#store('events');
  }
  get replies(): KeyValue {
    return this.#store('replies');
  }

  /** Closes the opened environment for code that still holds it. */
  async rebuild(environment: string): Promise<void> {
    const name = must(
      NAMES.find((each) => each === environment),
      `no environment ${environment}`,
    );
    await this.#store(name).close();
    this.disk.environment(name).clear();
    this.#stores.set(name, new Store(this.disk, name));
  }

  async close(): Promise<void> {
    for (const name of NAMES) await this.#store(name).close();
  }

  #store(name: Name): Store {
    return must(this.#stores.get(name), `no environment ${name}`);
  }
}

class Store implements KeyValue {
  readonly #environment: Environment;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly disk: SnapshotDisk,
    private readonly name: Name,
  ) {
    this.#environment = disk.environment(name);
  }

  get(key: string): Uint8Array | undefined {
    assert(!this.#isClosed, `${this.name} is open`);
    return this.#environment.get(this.name, key);
  }

  look<Made>(key: string, read: (value: Uint8Array) => Made): Made | undefined {
    const value = this.get(key);
    return value === undefined ? undefined : lookedAt(value, read);
  }

  *range({
    start,
    end,
    reverse = false,
    limit = Infinity,
  }: {
    start: string;
    end: string;
    reverse?: boolean;
    limit?: number;
  }): Iterable<readonly [string, Uint8Array]> {
    assert(!this.#isClosed, `${this.name} is open`);
    const keys = this.#environment.keys();
    const found = keys.slice(indexOfKey(keys, start), indexOfKey(keys, end));
    for (const key of (reverse ? found.reverse() : found).slice(0, limit)) {
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  /** One transaction after the other, as in LMDB. */
  write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void> {
    assert(!this.#isClosed, `${this.name} is open`);
    const taken = [...entries].map(([key, value]) => [key, value && Uint8Array.from(value)] as const);
    const written = this.#writing.then(() => this.#commit(taken));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #commit(entries: readonly (readonly [string, Uint8Array | null])[]): Promise<void> {
    await this.disk.time.pause(...COMMIT_MS);
    if (this.disk.isFull) throw new SnapshotWriteFailed(this.name, new Error('ENOSPC: simulated'));
    this.#environment.apply(entries);
    await this.disk.time.pause(...COMMIT_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.disk.time.pause(...COMMIT_MS);
  }
}

/** The index of the key, or the index at which it would be inserted. */
function indexOfKey(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? key) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
