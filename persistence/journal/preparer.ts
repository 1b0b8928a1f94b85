import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assert } from '../../engine/index.js';
import { describe } from '../errors.js';
import type { FileLayer, OpenFile } from '../files/file-layer.js';
import { limits } from '../limits.js';
import { PREPARED_NAME, UNFINISHED_NAME } from './format.js';

/**
 * Keeps one segment of zeros ready, so that an append never waits for space and a full disk is noticed before it matters. While the disk is
 * full, it tries again at intervals.
 */
export class Preparer {
  #prepared: OpenFile | undefined;
  #attempt: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #fault: unknown;
  #isClosed = false;

  constructor(
    private readonly files: FileLayer,
    private readonly folder: string,
    private readonly segmentBytes: number,
  ) {}

  get isReady(): boolean {
    return this.#prepared !== undefined;
  }

  /** A segment is being prepared without a failure so far: an append that needs it waits a moment for it. */
  get isOnItsWay(): boolean {
    return this.#attempt !== undefined && !this.hasFailed;
  }

  /** Whether the last try failed. */
  get hasFailed(): boolean {
    return this.#fault !== undefined;
  }

  /** Begins to prepare in the background, unless a segment is ready or being prepared. */
  begin(): void {
    if (this.#prepared !== undefined || this.#attempt !== undefined || this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#attempt = this.#prepare().then(
      (file) => {
        this.#prepared = file;
        this.#attempt = undefined;
        this.#fault = undefined;
      },
      (cause: unknown) => {
        this.#fault = cause; // `take` throws it; until then the journal has no room
        this.#attempt = undefined;
        if (this.#isClosed) return;
        this.#retry = setTimeout(() => this.begin(), limits.allocationRetryMs).unref();
      },
    );
  }

  /** Resolves when the attempt under way has ended, with or without success. */
  async settled(): Promise<void> {
    await this.#attempt;
  }

  /** The prepared file, of at least this size; tries a full disk a bounded number of times, then throws its error. */
  async take(bytes: number): Promise<OpenFile> {
    for (let attempt = 1; this.#prepared === undefined; attempt++) {
      this.begin();
      await this.settled();
      if (this.#prepared !== undefined) break;
      if (attempt === limits.allocationAttempts || !isFullDisk(this.#fault)) throw this.#fault;
      await pause(limits.allocationRetryMs);
    }
    const file = this.#prepared;
    if (file.size() < bytes) await file.allocate(bytes);
    this.#prepared = undefined;
    return file;
  }

  /** Uses or removes the files that an earlier process has left; returns the names of the removed ones. */
  async adopt(names: readonly string[]): Promise<readonly string[]> {
    assert(this.#prepared === undefined && this.#attempt === undefined, 'leftovers are adopted before anything is prepared');
    const removed: string[] = [];
    for (const name of names) {
      const path = join(this.folder, name);
      const isUsable = name === PREPARED_NAME && this.files.size(path) === this.segmentBytes && this.files.contentBytes(path) === 0;
      if (isUsable) this.#prepared = await this.files.open(path, 'write');
      else {
        await this.files.remove(path);
        removed.push(name);
      }
    }
    return removed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.settled();
    await this.#prepared?.close();
    this.#prepared = undefined;
  }

  async #prepare(): Promise<OpenFile> {
    const unfinished = join(this.folder, UNFINISHED_NAME);
    const file = await this.files.open(unfinished, 'create');
    try {
      await file.allocate(this.segmentBytes);
      await this.files.rename(unfinished, join(this.folder, PREPARED_NAME));
      return file;
    } catch (cause) {
      await this.#giveBack(file, unfinished, cause);
      throw cause;
    }
  }

  /** Frees the bytes that were allocated on a full disk: others need them as well. */
  async #giveBack(file: OpenFile, path: string, cause: unknown): Promise<void> {
    try {
      await file.close();
      await this.files.remove(path);
    } catch (second) {
      // oxlint-disable-next-line preserve-caught-error -- both are among its errors
      throw new AggregateError([cause, second], `a segment could be neither prepared nor given up: ${describe(cause)}`);
    }
  }
}

function isFullDisk(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT');
}
