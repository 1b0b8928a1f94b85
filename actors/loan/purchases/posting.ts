import { type Cents, must, type PurchaseKind, type Rate } from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypesOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, DecideEnv } from '../../kernel/actor.js';
import type { Agent, EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { effectiveNow, recordOf, todayOf } from '../context.js';
import { type Draw, drawOf } from '../draws/draw.js';
import type { LedgerChanged } from '../facts.js';
import type { FeeCanceledBody, FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import { lineOfCredit } from '../line/ledger.js';
import type { MetaData } from '../origination/terms.js';
import type { ActionRequest } from '../requests.js';
import type { DeclineReason, LoanState } from '../state.js';
import { isForeign } from './details.js';
import type { PurchasePosted, PurchaseUnposted } from './evolve.js';
import type { DisputeStatus, PurchaseStatus } from './machine.js';

export type { DisputeStatus, PurchaseStatus } from './machine.js';

/** A purchase on a draw. Replaced, never changed. */
export interface PurchaseRecord {
  /** Its number in the line's ledger facts. */
  readonly purchase: number;
  /** With the prefix `DP`. */
  readonly id: string;
  /** The number of its draw. */
  readonly draw: number;
  readonly externalId: string | null;
  /** The event by which an issuer of cards reported it. Absent: none, or a release that did not keep it. */
  readonly issuerEvent?: IssuerEvent;
  readonly kind: PurchaseKind;
  readonly status: PurchaseStatus;
  readonly amountCents: Cents;
  /** The amount at creation; shown after it is settled. */
  readonly originalCents: Cents;
  /** When it was made, as the caller states it. */
  readonly made: EffectiveTime;
  /** When the ledger counts it from: when it was made, or when it was settled if that was later. */
  readonly effective: EffectiveTime;
  readonly authorizationPurchaseId: string | null;
  readonly originalPurchaseId: string | null;
  readonly details: PurchaseDetails | null;
  readonly declineReason: DeclineReason | null;
  /** The id of the draw that a migrated purchase belonged to. */
  readonly originalDrawId: string | null;
  /** The number of the payment that a refund makes of the part above the draw's non-due principal. */
  readonly refundPayment: number | null;
  /** The id of that payment. */
  readonly refundTransactionId: string | null;
  readonly metaData: MetaData | null;
  readonly createdStamp: number;
  /** This and the following times are milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly authorizedAt: number | null;
  readonly settledAt: number | null;
  readonly createdBy: Agent;
  readonly caseId: string | null;
}

/** Issuers number their events each for themselves. */
export interface IssuerEvent {
  readonly issuerId: string;
  readonly eventId: string;
}

export interface PurchaseDetails {
  readonly description: string | null;
  readonly pointOfSaleType: 'online' | 'physical' | null;
  readonly categoryId: string | null;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly metaData: MetaData | null;
  readonly externalCardId: string | null;
  readonly originalCurrencyCents: Cents | null;
  readonly originalCurrencyCode: string;
  readonly conversionRate: Rate;
  readonly merchantCity: string | null;
  readonly merchantState: string | null;
  readonly merchantCountry: string | null;
  readonly merchantCategoryCode: string | null;
}

/** A dispute over a purchase or a part of it. */
export interface PurchaseDispute {
  /** With the prefix `PD`. */
  readonly id: string;
  /** The number of its purchase. */
  readonly purchase: number;
  readonly externalId: string | null;
  readonly caseId: string | null;
  readonly status: DisputeStatus;
  readonly disputedCents: Cents;
  readonly reason: string | null;
  /** The provisional refund. */
  readonly refundPurchaseId: string | null;
  /** The purchase that re-posts the amount after a lost dispute. */
  readonly repostedPurchaseId: string | null;
  readonly metaData: MetaData | null;
  readonly createdStamp: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly openedAt: number;
  readonly submittedAt: number | null;
  readonly expiredAt: number | null;
  readonly wonAt: number | null;
  readonly lostAt: number | null;
  readonly canceledAt: number | null;
}

/** Whether a kind of purchase raises the draw's balance, and holds credit before; the others lower it. */
export const raisesBalance = (kind: PurchaseKind): boolean => kind !== 'refund' && kind !== 'cashBack';

interface Named {
  readonly id: string;
  readonly externalId: string | null;
}

const isNamed = ({ id, externalId }: Named, anyId: string): boolean =>
  id === anyId || (externalId !== null && anyId === `ext-${externalId}`);

/** A purchase of the line, on any of its draws. */
export const findPurchase = (state: LoanState, anyId: string): PurchaseRecord | undefined => state.purchases.find(anyId);

/** A dispute over any purchase of the line. */
export const findDispute = (state: LoanState, anyId: string): PurchaseDispute | undefined =>
  state.disputes.find((known) => isNamed(known, anyId));

type Params = Readonly<Record<string, string>>;

/** The purchase of a path, on the draw of the path; 404 when there is none. */
export function purchaseOf(state: LoanState, { drawId, purchaseId = '' }: Params): PurchaseRecord {
  const { draw, id } = drawOf(state, drawId);
  const purchase = findPurchase(state, purchaseId);
  return purchase?.draw === draw ? purchase : refuse('notFound', `The draw ${id} has no purchase ${purchaseId}.`);
}

/** The dispute of a path, over the purchase of the path. */
export function disputeOf(state: LoanState, params: Params): PurchaseDispute {
  const { purchase, id } = purchaseOf(state, params);
  const { purchaseDisputeId = '' } = params;
  const dispute = state.disputes.find((known) => known.purchase === purchase && isNamed(known, purchaseDisputeId));
  return dispute ?? refuse('notFound', `The purchase ${id} has no dispute ${purchaseDisputeId}.`);
}

/** 409 when another object of the kind has the external id. */
export function checkExternalId(env: DecideEnv, kind: 'purchase' | 'purchaseDispute', externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, kind, externalId) === undefined) return;
  const what = kind === 'purchase' ? 'purchase' : 'dispute';
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another ${what}.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** The number that the next purchase of a line has in its ledger facts. */
export const nextPurchaseNumber = ({ purchases }: LoanState): number => purchases.size + 1;

export const drawNumbered = (state: LoanState, draw: number): Draw =>
  must(
    state.draws.find((known) => known.draw === draw),
    `${state.id} has no draw ${draw}`,
  );

/** The draw on which a dispute refunds and re-posts: the purchase's; for a migration's history the original draw. */
export function disputedDraw(state: LoanState, { draw, originalDrawId }: PurchaseRecord): Draw {
  if (originalDrawId === null) return drawNumbered(state, draw);
  return must(
    state.draws.find(({ id }) => id === originalDrawId),
    `${state.id} has no draw ${originalDrawId}`,
  );
}

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** The fields of a purchase that its ledger fact needs. */
export type Settling = Pick<PurchaseRecord, 'id' | 'purchase' | 'draw' | 'kind' | 'amountCents' | 'effective' | 'details'>;

/** The result of settling a purchase: ids for its record, and the facts that follow. */
export interface Settlement {
  readonly linked: Partial<Pick<PurchaseRecord, 'refundPayment' | 'refundTransactionId'>>;
  readonly drafts: readonly FactDraft[];
}

export const NO_SETTLEMENT: Settlement = { linked: {}, drafts: [] };

/**
 * The facts by which the ledger counts the purchase and its fees. `ahead` ledger facts come before it in the same batch: a refund is also a
 * payment, whose number is the sequence of its fact. A purchase that is posted again bears no fee.
 */
export function settlementOf(
  context: Context,
  request: Caused,
  purchase: Settling,
  ahead: number,
  fees: 'withFees' | 'withoutFees' = 'withFees',
): Settlement {
  const { state, env } = context;
  const isRaising = raisesBalance(purchase.kind);
  const transaction = isRaising ? null : (state.line?.facts.length ?? 0) + 1 + ahead;
  const body: PurchasePosted = {
    purchaseId: purchase.id,
    change: {
      type: 'purchase',
      purchase: purchase.purchase,
      draw: purchase.draw,
      kind: purchase.kind,
      amountCents: purchase.amountCents,
      transaction,
      ...(fees === 'withoutFees' ? { isPostedAgain: true as const } : {}),
    },
    ...recording(context, request),
  };
  const posted: FactDraft = { type: 'PurchasePosted', body, effective: purchase.effective };
  if (!isRaising) return { linked: { refundPayment: transaction, refundTransactionId: env.newId('TX') }, drafts: [posted] };
  return { linked: {}, drafts: [posted, ...(fees === 'withFees' ? purchaseFees(context, request, purchase) : [])] };
}

/** The facts by which the ledger is computed again without the purchase and its fees. */
export function unpostDrafts(context: Context, request: Caused, purchase: PurchaseRecord): readonly FactDraft[] {
  const body: PurchaseUnposted = {
    purchaseId: purchase.id,
    change: { type: 'purchaseVoided', purchase: purchase.purchase },
    ...recording(context, request),
  };
  const effective = effectiveNow(context.env, context.state);
  return [{ type: 'PurchaseUnposted', body, effective }, ...cancelFees(context, request, purchase.id)];
}

type Bought = Pick<PurchaseRecord, 'id' | 'draw' | 'amountCents' | 'effective' | 'details'>;

/**
 * The product's fees for a settled purchase: purchase fees, and fees for foreign transactions if it was bought in a currency other than the
 * line's. All are charged on its draw, at its time.
 */
function purchaseFees(context: Context, request: Caused, purchase: Bought): readonly FactDraft[] {
  const { state, env } = context;
  const { loanTypeId, currency } = recordOf(state);
  const isAbroad = isForeign(purchase.details, currency);
  const feeTypes = feeTypesOf(companyOf(env, state.tenant), loanTypeId).filter((feeType) => isCharged(feeType, isAbroad));
  const ledger = lineOfCredit.toReadOn(state, env, todayOf(env, state));
  const { atOrigination: ofDraw } = drawNumbered(state, purchase.draw);
  const drafts: FactDraft[] = [];
  for (const feeType of feeTypes) {
    const amountCents = feeCents(state, ledger, {
      feeType,
      baseCents: purchase.amountCents,
      day: purchase.effective.day,
      ofDraw,
    });
    if (amountCents === 0) continue;
    const change = automaticFeeChange(state, feeType, nextFeeNumber(state) + drafts.length, amountCents, purchase.draw);
    const details = {
      id: env.newId('LF'),
      externalId: null,
      category: feeType.feeType,
      customDisplayName: null,
      purchaseId: purchase.id,
      draw: purchase.draw,
    };
    const body: FeeChargedBody = { change, details, ...recording(context, request) };
    drafts.push({ type: 'FeeCharged', body, effective: purchase.effective });
  }
  return drafts;
}

const isCharged = ({ status, feeType, trigger }: FeeType, isAbroad: boolean): boolean =>
  status === 'active' &&
  ((feeType === 'purchaseFee' && trigger === 'purchaseSettled') ||
    (isAbroad && feeType === 'foreignTransactionFee' && trigger === 'foreignPurchase'));

/** Cancels the fees of a purchase that is voided. */
function cancelFees(context: Context, request: Caused, purchaseId: string): readonly FactDraft[] {
  const { state, env } = context;
  const brought = (state.line?.fees ?? []).filter((fee) => fee.purchaseId === purchaseId && fee.canceledAt === null);
  return brought.map(({ id, fee }): FactDraft => {
    const body: FeeCanceledBody = {
      change: { type: 'feeCanceled', fee: { type: 'charged', fee } },
      feeId: id,
      ...recording(context, request),
    };
    return { type: 'FeeCanceled', body, effective: effectiveNow(env, state) };
  });
}

export type Caused = Pick<ActionRequest, 'caseId'>;

/** Fields that every ledger fact has apart from its change. */
const recording = (
  { state, env }: CommandContext<LoanState>,
  request: Caused,
): Pick<LedgerChanged, 'recordedDay' | 'caseId' | 'reason'> => ({
  recordedDay: todayOf(env, state),
  caseId: request.caseId ?? null,
  reason: null,
});
