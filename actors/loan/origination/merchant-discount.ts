import { type Cents, type Day, generalLedger, RATE_ONE, sum } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import { amount, type Amount, centsOf, orNull, rateOf } from '../../wire.js';
import { recordOf, statusOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { isCounted } from '../purchases/machine.js';
import type { MerchantDiscountRequest, OriginationRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import type { MerchantDiscount } from './terms.js';

type Sent = OriginationRequest['mdr'];

/** Older clients send a list of one. */
const only = (sent: Sent): MerchantDiscountRequest | null =>
  (Array.isArray(sent) ? (sent as readonly MerchantDiscountRequest[])[0] : (sent as MerchantDiscountRequest | null | undefined)) ?? null;

export function readMerchantDiscount(sent: Sent): MerchantDiscount | null {
  const mdr = only(sent);
  if (mdr === null) return null;
  return {
    mdrRate: orNull(rateOf, mdr.mdrRate),
    mdrCents: orNull(centsOf, mdr.mdrAmount),
    amortizationPeriod: mdr.amortizationPeriod ?? null,
    // A period alone says that the discount is amortized.
    isAmortized: mdr.isAmortized ?? (mdr.amortizationPeriod == null ? null : true),
  };
}

/** Months of the longest loan. */
const MOST_MONTHS = 600;

/**
 * Terms of a discount that would have no effect, or none that can be computed. Only installment loans have a last due date from the first
 * day on.
 */
export function merchantDiscountFaults(sent: Sent, path: string, type: 'installment' | 'lineOfCredit'): readonly Fault[] {
  const mdr = only(sent);
  if (mdr === null) return [];
  const { mdrRate, mdrAmount, amortizationPeriod, isAmortized } = mdr;
  const faults: Fault[] = [];
  const add = (field: string, expected: string, message: string): number => faults.push({ path: `${path}.${field}`, expected, message });
  if (mdrRate != null && rateOf(mdrRate) > RATE_ONE) add('mdrRate', 'at most 1', 'is more than what is financed');
  if (mdrRate == null && mdrAmount == null && (amortizationPeriod != null || isAmortized === true))
    add('mdrRate', 'a rate, or an mdrAmount', 'is missing: there is nothing to amortize');
  if (isAmortized === true && amortizationPeriod == null && type === 'lineOfCredit')
    add('amortizationPeriod', 'a number of months', 'is missing: a line has no last due date');
  if (isAmortized !== false && amortizationPeriod != null && (amortizationPeriod < 1 || amortizationPeriod > MOST_MONTHS))
    add('amortizationPeriod', `1 to ${MOST_MONTHS} months`, 'is no period');
  return faults;
}

/** `last`: the last due date; null of a line. Earlier releases stored any period. Nothing is deferred at the end of a loan. */
function termsOf(state: LoanState, discount: MerchantDiscount | null, last: Day | null): generalLedger.KeptDiscountTerms | null {
  const status = statusOf(state);
  if (discount === null || status === 'canceled') return null;
  const { mdrRate, mdrCents, amortizationPeriod, isAmortized } = discount;
  if (mdrRate === null && mdrCents === null) return null;
  const isDeferred = isAmortized === true && status !== 'paidOff' && status !== 'chargedOff';
  const terms = { rate: mdrRate, amountCents: mdrCents };
  if (!isDeferred) return { ...terms, months: null };
  if (amortizationPeriod !== null && amortizationPeriod > 0)
    return { ...terms, months: { count: amortizationPeriod } };
  return { ...terms, months: last === null ? null : { last } };
}

/** What the merchant gets of the money that was paid out for its goods, and what of the discount is earned today. */
export interface MerchantDiscountNow {
  /** Paid out for goods: the sum of the next two. */
  readonly financedAmount: Amount;
  readonly discountAmount: Amount;
  readonly merchantAmount: Amount;
  readonly earnedAmount: Amount;
  readonly deferredAmount: Amount;
}

type Figures = generalLedger.KeptDiscount;

/** Null without a discount, before activation, and of a canceled loan or draw. */
const shown = (figures: Figures | null): MerchantDiscountNow | null =>
  orNull(
    ({ financedCents, discountCents, merchantCents, earnedCents, deferredCents }: Figures) => ({
      financedAmount: amount(financedCents),
      discountAmount: amount(discountCents),
      merchantAmount: amount(merchantCents),
      earnedAmount: amount(earnedCents),
      deferredAmount: amount(deferredCents),
    }),
    figures,
  );

/** Of an installment loan: on the principal at activation. A loan of another system was paid out there. */
export function merchantDiscountOfLoan(state: LoanState, env: ViewEnv): MerchantDiscountNow | null {
  const { atOrigination, zone } = recordOf(state);
  if (state.servicing === null || state.migration !== null) return null;
  const { activation, principalCents, rows } = state.servicing.contract.terms;
  const terms = termsOf(state, atOrigination.merchantDiscount, rows.at(-1)?.date ?? null);
  if (terms === null) return null;
  return shown(generalLedger.keptDiscountOf(terms, [{ day: activation, amountCents: principalCents }], env.today(zone)));
}

/** Of a draw: on its purchases at merchants. A draw without a discount has that of its line. */
export const merchantDiscountOfDraw = (state: LoanState, env: ViewEnv, draw: Draw): MerchantDiscountNow | null =>
  shown(figuresOfDraw(state, env, draw));

function figuresOfDraw(state: LoanState, env: ViewEnv, { draw, status, timestamps, atOrigination }: Draw): Figures | null {
  const line = recordOf(state);
  const terms = termsOf(state, atOrigination.merchantDiscount ?? line.atOrigination.merchantDiscount, null);
  if (terms === null || timestamps.activatedAt === null || status === 'canceled') return null;
  // A dispute that was lost posts its purchase once more.
  const reposted = new Set(state.disputes.map(({ repostedPurchaseId }) => repostedPurchaseId));
  const payouts = state.purchases
    .all(draw)
    .filter(
      ({ id, kind, status: of, originalDrawId }) => kind === 'regular' && isCounted(of) && originalDrawId === null && !reposted.has(id),
    )
    .map(({ effective, amountCents }) => ({ day: effective.day, amountCents }));
  return generalLedger.keptDiscountOf(terms, payouts, env.today(line.zone));
}

/** Of a line: the sums of its draws. */
export function merchantDiscountOfLine(state: LoanState, env: ViewEnv): MerchantDiscountNow | null {
  const ofDraws = state.draws.flatMap((draw) => figuresOfDraw(state, env, draw) ?? []);
  if (ofDraws.length === 0) return null;
  const total = (name: keyof Figures): Cents => sum(ofDraws.map((figures) => figures[name]));
  return shown({
    financedCents: total('financedCents'),
    discountCents: total('discountCents'),
    merchantCents: total('merchantCents'),
    earnedCents: total('earnedCents'),
    deferredCents: total('deferredCents'),
  });
}
