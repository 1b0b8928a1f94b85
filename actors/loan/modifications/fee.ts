import { type Cents, ZERO } from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { effectiveNow, recordOf, todayOf } from '../context.js';
import type { FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import type { LoanState } from '../state.js';
import type { ToolNow } from './schedule-now.js';
import type { ModificationTool } from './state.js';

export interface ToolFee {
  readonly feeType: FeeType;
  readonly amountCents: Cents;
}

/** What a tool charges: the fee type that the product names for it, while that is active. Null: nothing. */
export function toolFee(
  state: LoanState,
  { ledger, product }: Pick<ToolNow, 'ledger' | 'product'>,
  tool: ModificationTool | null,
  env: EvolveEnv,
): ToolFee | null {
  const apiName = tool === null ? null : product.modification.fees[tool];
  const feeType = apiName === null ? undefined : feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, apiName);
  if (feeType === undefined || feeType.status !== 'active') return null;
  return { feeType, amountCents: feeCents(state, ledger, { feeType }) };
}

export interface FeeOfUse {
  readonly id: string;
  readonly amountCents: Cents;
  readonly draft: FactDraft;
}

/** The fee of one use of a tool; null when it is waived or comes to nothing. */
export function feeOfUse(state: LoanState, quote: ToolFee | null, env: DecideEnv, caseId: string | null): FeeOfUse | null {
  if (quote === null || quote.amountCents === ZERO) return null;
  const { feeType, amountCents } = quote;
  const id = env.newId('LF');
  const body: FeeChargedBody = {
    change: automaticFeeChange(state, feeType, nextFeeNumber(state), amountCents, null),
    details: { id, externalId: null, category: feeType.feeType, customDisplayName: null },
    recordedDay: todayOf(env, state),
    caseId,
    reason: null,
  };
  return { id, amountCents, draft: { type: 'FeeCharged', body, effective: effectiveNow(env, state) } };
}
