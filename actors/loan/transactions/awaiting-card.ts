import type { Cents, Day } from '../../../engine/index.js';
import type { QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import type { PageQuery } from '../../list-order.js';
import { newestFirst, type PartSource } from '../newest-first.js';
import { transactionNamed } from './named.js';
import type { LoanState } from '../state.js';
import { awaitsCard, awaitsCardResult, isPaidToBorrower, movedCents, type TransactionRecord } from './record.js';

/** What a processor of cards has to do for a payment. */
export interface AwaitingCardWork {
  readonly id: string;
  readonly loanId: string;
  readonly personId: string;
  readonly instrumentId: string;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly work: 'authorize' | 'capture' | 'refund';
  /** The processor's id of the authorization that is to be captured or refunded. */
  readonly authorizationId: string | null;
  readonly isRecurring: boolean;
  /** Milliseconds of the company's clock. */
  readonly initiatedAt: number;
}

export interface AwaitingCardQuery extends PageQuery {
  readonly processorId: string;
  /** Microseconds: loans that have not changed since are not looked at. */
  readonly changedSince: number;
}

/** For the part that calls processors of cards, which asks all shards: what waits for a processor. No route leads here. */
export const awaitingCardWork: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.awaitingCardWork',
  on: 'tenant',
  read({ query: asked, env }: QueryOf<AwaitingCardQuery>) {
    const { processorId, changedSince } = asked;
    const { rows } = env.list('loan', {
      matches: ({ fields, updatedStamp }) => fields['awaitsCards'] === true && updatedStamp >= changedSince,
      changedSince,
      limit: Number.MAX_SAFE_INTEGER,
    });
    return newestFirst(
      rows,
      asked,
      sourceOf(env, (loan, record) => workFor(loan, record, processorId)),
    );
  },
};

/** A payment or refund that a processor has moved on a day of its results. */
export interface MovedByCard {
  readonly id: string;
  readonly loanId: string;
  readonly personId: string;
  readonly amountCents: Cents;
  readonly isRefund: boolean;
}

export interface MovedByCardQuery extends PageQuery {
  readonly processorId: string;
  readonly resultDay: Day;
}

/** What the results of a day should have, and no results have had yet. */
export const movedByCard: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.movedByCard',
  on: 'tenant',
  read({ query: asked, env }: QueryOf<MovedByCardQuery>) {
    const { processorId, resultDay } = asked;
    const { rows } = env.list('loan', {
      matches: ({ fields }) => fields['awaitsCardResults'] === true,
      limit: Number.MAX_SAFE_INTEGER,
    });
    const source = sourceOf(env, (loan, record): MovedByCard | null => {
      const { settlement, instrument } = record;
      if (!awaitsCardResult(record) || settlement?.card?.processorId !== processorId || settlement.card.resultDay !== resultDay)
        return null;
      return {
        id: record.id,
        loanId: loan.id,
        personId: instrument?.personId ?? '',
        amountCents: movedCents(record),
        isRefund: isPaidToBorrower(record),
      };
    });
    return newestFirst(rows, asked, source);
  },
};

const sourceOf = (env: QueryEnv, viewOf: (loan: LoanState, record: TransactionRecord) => object | null): PartSource => ({
  stampOf: ({ fields }) => Number(fields['lastTransactionStamp']),
  countOf: () => 0,
  partsOf(row) {
    const loan = env.read<LoanState>('loan', row.id);
    if (loan === undefined) return [];
    return [...loan.transactions.open()].flatMap((record) => {
      const view = viewOf(loan, record);
      const { id, createdStamp } = record;
      return view === null ? [] : [{ id, createdStamp, view: () => view }];
    });
  },
  named: async (cursor) => (await transactionNamed(env, cursor))?.record,
});

function workFor(loan: LoanState, record: TransactionRecord, processorId: string): AwaitingCardWork | null {
  const { instrument, reversedTransactionId } = record;
  if (!awaitsCard(record) || record.settlement?.card?.processorId !== processorId || instrument === null) return null;
  const isRefund = isPaidToBorrower(record);
  const original = reversedTransactionId === null ? undefined : loan.transactions.get(reversedTransactionId);
  return {
    id: record.id,
    loanId: loan.id,
    personId: instrument.personId,
    instrumentId: instrument.id,
    amountCents: movedCents(record),
    currency: record.currency,
    work: isRefund ? 'refund' : record.status === 'initiated' ? 'authorize' : 'capture',
    authorizationId: (isRefund ? original : record)?.processorTransactionId ?? null,
    isRecurring: record.autopayPlanId !== null,
    initiatedAt: record.timestamps.initiatedAt ?? 0,
  };
}
