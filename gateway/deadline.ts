/** The result of `work`, or the failure that `late` makes when it takes longer. The work itself goes on. */
export function withDeadline<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T>;
export function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> | T;
export function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> | T {
  if (!(work instanceof Promise)) return work;
  const span = spans.get(milliseconds) ?? new Span(milliseconds);
  spans.set(milliseconds, span);
  return span.bound(work, late);
}

/** Work under way, and how it fails when its time is over. */
interface Waiting {
  readonly dueMs: number;
  readonly fail: (cause: Error) => void;
  readonly late: () => Error;
}

/**
 * Work with the same time limit becomes late in the order in which it came, so that one timer serves all of it: a timer for each request
 * would cost more than finding its route. Time limits are constants of the routes, so there are few.
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

  /** The timer stays when all work is done; it then finds nothing, and does not keep the process alive. */
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
