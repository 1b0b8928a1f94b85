import type { FailureReason } from '../../borrower/index.js';
import { companyOf, type FeeType, feeTypeOf, feeTypesOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf, statusOf } from '../context.js';
import type { FeeCanceledBody, FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import { isChargedWhile } from '../fees/recurring.js';
import { runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { Recording } from './moves.js';
import { movedCents, type TransactionRecord } from './record.js';

interface Returned {
  readonly record: TransactionRecord;
  readonly failureReason: FailureReason;
  readonly recording: Recording;
}

/**
 * The product's fee for a payment that was returned for insufficient funds. A paid-off loan is charged, too, since the failure may reopen
 * it; other loans only while automatic fees are charged. A payment with all its re-presentments causes at most one such fee.
 */
export function returnFee(state: LoanState, env: EvolveEnv, { record, failureReason, recording }: Returned): readonly FactDraft[] {
  const { payment, returnFeeCounter } = record;
  if (failureReason !== 'insufficientFunds' || payment === null || returnFeeCounter === null) return [];
  const status = statusOf(state);
  const feeType = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId).find(isReturnFee);
  if (feeType === undefined || (status !== 'paidOff' && !isChargedWhile(feeType, status))) return [];
  const id = env.derivedId('LF', state.id, returnFeeCounter);
  if (activationOf(state)?.fees.some((fee) => fee.id === id) === true || hasBroughtOne(state, record)) return [];
  const baseCents = movedCents(record);
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

/** Whether an earlier presentment of the payment has caused the fee. */
function hasBroughtOne(state: LoanState, { retryOriginalTransactionId }: TransactionRecord): boolean {
  const earlier = retryOriginalTransactionId === null ? undefined : state.transactions.get(retryOriginalTransactionId);
  if (earlier === undefined) return false;
  return activationOf(state)?.fees.some(({ transactionId }) => transactionId === earlier.id) === true || hasBroughtOne(state, earlier);
}

const isReturnFee = ({ status, feeType, trigger }: FeeType): boolean =>
  status === 'active' && feeType === 'nsfFee' && trigger === 'paymentFailed';

/** Cancels the fees that a payment caused, if their type has `isCancelOnReversal`: when it is reversed, or succeeds after a failure. */
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
