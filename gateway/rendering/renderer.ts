import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Refusal } from '../../actors/index.js';
import { must, fieldOf } from '../../engine/index.js';
import { LIMITS } from '../limits.js';
import { FairQueue } from '../fair-scheduler.js';
import type { RenderJob, RenderResult, RenderResults } from './jobs.js';

export interface RendererBounds {
  readonly threads: number;
  /** Longest time of one rendering in a thread, in milliseconds. */
  readonly renderMs: number;
  /** Memory of one thread, in MB. */
  readonly memoryMb: number;
  /** Renderings of one company, and of all, that may wait. */
  readonly waitingOfCompany: number;
  readonly waiting: number;
}

/** Begins a rendering. */
type Waiting = () => void;

/**
 * Renders on threads beside the service, for one company after the other. A rendering that takes too long or too much memory ends with its
 * thread and is refused (422), as is one that would wait behind too many.
 */
export class Renderer {
  readonly #bounds: RendererBounds;
  readonly #queue = new FairQueue<Waiting>();
  #pool: Piscina | null = null;
  #running = 0;

  constructor(bounds: Partial<RendererBounds> = {}) {
    this.#bounds = { ...DEFAULT_BOUNDS, ...bounds };
  }

  /** Throws `Refusal` for a job that cannot be rendered within the bounds. */
  async render<Type extends RenderJob['type']>(company: string, job: Extract<RenderJob, { type: Type }>): Promise<RenderResults[Type]> {
    const { waitingOfCompany, waiting } = this.#bounds;
    if (this.#queue.sizeOf(company) >= waitingOfCompany || this.#queue.size >= waiting)
      throw new Refusal('businessValidation', 'Too many documents are waiting to be rendered. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    const result = await new Promise<RenderResult<Type>>((resolve) => {
      this.#queue.push(company, () => resolve(this.#run<Type>(job).finally(() => this.#ended())));
      this.#next();
    });
    if (typeof result === 'object' && 'unrenderable' in result) throw new Refusal('businessValidation', result.unrenderable);
    return result;
  }

  #next(): void {
    while (this.#running < this.#bounds.threads && this.#queue.size > 0) {
      const begin = must(this.#queue.shift(), 'something waits');
      this.#running += 1;
      begin();
    }
  }

  #ended(): void {
    this.#running -= 1;
    this.#next();
  }

  async #run<Type extends RenderJob['type']>(job: Extract<RenderJob, { type: Type }>): Promise<RenderResult<Type>> {
    const { renderMs } = this.#bounds;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), renderMs);
    try {
      return await this.#threads().run(job, { signal: late.signal, transferList: transferred(job) });
    } catch (cause) {
      if (late.signal.aborted)
        throw new Refusal('businessValidation', `Rendering took more than ${renderMs} milliseconds. Shorten the content.`, { cause });
      if (isOutOfMemory(cause)) throw new Refusal('businessValidation', 'Rendering took too much memory. Shorten the content.', { cause });
      throw cause;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Started with the first rendering; a thread ends when it has rendered nothing for a while. */
  #threads(): Piscina {
    const { threads, memoryMb } = this.#bounds;
    this.#pool ??= new Piscina({
      filename: new URL('./render-thread.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: LIMITS.renderIdleMs,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
      // The service itself has priority for the processor.
      niceIncrement: LIMITS.renderNice,
    });
    return this.#pool;
  }
}

const DEFAULT_BOUNDS: RendererBounds = {
  threads: Math.max(2, Math.min(LIMITS.renderThreads, availableParallelism() - 1)),
  renderMs: LIMITS.renderMs,
  memoryMb: LIMITS.renderMemoryMb,
  waitingOfCompany: LIMITS.rendersWaitingOfCompany,
  waiting: LIMITS.rendersWaiting,
};

/** A file that does not share its memory is moved to the thread and not copied. */
function transferred(job: RenderJob): ArrayBuffer[] {
  if (job.type !== 'converted') return [];
  const { buffer, byteLength } = job.content;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

const isOutOfMemory = (cause: unknown): boolean => fieldOf(cause, 'code') === 'ERR_WORKER_OUT_OF_MEMORY';
