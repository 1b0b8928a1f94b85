import { type Cents, type Day, generalLedger, sum } from '../../../engine/index.js';
import { amount, type Amount, orNull } from '../../wire.js';
import { recordOf, statusOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { isCounted } from '../purchases/machine.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import type { MerchantDiscount } from './terms.js';

/** `last`: the last due date; null of a line. Earlier releases stored any period. Nothing is deferred at the end of a loan. */
function termsOf(state: LoanState, discount: MerchantDiscount | null, last: Day | null): generalLedger.KeptDiscountTerms | null {
  const status = statusOf(state);
  if (discount === null || status === 'canceled') return null;
  const { mdrRate, mdrCents, amortizationPeriod, isAmortized } = discount;
  if (mdrRate === null && mdrCents === null) return null;
  const isDeferred = isAmortized === true && status !== 'paidOff' && status !== 'chargedOff';
  const terms = { rate: mdrRate, amountCents: mdrCents };
  if (!isDeferred) return { ...terms, months: null };
  if (amortizationPeriod !== null && amortizationPeriod > 0) return { ...terms, months: { count: amortizationPeriod } };
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
