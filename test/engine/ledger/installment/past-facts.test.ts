import { test } from 'tap';
import {
  canApply,
  canApplyLine,
  computeLedger,
  constantRate,
  type LedgerFact,
  type LineFact,
  startLedger,
  startLine,
  stateDigest,
} from '../../../../engine/index.js';
import { isAboutThePast } from '../../../../engine/ledger/installment/arrange.js';
import { isAboutThePast as isAboutThePastOfLine } from '../../../../engine/ledger/line/arrange.js';
import { line } from '../line/lines.js';
import { at, day, loan, money, pay, percent, SMALL_LOAN } from './loans.js';

/* Facts about earlier facts need a replay. All other facts are applied directly. */

const OF_LOANS: Readonly<Record<Exclude<LedgerFact['type'], 'refund'>, boolean>> = {
  paymentVoided: true,
  paymentMoved: true,
  chargebackReversed: true,
  reverseAccelerate: true,
  reverseChargeOff: true,
  feeCanceled: true,
  advanceCanceled: true,
  refundCanceled: true,
  feeChanged: true,
  scraDaysSet: true,
  originationFeeChanged: true,
  accelerate: false,
  advance: false,
  cancel: false,
  chargeOff: false,
  dueDateDeferred: false,
  feeCharged: false,
  freeze: false,
  payment: false,
  paymentChargedBack: false,
  paymentSettled: false,
  ratesChanged: false,
  reamortized: false,
  reimbursed: false,
  scheduleChanged: false,
  thresholdsHeld: false,
  thresholdsReleased: false,
  unfreeze: false,
};

const OF_LINES: Readonly<Record<LineFact['type'], boolean>> = {
  paymentVoided: true,
  paymentMoved: true,
  reverseAccelerate: true,
  reverseChargeOff: true,
  feeCanceled: true,
  feeChanged: true,
  scraDaysSet: true,
  purchaseVoided: true,
  drawFeeChanged: true,
  originationFeeChanged: true,
  accelerate: false,
  balancesDeferred: false,
  cancel: false,
  chargeOff: false,
  drawActivated: false,
  drawAmortized: false,
  drawCanceled: false,
  drawClosed: false,
  drawRatesChanged: false,
  feeCharged: false,
  freeze: false,
  limitChanged: false,
  lineClosed: false,
  lineScheduleChanged: false,
  lineSeeded: false,
  pastFeeCanceled: false,
  payment: false,
  paymentSettled: false,
  principalRaised: false,
  purchase: false,
  reimbursed: false,
  thresholdsHeld: false,
  thresholdsReleased: false,
  unfreeze: false,
};

const typed = <Fact extends { readonly type: string }>(type: string): Fact => ({ type }) as unknown as Fact;

test('only facts about the past need a replay', async (t) => {
  for (const [type, expected] of Object.entries(OF_LOANS)) t.equal(isAboutThePast(typed<LedgerFact>(type)), expected, type);
  for (const [type, expected] of Object.entries(OF_LINES)) t.equal(isAboutThePastOfLine(typed<LineFact>(type)), expected, `line: ${type}`);
});

test('a refund that cancels fees needs a replay, and another refund does not', async (t) => {
  const refund = (areLateFeesCanceled: boolean, areOtherFeesCanceled: boolean): boolean =>
    isAboutThePast({ ...typed<LedgerFact>('refund'), areLateFeesCanceled, areOtherFeesCanceled } as LedgerFact);
  t.same([refund(false, false), refund(true, false), refund(false, true)], [false, true, true]);
});

test('a fact of the first second of the first day can be applied to a new ledger', async (t) => {
  const terms = loan(SMALL_LOAN);
  const first = { ...pay(1, '2024-01-20', '10.00', { seconds: 0 }), sequence: 0 };
  t.equal(canApply(startLedger(terms), first), true);
  const activation = day('2024-01-20');
  const begun = startLine(line({ activation: '2024-01-20' }));
  t.equal(canApplyLine(begun, { ...first, draw: null, holdUntil: null, effective: { day: activation, seconds: 0 } }), true);
});

const factPosition = (sequence: number, date: string) => ({ effective: at(date, 60_000), recordedDay: day(date), sequence });
const BEGUN: readonly LedgerFact[] = [pay(1, '2024-02-20', '60.00', { isProcessing: true })];
const digestOf = (...facts: readonly LedgerFact[]): string =>
  stateDigest(computeLedger(loan(SMALL_LOAN), [...BEGUN, ...facts], day('2024-04-20')));

