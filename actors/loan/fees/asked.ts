import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import type { ChargeFeeRequest } from './types.js';
import type { LoanState } from '../state.js';

type Context = CommandContext<LoanState>;

/** The active fee type that a charge names; 422 when the loan type has none such. */
export function feeTypeAsked({ state, env }: Context, { apiName, feeTypeId }: ChargeFeeRequest): FeeType {
  const asked = feeTypeId ?? apiName;
  if (asked == null) return refuseProperty('apiName', 'apiName or feeTypeId', 'A fee names its type.');
  const feeType = feeTypeOf(companyOf(env, env.tenant), recordOf(state).loanTypeId, asked);
  if (feeType === undefined || feeType.status !== 'active') {
    const path = feeTypeId == null ? 'apiName' : 'feeTypeId';
    return refuse('ruleViolation', `The loan type has no active fee type ${asked}.`, {
      errors: [{ path, expected: 'an active fee type of the loan type', message: 'there is no such fee type' }],
    });
  }
  return feeType;
}

/** 409 when another fee of the company has the external id. */
export function checkFeeExternalId({ env }: Context, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'loanFee', externalId) === undefined) return;
  refuse('duplicate', `A fee with the external id ${externalId} exists.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other fee has', message: 'taken' }],
  });
}
