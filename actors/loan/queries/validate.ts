import { currentSettings } from '../../company/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { type Checked, checkTerms } from '../commands/update.js';
import { loanTypeOf, recordOf, requirePerson } from '../context.js';
import { contractOf } from '../origination/contract.js';
import type { LoanState } from '../state.js';
import { amountsValidation, ratesValidation } from '../views/loan.js';
import type { AmountsValidationView, RatesValidationView } from '../views/types.js';

export interface ValidateLoanReply {
  readonly ratesValidation: RatesValidationView;
  readonly amountsValidation: AmountsValidationView | null;
  /** `isValid` is null while the address is not verified. */
  readonly addressValidation: { readonly isValid: boolean | null };
  readonly issues: readonly { readonly field: string; readonly message: string }[];
}

/** `POST L/validate`: checks rates and amounts against the product and the service's own amortization; nothing changes. */
export const validateLoan: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.validate',
  on: 'target',
  read({ state, env, request }): ValidateLoanReply {
    requirePerson(state, request.params['personId'], env);
    const { atOrigination, zone, type } = recordOf(state);
    const loanType = loanTypeOf(env, state);
    const today = env.today(zone);
    const checks: Checked[] = [];
    checkTerms({ atOrigination, loanType, today }, checks);
    const rates = ratesValidation(state, env);
    const settings = currentSettings(loanType);
    const amounts =
      amountsValidation(state) ??
      (checks.length > 0 || type === 'lineOfCredit' || atOrigination.expectedPayments !== null
        ? null
        : contractOf({ origination: atOrigination, settings, day: today, mode: 'reAmortize' }).amountsValidation);
    return {
      ratesValidation: rates,
      amountsValidation: amounts,
      addressValidation: { isValid: null },
      issues: [
        ...checks.map(({ path, message }) => ({ field: path, message })),
        ...flagged(rates, true, 'is outside of the limits of the loan type'),
        ...(amounts === null ? [] : flagged(amounts, false, 'does not match the amortization of the service')),
      ],
    };
  },
};

function flagged(flags: object, bad: boolean, message: string): readonly { readonly field: string; readonly message: string }[] {
  return Object.entries(flags).flatMap(([field, value]) => (value === bad ? [{ field, message }] : []));
}
