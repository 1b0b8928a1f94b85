import { type Cents, type Day, formatCents, sum, ZERO } from '../../../engine/index.js';
import type { FailureReason } from '../../borrower/index.js';
import { companyOf, type FeeType, feeTypeOf, feeTypesOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf, statusOf } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import type { FeeCanceledBody, FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import { isChargedWhile } from '../fees/recurring.js';
import {
  type AnyLedgerFact,
  balancesIn,
  computedWith,
  computedWithout,
  type RunningLedger,
  runningOf,
  runningOn,
} from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { nextPaymentNumber, type Recording } from './moves.js';
import type { TransactionRecord } from './record.js';

/** What the borrower was paid too much, and what has become of it. */
export interface OwedBack {
  /** Paid over, and not on its way back or gone back. */
  readonly owedCents: Cents;
  /** The part of it that may go back now: money on hold waits. */
  readonly payableCents: Cents;
  readonly reimbursedCents: Cents;
}

/** A failed reimbursement restores what is owed. */
export function owedBack(state: LoanState, env: EvolveEnv): OwedBack {
  const ledger = runningOf(state, env);
  const reimbursedCents = sum(
    reimbursements(state)
      .filter(({ status }) => status !== 'failed')
      .map(movedCents),
  );
  const owedCents = Math.max(ZERO, balancesIn(ledger).paid.reimbursementCents - reimbursedCents);
  return {
    owedCents: owedCents as Cents,
    payableCents: Math.max(ZERO, Math.min(owedCents, certainCents(state, env, ledger) - reimbursedCents)) as Cents,
    reimbursedCents,
  };
}

/** What had gone back to the borrower by the end of a day, as it was known at a moment (null: now). */
export function reimbursedBy(state: LoanState, day: Day, knownAt: number | null): Cents {
  const moment = knownAt ?? Infinity;
  const counts = ({ effective, timestamps: { createdAt, failedAt } }: TransactionRecord): boolean =>
    effective.day <= day && createdAt <= moment && !(failedAt !== null && failedAt <= moment);
  return sum(reimbursements(state).filter(counts).map(movedCents));
}

const movedCents = ({ actualCents, scheduledCents }: TransactionRecord): Cents => actualCents ?? scheduledCents;

interface Asking {
  readonly path: string;
  /** A reimbursement whose amount changes. */
  readonly instead?: TransactionRecord;
}

/** 409 when nothing is owed to the borrower, 422 for more than may go back. */
export function requireOwedBack(state: LoanState, env: EvolveEnv, askedCents: Cents, { path, instead }: Asking): void {
  const { owedCents, payableCents } = owedBack(state, env);
  if (owedCents === 0 && instead === undefined) refuse('invalidState', 'Nothing is owed to the borrower.');
  const mostCents = (payableCents + (instead === undefined || instead.status === 'failed' ? 0 : movedCents(instead))) as Cents;
  if (askedCents <= mostCents) return;
  refuse('amountExceedsEligible', 'The amount is above what may go back to the borrower.', {
    errors: [{ path, expected: `${formatCents(mostCents)} or less`, message: 'is above the owed amount that is not on hold' }],
  });
}

/** 409 where the ledger, with some more facts, would owe back less than has gone back already: money of that kind goes back once. */
export function refuseGoneBack(state: LoanState, env: EvolveEnv, drafts: readonly FactDraft[]): void {
  const { reimbursedCents } = owedBack(state, env);
  if (reimbursedCents === 0) return;
  const ledger = runningOf(state, env);
  const paidOver = paidOverIn(computedWith(state, env, ledger.day, ledgerFactsOf(state, drafts)));
  if (paidOver >= reimbursedCents || paidOver >= paidOverIn(ledger)) return;
  refuse('invalidState', 'A part of this money has gone back to the borrower already, as it was paid over.', {
    errors: [{ path: 'status', expected: 'reimbursements that failed', message: `${formatCents(reimbursedCents)} were reimbursed` }],
  });
}

/** What the borrower may have back, without what went back and is owed again. */
const paidOverIn = (ledger: RunningLedger): number => ledger.totals.reimbursementCents - ledger.totals.owedAgainCents;

const ledgerFactsOf = (state: LoanState, drafts: readonly FactDraft[]): readonly AnyLedgerFact[] =>
  drafts
    .filter(({ type }) => type === 'LedgerChanged')
    .map(({ body, effective }, at) => {
      const { change, recordedDay } = body as LedgerChanged;
      return { ...change, effective, sequence: nextPaymentNumber(state, at), recordedDay } as AnyLedgerFact;
    });

/** In the order of recording. */
export const reimbursements = (state: LoanState): readonly TransactionRecord[] =>
  [...state.transactions.open()].filter(({ transactionType }) => transactionType === 'reimbursement');

/** What would be owed to the borrower if nothing came of the money that is still on hold: a refund gives back that money, too. */
function certainCents(state: LoanState, env: EvolveEnv, ledger: RunningLedger): number {
  const held = new Set(
    [...state.transactions.open()].flatMap(({ payment, hold }) => (payment === null || hold === null || hold.isOver ? [] : [payment])),
  );
  const certain =
    held.size === 0 ? ledger : computedWithout(state, env, ledger.day, (fact) => fact.type === 'payment' && held.has(fact.transaction));
  return certain.totals.reimbursementCents;
}

interface Returned {
  readonly record: TransactionRecord;
  readonly failureReason: FailureReason;
  readonly recording: Recording;
}

/**
 * The fee for a payment that came back for lack of funds, where the product has one.
 * The failure may reopen a loan that was paid off, so that one bears the fee too; any other that is
 * not active bears none. A payment brings one such fee at most, with all its re-presentments.
 */
export function returnFee(state: LoanState, env: EvolveEnv, { record, failureReason, recording }: Returned): readonly FactDraft[] {
  const { payment, returnFeeCounter } = record;
  if (failureReason !== 'insufficientFunds' || payment === null || returnFeeCounter === null) return [];
  const status = statusOf(state);
  const feeType = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId).find(isReturnFee);
  if (feeType === undefined || (status !== 'paidOff' && !isChargedWhile(feeType, status))) return [];
  const id = env.derivedId('LF', state.id, returnFeeCounter);
  if (activationOf(state)?.fees.some((fee) => fee.id === id) === true || hasBroughtOne(state, record)) return [];
  const baseCents = record.actualCents ?? record.scheduledCents;
  const amountCents = feeCents(state, runningOn(state, env, recording.today), { feeType, baseCents });
  if (amountCents === 0) return [];
  const body: FeeChargedBody = {
    change: automaticFeeChange(state, feeType, nextFeeNumber(state), amountCents, null),
    details: { id, externalId: null, category: feeType.feeType, customDisplayName: null, transactionId: record.id },
    recordedDay: recording.today,
    caseId: recording.caseId,
    reason: null,
  };
  return [{ type: 'FeeCharged', body, effective: recording.at }];
}

