import { Refusal } from '../../errors.js';
import type { QueryRequest } from '../actor.js';
import { type Bus, Unanswered } from '../ports.js';
import { packAsk, readAnswer } from './codec.js';
import type { Answers, Ask } from './messages.js';
import { CLUSTER_LIMITS } from './published-watermark.js';
import { type Unit, unitAddress } from './units.js';

/** Sends requests to the owners of units. Throws the `Refusal` that they answer, and `unavailable` when none answers in time. */
export class UnitsClient {
  /**
   * The highest stamp that any answer carried. Each request passes it on, and the receiver gives higher stamps from then on, so that
   * requests of one caller keep their order on all units.
   */
  #seen = 0;

  constructor(private readonly bus: Bus) {}

  ask<Type extends Ask['type']>(unit: Unit, ask: Extract<Ask, { readonly type: Type }>): Promise<Answers[Type]> {
    return this.#answerTo(unit, ask);
  }

  /** `Result`: what this query returns on the unit. */
  query<Result>(unit: Unit, request: QueryRequest): Promise<Result> {
    return this.#answerTo(unit, { type: 'query', request });
  }

  async #answerTo<Answer>(unit: Unit, ask: Ask): Promise<Answer> {
    const request = packAsk(ask, this.#seen);
    const waitMs = ask.type === 'execute' ? CLUSTER_LIMITS.commandMs : CLUSTER_LIMITS.queryMs;
    let lost: Unanswered | null = null;
    for (const untilMs = performance.now() + CLUSTER_LIMITS.ownerlessMs; ; ) {
      try {
        const { value, stamp } = readAnswer<Answer>(await this.bus.ask(unitAddress(unit), request, waitMs));
        this.#seen = Math.max(this.#seen, stamp);
        return value;
      } catch (cause) {
        const missing: Unanswered | null = cause instanceof Unanswered ? cause : isStillRunning(cause) ? lost : null;
        if (missing === null) throw cause;
        if (!isToRepeat(missing, ask) || performance.now() >= untilMs) throw notAnswered(missing);
        if (missing.why === 'lost') lost = missing;
        await new Promise((resolve) => setTimeout(resolve, CLUSTER_LIMITS.ownerlessRetryMs));
      }
    }
  }

  /**
   * Waits until all units have the shared shard up to the sequence. A unit without an owner reads it before it serves; an owner that does
   * not answer in time is about to lose its unit.
   */
  async untilShared(units: readonly Unit[], sequence: number): Promise<void> {
    const request = packAsk({ type: 'awaitShared', sequence }, this.#seen);
    await Promise.allSettled(units.map((unit) => this.bus.ask(unitAddress(unit), request, CLUSTER_LIMITS.followMs)));
  }

  /** Asks all of them at once; a single one that does not answer fails the whole call. */
  askAll<Type extends Ask['type']>(units: readonly Unit[], ask: Extract<Ask, { readonly type: Type }>): Promise<Answers[Type][]> {
    return Promise.all(units.map((unit) => this.ask<Type>(unit, ask)));
  }
}

/** A command that was sent again is still running: its worker is alive and has it in hand. */
const isStillRunning = (cause: unknown): boolean => cause instanceof Refusal && cause.errorType === 'idempotencyInProgress';

/** Whether sending again is safe: for queries, and for commands whose stored reply answers a retry. */
function isToRepeat({ why }: Unanswered, ask: Ask): boolean {
  if (why !== 'lost') return why === 'nobody';
  return ask.type === 'execute' ? ask.command.idempotency !== undefined : ask.type !== 'recordShared';
}

const NOT_ANSWERED: Readonly<Record<Unanswered['why'], { readonly message: string; readonly retryAfterSeconds: number }>> = {
  nobody: { message: 'A part of the cluster has no worker at the moment. Try again in a second.', retryAfterSeconds: 1 },
  late: {
    message: 'A worker did not answer in time. The request may still take effect: repeat it with the same Idempotency-Key.',
    retryAfterSeconds: 5,
  },
  lost: {
    message: 'The worker that handled the request was lost. The request may have taken effect: repeat it with the same Idempotency-Key.',
    retryAfterSeconds: 1,
  },
  away: { message: 'There is no way to the workers at the moment.', retryAfterSeconds: 1 },
};

function notAnswered(cause: Unanswered): Refusal {
  const { message, retryAfterSeconds } = NOT_ANSWERED[cause.why];
  return new Refusal('unavailable', message, { retryAfterSeconds, cause });
}
