/** Work that is under way, and how it is told that its time is over. */
interface Waiting {
  readonly dueMs: number;
  readonly fail: (cause: Error) => void;
  readonly late: () => Error;
}

/**
 * What waits equally long becomes late in the order in which it came, so one timer serves all of it: a timer of its
 * own for each request would cost more than finding its route. Spans are constants of the routes, so there are few.
 */
class Span {
  readonly #waiting = new Set<Waiting>();
  #isTimed = false;

  constructor(private readonly milliseconds: number) {}

  bound<T>(work: Promise<T>, late: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { dueMs: performance.now() + this.milliseconds, fail: reject, late };
      this.#waiting.add(waiting);
      if (!this.#isTimed) this.#time(this.milliseconds);
      work.then(
        (value) => {
          this.#waiting.delete(waiting);
          resolve(value);
        },
        (cause: unknown) => {
          this.#waiting.delete(waiting);
          reject(cause);
        },
      );
    });
  }

  /** The timer stays when all work is done; it finds nothing then, and keeps no process alive. */
  #time(milliseconds: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#fire(), Math.ceil(milliseconds)).unref();
  }

  #fire(): void {
    this.#isTimed = false;
    const now = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.dueMs > now) return this.#time(waiting.dueMs - now);
      this.#waiting.delete(waiting);
      waiting.fail(waiting.late());
    }
  }
}

const spans = new Map<number, Span>();

/** What `work` comes to, or the failure that `late` makes when it takes longer. The work itself goes on. */
export function withDeadline<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T>;
export function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> | T;
export function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> | T {
  if (!(work instanceof Promise)) return work;
  const span = spans.get(milliseconds) ?? new Span(milliseconds);
  spans.set(milliseconds, span);
  return span.bound(work, late);
}
