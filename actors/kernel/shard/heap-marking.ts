import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../limits.js';

/**
 * Whether the garbage collector is marking the heap. It marks on threads of its own, but whenever something is allocated the thread itself
 * has to mark a part: work that allocates much then leaves it no time for requests, for seconds if there are millions of loans. Such work,
 * if it can wait, goes slowly until the marking has ended. It does not stop: an end is seen where something is allocated. See
 * docs/decisions/marking-of-the-heap.md.
 */
export class HeapMarking {
  static #ofThread: HeapMarking | null = null;

  #isMarking = false;
  #ended: Promise<void> = Promise.resolve();
  #end: () => void = () => undefined;

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
    if (kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL && !this.#isMarking) {
      this.#isMarking = true;
      this.#ended = new Promise((resolve) => (this.#end = resolve));
    }
    if (kind !== constants.NODE_PERFORMANCE_GC_MAJOR) return;
    this.#isMarking = false;
    this.#end();
  }

  /** Resolves at once while nothing is being marked; else when the marking has ended, or after `LIMITS.markingPauseMs`. */
  async pause(): Promise<void> {
    if (this.#isMarking) await Promise.race([this.#ended, pause(LIMITS.markingPauseMs, undefined, { ref: false })]);
  }
}

/** Of an entry of `gc`, which has it in its details. */
function kindOf(entry: object): unknown {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}
