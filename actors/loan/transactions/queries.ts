import { resolveId } from '../../kernel/ids.js';
import { must, ZERO } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { foundAmong, type Items, newestFirst, pageOf, sorted, type SortKeys, type SortRule, sortRules } from '../../list-order.js';
import type { QueryEnv, QuerySpec, QueryContext } from '../../kernel/actor.js';
import { amount, dayOfText } from '../../wire.js';
import { activationOf, requirePerson } from '../context.js';
import { findDraw } from '../draws/draw.js';
import { isOfRefund, refundTransactions } from '../purchases/refunds.js';
import type { LoanState } from '../state.js';
import { allocationView } from './update-fields.js';
import { transactionOf } from './check.js';
import type { PageSummary } from './page.js';
import type { TransactionRecord } from './record.js';
import { owedBack, reimbursements } from './reimbursement.js';
import type { ListReimbursementsQuery, ListTransactionsQuery } from './requests.js';
import type { Transactions } from './transactions.js';
import { drawSplits, transactionView } from './view.js';

/** `GET L/transactions`, one of them, and its allocation. */
export const oneLoanQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'transaction.list',
    on: 'target',
    read({ state, query, request, env }: QueryContext<LoanState, ListTransactionsQuery>) {
      requirePerson(state, request.params['personId'], env);
      return pageOf(
        listedOf(state, query, env),
        query,
        (item) => item.view(),
        (item) => item.record.externalId,
      );
    },
  },
  {
    kind: 'loan',
    type: 'transaction.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return transactionView(state, env, shownTransaction(state, env, request.params['transactionId']));
    },
  },
  {
    kind: 'loan',
    type: 'transaction.allocation',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return allocationView(state, env, shownTransaction(state, env, request.params['transactionId']));
    },
  },
  {
    kind: 'loan',
    type: 'reimbursement.list',
    on: 'target',
    read({ state, query, request, env }: QueryContext<LoanState, ListReimbursementsQuery>) {
      requirePerson(state, request.params['personId'], env);
      const latestFirst = [...reimbursements(state)].reverse();
      const owedAmount = amount(activationOf(state) === null ? ZERO : owedBack(state, env).owedCents);
      const page = pageOf(
        latestFirst,
        query,
        (record) => transactionView(state, env, record),
        (record) => record.externalId,
      );
      return { ...page, owedAmount };
    },
  },
  {
    kind: 'loan',
    type: 'reimbursement.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const record = transactionOf(state, request.params['transactionId']);
      if (record.transactionType !== 'reimbursement') refuse('notFound', `The transaction ${record.id} is not a reimbursement.`);
      return transactionView(state, env, record);
    },
  },
];

/** A stored transaction, or one that the refund of a purchase makes. */
const shownTransaction = (state: LoanState, env: QueryEnv, id: string | undefined): TransactionRecord =>
  isOfRefund(state, id)
    ? (refundTransactions(state, env).find((record) => record.id === id) ?? refuseMissing(id))
    : transactionOf(state, id);

const refuseMissing = (id = ''): never =>
  refuse('notFound', `The refund that made the transaction ${id} is canceled, or needs no payment.`);

/** A transaction in a list, with the loan that it belongs to. */
export interface Listed {
  readonly id: string;
  readonly record: TransactionRecord;
  readonly view: () => unknown;
}

export const inList = (state: LoanState, env: QueryEnv, record: TransactionRecord): Listed => ({
  id: record.id,
  record,
  view: () => transactionView(state, env, record),
});

/** The matching transactions of one loan. Without filters they are in the stored order, and only those of the page are read. */
function listedOf(state: LoanState, query: ListTransactionsQuery, env: QueryEnv): Items<Listed> {
  const derived = refundTransactions(state, env);
  if (isFiltered(query) || !state.transactions.isInOrder) return listedAmong([state], query, env, derived);
  const { transactions } = state;
  const shown = (record: TransactionRecord): Listed => inList(state, env, record);
  if (derived.length === 0)
    return newestFirst(
      transactions.size,
      (position) => shown(transactions.at(position)),
      (cursor) => transactions.positionOf(transactions.idNamed(cursor)) ?? -1,
    );
  const order = withDerived(transactions, derived);
  return newestFirst(
    order.length,
    (index) => {
      const kept = must(order[index], 'an index below the length');
      return shown(typeof kept === 'number' ? transactions.at(kept) : kept);
    },
    (cursor) => {
      const id = transactions.idNamed(cursor);
      const position = transactions.positionOf(id);
      return order.findLastIndex((kept) => (typeof kept === 'number' ? kept === position : kept.id === id));
    },
  );
}

const isFiltered = ({ limit: _limit, startingAfter: _after, endingBefore: _before, ...asked }: ListTransactionsQuery): boolean =>
  Object.values(asked).some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0));

/**
 * The positions of the transactions in the order of creation, with derived ones placed by their stamp, after stored ones with the same
 * stamp.
 */
