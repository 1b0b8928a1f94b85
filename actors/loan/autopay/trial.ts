import {
  advanceLine,
  advanceTo,
  applyFact,
  applyLineFact,
  type Cents,
  cloneLine,
  cloneState,
  type Day,
  type EffectiveTime,
  type PaymentState,
} from '../../../engine/index.js';
import { isLine, type RunningLedger } from '../ledger/running.js';

/** A copy of a loan's ledger, of either product, to live through what is to come. */
export interface Trial {
  readonly ledger: RunningLedger;
  advance(day: Day): void;
  /** What the money has paid; undefined where it found nothing to pay. */
  pay(effective: EffectiveTime, money: Money): PaymentState | undefined;
}

/** Facts of a trial come after all that the loan has. */
const FIRST_SEQUENCE = 1_000_000_000;

/** What somebody pays; by default a payment that names no draw. */
export interface Money {
  readonly amountCents: number;
  readonly extraCents: number;
  readonly enablePrepayments: boolean | null;
  readonly kind?: 'payment' | 'credit';
  readonly draw?: number | null;
}

/** A payment as the ledger will have it once it has been made. */
export const paymentOf = (
  sequence: number,
  effective: EffectiveTime,
  { amountCents, extraCents, enablePrepayments, kind = 'payment' }: Money,
) =>
  ({
    type: 'payment',
    transaction: sequence,
    kind,
    amountCents: amountCents as Cents,
    isPrepaymentEnabled: enablePrepayments,
    isProcessing: false,
    principalOnlyCents: extraCents as Cents,
    effective,
    sequence,
    recordedDay: effective.day,
  }) as const;

export function trialOf(ledger: RunningLedger): Trial {
  let sequence = FIRST_SEQUENCE;
  const paymentFact = (effective: EffectiveTime, money: Money) => {
    sequence += 1;
    return paymentOf(sequence, effective, money);
  };
  if (isLine(ledger)) {
    const copy = cloneLine(ledger);
    return {
      ledger: copy,
      advance: (day) => advanceLine(copy, day),
      pay(effective, money) {
        applyLineFact(copy, { ...paymentFact(effective, money), draw: money.draw ?? null, holdUntil: null });
        return copy.payments.at(-1);
      },
    };
  }
  const copy = cloneState(ledger);
  return {
    ledger: copy,
    advance: (day) => advanceTo(copy, day),
    pay(effective, money) {
      applyFact(copy, paymentFact(effective, money));
      return copy.payments.at(-1);
    },
  };
}
