import { type Cents, type Day, dayAt, earliest, latest, type LedgerStatus } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, recordOf } from '../context.js';
import { type AnyLedgerFact, balancesIn, computedFromFirst, storedFacts } from '../ledger/running.js';
import type { LoanState, StoredFact } from '../state.js';
import { supersededByLater } from './superseded.js';

/** Past days of a loan that were computed again, and what that changed. */
export interface Replay {
  readonly id: string;
  /** The type of the fact in the past, or `replay`: past days were computed again under the settings of a later day. */
  readonly trigger: AnyLedgerFact['type'] | 'replay';
  /** Its sequence; null of `replay`. */
  readonly factNumber: number | null;
  readonly transaction: number | null;
  /** The first day that was computed again. */
  readonly from: Day;
  /** The day on which that was recorded: the last one. */
  readonly through: Day;
  readonly recordedAt: number;
  /** Null of `replay`: the orders of replays are kept without it. */
  readonly by: Agent | null;
  readonly caseId: string | null;
  /** At the end of `through`. Null of all but the newest replays of a loan. */
  readonly before: LoanFigures | null;
  readonly after: LoanFigures | null;
}

interface LoanFigures {
  readonly status: LedgerStatus;
  readonly outstandingCents: Cents;
}

/** Of a loan: figures of one replay are two computations of the whole ledger. */
export const REPLAYS_WITH_FIGURES = 10;

/** What is known of a replay before its figures are computed. */
interface Found extends Omit<Replay, 'before' | 'after'> {
  /** The first facts in the order of recording, before and after it. */
  readonly counts: readonly [number, number];
  /** The moments whose settings it was computed under, before and after it. */
  readonly knownAt: readonly [number, number];
}

/** In the order of recording. */
export function replaysOf(state: LoanState, env: EvolveEnv): readonly Replay[] {
  const found = [...lateFacts(state), ...orderedReplays(state)].sort((a, b) => a.recordedAt - b.recordedAt || a.counts[1] - b.counts[1]);
  return found.map(({ counts, knownAt, ...replay }, place) => {
    if (place < found.length - REPLAYS_WITH_FIGURES) return { ...replay, before: null, after: null };
    const figures = (which: 0 | 1): LoanFigures => {
      const ledger = computedFromFirst(state, env, { day: replay.through, count: counts[which], knownAt: knownAt[which] });
      return { status: ledger.status, outstandingCents: balancesIn(ledger).outstanding.totalCents };
    };
    return { ...replay, before: figures(0), after: figures(1) };
  });
}

/** Facts that are effective before the day on which they were recorded, or that change one which is. */
function lateFacts(state: LoanState): readonly Found[] {
  const activation = activationOf(state);
  if (activation === null) return [];
  const stored = storedFacts(state);
  const superseded = supersededByLater(stored.map(({ fact }) => fact));
  return stored.flatMap((of): readonly Found[] => {
    const { fact, recordedAt, by, caseId } = of;
    const earlier = superseded.get(fact.sequence);
    const from = latest(firstDayOf(fact, earlier === undefined ? undefined : stored[earlier - 1]), activation.contract.terms.activation);
    if (from >= fact.recordedDay) return [];
    return [
      {
        id: `${state.id}-F${fact.sequence}`,
        trigger: fact.type,
        factNumber: fact.sequence,
        transaction: 'transaction' in fact ? (fact.transaction ?? null) : null,
        from,
        through: fact.recordedDay,
        recordedAt,
        by,
        caseId,
        counts: [fact.sequence - 1, fact.sequence],
        knownAt: [recordedAt, recordedAt],
      },
    ];
  });
}

function firstDayOf(fact: AnyLedgerFact, earlier: StoredFact<AnyLedgerFact> | undefined): Day {
  const own = fact.type === 'paymentMoved' ? earliest(fact.effective.day, fact.newEffective.day) : fact.effective.day;
  return earlier === undefined ? own : earliest(own, earlier.fact.effective.day);
}

/** The sources of a loan's settings keep each order to compute past days again. */
function orderedReplays(state: LoanState): readonly Found[] {
  const activation = activationOf(state);
  if (activation === null) return [];
  const { sources, sourcesBefore } = activation;
  const stored = storedFacts(state);
  return sources.rebases.flatMap(({ from, through }, order): readonly Found[] => {
    const recordedAt = sourcesBefore.findLast((before) => before.sources.rebases.length <= order)?.until;
    if (recordedAt === undefined || from >= through) return [];
    const count = stored.filter((of) => of.recordedAt <= recordedAt).length;
    return [
      {
        id: `${state.id}-R${order + 1}`,
        trigger: 'replay',
        factNumber: null,
        transaction: null,
        from,
        through: earliest(through, dayAt(recordOf(state).zone, recordedAt)),
        recordedAt,
        by: null,
        caseId: null,
        counts: [count, count],
        knownAt: [recordedAt - 1, recordedAt],
      },
    ];
  });
}
