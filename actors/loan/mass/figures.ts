import { type Cents, formatDay, type LedgerState, scheduleOf, ZERO } from '../../../engine/index.js';
import type { EvolveEnv, Figure } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, statusOf } from '../context.js';
import type { LoanFactType } from '../facts.js';
import { balancesIn, isLine, overdueIn, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { IndexTaken } from '../rates/evolve.js';

/**
 * The columns of a report of differences: what a lender looks at before a change of rates, or a replay, is booked. The same names
 * as the interface has, amounts rounded to the cent.
 */
export function loanFigures(state: LoanState, env: EvolveEnv): readonly Figure[] {
  const activation = activationOf(state);
  if (activation === null) return [['status', state.record === null ? null : statusOf(state)]];
  const ledger = runningOf(state, env);
  const { outstanding, overdue, chargedOff, paid } = balancesIn(ledger);
  const { daysOverdue, nextDueCents } = overdueIn(ledger);
  const { nextDueDay, endDay } = activation.summary;
  return [
    ['status', statusOf(state)],
    ['outstandingTotalAmount', outstanding.totalCents],
    ['outstandingPrincipalAmount', outstanding.principalCents],
    ['outstandingInterestAmount', outstanding.interestCents],
    ['outstandingFeesAmount', outstanding.feesCents],
    ['overdueTotalAmount', overdue.totalCents],
    ['chargedOffTotalAmount', chargedOff.totalCents],
    ['paidPrincipalAmount', paid.principalCents],
    ['paidInterestAmount', paid.interestCents],
    ['daysOverdue', String(daysOverdue)],
    ['levelPaymentAmount', isLine(ledger) ? (nextDueCents ?? ZERO) : expectedCents(ledger)],
    ['nextDueDate', nextDueDay === null ? null : formatDay(nextDueDay)],
    ['nextDueAmount', nextDueCents ?? ZERO],
    ['endDate', endDay === null ? null : formatDay(endDay)],
  ];
}

/** What is expected of the borrower from now on: the first payment that is still to come. */
const expectedCents = (ledger: LedgerState): Cents => scheduleOf(ledger).find(({ status }) => status === 'projected')?.amountCents ?? ZERO;

/** These alone may come to nothing: what they bring is told by events. */
const MOVES: { readonly [Type in LoanFactType]?: (body: unknown) => boolean } = {
  IndexTaken: (body) => (body as IndexTaken).change !== null,
  LoanReplayed: () => false,
};

export const isLoanMove = ({ type, body }: FactDraft): boolean => MOVES[type as LoanFactType]?.(body) ?? true;
