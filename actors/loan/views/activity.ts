import { type Cents, type Day, formatDay, instantAt, type LedgerFact, type LineFact, must, parseDay } from '../../../engine/index.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { type Agent, SYSTEM_AGENT } from '../../kernel/fact.js';
import { amount, type Amount, dateText, type DateText, dateTimeText, type DateTimeText, orNull } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { storedFacts } from '../ledger/running.js';
import type { LoanState, StatusChange, StoredFact } from '../state.js';
import { type LedgerLine, ledgerLines } from './ledger-lines.js';
import { supersededBy } from './superseded.js';

/** `ledger`: changes by the daily work, only listed if the query asks for them. */
export const ACTIVITY_TYPES = ['status', 'terms', 'payment', 'credit', 'refund', 'advance', 'purchase', 'fee', 'ledger'] as const;

/** One line of a loan's timeline. */
export interface ActivityReply {
  readonly id: string;
  readonly type: (typeof ACTIVITY_TYPES)[number];
  /** The type of the ledger's fact, as `payment`, `freeze` or `ratesChanged`; for a status change the new status. */
  readonly action: string;
  readonly effectiveDate: DateText;
  readonly recordedAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly amount: Amount | null;
  readonly reason: string | null;
  /** Its changes of the balances in the current computation, with their rules; empty if it has no effect, or no longer has one. */
  readonly entries: readonly LedgerLine[];
  /** The line of the timeline that canceled its effect or moved it. */
  readonly supersededBy: string | null;
}

interface Line {
  readonly type: ActivityReply['type'];
  readonly action: string;
  readonly day: Day;
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly cents: Cents | null;
  readonly reason: string | null;
  /** Sequence of the ledger's fact; null for a status and for the daily work. */
  readonly fact: number | null;
  readonly entries: readonly LedgerLine[];
}

/** Changes of status, terms and money, newest recorded first; with `ledger` also the changes by the daily work. */
export function activityItems(state: LoanState, env: EvolveEnv, withLedger: boolean): readonly ActivityReply[] {
  const facts: readonly AnyStored[] = storedFacts(state);
  const entries = entriesOf(state, env);
  const superseded = supersededBy(facts.map(({ fact }) => fact));
  const lines: Line[] = [
    ...state.statusHistory.map(
      (change): Line => ({
        type: 'status',
        action: change.newStatus,
        day: change.effectiveDay,
        recordedAt: change.recordedAt,
        by: change.by,
        caseId: change.caseId,
        cents: null,
        reason: change.reason ?? change.writtenReason,
        fact: null,
        entries: [],
      }),
    ),
    ...facts.flatMap((stored) => lineOf(stored, entries.get(stored.fact.sequence) ?? [])),
    ...(withLedger ? (entries.get(null) ?? []).map((entry) => dailyLine(state, entry)) : []),
  ];
  const indexOf = new Map(lines.map(({ fact }, index) => [fact, index]));
  const idOf = (index: number): string => `${state.id}-${index + 1}`;
  return lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => b.line.recordedAt - a.line.recordedAt || b.index - a.index)
    .map(({ line, index }) => ({
      id: idOf(index),
      type: line.type,
      action: line.action,
      effectiveDate: formatDay(line.day) as DateText,
      recordedAt: dateTimeText(line.recordedAt),
      createdBy: actorView(line.by),
      caseId: line.caseId,
      amount: orNull(amount, line.cents),
      reason: line.reason,
      entries: line.entries,
      supersededBy: supersederOf(line, { superseded, indexOf, idOf }),
    }));
}

type AnyStored = StoredFact<LedgerFact | LineFact>;
type Kind = AnyStored['fact']['type'];

/** Types of activities by fact. Facts that change the status are missing: the status history has them. */
const TYPES: Partial<Record<Kind, ActivityReply['type']>> = {
  payment: 'payment',
  paymentVoided: 'payment',
  paymentMoved: 'payment',
  paymentSettled: 'payment',
  paymentChargedBack: 'payment',
  chargebackReversed: 'payment',
  refund: 'refund',
  refundCanceled: 'refund',
  reimbursed: 'payment',
  thresholdsHeld: 'terms',
  thresholdsReleased: 'terms',
  advance: 'advance',
  advanceCanceled: 'advance',
  feeCharged: 'fee',
  feeCanceled: 'fee',
  feeChanged: 'fee',
  originationFeeChanged: 'fee',
  ratesChanged: 'terms',
  scheduleChanged: 'terms',
  reamortized: 'terms',
  dueDateDeferred: 'terms',
  purchase: 'purchase',
  purchaseVoided: 'purchase',
  drawFeeChanged: 'fee',
  drawActivated: 'terms',
  drawAmortized: 'terms',
  drawRatesChanged: 'terms',
  limitChanged: 'terms',
  lineScheduleChanged: 'terms',
  balancesDeferred: 'terms',
  drawClosed: 'status',
  drawCanceled: 'status',
  lineClosed: 'status',
};

function lineOf({ fact, recordedAt, by, caseId }: AnyStored, entries: readonly LedgerLine[]): readonly Line[] {
  const type = TYPES[fact.type];
  if (type === undefined) return [];
  return [
    {
      type: fact.type === 'payment' && fact.kind === 'credit' ? 'credit' : type,
      action: fact.type,
      day: fact.effective.day,
      recordedAt,
      by,
      caseId,
      cents: 'amountCents' in fact ? fact.amountCents : null,
      reason: null,
      fact: fact.sequence,
      entries,
    },
  ];
}

/** The ledger's lines by the sequence of their fact; null for the daily work. */
function entriesOf(state: LoanState, env: EvolveEnv): ReadonlyMap<number | null, LedgerLine[]> {
  const found = new Map<number | null, LedgerLine[]>();
  const through = activationOf(state)?.summary.through;
  if (through === undefined) return found;
  for (const line of ledgerLines(state, env, { through, knownAt: null })) {
    const fact = line.fact?.number ?? null;
    const known = found.get(fact);
    if (known === undefined) found.set(fact, [line]);
    else known.push(line);
  }
  return found;
}

/** A line of the daily work. It is computed, not recorded, so it counts as recorded at the beginning of its day. */
function dailyLine(state: LoanState, entry: LedgerLine): Line {
  const day = must(parseDay(entry.effectiveDate), entry.effectiveDate);
  const recordedAt = instantAt(recordOf(state).zone, day, { hour: 2, minute: 0, second: 0 });
  return {
    type: 'ledger',
    action: entry.entryType,
    day,
    recordedAt,
    by: SYSTEM_AGENT,
    caseId: null,
    cents: null,
    reason: null,
    fact: null,
    entries: [entry],
  };
}

interface Timeline {
  readonly superseded: ReadonlyMap<number, number>;
  readonly indexOf: ReadonlyMap<number | null, number>;
  readonly idOf: (index: number) => string;
}

function supersederOf({ fact }: Line, { superseded, indexOf, idOf }: Timeline): string | null {
  const later = fact === null ? undefined : superseded.get(fact);
  const index = later === undefined ? undefined : indexOf.get(later);
  return index === undefined ? null : idOf(index);
}

export interface StatusChangeReply {
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly effectiveDate: DateText;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly reason: string | null;
}

export const statusChangeReply = (change: StatusChange): StatusChangeReply => ({
  oldStatus: change.oldStatus,
  newStatus: change.newStatus,
  effectiveDate: dateText(change.effectiveDay),
  createdAt: dateTimeText(change.recordedAt),
  createdBy: actorView(change.by),
  caseId: change.caseId,
  reason: change.reason ?? change.writtenReason,
});