/** Whether an earlier try of the payment has. */
function hasBroughtOne(state: LoanState, { retryOriginalTransactionId }: TransactionRecord): boolean {
  const earlier = retryOriginalTransactionId === null ? undefined : state.transactions.get(retryOriginalTransactionId);
  if (earlier === undefined) return false;
  return activationOf(state)?.fees.some(({ transactionId }) => transactionId === earlier.id) === true || hasBroughtOne(state, earlier);
}

const isReturnFee = ({ status, feeType, trigger }: FeeType): boolean =>
  status === 'active' && feeType === 'nsfFee' && trigger === 'paymentFailed';

/** What a payment has brought that goes with its reversal, and with the end of its failure: `isCancelOnReversal` of the fee's type. */
export function feesUndone(
  state: LoanState,
  env: EvolveEnv,
  transactionId: string,
  { at, today, caseId }: Recording,
): readonly FactDraft[] {
  const company = companyOf(env, state.tenant);
  const { loanTypeId } = recordOf(state);
  return (activationOf(state)?.fees ?? [])
    .filter(
      (fee) =>
        fee.transactionId === transactionId &&
        fee.canceledAt === null &&
        feeTypeOf(company, loanTypeId, fee.feeTypeId)?.isCancelOnReversal === true,
    )
    .map(({ id, fee }): FactDraft => {
      const body: FeeCanceledBody = {
        change: { type: 'feeCanceled', fee: { type: 'charged', fee } },
        feeId: id,
        recordedDay: today,
        caseId,
        reason: 'reversal',
      };
      return { type: 'FeeCanceled', body, effective: at };
    });
}
