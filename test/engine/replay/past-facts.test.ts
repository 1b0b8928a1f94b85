import { test } from 'tap';
import { canApply, canApplyLine, type LedgerFact, type LineFact, startLedger, startLine } from '../../../engine/index.js';
import { isAboutThePast } from '../../../engine/replay/arrange.js';
import { isAboutThePast as isAboutThePastOfLine } from '../../../engine/line/arrange.js';
import { line } from '../line/lines.js';
import { day, loan, pay, SMALL_LOAN } from './loans.js';

/* Which facts say something about what has been before them: only a replay takes them in. Every other one is applied where it stands. */

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

test('facts about the past need a replay, and no other one does', async (t) => {
  for (const [type, expected] of Object.entries(OF_LOANS)) t.equal(isAboutThePast(typed<LedgerFact>(type)), expected, type);
  for (const [type, expected] of Object.entries(OF_LINES)) t.equal(isAboutThePastOfLine(typed<LineFact>(type)), expected, `line: ${type}`);
});

test('a refund that takes fees back says something of them, and another one does not', async (t) => {
  const refund = (areLateFeesCanceled: boolean, areOtherFeesCanceled: boolean): boolean =>
    isAboutThePast({ ...typed<LedgerFact>('refund'), areLateFeesCanceled, areOtherFeesCanceled } as LedgerFact);
  t.same([refund(false, false), refund(true, false), refund(false, true)], [false, true, true]);
});

test('the first second of the first day can be applied to what has just begun', async (t) => {
  const terms = loan(SMALL_LOAN);
  const first = { ...pay(1, '2024-01-20', '10.00', { seconds: 0 }), sequence: 0 };
  t.equal(canApply(startLedger(terms), first), true);
  const activation = day('2024-01-20');
  const begun = startLine(line({ activation: '2024-01-20' }));
  t.equal(canApplyLine(begun, { ...first, draw: null, holdUntil: null, effective: { day: activation, seconds: 0 } }), true);
});
