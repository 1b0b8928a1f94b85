import type { FailureReason } from '../../borrower/index.js';
import { companyOf, type FeeType, feeTypeOf, feeTypesOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf, statusOf } from '../context.js';
import type { FeeCanceledBody, FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import { isChargedWhile } from '../fees/while.js';
import { runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { Recording } from './ledger-facts.js';
import type { TransactionRecord } from './record.js';

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
