import { type Equivalent, equivalent, ONLY_SLOWER, PAST_THE_END, SAME_OF_EQUALS } from './equivalent-entry.js';

/* Mistakes in the lists of what facts there are, and in going through lists, that change nothing: see `equivalent.ts`. */

const NO_CASE = 'Facts without a case are passed by, as those of this case are.';
const NO_CASE_IS_FALSE = 'A fact without a case has no answer, which is as good as false.';

/** Kinds of facts that are looked at for what they say of others, each with what is written for it. */
const SAYING_OF_OTHERS = {
  paymentVoided: 'ratesChanged',
  paymentMoved: 'paymentSettled',
  chargebackReversed: 'dueDateDeferred',
  reverseAccelerate: 'reverseChargeOff',
  reverseChargeOff: 'scheduleChanged',
  feeCanceled: 'feeChanged',
  advanceCanceled: 'cancel',
  refundCanceled: 'reimbursed',
  feeChanged: 'feeCharged',
  scraDaysSet: 'thresholdsHeld',
  originationFeeChanged: 'payment',
};

/** Kinds of facts that say nothing of others. */
const BY_THEMSELVES = {
  payment: 'paymentChargedBack',
  accelerate: 'advance',
  advance: 'advanceCanceled',
  cancel: 'chargeOff',
  chargeOff: 'chargebackReversed',
  dueDateDeferred: 'feeCanceled',
  feeCharged: 'freeze',
  freeze: 'originationFeeChanged',
  paymentChargedBack: 'paymentMoved',
  paymentSettled: 'paymentVoided',
  ratesChanged: 'reamortized',
  reamortized: 'refund',
  reimbursed: 'reverseAccelerate',
  scheduleChanged: 'scraDaysSet',
  thresholdsHeld: 'thresholdsReleased',
  thresholdsReleased: 'unfreeze',
  unfreeze: 'accelerate',
};

export const OF_FACTS: readonly Equivalent[] = [
  ...Object.entries(SAYING_OF_OTHERS).map(([before, after]) =>
    equivalent('engine/ledger/installment/arrange.ts', 'text', `"${before}"`, `"${after}"`, `\n      case "${before}":`, NO_CASE),
  ),
  ...Object.entries(BY_THEMSELVES).map(([before, after]) =>
    equivalent('engine/ledger/installment/arrange.ts', 'text', `"${before}"`, `"${after}"`, `\n    case "${before}":`, NO_CASE_IS_FALSE),
  ),
];

const OPEN = 'let at = state.firstOpenObligation; at <';

/** Lists of obligations that are gone through, by what is in the line. */
const THROUGH: readonly (readonly [file: string, within: string])[] = [
  ['core/obligations', OPEN],
  ['core/overdue', 'let at = state.firstOpenObligation; at < obligations.length'],
  ['core/late-fees', OPEN],
  ['installment/fulfil', OPEN],
  ['installment/late-fees', OPEN],
  ['installment/count-in-order', 'let at = firstOpenObligation; at < obligations.length'],
  ['line/fees', OPEN],
];

export const IN_LISTS: readonly Equivalent[] = [
  ...THROUGH.map(([file, within]) => equivalent(`engine/ledger/${file}.ts`, 'boundary', '<', '<=', within, PAST_THE_END)),
  equivalent('engine/ledger/core/obligations.ts', 'boundary', '<', '<=', 'const partCents = leftCents <', SAME_OF_EQUALS),
  equivalent(
    'engine/ledger/core/overdue.ts',
    'boundary',
    '<',
    '<=',
    'const oldest = state.firstOpenObligation < state.obligations.length',
    ONLY_SLOWER,
  ),
  equivalent(
    'engine/ledger/installment/read-obligations.ts',
    'boundary',
    '>',
    '>=',
    'state.originationAskedCents + state.nonDueOriginationFeeCents > 0',
    ONLY_SLOWER,
  ),
  equivalent('engine/ledger/installment/read-obligations.ts', 'boundary', '>', '>=', 'state.openFeesCents > 0 || isLastRow(', ONLY_SLOWER),
];
