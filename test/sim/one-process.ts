import { companyZone } from '../../actors/company/index.js';
import { type ActorModule, actorModules, Engine, type Snapshots } from '../../actors/index.js';
import { JournalDamaged, openJournal, openKeyStore, verifyJournal } from '../../persistence/index.js';
import { FaultyDisk } from '../persistence/faulty-disk.js';
import { type Connection, ID_KEY } from './client.js';
import { isInjected, listen, mayFailSnapshot } from './engine-reports.js';
import type { Worker } from './network.js';
import type { Disturbance, Scenario, ScenarioParts } from './scenario.js';
import { SnapshotDisk } from './simulated-snapshots.js';
import { SimProcess } from './virtual-time.js';
import { hold } from './witness.js';

export const MODULES: readonly ActorModule[] = actorModules();
export const MASTER_KEY = new Uint8Array(32).fill(7);

const JOURNAL = '/data/journal';
const SEGMENT_BYTES = 64 * 1024;
/** The bit that `flip` changes. */
const FLIPPED_BIT = 0x10;
/** Time until the process is started again, in milliseconds. */
const AWAY_MS = [1, 500] as const;
/** Between two checks whether it serves. */
const LOOK_MS = 5;
const PAUSED_MS = [5, 3_000] as const;
const FULL_MS = [50, 4_000] as const;

/** `tenor serve`: one engine over the file journal and the key file on a simulated disk. */
export class OneProcess implements Scenario {
  readonly eventSources = [{ name: 'the service', shard: 0 }];
  readonly disturbances: readonly Disturbance[];
  readonly calmMs = 700;
  readonly #disk: FaultyDisk;
  readonly #snapshots: SnapshotDisk;
  #process = new SimProcess('nobody');
  #worker: Worker | null = null;
  #lives = 0;
  /** A flipped byte of the journal, until it is restored. */
  #flipped: { readonly path: string; readonly offset: number; readonly byte: number } | null = null;