function withDerived(transactions: Transactions, derived: readonly TransactionRecord[]): readonly (number | TransactionRecord)[] {
  const merged: (number | TransactionRecord)[] = [];
  let from = 0;
  const add = (to: number): void => {
    for (; from < to; from += 1) merged.push(from);
  };
  for (const record of [...derived].sort((a, b) => a.createdStamp - b.createdStamp)) {
    add(transactions.countBefore(record.createdStamp));
    merged.push(record);
  }
  add(transactions.size);
  return merged;
}

/** The matching transactions of some loans, including derived ones, newest first or by `sortBy`. */
export function listed(
  loans: readonly LoanState[],
  query: ListTransactionsQuery,
  env: QueryEnv,
  derived: readonly TransactionRecord[] = [],
): readonly Listed[] {
  const matches = filterOf({ ...query, ...instrumentNamed(query, env) });
  const mayHold = pageFilterOf(query);
  const found = loans.flatMap((state) =>
    [...state.transactions.among(mayHold), ...derived]
      .filter((record) => matches(record) && touchesDraw(state, env, record, query.drawId))
      .map((record) => inList(state, env, record)),
  );
  found.sort((a, b) => b.record.createdStamp - a.record.createdStamp);
  return sorted(found, query.sortBy ?? [], SORT_KEYS);
}

/** The same for a page, whose cursor may name a transaction that the filter leaves out. */
export const listedAmong = (
  loans: readonly LoanState[],
  query: ListTransactionsQuery,
  env: QueryEnv,
  derived: readonly TransactionRecord[] = [],
): Items<Listed> =>
  foundAmong(listed(loans, query, env, derived), () =>
    listed(loans, query.sortBy === undefined ? {} : { sortBy: query.sortBy }, env, derived),
  );

/** The service id of the instrument that a filter names, as records have it; an unknown id matches nothing. */
function instrumentNamed(
  { paymentInstrumentId: anyId }: ListTransactionsQuery,
  env: QueryEnv,
): Pick<ListTransactionsQuery, 'paymentInstrumentId'> {
  return anyId === undefined ? {} : { paymentInstrumentId: resolveId(env, env.tenant, 'paymentInstrument', anyId) ?? anyId };
}

/** Whether a transaction was directed to the draw, or allocated to it. */
function touchesDraw(state: LoanState, env: QueryEnv, record: TransactionRecord, drawId: string | undefined): boolean {
  if (drawId === undefined) return true;
  const draw = findDraw(state, drawId);
  return draw !== undefined && (record.draw === draw.draw || drawSplits(state, env, record).some((split) => split.drawId === draw.id));
}

const SORT_KEYS: SortKeys<Listed> = {
  createdAt: ({ record }) => record.createdStamp,
  updatedAt: ({ record }) => record.updatedStamp,
  effectiveDate: ({ record }) => record.effective.day,
  scheduledDate: ({ record }) => record.scheduledDay,
  scheduledAmount: ({ record }) => record.scheduledCents,
  actualAmount: ({ record }) => record.actualCents ?? 0,
  status: ({ record }) => record.status,
  transactionType: ({ record }) => record.transactionType,
};

/** The sort keys of `listed`. */
export const listedOrder = (sortBy: readonly string[]): readonly SortRule<Listed>[] => [
  ...sortRules(sortBy, SORT_KEYS),
  { key: ({ record }) => record.createdStamp, descending: true },
  { key: ({ id }) => id, descending: false },
];

/** The filters of a list as one test. Days are inclusive. */
function filterOf(query: ListTransactionsQuery): (record: TransactionRecord) => boolean {
  const { status, transactionType, paymentInstrumentId, isExternal, isVirtual } = query;
  const { from, to } = daysOf(query);
  return (record) =>
    (status === undefined || status.includes(record.status)) &&
    (transactionType === undefined || transactionType.includes(record.transactionType)) &&
    (paymentInstrumentId === undefined || record.instrument?.id === paymentInstrumentId) &&
    (isExternal === undefined || record.isExternal === isExternal) &&
    (isVirtual === undefined || record.isVirtual === isVirtual) &&
    record.effective.day >= from &&
    record.effective.day <= to;
}

/** Whether any transaction of a page may pass them. */
function pageFilterOf(query: ListTransactionsQuery): (page: PageSummary) => boolean {
  const { status, transactionType } = query;
  const { from, to } = daysOf(query);
  return ({ statuses, types, firstDay, lastDay }) =>
    lastDay >= from &&
    firstDay <= to &&
    (status === undefined || status.some((wanted) => statuses.has(wanted))) &&
    (transactionType === undefined || transactionType.some((wanted) => types.has(wanted)));
}

const daysOf = ({
  fromEffectiveDate: from,
  toEffectiveDate: to,
}: ListTransactionsQuery): { readonly from: number; readonly to: number } => ({
  from: from === undefined ? -Infinity : dayOfText(from),
  to: to === undefined ? Infinity : dayOfText(to),
});
