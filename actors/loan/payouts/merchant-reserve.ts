import { addDays, type Cents, cents, type Day, shareOfCents, subtract, sum } from '../../../engine/index.js';
import { companyOf, merchantOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import { amount, type Amount, type DateText, dateText, orNull } from '../../wire.js';
import type { Applying } from '../applying.js';
import { recordOf } from '../context.js';
import { loanEvent } from '../events.js';
import type { LoanActivated } from '../facts.js';
import type { LoanState } from '../state.js';

/*
 * The reserve of a merchant: a part of what is paid out for a loan is held back, and released after some days or by order. What the
 * merchant owes by then, since a borrower was refunded at its fault, is kept from it.
 *
 *   paid out = principal - discount - held + released - netted
 */

export interface MerchantReserveFacts {
  readonly MerchantReserveHeld: MerchantReserveHeld;
  readonly MerchantReserveReleased: MerchantReserveReleased;
}

interface MerchantReserveHeld {
  readonly merchantId: string;
  readonly amountCents: Cents;
  /** The day of the activation. */
  readonly day: Day;
  /** The business day on which it was recorded. */
  readonly recordedDay: Day;
  /** Null: by order alone. */
  readonly releaseOn: Day | null;
  readonly netsRefunds: boolean;
}

export interface MerchantReserveReleased {
  /** What leaves the reserve. */
  readonly amountCents: Cents;
  /** Of it: what the merchant has owed. The rest is paid out. */
  readonly nettedCents: Cents;
  readonly recordedDay: Day;
  readonly reason: 'days' | 'order';
  readonly caseId: string | null;
}

interface Recorded {
  readonly recordedAt: number;
  readonly by: Agent;
}

export interface MerchantReserve {
  readonly held: MerchantReserveHeld & Recorded;
  /** In the order of recording. */
  readonly releases: readonly (MerchantReserveReleased & Recorded)[];
}

/** Applies the facts of reserves of merchants. */
export const APPLY_MERCHANT_RESERVES: {
  readonly [Type in keyof MerchantReserveFacts]: (applying: Applying, body: MerchantReserveFacts[Type]) => void;
} = {
  MerchantReserveHeld({ state, fact, emit }, body) {
    const held = { ...body, recordedAt: fact.businessAt, by: fact.by };
    state.parties = { ...state.parties, merchantReserve: { held, releases: [] } };
    emit?.(loanEvent(state, 'loan.merchantreserve.held', { merchantId: body.merchantId, amount: amount(body.amountCents) }));
  },
  MerchantReserveReleased({ state, fact, emit }, body) {
    const { merchantReserve } = state.parties;
    if (merchantReserve === undefined) return;
    const released = { ...body, recordedAt: fact.businessAt, by: fact.by };
    state.parties = { ...state.parties, merchantReserve: { ...merchantReserve, releases: [...merchantReserve.releases, released] } };
    const data = { amount: amount(body.amountCents), nettedAmount: amount(body.nettedCents), reason: body.reason };
    emit?.(loanEvent(state, 'loan.merchantreserve.released', { merchantId: merchantReserve.held.merchantId, ...data }));
  },
};

export const remainingOf = ({ held, releases }: MerchantReserve): Cents =>
  subtract(held.amountCents, sum(releases.map(({ amountCents }) => amountCents)));

/** What is held back of the payout at activation: the rate of the merchant's terms of that day, half up, at most what is paid out. */
export function merchantReserveDrafts(
  state: LoanState,
  env: DecideEnv,
  { contract: { terms }, recordedDay }: LoanActivated,
  discountCents: Cents,
): readonly FactDraft[] {
  const { merchantId } = recordOf(state).atOrigination;
  // A loan of another system was paid out there.
  if (merchantId === null || state.migration !== null) return [];
  const merchant = merchantOf(companyOf(env, state.tenant), merchantId);
  const reserve = merchant?.stored.reserve ?? null;
  if (merchant === undefined || reserve === null) return [];
  const asked = shareOfCents(terms.principalCents, reserve.rate, 'halfUp');
  const amountCents = cents(Math.min(asked, terms.principalCents - discountCents));
  if (amountCents <= 0) return [];
  const body: MerchantReserveHeld = {
    merchantId: merchant.id,
    amountCents,
    day: terms.activation,
    recordedDay,
    releaseOn: reserve.days === null ? null : addDays(terms.activation, reserve.days),
    netsRefunds: reserve.netsRefunds,
  };
  return [{ type: 'MerchantReserveHeld', body }];
}

/** What the reserve of a merchant has of a loan. */
export interface MerchantReserveNow {
  readonly merchantId: string;
  /** The sum of the next three. */
  readonly heldAmount: Amount;
  /** Paid out since. */
  readonly releasedAmount: Amount;
  /** Kept, since the merchant has owed it. */
  readonly nettedAmount: Amount;
  readonly remainingAmount: Amount;
  /** Null: it is released by order alone. */
  readonly releaseDate: DateText | null;
}

/** Null where nothing was held back. */
export const merchantReserveOf = ({ parties: { merchantReserve } }: Pick<LoanState, 'parties'>): MerchantReserveNow | null =>
  merchantReserve === undefined ? null : merchantReserveView(merchantReserve);

function merchantReserveView(reserve: MerchantReserve): MerchantReserveNow {
  const { held, releases } = reserve;
  const nettedCents = sum(releases.map((release) => release.nettedCents));
  const goneCents = sum(releases.map(({ amountCents }) => amountCents));
  return {
    merchantId: held.merchantId,
    heldAmount: amount(held.amountCents),
    releasedAmount: amount(subtract(goneCents, nettedCents)),
    nettedAmount: amount(nettedCents),
    remainingAmount: amount(remainingOf(reserve)),
    releaseDate: orNull(dateText, held.releaseOn),
  };
}
