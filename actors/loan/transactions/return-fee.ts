import { companyOf, type FeeType, feeTypesOf } from '../../company/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import type { FactDraft } from '../../runtime/fact.js';
import { recordOf, statusOf } from '../context.js';
import type { FeeChargedBody } from '../fees/facts.js';
import { feeCents, feeChange, nextFeeNumber } from '../fees/quote.js';
import { runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { Return } from './come-back.js';

/**
 * The fee for a payment that came back for lack of funds, where the product has one (money 2, "States and transitions";
 * servicing-behaviour 12.6). The failure may reopen a loan that was paid off, so that one bears the fee too; one that is
 * not active bears none (loan-terms 6.5, rule 5).
 */
export function returnFee(state: LoanState, env: EvolveEnv, { record, failure, recording }: Return): readonly FactDraft[] {
  const status = statusOf(state);
  if (failure.failureReason !== 'insufficientFunds' || record.payment === null || record.returnFeeCounter === null) return [];
  if (status !== 'paidOff' && status !== 'active') return [];
  const feeType = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId).find(isReturnFee);
  if (feeType === undefined) return [];
  const baseCents = record.actualCents ?? record.scheduledCents;
  const amountCents = feeCents(state, runningOn(state, env, recording.today), { feeType, baseCents });
  if (amountCents === 0) return [];
  const body: FeeChargedBody = {
    change: feeChange(feeType, nextFeeNumber(state), amountCents),
    details: {
      id: env.derivedId('LF', state.id, record.returnFeeCounter),
      externalId: null,
      category: feeType.feeType,
      customDisplayName: null,
      transactionId: record.id,
    },
    recordedDay: recording.today,
    caseId: recording.caseId,
    reason: null,
  };
  return [{ type: 'FeeCharged', body, effective: recording.at }];
}

const isReturnFee = ({ status, feeType, trigger }: FeeType): boolean => status === 'active' && feeType === 'nsfFee' && trigger === 'paymentFailed';
