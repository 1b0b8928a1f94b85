import { must } from '../../../assert.js';
import type { Day } from '../../../calendar/index.js';
import { cents, type Cents } from '../../../money/index.js';
import type { Bucket } from '../../../waterfall.js';
import type { MoneyKind } from '../../core/facts.js';
import { holds } from '../../core/rules.js';
import type { ObligationState } from '../../core/state.js';
import type { ScheduleRowView } from '../../core/views.js';
import {
  FROM_CHECKPOINTS,
  type Installment,
  type ScheduledLedger,
  type ScheduledFact,
  noParts,
  type Parts,
  PARTS,
  payoffCents,
  sumOf,
} from '../../scheduled/index.js';
import { owedCents } from '../due.js';
import { FORGIVEN, type Tally } from '../tally.js';
import { fixedRow } from '../schedule-row.js';
import type { LedgerState } from '../state.js';
import { addScheduledFact, scheduledLedgerOf, scheduledTermsOf, settle } from './scheduled-ledger.js';
import { obligationOf } from './change-schedule.js';

type PayablePart = keyof Parts;

const NAMES: Readonly<Record<PayablePart, 'Fees' | 'Interest' | 'Principal'>> = {
  penalties: 'Fees',
  fees: 'Fees',
  interest: 'Interest',
  principal: 'Principal',
};

/** Allocates money to installments in the order of the terms, reports the allocation, and counts the tally as paid. */
export function payScheduled(state: LedgerState, tally: Tally): void {
  const { transaction, kind, amountCents } = tally.fact;
  const before = scheduledLedgerOf(state);
  countRecalculated(state, before);
  const paid = { type: 'paid', day: state.day, kind: kind === 'credit' ? 'credit' : 'payment', amountCents: cents(amountCents) } as const;
  const isFirst = kind === 'payment' && holds(state, 'openObligationFirst');
  addScheduledFact(state, transaction === FORGIVEN ? { ...paid, isForgiven: true } : isFirst ? { ...paid, meetsOpen: true } : paid);
  const scheduled = settleMet(state, kind);
  const done = metSince(before, scheduled);
  tally.principalCents = done.principal;
  tally.interestCents = done.interest;
  tally.feesCents = done.fees + done.penalties;
  tally.leftCents = amountCents - sumOf(done);
  state.totals.paidPrincipalCents -= tally.principalCents;
  state.totals.paidInterestCents -= tally.interestCents;
  state.totals.paidFeesCents -= tally.feesCents;
  watchInstallments(state, { tally, before, scheduled });
}

const fulfilledCents = ({ amountCents, remainingCents }: ObligationState): number => amountCents - remainingCents;

const notRemainingCents = ({ remainingCents }: ObligationState): number => -remainingCents;

/** Reads the balances again, and counts for each obligation what was paid since. */
export function settleMet(state: LedgerState, kind: MoneyKind): ReturnType<typeof settle> {
  const metOf = holds(state, 'raisesMet') ? fulfilledCents : notRemainingCents;
  const met = state.obligations.map(metOf);
  const settled = settle(state);
  for (const [position, obligation] of state.obligations.entries()) {
    const metCents = metOf(obligation) - (met[position] ?? 0);
    if (kind === 'credit') obligation.creditsCents += metCents;
    else obligation.paymentsCents += metCents;
  }
  return settled;
}

/**
 * The amounts of a paid-off loan are computed again with the rates of the days since. If they are lower now, the difference was overpaid.
 */
function countRecalculated(state: LedgerState, today: ScheduledLedger): void {
  if (today.overpaidCents === 0) return;
  const moreCents = today.overpaidCents - scheduledLedgerOf(state, state.lastFactDay).overpaidCents;
  state.totals.paidOverCents += moreCents;
  state.totals.reimbursementCents += moreCents;
}

