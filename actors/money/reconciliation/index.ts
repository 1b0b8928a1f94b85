import type { tags } from 'typia';
import { assert, type Day, formatDay, must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { ALL_ROWS, type CommandContext, type CommandSpec, type Decision, type QueryOf, type QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import {
  amount,
  type Amount,
  type AnyId,
  dateText,
  type DateText,
  dateTimeText,
  type DateTimeText,
  type ListResult,
  orNull,
  type Text,
  type Whole,
} from '../../wire.js';
import {
  type CardDayResults,
  type Difference,
  type DifferenceKind,
  MAX_DIFFERENCES,
  RECONCILIATION,
  type ReconciliationFacts,
  type ReconciliationState,
  type ReconciliationStatus,
  reconciliationStatus,
} from './reconciliation.js';

export interface BankReconciliationView {
  readonly id: string;
  readonly object: 'reconciliation';
  readonly companyId: string;
  readonly date: DateText;
  readonly paymentProcessorId: string;
  readonly status: ReconciliationStatus;
  readonly items: readonly DifferenceView[];
  /** Of a processor of cards: what its results of the day came to. */
  readonly cardResults: CardResultsView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

interface CardResultsView {
  readonly capturedAmount: Amount;
  readonly refundedAmount: Amount;
  /** What disputes have taken, less what they have given back. */
  readonly disputedAmount: Amount;
  readonly feeAmount: Amount;
  readonly itemCount: Whole;
  /** What the processor pays for the day; a negative amount is taken. */
  readonly fundedAmount: Amount;
  readonly fundingDate: DateText;
  readonly fundingReference: string;
}

interface DifferenceView {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly transactionId: string | null;
  readonly loanId: string | null;
  readonly processorReconciliationId: string | null;
  readonly achFileId: string | null;
  readonly expectedAmount: Amount | null;
  readonly actualAmount: Amount | null;
  readonly description: string;
  readonly foundAt: DateTimeText;
  readonly resolution: string | null;
  readonly resolvedAt: DateTimeText | null;
}

export interface ReconciliationListQuery extends PageQuery {
  readonly paymentProcessorId?: AnyId;
  readonly status?: ReconciliationStatus;
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface ResolveReconciliationRequest {
  /** The difference; absent: all that are open. */
  readonly itemId?: string & tags.MinLength<1> & tags.MaxLength<200>;
  /** What was found out, and done. */
  readonly resolution: Text & tags.MinLength<1>;
}

type Context<Body> = CommandContext<ReconciliationState, Body>;

const fact = <Type extends keyof ReconciliationFacts>(type: Type, body: ReconciliationFacts[Type]): FactDraft => ({ type, body });

export interface OpenReconciliationBody {
  readonly processorId: string;
  readonly day: Day;
}

/** Keys of the differences of a day that nobody has resolved. */
export interface OpenDifferences {
  readonly id: string;
  readonly keys: readonly string[];
}

/** Which of some keys differences of a processor have, on any day since then. */
export interface KnownDifferencesQuery {
  readonly processorId: string;
  readonly from: Day;
  readonly keys: readonly string[];
}

export interface DifferencesBody {
  readonly items: readonly Difference[];
}

export interface CardResultsBody extends DifferencesBody {
  readonly results: CardDayResults;
}

/** `from` null: the newest day alone. */
export interface CardResultsQuery {
  readonly processorId: string;
  readonly from: Day | null;
}

export interface KeptCardResults extends CardDayResults {
  readonly id: string;
  readonly day: Day;
}

const newOf = ({ items: kept }: ReconciliationState, items: readonly Difference[]): readonly FactDraft[] => {
  const known = new Set(kept.map(({ key }) => key));
  const found = items.filter(({ key }) => !known.has(key)).slice(0, Math.max(0, MAX_DIFFERENCES - known.size));
  return found.length === 0 ? [] : [fact('DifferencesFound', { items: found })];
};

const bySystem = ({ command }: Context<unknown>): void => assert(command.actor.type === 'system', 'differences are found by the service');

export const reconciliationCommands: readonly CommandSpec<ReconciliationState>[] = [
  {
    kind: RECONCILIATION,
    type: 'reconciliation.open',
    place: { on: 'beside', kind: 'company' },
    catchUpFirst: false,
    decide(context: Context<OpenReconciliationBody>): Decision<ReconciliationState> {
      bySystem(context);
      const { processorId, day } = context.body;
      const date = formatDay(day);
      const { rows } = context.env.list(RECONCILIATION, {
        parentId: processorId,
        matches: ({ fields }) => fields['date'] === date,
        limit: 1,
      });
      if (rows.length > 0) refuse('invalidState', `The reconciliation of ${date} exists.`);
      return { facts: [fact('ReconciliationOpened', { processorId, day })], reply: (after) => ({ data: { id: after.id } }) };
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.add',
    place: { on: 'target' },
    catchUpFirst: false,
    decide(context: Context<DifferencesBody>): Decision<ReconciliationState> {
      bySystem(context);
      return { facts: newOf(context.state, context.body.items), reply: () => ({ data: undefined }) };
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.takeCardResults',
    place: { on: 'target' },
    catchUpFirst: false,
    decide(context: Context<CardResultsBody>): Decision<ReconciliationState> {
      bySystem(context);
      const { state, body } = context;
      const facts = state.cardResults === undefined ? [...newOf(state, body.items), fact('CardResultsTaken', body.results)] : [];
      return { facts, reply: () => ({ data: undefined }) };
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.resolve',
    place: { on: 'target' },
    catchUpFirst: false,
    decide({ state, body: { itemId, resolution } }: Context<ResolveReconciliationRequest>): Decision<ReconciliationState> {
      const { items } = known(state);
      const open = items.filter(({ resolvedAt }) => resolvedAt === null);
      const wanted = itemId === undefined ? open : items.filter(({ key }) => key === itemId);
      if (itemId !== undefined && wanted.length === 0)
        refuseProperty('itemId', 'the id of a difference', `There is no difference ${itemId}.`);
      if (wanted.every(({ resolvedAt }) => resolvedAt !== null)) refuse('invalidState', 'There is no open difference to resolve.');
      return {
        facts: [fact('DifferencesResolved', { keys: wanted.map(({ key }) => key), resolution })],
        reply: (after) => ({ data: reconciliationView(after) }),
      };
    },
  },
];

const known = (state: ReconciliationState): ReconciliationState =>
  state.createdStamp === 0 ? refuse('notFound', `There is no reconciliation ${state.id}.`) : state;

export const reconciliationQueries: readonly QuerySpec<ReconciliationState>[] = [
  { kind: RECONCILIATION, type: 'reconciliation.get', on: 'target', read: ({ state }) => reconciliationView(known(state)) },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.list',
    on: 'tenant',
    read({ query: { paymentProcessorId, status, fromDate, toDate, ...page }, env }: QueryOf<ReconciliationListQuery>): ListResult {
      const { rows } = env.list(RECONCILIATION, {
        matches: ({ parentId, fields }) =>
          (paymentProcessorId === undefined || parentId === paymentProcessorId) &&
          (status === undefined || fields['status'] === status) &&
          (fromDate === undefined || String(fields['date']) >= fromDate) &&
          (toDate === undefined || String(fields['date']) <= toDate),
        limit: ALL_ROWS,
      });
      const found = rows.flatMap(({ id }) => env.stateOf<ReconciliationState>(RECONCILIATION, id) ?? []);
      return pageOf(found, page, reconciliationView, () => null);
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.openKeys',
    on: 'company',
    read({ query: { processorId }, env }: QueryOf<{ readonly processorId: string }>): readonly OpenDifferences[] {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) => parentId === processorId && fields['status'] === 'differences',
        limit: ALL_ROWS,
      });
      return rows.flatMap(({ id }) => {
        const items = env.stateOf<ReconciliationState>(RECONCILIATION, id)?.items ?? [];
        return [{ id, keys: items.filter(({ resolvedAt }) => resolvedAt === null).map(({ key }) => key) }];
      });
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.knownKeys',
    on: 'company',
    read({ query: { processorId, from, keys }, env }: QueryOf<KnownDifferencesQuery>): readonly string[] {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) =>
          parentId === processorId && fields['status'] !== 'matched' && String(fields['date']) >= formatDay(from),
        limit: ALL_ROWS,
      });
      const asked = new Set(keys);
      const items = rows.flatMap(({ id }) => env.stateOf<ReconciliationState>(RECONCILIATION, id)?.items ?? []);
      return items.map(({ key }) => key).filter((key) => asked.has(key));
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.cardResults',
    on: 'company',
    read({ query: { processorId, from }, env }: QueryOf<CardResultsQuery>): readonly KeptCardResults[] {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) =>
          parentId === processorId && fields['hasCardResults'] === true && (from === null || String(fields['date']) >= formatDay(from)),
        limit: ALL_ROWS,
      });
      const byDay = [...rows].sort((a, b) => (String(a.fields['date']) < String(b.fields['date']) ? -1 : 1));
      return (from === null ? byDay.slice(-1) : byDay).flatMap(({ id }) => {
        const { day = null, cardResults } = env.stateOf<ReconciliationState>(RECONCILIATION, id) ?? {};
        return day === null || cardResults === undefined ? [] : [{ id, day, ...cardResults }];
      });
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.ofDay',
    on: 'company',
    read({ query: { processorId, day }, env }: QueryOf<OpenReconciliationBody>): { readonly id: string | null } {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) => parentId === processorId && fields['date'] === formatDay(day),
        limit: 1,
      });
      return { id: rows[0]?.id ?? null };
    },
  },
];