  constructor(private readonly parts: ScenarioParts) {
    this.#disk = new FaultyDisk(parts.random);
    this.#snapshots = new SnapshotDisk(parts.time, parts.random);
    this.disturbances = [
      { name: 'the process is killed', weight: 6, happen: () => this.#end('kill') },
      { name: 'the power goes', weight: 4, happen: () => this.#end('powerCut') },
      { name: 'the process is stopped and goes on', weight: 2, happen: () => this.#pause() },
      { name: 'the process ends orderly', weight: 1, happen: () => this.#endOrderly() },
      { name: 'a snapshot is taken', weight: 6, happen: () => this.#takeSnapshot() },
      { name: 'a write fails', weight: 1, happen: () => this.#fail('write') },
      { name: 'a flush fails', weight: 2, happen: () => this.#fail('datasync') },
      { name: 'a name cannot be changed', weight: 1, happen: () => this.#fail('rename') },
      { name: 'a folder cannot be flushed', weight: 1, happen: () => this.#fail('syncFolder') },
      { name: 'the disk is full', weight: 2, happen: () => this.#fill() },
      { name: 'the snapshots have no room', weight: 1, happen: () => this.#fillSnapshots() },
      { name: 'a record of the snapshots is damaged', weight: 1, happen: () => this.#snapshots.damage() },
      { name: 'the snapshots are lost', weight: 1, happen: () => this.#loseSnapshots() },
      { name: 'a byte of the journal changes while nobody serves', weight: 2, happen: () => this.#flip() },
    ];
  }

  start(): void {
    this.#boot();
  }

  connect(): Connection {
    return { serves: () => true, ask: (ask) => this.parts.network.ask(ask, () => this.#worker) };
  }

  heal(): void {
    this.#disk.faults.length = 0;
    this.#disk.capacityBytes = Number.POSITIVE_INFINITY;
    this.#snapshots.isFull = false;
    this.parts.time.resume(this.#process);
  }

  async restart(how: 'withSnapshots' | 'fromJournalAlone'): Promise<void> {
    await this.#stopOrderly();
    if (how === 'fromJournalAlone') this.#snapshots.lose();
    this.#boot();
    await this.#isOpen();
  }

  async verify(): Promise<void> {
    await this.#stopOrderly();
    this.#putBack();
    const { findings } = await verifyJournal(JOURNAL, this.#disk.start());
    hold(
      findings.length === 0,
      () => `the journal is not whole: ${findings.map(({ file, offset, case: { name } }) => `${name} in ${file} at ${offset}`).join(', ')}`,
    );
    this.#boot();
    await this.#isOpen();
  }

  async #isOpen(): Promise<void> {
    while (this.#worker === null) await this.parts.time.pause(LOOK_MS);
  }

  /** Runs in the process itself, as a signal handler would. */
  async #stopOrderly(): Promise<void> {
    await this.#isOpen();
    const [worker, process] = [this.#worker, this.#process];
    if (worker === null) return;
    this.#worker = null;
    await this.parts.time
      .within(process, () => worker.engine.close())
      .catch((cause: unknown) => {
        if (!isInjected(cause)) this.parts.fail(cause);
      });
    this.#disk.kill();
    this.parts.time.kill(process);
  }

  #boot(): void {
    const { time } = this.parts;
    this.#lives += 1;
    const process = new SimProcess(`process ${this.#lives}`);
    this.#process = process;
    time.within(process, () => this.#open(process)).catch((cause: unknown) => this.#openFailed(process, cause));
  }

  async #open(process: SimProcess): Promise<void> {
    const { clock, plant } = this.parts;
    const files = this.#disk.start();
    const stores: Snapshots = this.#snapshots.open();
    const engine = await Engine.open({
      clock,
      openJournal: async () => {
        const journal = await openJournal({ folder: JOURNAL, files, segmentBytes: SEGMENT_BYTES });
        return plant.journal?.(journal) ?? journal;
      },
      stores: plant.snapshots?.(stores) ?? stores,
      keys: await openKeyStore({ folder: '/data/keys', files, masterKey: MASTER_KEY }),
      idKey: ID_KEY,
      modules: MODULES,
      companyZone,
      report: listen(this.parts, process, () => this.#putBack()),
    });
    this.#worker = { process, engine };
    this.parts.trace(`${process.name} serves`);
  }

  /** Acts as a supervisor: starts the process again. A person restores a damaged journal first. */
  #openFailed(process: SimProcess, cause: unknown): void {
    const { time, trace } = this.parts;
    trace(`${process.name} does not start: ${String(cause)}`);
    if (!(cause instanceof JournalDamaged && this.#flipped !== null) && !isInjected(cause)) return this.parts.fail(cause);
    if (cause instanceof JournalDamaged) this.#putBack();
    time.kill(process);
    this.#disk.kill();
    time.after(time.between(...AWAY_MS), () => this.#boot(), null);
  }

  #end(how: 'kill' | 'powerCut'): void {
    const { time } = this.parts;
    if (this.#process.isDead) return;
    time.kill(this.#process);
    this.#worker = null;
    if (how === 'kill') this.#disk.kill();
    else this.#disk.cutPower();
    const process = this.#process;
    time.after(
      time.between(...AWAY_MS),
      () => {
        if (this.#process === process) this.#boot();
      },
      null,
    );
  }

  #endOrderly(): void {
    void this.parts.time.within(null, () => this.restart('withSnapshots'));
  }

  #takeSnapshot(): void {
    const worker = this.#worker;
    if (worker === null) return;
    this.parts.time
      .within(worker.process, () => worker.engine.snapshot())
      .catch((cause: unknown) => {
        if (!mayFailSnapshot(cause)) this.parts.fail(cause);
      });
  }

  #pause(): void {
    const { time } = this.parts;
    const process = this.#process;
    time.stop(process);
    time.after(time.between(...PAUSED_MS), () => time.resume(process), null);
  }

  #fail(operation: 'write' | 'datasync' | 'rename' | 'syncFolder'): void {
    this.#disk.faults.push({ operation, code: 'EIO', times: 1 });
  }

  #fill(): void {
    const { time, random } = this.parts;
    this.#disk.capacityBytes = 0;
    this.#disk.capacityBytes = -this.#disk.freeBytes() + random.below(2 * SEGMENT_BYTES);
    time.after(
      time.between(...FULL_MS),
      () => {
        this.#disk.capacityBytes = Number.POSITIVE_INFINITY;
      },
      null,
    );
  }

  #fillSnapshots(): void {
    const { time } = this.parts;
    this.#snapshots.isFull = true;
    time.after(
      time.between(...FULL_MS),
      () => {
        this.#snapshots.isFull = false;
      },
      null,
    );
  }

  #loseSnapshots(): void {
    this.#end('kill');
    this.#snapshots.lose();
  }

  /** Flips a byte in written data that no crash could have caused: neither value is a zero of the unused end. */
  #flip(): void {
    this.#end('kill');
    if (this.#flipped !== null) return;
    const { random, trace } = this.parts;
    const segments = [...this.#disk.names.keys()].filter((path) => path.startsWith(JOURNAL) && path.endsWith('.segment'));
    const path = segments[random.below(Math.max(1, segments.length))];
    if (path === undefined) return;
    const offset = random.below(this.#disk.inode(path).bytes().length);
    const byte = this.#byteAt(path, offset);
    if (byte === 0 || byte === FLIPPED_BIT) return;
    this.#disk.flip(path, offset);
    this.#flipped = { path, offset, byte: this.#byteAt(path, offset) };
    trace(`byte ${offset} of ${path} changes`);
  }

  #byteAt(path: string, offset: number): number {
    return this.#disk.inode(path).bytes()[offset] ?? 0;
  }

  /** Restores it as from a backup. The torn end of a write has been cut off meanwhile. */
  #putBack(): void {
    if (this.#flipped === null) return;
    const { path, offset, byte } = this.#flipped;
    this.#flipped = null;
    if (this.#byteAt(path, offset) !== byte) return;
    this.#disk.flip(path, offset);
    this.parts.trace(`byte ${offset} of ${path} is put back`);
  }
}
