import { type Cents, type Day, formatDay, type StatementFault, type StatementFormat, ZERO } from '../../../engine/index.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { FactTable } from '../../kernel/fact-table.js';
import type { Tenant } from '../../kernel/fact.js';
import {
  applyFileFact,
  EVIDENCE_DAYS,
  HAS_CONTENTS,
  hasContents,
  type KeptFile,
  type Retention,
  type RetentionFacts,
} from '../../kernel/retention.js';
import { type OpenContent, type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';

/*
 * A bank's statement of an account of the lender: small facts on the shared shard. Its entries, and what each was matched with, are
 * contents, encrypted with keys that the statement keeps sealed:
 *
 *   imported ─► matched ◄─► (a person matches an entry, or takes a match back; money is expected that was not before)
 *       └──────────┴─► withdrawn: as if it had not been imported
 */

export interface ImportedStatement {
  readonly processorId: string;
  readonly fundingInstrumentId: string;
  readonly format: StatementFormat;
  readonly fileName: string | null;
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly fromDay: Day;
  readonly throughDay: Day;
  readonly openingCents: Cents | null;
  readonly closingCents: Cents | null;
  readonly availableCents: Cents | null;
  readonly entryCount: number;
  readonly creditCents: Cents;
  readonly debitCents: Cents;
  readonly warnings: readonly StatementFault[];
}

/** How many entries came to what. */
export interface MatchCounts {
  readonly matched: number;
  readonly differentAmount: number;
  readonly unexpected: number;
  /** Booked by an earlier statement. */
  readonly duplicate: number;
  /** Expected money that has not come. */
  readonly missing: number;
}

/** The closing balance beside what the account should hold. Null where the statement has no balance. */
export interface ComparedBalance {
  readonly expectedCents: Cents | null;
  /** Due by the end of the statement, and not booked yet; signed. */
  readonly inTransitCents: Cents;
  /** What neither the balance before nor the entries explain. */
  readonly unexplainedCents: Cents;
}

/** What a person says that an entry is; null: nothing that is expected. */
export interface HandMatch {
  readonly achFileId: string | null;
  readonly settlementId: string | null;
  readonly transactionId: string | null;
  readonly loanId: string | null;
  /** Absent from what earlier releases have recorded. */
  readonly payoutId?: string | null;
  readonly note: string | null;
}

/** Money that the bank has brought and that nothing explains, or does so no more. */
export interface ReceiptMove {
  readonly type: 'opened' | 'closed';
  /** The number of the entry. */
  readonly entry: number;
  readonly amountCents: Cents;
  /** On which the bank has booked it. */
  readonly day: Day;
  /** The business day of the company on which it became known. */
  readonly recordedDay: Day;
  /** Milliseconds of the company's clock. */
  readonly recordedAt: number;
}

export interface BankStatementState extends Omit<ImportedStatement, 'fromDay' | 'throughDay'>, KeptFile {
  readonly id: string;
  readonly tenant: Tenant;
  fromDay: Day | null;
  throughDay: Day | null;
  entries: SealedContent | null;
  results: SealedContent | null;
  counts: MatchCounts | null;
  balance: ComparedBalance | null;
  /** Keys of the differences that were recorded for it. */
  notedKeys: readonly string[];
  /** By number of the entry. */
  byHand: Readonly<Record<string, HandMatch | null>>;
  /** In the order of recording. */
  receipts: readonly ReceiptMove[];
  /** Whether the matching has something to do about it. */
  isOpen: boolean;
  /** Milliseconds of the company's clock. */
  withdrawnAt: number | null;
  createdAt: number;
  updatedAt: number | null;
  /** Microseconds; 0 before the first fact. */
  createdStamp: number;
  updatedStamp: number;
}

export interface BankStatementFacts extends RetentionFacts {
  readonly BankStatementImported: ImportedStatement & { readonly entries: SealedContent };
  readonly BankStatementMatched: {
    readonly results: SealedContent;
    readonly counts: MatchCounts;
    readonly balance: ComparedBalance;
    /** Differences that were recorded by this matching. */
    readonly notedKeys: readonly string[];
  };
  readonly BankEntryMatchedByHand: { readonly entry: number; readonly match: HandMatch };
  readonly BankEntryMatchTakenBack: { readonly entry: number };
  readonly BankReceiptsMoved: { readonly moves: readonly Omit<ReceiptMove, 'recordedAt'>[] };
  readonly BankStatementWithdrawn: Readonly<Record<string, never>>;
  /** What the statement had found is found by others, and its differences are resolved. */
  readonly BankStatementWithdrawalApplied: Readonly<Record<string, never>>;
}

export type BankStatementStatus = 'received' | 'matched' | 'differences';

export function bankStatementStatus({ counts, balance }: Pick<BankStatementState, 'counts' | 'balance'>): BankStatementStatus {
  if (counts === null) return 'received';
  const isClean = counts.unexpected + counts.differentAmount + counts.missing === 0 && (balance?.unexplainedCents ?? 0) === 0;
  return isClean ? 'matched' : 'differences';
}

const APPLY: FactTable<BankStatementState, BankStatementFacts> = {
  BankStatementImported(state, imported, fact, emit) {
    Object.assign(state, imported, { isOpen: true, createdAt: fact.businessAt, createdStamp: fact.stamp });
    emit?.(eventOf('bank.statement.received', state));
  },
  BankStatementMatched(state, { results, counts, balance, notedKeys }, _fact, emit) {
    const before = bankStatementStatus(state);
    Object.assign(state, { results, counts, balance, isOpen: false, notedKeys: [...new Set([...state.notedKeys, ...notedKeys])] });
    const status = bankStatementStatus(state);
    if (status !== before) emit?.(eventOf('bank.statement.matched', state, { status, ...counts }));
  },
  BankReceiptsMoved(state, { moves }, fact) {
    state.receipts = [...state.receipts, ...moves.map((move) => ({ ...move, recordedAt: fact.businessAt }))];
  },
  BankEntryMatchedByHand(state, { entry, match }) {
    state.byHand = { ...state.byHand, [entry]: match };
    state.isOpen = true;
  },
  BankEntryMatchTakenBack(state, { entry }) {
    state.byHand = { ...state.byHand, [entry]: null };
    state.isOpen = true;
  },
  BankStatementWithdrawn(state, _body, fact) {
    state.withdrawnAt = fact.businessAt;
    state.isOpen = true;
  },
  BankStatementWithdrawalApplied(state) {
    state.isOpen = false;
  },
  ContentsDropped(state) {
    state.entries = null;
    state.results = null;
  },
};

const eventOf = (eventType: string, { id, fundingInstrumentId, throughDay }: BankStatementState, more: object = {}) => ({
  eventType,
  objectType: 'bankStatement',
  objectId: id,
  refs: {},
  externalIds: {},
  data: { bankStatementId: id, fundingInstrumentId, throughDate: throughDay === null ? null : formatDay(throughDay), ...more },
});

/** Snapshots of earlier releases have no receipts. */
type Unpacked = Omit<BankStatementState, 'receipts'> & Partial<Pick<BankStatementState, 'receipts'>>;

export const BANK_STATEMENT = 'bankStatement';

/** Entries name who has paid. What they came to, in figures, stays with the statement. */
export const BANK_STATEMENT_RETENTION: Retention<BankStatementState> = {
  kind: BANK_STATEMENT,
  keptDays: EVIDENCE_DAYS,
  isDone: ({ isOpen }) => !isOpen,
  contentsOf: ({ entries, results }) => [entries, results],
};

export const bankStatementDefinition: ActorDefinition<BankStatementState> = {
  kind: BANK_STATEMENT,
  prefix: 'BS',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    processorId: '',
    fundingInstrumentId: '',
    format: 'csv',
    fileName: null,
    sha256: '',
    fromDay: null,
    throughDay: null,
    openingCents: null,
    closingCents: null,
    availableCents: null,
    entryCount: 0,
    creditCents: ZERO,
    debitCents: ZERO,
    warnings: [],
    entries: null,
    results: null,
    counts: null,
    balance: null,
    notedKeys: [],
    byHand: {},
    receipts: [],
    isOpen: false,
    withdrawnAt: null,
    createdAt: 0,
    updatedAt: null,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact, emit) {
    applyFileFact(APPLY, state, fact, emit);
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
          parentId: state.fundingInstrumentId,
          fields: {
            status: bankStatementStatus(state),
            processorId: state.processorId,
            // The same file may be imported again.
            sha256: state.withdrawnAt === null ? state.sha256 : '',
            isWithdrawn: state.withdrawnAt !== null,
            isOpen: state.isOpen,
            [HAS_CONTENTS]: hasContents(BANK_STATEMENT_RETENTION, state),
            hasReceipts: state.receipts.length > 0,
            fromDay: state.fromDay ?? 0,
            throughDay: state.throughDay ?? 0,
          },
        },
  pack: (state) => state,
  unpack(packed: Unpacked) {
    return { receipts: [], ...packed };
  },
};

const CONTENTS = sealedContentsOf(BANK_STATEMENT);

export const sealedStatementContent = CONTENTS.seal;

/** Null where there is none, or the key of the statement is gone. */
export const openStatementContent = (
  env: Parameters<typeof CONTENTS.open>[0],
  id: string,
  content: SealedContent | null,
): OpenContent | null => content && CONTENTS.open(env, id, content);