function reconciliationView(state: ReconciliationState): BankReconciliationView {
  return {
    id: state.id,
    object: 'reconciliation',
    companyId: state.tenant.company,
    date: dateText(must(state.day, 'a reconciliation has a day')),
    paymentProcessorId: state.processorId,
    status: reconciliationStatus(state),
    items: state.items.map((item) => ({
      id: item.key,
      kind: item.kind,
      transactionId: item.transactionId,
      loanId: item.loanId,
      processorReconciliationId: item.trace,
      achFileId: item.achFileId,
      expectedAmount: orNull(amount, item.expectedCents),
      actualAmount: orNull(amount, item.actualCents),
      description: item.description,
      foundAt: dateTimeText(item.foundAt),
      resolution: item.resolution,
      resolvedAt: orNull(dateTimeText, item.resolvedAt),
    })),
    cardResults: orNull(cardResultsView, state.cardResults),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

const cardResultsView = ({ funding, itemCount, ...sums }: CardDayResults): CardResultsView => ({
  capturedAmount: amount(sums.capturedCents),
  refundedAmount: amount(sums.refundedCents),
  disputedAmount: amount(sums.disputedCents),
  feeAmount: amount(sums.feeCents),
  itemCount,
  fundedAmount: amount(funding.amountCents),
  fundingDate: dateText(funding.day),
  fundingReference: funding.reference,
});
