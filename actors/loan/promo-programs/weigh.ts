import {
  type Accrued, balancesOf, cents, type Cents, computeLedger, type Day, type LedgerFact, roundAccrued, subtractAccrued,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import type { EffectiveTime } from '../../runtime/fact.js';
import { servicingOf } from '../context.js';
import type { RatesSet } from '../rates/facts.js';
import { factsOf, termsOf } from '../ledger/installment.js';
import type { LoanState } from '../state.js';
import { NO_REASON } from '../tell.js';
import { goesBack } from '../transactions/record.js';
import type { PromoProgram } from './program.js';
import { ratesFact, waivingRate } from './rates.js';

/** What a program that is to be earned comes to on a day. */
export interface Weighed {
  /** Still to be paid, were the interest waived; zero: it is earned. */
  readonly remainingCents: Cents;
  /** What would be waived. */
  readonly deferredCents: Cents;
}

/**
 * Computes the ledger as if the program were exercised, through a day: the very facts that exercising records, without
 * recording them. What would still be owed then, principal and fees, is what is to be paid.
 */
export function weigh(state: LoanState, env: EvolveEnv, program: PromoProgram, now: EffectiveTime, through: Day): Weighed {
  const servicing = servicingOf(state);
  const terms = termsOf(state, env);
  const facts = factsOf(servicing);
  const draft = ratesFact(state, env, waivingRate(state, env, program), now, NO_REASON);
  const { change, recordedDay } = draft.body as RatesSet;
  const actual = balancesOf(computeLedger(terms, facts, through));
  if (change === null) return { remainingCents: actual.outstanding.totalCents, deferredCents: cents(0) };
  const waiver = { ...change, effective: draft.effective ?? now, sequence: facts.length + 1, recordedDay } as LedgerFact;
  const waived = balancesOf(computeLedger(terms, [...facts, waiver], through));
  const deferred: Accrued = subtractAccrued(actual.interestAndFees.interestAccrued, waived.interestAndFees.interestAccrued);
  return { remainingCents: waived.outstanding.totalCents, deferredCents: roundAccrued(deferred, 'halfUp') };
}

/** All money that counts on the loan, payments and credits. */
export function moneyCents({ transactions }: Pick<LoanState, 'transactions'>): number {
  let total = 0;
  for (const record of transactions.values()) {
    if (record.payment !== null && !goesBack(record)) total += record.actualCents ?? record.scheduledCents;
  }
  return total;
}
