import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../random.js';
import { failure, ProcessEnded } from './faults.js';
import { FaultyFiles } from './faulty-files.js';
import type { Inode } from './faulty-inode.js';
import { Trace } from './trace.js';

/** What fails, how often, and how: the next operations of the kind whose path ends so. */
export interface Fault {
  readonly operation: 'write' | 'allocate' | 'datasync' | 'rename' | 'syncFolder';
  readonly code: 'EIO' | 'ENOSPC';
  readonly path?: string;
  /** How many of them; for ever by default. */
  times?: number;
}

type Names = Map<string, Inode>;

/**
 * A disk in memory that is honest about what a real one promises: nothing, before a flush. At a power cut every sector that
 * was written and not flushed is old or new, as chance has it, and names are as old as the last flush of their folder.
 * A failed flush marks its writes as done, as Linux does.
 */
export class FaultyDisk {
  readonly trace = new Trace();
  readonly faults: Fault[] = [];
  /** What fits on it. */
  capacityBytes = Number.POSITIVE_INFINITY;
  /** When so many more operations have begun, the process comes to this end; what is in flight is lost with it. */
  operationsUntilEnd = Number.POSITIVE_INFINITY;
  end: 'powerCut' | 'kill' = 'powerCut';
  names: Names = new Map();
  #flushedNames: Names = new Map();
  /** Changes of names that no folder flush has covered, oldest first. */
  #unflushedNames: { readonly folder: string; readonly apply: (names: Names) => void }[] = [];
  /** Rises with each end of a process: what belongs to an earlier one is dead. */
  #life = 1;

  constructor(readonly random: Random) {}

  /** The disk as a process that starts now sees it; everything it does rejects once it has come to its end. */
  start(): FaultyFiles {
    return new FaultyFiles(this, this.#life);
  }

  /** Everything that was not flushed is gone or torn. */
  cutPower(): void {
    this.kill();
    const kept = this.random.below(this.#unflushedNames.length + 1);
    for (const { apply } of this.#unflushedNames.slice(0, kept)) apply(this.#flushedNames);
    this.#unflushedNames = [];
    this.names = new Map(this.#flushedNames);
    for (const inode of this.names.values()) inode.tear(this.random);
    this.trace.add({ type: 'powerCut' });
  }

  /** The process is gone; what it wrote stays, flushed or not, until the power goes as well. */
  kill(): void {
    this.#life += 1;
    this.operationsUntilEnd = Number.POSITIVE_INFINITY;
  }

  /** Changes a byte on the disk, as a dying sector would. */
  flip(path: string, offset: number): void {
    this.inode(path).flip(offset);
  }

  truncate(path: string, bytes: number): void {
    this.inode(path).truncate(bytes);
  }

  freeBytes(): number {
    return this.capacityBytes - [...this.names.values()].reduce((sum, inode) => sum + inode.bytes().length, 0);
  }

  inode(path: string): Inode {
    const inode = this.names.get(path);
    if (inode === undefined) throw failure('ENOENT', path);
    return inode;
  }

  nameOf(inode: Inode): string {
    for (const [path, each] of this.names) if (each === inode) return path;
    return '';
  }

  changeNames(path: string, apply: (names: Names) => void): void {
    apply(this.names);
    this.#unflushedNames.push({ folder: dirname(path), apply });
  }

  flushNames(folder: string): void {
    for (const change of this.#unflushedNames) if (change.folder === folder) change.apply(this.#flushedNames);
    this.#unflushedNames = this.#unflushedNames.filter((change) => change.folder !== folder);
  }

  /** Lets others run, as a disk would; ends the life that is over and fails what is to fail. */
  async begin(life: number, operation?: Fault['operation'], path = ''): Promise<void> {
    this.assertAlive(life);
    this.operationsUntilEnd -= 1;
    await turn();
    this.assertAlive(life);
    if (this.operationsUntilEnd <= 0) {
      if (this.end === 'kill') this.kill();
      else this.cutPower();
      this.assertAlive(life);
    }
    const fault = this.faults.find((each) => each.operation === operation && (each.times ?? 1) > 0 && path.endsWith(each.path ?? ''));
    if (fault === undefined) return;
    if (fault.times !== undefined) fault.times -= 1;
    throw failure(fault.code, path);
  }

  isCurrent(life: number): boolean {
    return life === this.#life;
  }

  assertAlive(life: number): void {
    if (!this.isCurrent(life)) throw new ProcessEnded();
  }
}
