import { type Cents, type Day, formatDay } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';
import { applyFact, type FactTable } from '../../kernel/fact-table.js';

/*
 * What a day's files and answers of a bank came to: one for each processor and banking day, with every difference between the
 * ledger and the bank that was found on that day.
 */

export type DifferenceKind = 'missingAtBank' | 'missingInLedger' | 'amountMismatch' | 'lateReturn';

export interface Difference {
  /** The same difference that is found again has the same key, and counts once. */
  readonly key: string;
  readonly kind: DifferenceKind;
  readonly transactionId: string | null;
  readonly loanId: string | null;
  readonly personId: string | null;
  readonly achFileId: string | null;
  /** The trace number, by which the bank knows it. */
  readonly trace: string | null;
  readonly expectedCents: Cents | null;
  readonly actualCents: Cents | null;
  readonly description: string;
}

/** A difference of which neither the payment nor an amount is known. */
export const NOTHING_KNOWN = {
  transactionId: null,
  loanId: null,
  personId: null,
  achFileId: null,
  trace: null,
  expectedCents: null,
  actualCents: null,
} as const satisfies Partial<Difference>;

interface RecordedDifference extends Difference {
  readonly foundAt: number;
  readonly resolution: string | null;
  readonly resolvedAt: number | null;
}

/** What a processor of cards has said of a day. */
export interface CardDayResults {
  readonly capturedCents: Cents;
  readonly refundedCents: Cents;
  /** What disputes have taken, less what they have given back. */
  readonly disputedCents: Cents;
  readonly feeCents: Cents;
  readonly itemCount: number;
  /** What it pays for them; a negative amount is taken. */
  readonly funding: { readonly amountCents: Cents; readonly day: Day; readonly reference: string };
}

export interface ReconciliationState {
  readonly id: string;
  readonly tenant: Tenant;
  processorId: string;
  day: Day | null;
  items: readonly RecordedDifference[];
  /** Of a processor of cards; absent: they were not read. */
  cardResults?: CardDayResults;
  createdAt: number;
  updatedAt: number | null;
  /** Microseconds; 0 before the first fact. */
  createdStamp: number;
  updatedStamp: number;
}

export interface ReconciliationFacts {
  readonly ReconciliationOpened: { readonly processorId: string; readonly day: Day };
  readonly DifferencesFound: { readonly items: readonly Difference[] };
  readonly CardResultsTaken: CardDayResults;
  readonly DifferencesResolved: { readonly keys: readonly string[]; readonly resolution: string };
}

/** Differences of one day that are kept one by one. */
export const MAX_DIFFERENCES = 10_000;

export const RECONCILIATION = 'reconciliation';

const APPLY: FactTable<ReconciliationState, ReconciliationFacts> = {
  ReconciliationOpened(state, { processorId, day }, fact) {
    Object.assign(state, { processorId, day, createdAt: fact.businessAt, createdStamp: fact.stamp });
  },
  DifferencesFound(state, { items }, fact, emit) {
    state.items = [...state.items, ...items.map((item) => ({ ...item, foundAt: fact.businessAt, resolution: null, resolvedAt: null }))];
    for (const { transactionId, achFileId, description } of items) {
      if (transactionId === null) continue;
      emit?.({
        eventType: 'reconciliation.payment.failed',
        objectType: 'transaction',
        objectId: transactionId,
        // Loans and borrowers number their own events, and are on other shards.
        refs: {},
        externalIds: {},
        data: { transactionId, settlementFileId: achFileId, reason: description },
      });
    }
  },
  CardResultsTaken(state, results) {
    state.cardResults = results;
  },
  DifferencesResolved(state, { keys, resolution }, fact) {
    const resolved = new Set(keys);
    state.items = state.items.map((item) => (resolved.has(item.key) ? { ...item, resolution, resolvedAt: fact.businessAt } : item));
  },
};

export type ReconciliationStatus = 'matched' | 'differences' | 'resolved';

export const reconciliationStatus = ({ items }: Pick<ReconciliationState, 'items'>): ReconciliationStatus =>
  items.length === 0 ? 'matched' : items.every(({ resolvedAt }) => resolvedAt !== null) ? 'resolved' : 'differences';

export const reconciliationDefinition: ActorDefinition<ReconciliationState> = {
  kind: RECONCILIATION,
  prefix: 'RX',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    processorId: '',
    day: null,
    items: [],
    createdAt: 0,
    updatedAt: null,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact, emit) {
    applyFact(APPLY, state, fact, emit);
  },
  clone: (state) => ({ ...state }),
  row: (state) =>
    state.createdStamp === 0
      ? null
      : {
          id: state.id,
          externalId: null,
          createdStamp: state.createdStamp,
          updatedStamp: state.updatedStamp,
          parentId: state.processorId,
          fields: {
            status: reconciliationStatus(state),
            date: state.day === null ? '' : formatDay(state.day),
            hasCardResults: state.cardResults !== undefined,
          },
        },
  pack: (state) => state,
  unpack(packed: ReconciliationState) {
    return packed;
  },
};

/** Refuses what was never recorded. */
export const requireRecorded = (state: ReconciliationState): ReconciliationState =>
  state.createdStamp === 0 ? refuse('notFound', `There is no reconciliation ${state.id}.`) : state;
