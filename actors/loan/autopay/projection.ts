import type { Cents, Day, PaymentState } from '../../../engine/index.js';
import { isLine, type RunningLedger } from '../ledger/running.js';
import { type Asking, autopayAmount } from './amounts.js';
import { type DeltaTerms, deltaOf } from './delta.js';
import { AUTOPAY_SECONDS } from './plan.js';
import { type Trial, trialOf } from './trial.js';
import { type Beside, isWaiting } from './waiting.js';

/** A coming payment as it will be if nothing else happens to the loan. */
export interface ExpectedPayment {
  readonly ordinal: number;
  readonly day: Day;
  readonly amountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

export interface Projection {
  readonly payments: readonly ExpectedPayment[];
  /** Null of a line of credit: it has no schedule to compare with. */
  readonly delta: DeltaTerms | null;
}

/** Where a plan stands: the loan's ledger, the same with what waits for a business day, and what others are to pay. */
export interface Standing {
  readonly present: RunningLedger;
  readonly begun: RunningLedger;
  readonly beside: readonly Beside[];
}

/**
 * Lets a copy of the ledger live through the plan: each payment by the very computation of its morning, so that what is shown
 * is what will be made.
 */
export function projectPlan({ present, begun, beside }: Standing, plan: Asking): Projection {
  const trial = trialOf(begun);
  const payments: ExpectedPayment[] = [];
  const rest = { interestCents: 0, feesCents: 0, lastDay: null as Day | null };
  const count = (paid: PaymentState | undefined): void => {
    rest.interestCents += paid?.interestCents ?? 0;
    rest.feesCents += paid?.feesCents ?? 0;
  };
  for (const paid of begun.payments) if (isWaiting(paid.transaction)) count(paid);
  let toCome = beside;
  for (const [at, { ordinal, day }] of plan.coming.entries()) {
    for (const planned of toCome) if (planned.scheduledDay <= day) count(payBeside(trial, planned, day));
    toCome = toCome.filter((planned) => planned.scheduledDay > day);
    if (trial.ledger.status !== 'active') break;
    trial.advance(day);
    const money = autopayAmount(trial.ledger, day, { ...plan, coming: plan.coming.slice(at) });
    if (money.amountCents === 0) continue;
    const paid = trial.pay({ day, seconds: AUTOPAY_SECONDS + at }, money);
    count(paid);
    rest.lastDay = day;
    payments.push({
      ordinal,
      day,
      amountCents: money.amountCents,
      principalCents: (paid?.principalCents ?? 0) as Cents,
      interestCents: (paid?.interestCents ?? 0) as Cents,
      feesCents: (paid?.feesCents ?? 0) as Cents,
    });
  }
  return { payments, delta: isLine(present) ? null : deltaOf(present, rest) };
}

const END_OF_DAY_SECONDS = 86_340;

/** On a day of the plan it comes first, as in the work of that morning. */
function payBeside(trial: Trial, { effectiveDay, money }: Beside, before: Day): PaymentState | undefined {
  if (trial.ledger.status !== 'active') return undefined;
  const day = effectiveDay > trial.ledger.day ? effectiveDay : trial.ledger.day;
  trial.advance(day);
  return trial.pay({ day, seconds: day === before ? AUTOPAY_SECONDS - 1 : END_OF_DAY_SECONDS }, money);
}
