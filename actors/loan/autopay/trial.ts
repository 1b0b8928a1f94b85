import {
  advanceLine, advanceTo, applyFact, applyLineFact, cloneLine, cloneState, type Day, type EffectiveTime, type PaymentState,
} from '../../../engine/index.js';
import { isLine, type RunningLedger } from '../ledger/running.js';
import type { AutopayAmount } from './amounts.js';

/** A copy of a loan's ledger, of either product, to live through what is to come. */
export interface Trial {
  readonly ledger: RunningLedger;
  advance(day: Day): void;
  /** What the money has paid; undefined where it found nothing to pay. */
  pay(effective: EffectiveTime, money: AutopayAmount): PaymentState | undefined;
}

/** Facts of a trial come after all that the loan has. */
const FIRST_SEQUENCE = 1_000_000_000;

export function trialOf(ledger: RunningLedger): Trial {
  let sequence = FIRST_SEQUENCE;
  const paymentFact = (effective: EffectiveTime, { amountCents, extraCents, enablePrepayments }: AutopayAmount) => {
    sequence += 1;
    return {
      type: 'payment', transaction: sequence, kind: 'payment', amountCents, isPrepaymentEnabled: enablePrepayments, isProcessing: false,
      principalOnlyCents: extraCents, effective, sequence, recordedDay: effective.day,
    } as const;
  };
  if (isLine(ledger)) {
    const copy = cloneLine(ledger);
    return {
      ledger: copy,
      advance: (day) => advanceLine(copy, day),
      pay(effective, money) {
        applyLineFact(copy, { ...paymentFact(effective, money), draw: null, holdUntil: null });
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
