import { Refusal } from '../../errors.js';
import { type Bus, Unanswered } from '../ports.js';
import { packAsk, readAnswer } from './codec.js';
import { CLUSTER_LIMITS } from './limits.js';
import type { Answers, Ask } from './messages.js';
import { unitAddress, type Unit } from './units.js';

/** Asks the owners of units, whoever they are. Throws the `Refusal` that they answer, and `unavailable` within bounds when none does. */
export class UnitsClient {
  /**
   * The highest stamp that any answer told. Whoever is asked gives higher ones from then on: what one caller does in turn has its order on
   * all units.
   */
  #seen = 0;

  constructor(private readonly bus: Bus) {}

  async ask<Type extends Ask['type']>(unit: Unit, ask: Extract<Ask, { readonly type: Type }>): Promise<Answers[Type]> {
    const request = packAsk(ask, this.#seen);
    const waitMs = ask.type === 'execute' ? CLUSTER_LIMITS.commandMs : CLUSTER_LIMITS.queryMs;
    let lost: Unanswered | null = null;
    for (const untilMs = performance.now() + CLUSTER_LIMITS.ownerlessMs; ; ) {
      try {
        const { value, stamp } = readAnswer(await this.bus.ask(unitAddress(unit), request, waitMs));
        this.#seen = Math.max(this.#seen, stamp);
        return value as Answers[Type];
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
   * Waits until all have what all share up to the sequence. A unit without an owner reads it before it serves; who does not answer within
   * the bound is on its way out.
   */
  async untilShared(units: readonly Unit[], sequence: number): Promise<void> {
    const request = packAsk({ type: 'awaitShared', sequence }, this.#seen);
    await Promise.allSettled(units.map((unit) => this.bus.ask(unitAddress(unit), request, CLUSTER_LIMITS.followMs)));
  }

  /** Asks all of them at once; one that does not answer is a refusal of the whole. */
  askAll<Type extends Ask['type']>(units: readonly Unit[], ask: Extract<Ask, { readonly type: Type }>): Promise<Answers[Type][]> {
    return Promise.all(units.map((unit) => this.ask<Type>(unit, ask)));
  }
}

/** Said to a command that was sent again, since it seemed lost: its worker lives after all, and has it in hand. */
const isStillRunning = (cause: unknown): boolean => cause instanceof Refusal && cause.errorType === 'idempotencyInProgress';

/** What was carried out once does no harm twice: a question, and a command whose reply is stored for its retries. */
function isToRepeat({ why }: Unanswered, ask: Ask): boolean {
  if (why !== 'lost') return why === 'nobody';
  return ask.type === 'execute' ? ask.command.idempotency !== undefined : ask.type !== 'recordShared';
}

const TELLS: Readonly<Record<Unanswered['why'], { readonly message: string; readonly retryAfterSeconds: number }>> = {
  nobody: { message: 'A part of the cluster has no worker at the moment.', retryAfterSeconds: 1 },
  late: { message: 'A worker takes too long; the request may still take effect.', retryAfterSeconds: 5 },
  lost: { message: 'The worker that had the request is gone; it may have taken effect.', retryAfterSeconds: 1 },
  away: { message: 'There is no way to the workers at the moment.', retryAfterSeconds: 1 },
};

function notAnswered(cause: Unanswered): Refusal {
  const { message, retryAfterSeconds } = TELLS[cause.why];
  return new Refusal('unavailable', message, { retryAfterSeconds, cause });
}