/** What was paid of all installments since. */
function metSince(before: ScheduledLedger, after: ScheduledLedger): Parts {
  const parts = noParts();
  for (const { paid } of after.installments) for (const part of PARTS) parts[part] += paid[part];
  for (const { paid } of before.installments) for (const part of PARTS) parts[part] -= paid[part];
  return parts;
}

interface WatchedPayment {
  readonly tally: Tally;
  readonly before: ScheduledLedger;
  readonly scheduled: ScheduledLedger;
}

function watchInstallments(state: LedgerState, { tally, before, scheduled }: WatchedPayment): void {
  const { watcher } = state;
  if (watcher?.allocated === undefined) return;
  const { transaction } = tally.fact;
  for (const row of rowsMet(state, before, scheduled)) watcher.allocated({ transaction, ...row });
}

/** What was paid of each installment since, by part. */
export function rowsMet(state: LedgerState, before: ScheduledLedger, scheduled: ScheduledLedger): readonly MetRow[] {
  return scheduled.installments.flatMap((installment, ordinal) => {
    const obligation = ordinal < state.nextRow ? state.obligations.find((candidate) => candidate.ordinal === ordinal) : undefined;
    const dueStatus = obligation === undefined ? 'nonDue' : obligation.isEnforced ? 'overdue' : 'due';
    return metBy(before.installments[ordinal], installment).map(
      ([part, amountCents]): MetRow => ({
        bucket: `${dueStatus}${NAMES[part]}`,
        obligation: obligation?.ordinal ?? null,
        amountCents,
      }),
    );
  });
}

interface MetRow {
  readonly bucket: Bucket;
  readonly obligation: number | null;
  readonly amountCents: number;
}

/** What was paid of an installment since. Recalculation may have moved older money between its parts, so the sum decides. */
function metBy(before: Installment | undefined, after: Installment): readonly (readonly [PayablePart, number])[] {
  let left = sumOf(after.paid) - (before === undefined ? 0 : sumOf(before.paid));
  return (['penalties', 'fees', 'interest', 'principal'] as const).flatMap((part) => {
    const metCents = Math.min(left, Math.max(0, after.paid[part] - (before?.paid[part] ?? 0)));
    left -= metCents;
    return metCents === 0 ? [] : [[part, metCents] as const];
  });
}

/** Coming installments with an amount; none if money in processing has paid everything. */
export function* comingInstallments(state: LedgerState): Generator<ScheduleRowView, void> {
  if (owedCents(state) === 0) return;
  const { installments } = scheduledLedgerOf(state);
  for (let ordinal = state.nextRow; ordinal < installments.length; ordinal += 1) {
    const obligation = obligationOf(state, must(installments[ordinal], 'a row has an installment'), ordinal);
    if (obligation.amountCents > 0) yield fixedRow(state, obligation, ordinal === state.nextRow ? 'booked' : 'projected');
  }
}

/** A payoff by parts: those of a payment that pays everything. */
export interface ScheduledPayoff {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

export const scheduledPayoffCents = ({ terms, scheduledFacts }: LedgerState, day: Day): Cents =>
  payoffCents(scheduledTermsOf(terms), must(scheduledFacts, 'the loan has scheduled interest'), day, FROM_CHECKPOINTS);

export function scheduledPayoff(state: LedgerState, day: Day): ScheduledPayoff {
  const facts = must(state.scheduledFacts, 'the loan has scheduled interest');
  const amountCents = scheduledPayoffCents(state, day);
  const payment: ScheduledFact = { type: 'paid', kind: 'payment', day, sequence: facts.length + 1, amountCents };
  const paid = scheduledLedgerOf({ ...state, scheduledFacts: [...facts, payment] }, day).payments.at(-1)?.parts;
  const part = (name: keyof Installment['due']): number => paid?.[name] ?? 0;
  return {
    principalCents: cents(part('principal')),
    interestCents: cents(part('interest')),
    feesCents: cents(part('fees') + part('penalties')),
  };
}
