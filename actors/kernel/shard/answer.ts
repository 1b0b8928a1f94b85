import type { Outcome } from '../actor.js';
import type { Ticket } from '../journal/committer.js';

/** What was carried out in memory, and what its answer waits for. */
export interface Executed {
  readonly outcome: Outcome;
  /** Null when nothing was recorded. */
  readonly ticket: Ticket | null;
  /** Persons whose data keys are to be destroyed before the answer. */
  readonly erased: readonly string[];
}

export const NOBODY: readonly string[] = [];

/** What waits for nothing. */
export const answered = (outcome: Outcome): Executed => ({ outcome, ticket: null, erased: NOBODY });

/**
 * The answer, once all that it tells is durable. Thousands wait for one flush: each of them holds its answer and one promise, as all that
 * is held is copied by the collector until the flush has come.
 */
export function answerOf({ outcome, ticket, erased }: Executed, erase: (persons: readonly string[]) => Promise<void>): Promise<Outcome> {
  if (erased.length > 0) return erasedBefore(outcome, ticket, () => erase(erased));
  return ticket === null || ticket.isDurable ? Promise.resolve(outcome) : ticket.durable.then(() => outcome);
}

async function erasedBefore(outcome: Outcome, ticket: Ticket | null, erase: () => Promise<void>): Promise<Outcome> {
  await ticket?.durable;
  await erase();
  return outcome;
}
