import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../limits.js';

/**
 * Whether the garbage collector is marking the heap. It marks on threads of its own, but whenever something is allocated the thread itself
 * has to mark a part: work that allocates much then leaves it no time for requests, for seconds if there are millions of loans. Such work,
 * if it can wait, waits until the marking has ended.
 */
export class HeapMarking {
  static #ofThread: HeapMarking | null = null;

  #begunMs: number | null = null;
  #ended: Promise<void> = Promise.resolve();
  #end: () => void = () => undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** That of this thread, which is observed from the first call on. Its beginning is known one round of the event loop later. */
  static get ofThread(): HeapMarking {
    if (this.#ofThread !== null) return this.#ofThread;
    const marking = new HeapMarking();
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) marking.collected(kindOf(entry));
    });
    observer.observe({ type: 'gc' });
    return (this.#ofThread = marking);
  }

  /** What the collector did, in the words of `perf_hooks`: it began to mark in increments, or collected the whole heap. */
  collected(kind: unknown): void {
    if (kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL && this.#begunMs === null) {
      this.#begunMs = this.nowMs();
      this.#ended = new Promise((resolve) => (this.#end = resolve));
    }
    if (kind !== constants.NODE_PERFORMANCE_GC_MAJOR) return;
    this.#begunMs = null;
    this.#end();
  }

  /** Resolves when nothing is being marked, or once a marking has taken `LIMITS.markingWaitMs`. */
  async over(): Promise<void> {
    if (this.#begunMs === null) return;
    const leftMs = this.#begunMs + LIMITS.markingWaitMs - this.nowMs();
    if (leftMs > 0) await Promise.race([this.#ended, pause(leftMs, undefined, { ref: false })]);
  }
}

/** Of an entry of `gc`, which has it in its details. */
function kindOf(entry: object): unknown {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}
