import { formatDay, instantAt, must, type PurchaseKind, ZERO } from '../../../engine/index.js';
import type { CommandContext, EvolveEnv, QueryContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { matching, pageOf, sorted, type SortKeys } from '../../list-order.js';
import {
  amount,
  type Amount,
  dateText,
  type DateText,
  dateTimeText,
  type DateTimeText,
  type ListResult,
  type MetaData,
  millisecondsOf,
  orNull,
  timeOfDay,
  type TimeOfDay,
} from '../../wire.js';
import { isMerchant, recordOf, todayOf } from '../context.js';
import { loanAsks } from '../questions.js';
import type { LoanState } from '../state.js';
import type { DeclineReasonView } from '../views/types.js';
import { purchaseDetailsView, type PurchaseDetailsView } from './details.js';
import { drawIdOf } from './evolve.js';
import { eligibleDisputeCents } from './machine.js';
import type { DisputeStatus, PurchaseDispute, PurchaseRecord, PurchaseStatus } from './posting.js';
import { type RefundSplit, refundSplitOf } from './refund-split.js';
import type {
  CreateDisputeRequest,
  ListPurchasesQuery,
  PurchaseFilters,
  PurchaseTimelineQuery,
  PurchaseTimestamp,
  PurchaseTypeRequest,
} from './requests.js';

/** A purchase in replies. */
export interface PurchaseReply {
  readonly object: 'purchase';
  readonly id: string;
  readonly externalId: string | null;
  readonly displayId: string;
  readonly drawId: string;
  readonly lineOfCreditId: string;
  readonly type: 'regular' | 'refund' | 'cashBack' | 'cashAdvance' | 'balanceTransfer';
  readonly status: PurchaseStatus;
  readonly amount: Amount;
  /** The amount at creation; null for a purchase that was never settled. */
  readonly originalAmount: Amount | null;
  readonly purchaseDate: DateText;
  readonly purchaseTimeOfDay: TimeOfDay;
  readonly authorizationPurchaseId: string | null;
  readonly originalPurchaseId: string | null;
  readonly purchaseDetails: PurchaseDetailsView | null;
  readonly declineReason: DeclineReasonView | null;
  readonly eligibleDisputeAmount: Amount;
  readonly migration: { readonly originalDrawId: string } | null;
  readonly metadata: MetaData | null;
  readonly caseId: string | null;
  /** For a purchase that lowers the balance. */
  readonly refundDetails: RefundDetailsView | null;
  readonly timestamps: {
    readonly createdAt: DateTimeText;
    readonly updatedAt: DateTimeText;
    readonly authorizedAt: DateTimeText | null;
    readonly settledAt: DateTimeText | null;
    readonly effectiveAt: DateTimeText;
  };
}

/** How a refund was split on the draw: non-due principal first, the rest as a payment that the service makes. */
export interface RefundDetailsView {
  /** Null if nothing was left for a payment. */
  readonly refundTransactionId: string | null;
  readonly refundNonDuePrincipalAmount: Amount;
  readonly refundTransactionAmount: Amount;
}

export const purchaseView = (state: LoanState, env: EvolveEnv, purchase: PurchaseRecord): PurchaseReply => ({
  object: 'purchase',
  id: purchase.id,
  externalId: purchase.externalId,
  displayId: purchase.externalId ?? purchase.id,
  drawId: drawIdOf(state, purchase),
  lineOfCreditId: state.id,
  type: purchase.kind,
  status: purchase.status,
  amount: amount(purchase.amountCents),
  originalAmount: purchase.settledAt === null ? null : amount(purchase.originalCents),
  purchaseDate: dateText(purchase.made.day),
  purchaseTimeOfDay: timeOfDay(purchase.made.seconds),
  authorizationPurchaseId: purchase.authorizationPurchaseId,
  originalPurchaseId: purchase.originalPurchaseId,
  purchaseDetails: purchaseDetailsView(purchase.details, (merchantId) => isMerchant(env, state.tenant, merchantId)),
  declineReason: purchase.declineReason,
  eligibleDisputeAmount: amount(eligibleDisputeCents(state, purchase)),
  migration: orNull((originalDrawId: string) => ({ originalDrawId }), purchase.originalDrawId),
  metadata: purchase.metaData,
  caseId: purchase.caseId,
  refundDetails: orNull((split: RefundSplit) => refundView(purchase, split), refundSplitOf(state, env, purchase)),
  timestamps: {
    createdAt: dateTimeText(purchase.createdAt),
    updatedAt: dateTimeText(purchase.updatedAt),
    authorizedAt: orNull(dateTimeText, purchase.authorizedAt),
    settledAt: orNull(dateTimeText, purchase.settledAt),
    effectiveAt: dateTimeText(effectiveAtOf(recordOf(state).zone, purchase)),
  },
});

const refundView = ({ refundTransactionId }: PurchaseRecord, { nonDuePrincipalCents, paymentCents }: RefundSplit): RefundDetailsView => ({
  refundTransactionId: paymentCents > ZERO ? refundTransactionId : null,
  refundNonDuePrincipalAmount: amount(nonDuePrincipalCents),
  refundTransactionAmount: amount(paymentCents),
});

/** The moment from which a purchase counts, in milliseconds. */
const effectiveAtOf = (zone: string, { effective }: Pick<PurchaseRecord, 'effective'>): number =>
  instantAt(zone, effective.day, timeOfDay(effective.seconds));

/** The stored kind; `cashback` is the filter's spelling. */
export const kindOf = (type: PurchaseTypeRequest): PurchaseKind => (type === 'cashback' ? 'cashBack' : type);

type Reading = Pick<QueryContext<LoanState>, 'state' | 'env'>;

/** A page of the matching purchases, of one draw or of all, newest first or by `sortBy`. */
export function listed({ state, env }: Reading, query: ListPurchasesQuery, draw: number | null = null): ListResult {
  const { sortBy = [], ...page } = query;
  const { zone } = recordOf(state);
  const { purchases } = state;
  const keys: SortKeys<PurchaseRecord> = {
    effectiveAt: (purchase) => effectiveAtOf(zone, purchase),
    createdAt: ({ createdStamp }) => createdStamp,
  };
  const isWhole = sortBy.length === 0 && !isFiltered(query);
  const newestFirst = isWhole ? [] : purchases.all(draw).toReversed();
  const order = sortBy.map((word) => word.replace(/^\+/, ''));
  const ordered = isWhole ? purchases.newestFirst(draw) : matching(sorted(newestFirst, order, keys), filterOf(zone, query));
  return pageOf(
    ordered,
    page,
    (purchase) => purchaseView(state, env, purchase),
    ({ externalId }) => externalId,
  );
}

/** A page of the matching purchases, earliest first. A purchase is listed at the first of the requested times that it has. */
export function timeline({ state, env }: Reading, query: PurchaseTimelineQuery): ListResult {
  const { timestamps = ['effectiveAt'], ...page } = query;
  const { zone } = recordOf(state);
  const timed = state.purchases.all().flatMap((purchase) => {
    const listedAt = momentOf(zone, purchase, timestamps);
    return listedAt === null ? [] : [{ id: purchase.id, purchase, listedAt }];
  });
  timed.sort((a, b) => a.listedAt - b.listedAt);
  const isWanted = filterOf(zone, query);
  return pageOf(
    matching(timed, ({ purchase }) => isWanted(purchase)),
    page,
    ({ purchase }) => purchaseView(state, env, purchase),
    ({ purchase }) => purchase.externalId,
  );
}

/** The first of the requested times that a purchase has; null if it has none. */
export function momentOf(zone: string, purchase: PurchaseRecord, timestamps: readonly PurchaseTimestamp[]): number | null {
  for (const timestamp of timestamps) {
    const at = timestamp === 'effectiveAt' ? effectiveAtOf(zone, purchase) : purchase[timestamp];
    if (at !== null) return at;
  }
  return null;
}

const isFiltered = ({ types = [], statuses = [], ...bounds }: PurchaseFilters): boolean =>
  types.length > 0 ||
  statuses.length > 0 ||
  [bounds.fromEffectiveAt, bounds.toEffectiveAt, bounds.fromCreatedAt, bounds.toCreatedAt].some((bound) => bound !== undefined);

/** The filters of a list as one test. */
export function filterOf(zone: string, query: PurchaseFilters): (purchase: PurchaseRecord) => boolean {
  const kinds = query.types === undefined || query.types.length === 0 ? null : new Set(query.types.map(kindOf));
  const statuses = query.statuses === undefined || query.statuses.length === 0 ? null : new Set(query.statuses);
  const isEffective = between(query.fromEffectiveAt, query.toEffectiveAt);
  const isCreated = between(query.fromCreatedAt, query.toCreatedAt);
  return (purchase) =>
    (kinds === null || kinds.has(purchase.kind)) &&
    (statuses === null || statuses.has(purchase.status)) &&
    isEffective(effectiveAtOf(zone, purchase)) &&
    isCreated(purchase.createdAt);
}

/** Both ends inclusive. */
function between(from: string | undefined, to: string | undefined): (at: number) => boolean {
  const first = from === undefined ? -Infinity : millisecondsOf(from);
  const last = to === undefined ? Infinity : millisecondsOf(to);
  return (at) => at >= first && at <= last;
}

/** A dispute over a purchase in replies. */
export interface PurchaseDisputeReply {
  readonly object: 'purchaseDispute';
  readonly id: string;
  readonly companyId: string;
  readonly purchaseId: string;
  readonly drawId: string;
  readonly lineOfCreditId: string;
  readonly externalId: string | null;
  readonly caseId: string | null;
  readonly status: DisputeStatus;
  readonly disputedAmount: Amount;
  readonly reason: string | null;
  /** The provisional refund. */
  readonly refundPurchaseId: string | null;
  readonly repostedPurchaseId: string | null;
  readonly metadata: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
  readonly timestamps: {
    readonly openedAt: DateTimeText;
    readonly submittedAt: DateTimeText | null;
    readonly expiredAt: DateTimeText | null;
    readonly wonAt: DateTimeText | null;
    readonly lostAt: DateTimeText | null;
    readonly canceledAt: DateTimeText | null;
  };
}

export function disputeView(state: LoanState, dispute: PurchaseDispute): PurchaseDisputeReply {
  const purchase = must(state.purchases.numbered(dispute.purchase), 'a dispute is about a purchase');
  return {
    object: 'purchaseDispute',
    id: dispute.id,
    companyId: state.tenant.company,
    purchaseId: purchase.id,
    drawId: drawIdOf(state, purchase),
    lineOfCreditId: state.id,
    externalId: dispute.externalId,
    caseId: dispute.caseId,
    status: dispute.status,
    disputedAmount: amount(dispute.disputedCents),
    reason: dispute.reason,
    refundPurchaseId: dispute.refundPurchaseId,
    repostedPurchaseId: dispute.repostedPurchaseId,
    metadata: dispute.metaData,
    createdAt: dateTimeText(dispute.createdAt),
    updatedAt: dateTimeText(dispute.updatedAt),
    deletedAt: null,
    timestamps: {
      openedAt: dateTimeText(dispute.openedAt),
      submittedAt: orNull(dateTimeText, dispute.submittedAt),
      expiredAt: orNull(dateTimeText, dispute.expiredAt),
      wonAt: orNull(dateTimeText, dispute.wonAt),
      lostAt: orNull(dateTimeText, dispute.lostAt),
      canceledAt: orNull(dateTimeText, dispute.canceledAt),
    },
  };
}

/** The case of a dispute, which opens and closes with it. Null: no case. */
interface DisputeCase {
  readonly caseId: string | null;
  readonly facts: readonly FactDraft[];
}

/** The case that the caller names, otherwise a new case of the borrower, unless the caller wants none. */
export function caseOfNew(
  { state, env }: CommandContext<LoanState>,
  disputeId: string,
  purchaseId: string,
  { caseId, createDisputeCase, reason }: CreateDisputeRequest,
): DisputeCase {
  if (caseId != null || createDisputeCase === false) return { caseId: caseId ?? null, facts: [] };
  return ask(env, loanAsks.disputeCaseOpened, {
    disputeId,
    purchaseId,
    personId: recordOf(state).personId,
    loanId: state.id,
    provisionalCreditDate: formatDay(todayOf(env, state)),
    reason: reason ?? null,
  });
}
