import { type Cents, cents, type Day, shareOfCents, ZERO } from '../../../engine/index.js';
import { companyOf, generalLedgerSettingsOn } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import type { Applying } from '../applying.js';
import type { LoanActivated } from '../facts.js';
import type { LoanState } from '../state.js';

export interface MerchantDiscountFacts {
  /** The lender keeps a part of what it pays out for a loan that a merchant has brought. */
  readonly MerchantDiscountKept: MerchantDiscountKept;
}

export interface MerchantDiscountKept {
  readonly amountCents: Cents;
  /** The day of the activation. */
  readonly day: Day;
  /** In how many months it is earned; 0: until the last due date; null: at once. */
  readonly months: number | null;
}

/** Applies the facts of merchant discounts. */
export const APPLY_MERCHANT_DISCOUNTS: {
  readonly [Type in keyof MerchantDiscountFacts]: (applying: Applying, body: MerchantDiscountFacts[Type]) => void;
} = {
  MerchantDiscountKept({ state }, body) {
    state.merchantDiscount = body;
  },
};

/** The discount of the terms of origination: the named amount, or the rate of the principal, half up. */
export function merchantDiscountOn(state: LoanState, { contract: { terms } }: LoanActivated): Cents {
  const { merchantDiscount } = recordOf(state).atOrigination;
  // A loan of another system was paid out there.
  if (merchantDiscount === null || state.migration !== null) return ZERO;
  const { mdrRate, mdrCents } = merchantDiscount;
  const asked = mdrCents ?? (mdrRate === null ? ZERO : shareOfCents(terms.principalCents, mdrRate, 'halfUp'));
  return cents(Math.min(asked, terms.principalCents));
}

/** The discount, with the activation. */
export function merchantDiscountDrafts(state: LoanState, env: DecideEnv, activated: LoanActivated): readonly FactDraft[] {
  const {
    contract: { terms },
    recordedDay,
  } = activated;
  const { merchantDiscount } = recordOf(state).atOrigination;
  const amountCents = merchantDiscountOn(state, activated);
  if (merchantDiscount === null || amountCents <= 0) return [];
  const { amortizationPeriod, isAmortized } = merchantDiscount;
  const { merchantDiscount: recognition } = generalLedgerSettingsOn(companyOf(env, state.tenant), recordedDay);
  // A period alone says that the discount is amortized.
  const isAmortizing = isAmortized ?? amortizationPeriod !== null;
  const isDeferred = recognition === 'deferred' && isAmortizing;
  const body: MerchantDiscountKept = { amountCents, day: terms.activation, months: isDeferred ? (amortizationPeriod ?? 0) : null };
  return [{ type: 'MerchantDiscountKept', body }];
}
