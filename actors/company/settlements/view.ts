import type { OpenContent } from '../../kernel/sealed-contents.js';
import { cents, type Cents, type Day, must } from '../../../engine/index.js';
import type { QueryOf, QuerySpec } from '../../kernel/actor.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import {
  amount,
  type AnyId,
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  dayOfText,
  type ListResult,
  orNull,
  type SignedAmount,
} from '../../wire.js';
import { companyOf } from '../directory.js';
import { openSecrets, type SftpAddress } from '../campaigns/sftp.js';
import { investorOf } from '../parties/investors.js';
import type { LastSettled } from './runner.js';
import {
  carriedInto,
  lastPaidOf,
  NO_TOTALS,
  openedContent,
  SETTLEMENT,
  type SettlementState,
  type SettlementStatus,
  type SettlementTotals,
} from './settlement.js';

export interface SettlementListQuery extends PageQuery {
  readonly investorId?: AnyId;
  readonly status?: SettlementStatus;
  /** By the day on which the money goes. */
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface SettlementView {
  readonly id: string;
  readonly object: 'settlement';
  readonly companyId: string;
  readonly investorId: string;
  readonly settlementInstrumentId: string;
  readonly settlementDate: DateText;
  /** Null: from the first payment on. */
  readonly periodStartDate: DateText | null;
  readonly periodEndDate: DateText;
  readonly status: SettlementStatus;
  /** Whether all loans have been asked: before, the amounts are zero. */
  readonly isComputed: boolean;
  readonly grossAmount: SignedAmount;
  readonly feesAmount: SignedAmount;
  readonly clawbackAmount: SignedAmount;
  /** Below zero: what the investor owed after the settlement before. */
  readonly carriedAmount: SignedAmount;
  /** Below zero: nothing is paid, and it is carried into the next settlement. */
  readonly netAmount: SignedAmount;
  readonly principalAmount: SignedAmount;
  readonly interestAmount: SignedAmount;
  readonly feesCollectedAmount: SignedAmount;
  readonly transactionCount: number;
  /** The outgoing transfer; null while no processor makes it. */
  readonly transactionId: string | null;
  readonly fileName: string | null;
  /** SHA-256 of the file, in hexadecimal. */
  readonly fileDigest: string | null;
  readonly fileDeliveredAt: DateTimeText | null;
  readonly fileDeliveryError: string | null;
  readonly failureReason: string | null;
  readonly operationId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

type Amounts = Pick<
  SettlementView,
  | 'grossAmount'
  | 'feesAmount'
  | 'clawbackAmount'
  | 'carriedAmount'
  | 'netAmount'
  | 'principalAmount'
  | 'interestAmount'
  | 'feesCollectedAmount'
  | 'transactionCount'
>;

export const settlementAmounts = (totals: SettlementTotals): Amounts => ({
  grossAmount: amount(totals.grossCents),
  feesAmount: amount(totals.feesCents),
  clawbackAmount: amount(totals.clawbackCents),
  carriedAmount: amount(totals.carriedCents),
  netAmount: amount(totals.netCents),
  principalAmount: amount(totals.principalCents),
  interestAmount: amount(totals.interestCents),
  feesCollectedAmount: amount(totals.feesCollectedCents),
  transactionCount: totals.transactionCount,
});

export function settlementView(state: SettlementState): SettlementView {
  return {
    id: state.id,
    object: 'settlement',
    companyId: state.tenant.company,
    investorId: state.investorId,
    settlementInstrumentId: state.settlementInstrumentId,
    settlementDate: dateText(state.settlementDay),
    periodStartDate: orNull(dateText, state.periodStart),
    periodEndDate: dateText(state.periodEnd),
    status: state.status,
    isComputed: state.totals !== null,
    ...settlementAmounts(state.totals ?? NO_TOTALS),
    transactionId: null,
    fileName: state.file?.name ?? null,
    fileDigest: state.file?.digest ?? null,
    fileDeliveredAt: orNull(dateTimeText, state.deliveredAt),
    fileDeliveryError: state.deliveryError,
    failureReason: state.failureReason,
    operationId: state.operationId,
    createdAt: dateTimeText(state.createdAt),
    updatedAt: dateTimeText(state.updatedAt),
    deletedAt: null,
  };
}

/** Money that goes to an investor. */
export interface SettlementTransfer {
  readonly id: string;
  readonly day: Day;
  readonly netCents: Cents;
  readonly fileName: string | null;
}

/** Where the lines and the file of a settlement lie. */
export interface SettlementContents {
  readonly batches: readonly { readonly count: number; readonly content: OpenContent }[];
  readonly file: (OpenContent & { readonly name: string }) | null;
}

/** All that the runner needs, secrets among it: it goes to nobody else. */
export interface SettlementWork {
  readonly state: SettlementState;
  readonly file: (OpenContent & { readonly name: string }) | null;
  readonly sftp: (SftpAddress & { readonly password: string | null }) | null;
  /** What the investor owes from the settlement before; zero or less. */
  readonly carriedCents: Cents;
}

export const settlementQueries: readonly QuerySpec<SettlementState>[] = [
  { kind: SETTLEMENT, type: 'settlement.get', on: 'target', read: ({ state }) => settlementView(state) },
  {
    kind: SETTLEMENT,
    type: 'settlement.list',
    on: 'tenant',
    read({ query, env }: QueryOf<SettlementListQuery>): ListResult<SettlementView> {
      const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, investorId, status, fromDate, toDate } = query;
      const [from, to] = [orNull(dayOfText, fromDate) ?? -Infinity, orNull(dayOfText, toDate) ?? Infinity];
      const investor = investorId === undefined ? null : (investorOf(companyOf(env, env.tenant), investorId)?.id ?? investorId);
      const page = env.list(SETTLEMENT, {
        limit,
        ...(investor === null ? {} : { parentId: investor }),
        ...(startingAfter === undefined ? {} : { startingAfter }),
        ...(endingBefore === undefined ? {} : { endingBefore }),
        matches: ({ fields }) =>
          (status === undefined || fields['status'] === status) &&
          Number(fields['settlementDay']) >= from &&
          Number(fields['settlementDay']) <= to,
      });
      const items = page.rows.map(({ id }) => settlementView(must(env.stateOf<SettlementState>(SETTLEMENT, id), id)));
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  {
    kind: SETTLEMENT,
    type: 'settlement.contents',
    on: 'target',
    read: ({ state, env }): SettlementContents => ({
      batches: state.batches.map(({ count, content }) => ({ count, content: openedContent(env, state.id, content) })),
      file: state.file && { ...openedContent(env, state.id, state.file), name: state.file.name },
    }),
  },
  // The service's own: no route leads here.
  {
    kind: SETTLEMENT,
    type: 'settlement.work',
    on: 'target',
    read({ state, env }): SettlementWork {
      const investor = investorOf(companyOf(env, env.tenant), state.investorId)?.stored;
      const address = investor?.sftpSettings ?? null;
      const secrets = openSecrets(env, state.investorId, investor?.secrets ?? null);
      return {
        state,
        file: state.file && { ...openedContent(env, state.id, state.file), name: state.file.name },
        sftp: address && { ...address, password: secrets.sftpPassword ?? null },
        carriedCents: carriedInto(env, state.investorId, state.createdStamp),
      };
    },
  },
  {
    kind: SETTLEMENT,
    type: 'settlement.last',
    on: 'tenant',
    read({ env, query: { investorId } }: QueryOf<{ readonly investorId: string }>): LastSettled {
      const last = lastPaidOf(env, investorId);
      const { id = null, periodEnd = null, totals = null } = last ?? {};
      return { settlementId: id, periodEnd, isOpen: last !== null && totals === null, carriedCents: carriedInto(env, investorId) };
    },
  },
  {
    kind: SETTLEMENT,
    type: 'settlement.transfers',
    on: 'company',
    read({ env, query: { from } }: QueryOf<{ readonly from: Day }>): readonly SettlementTransfer[] {
      const { rows } = env.listAll(SETTLEMENT, {
        limit: Number.MAX_SAFE_INTEGER,
        matches: ({ fields }) =>
          (fields['status'] === 'initiated' || fields['status'] === 'succeeded') && Number(fields['settlementDay']) >= from,
      });
      return rows.flatMap(({ id }): readonly SettlementTransfer[] => {
        const state = env.stateOf<SettlementState>(SETTLEMENT, id);
        const netCents = state?.totals?.netCents ?? 0;
        return state === undefined || netCents <= 0
          ? []
          : [{ id, day: state.settlementDay, netCents: cents(netCents), fileName: state.file?.name ?? null }];
      });
    },
  },
  {
    kind: SETTLEMENT,
    type: 'settlement.open',
    on: 'tenant',
    read({ env }): ListResult<string> {
      const page = env.listAll(SETTLEMENT, {
        limit: Number.MAX_SAFE_INTEGER,
        matches: ({ fields }) => fields['status'] === 'pending' || fields['status'] === 'initiated',
      });
      const items = page.rows.map(({ id }) => id).reverse(); // oldest first
      return { items, total: items.length, hasMore: false, hasPrevious: false };
    },
  },
];