/** Facts that take effect on 20 April, by name. */
const OTHERS: readonly LedgerFact[] = [
  pay(2, '2024-03-01', '10.00'),
  { ...factPosition(3, '2024-03-01'), type: 'paymentSettled', transaction: 1 },
  { ...factPosition(3, '2024-03-01'), type: 'reimbursed', transaction: 3, amountCents: money('5.00') },
  {
    ...factPosition(3, '2024-03-01'),
    type: 'feeCharged',
    fee: 3,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money('7.00'),
    chargeLogic: 'immediate',
  },
  { ...factPosition(3, '2024-03-01'), type: 'accelerate' },
  { ...factPosition(3, '2024-03-01'), type: 'chargeOff', reason: 'term' },
  { ...factPosition(3, '2024-03-01'), type: 'advance', advance: 3, amountCents: money('90.00'), reamortization: 'sameEndDate' },
  { ...factPosition(3, '2024-03-01'), type: 'cancel' },
  { ...factPosition(3, '2024-03-01'), type: 'dueDateDeferred', dueDay: day('2024-03-15'), newDay: day('2025-02-15') },
  { ...factPosition(3, '2024-03-01'), type: 'freeze' },
  {
    ...factPosition(3, '2024-03-01'),
    type: 'ratesChanged',
    rates: constantRate(percent('0.10')),
    reamortization: 'sameEndDate',
  },
  {
    ...factPosition(3, '2024-03-01'),
    type: 'scheduleChanged',
    dueDates: [day('2024-03-20'), day('2024-04-10')],
    payment: { type: 'level' },
  },
  { ...factPosition(3, '2024-03-01'), type: 'thresholdsHeld', holder: 'case' },
];

test('a fact about one payment leaves every other fact of a loan where it was', async (t) => {
  const voided: LedgerFact = { ...factPosition(900, '2024-04-19'), type: 'paymentVoided', transaction: 899 };
  const none = digestOf();
  for (const fact of OTHERS) {
    const digest = digestOf(fact);
    t.not(digest, none, `${fact.type} counts`);
    t.equal(digestOf(fact, voided), digest, fact.type);
  }
  const unfrozen: LedgerFact = {
    ...factPosition(4, '2024-03-10'),
    type: 'unfreeze',
    retroactivelyAccrueInterest: true,
    shiftDueDates: true,
  };
  const frozen = OTHERS.filter(({ type }) => type === 'freeze');
  t.equal(digestOf(...frozen, unfrozen, voided), digestOf(...frozen, unfrozen));
  t.not(digestOf(...frozen, unfrozen), digestOf(...frozen));
  const held = OTHERS.filter(({ type }) => type === 'thresholdsHeld');
  const released: LedgerFact = { ...factPosition(4, '2024-03-10'), type: 'thresholdsReleased', holder: 'case' };
  t.equal(digestOf(...held, released, voided), none);
});

test('of several facts about one payment or fee the last recorded applies, in whatever order they are read', async (t) => {
  const moved = (sequence: number, date: string): LedgerFact => ({
    ...factPosition(sequence, '2024-04-01'),
    type: 'paymentMoved',
    transaction: 2,
    newEffective: at(date),
  });
  const paid = pay(2, '2024-03-20', '30.00');
  const orders = [moved(5, '2024-03-05'), moved(6, '2024-03-10')];
  const expected = digestOf(pay(2, '2024-03-10', '30.00'));
  t.equal(digestOf(paid, ...orders), expected);
  t.equal(digestOf(paid, ...orders.reverse()), expected);
  const changed = (sequence: number, amount: string): LedgerFact => ({
    ...factPosition(sequence, '2024-04-01'),
    type: 'feeChanged',
    fee: { type: 'charged', fee: 3 },
    amountCents: money(amount),
  });
  const fee = OTHERS.find(({ type }) => type === 'feeCharged');
  if (fee?.type !== 'feeCharged') throw new Error('a fee is among them');
  t.equal(digestOf(fee, changed(6, '9.00'), changed(5, '8.00')), digestOf({ ...fee, amountCents: money('9.00') }));
});
