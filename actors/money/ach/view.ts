import { type Cents, type Day, formatDay } from '../../../engine/index.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import { companyOf, processorsOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { ALL_ROWS, type CatalogRow, type QueryEnv, type QueryOf, type QuerySpec } from '../../kernel/actor.js';
import { listedActors } from '../../kernel/lists/listed-actors.js';
import { outlivedQuery } from '../../kernel/retention.js';
import type { PageQuery } from '../../list-order.js';
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
} from '../../wire.js';
import { ACH_FILE, ACH_FILE_RETENTION, type AchDirection, type AchFileState, type AchFileStatus, openFileContent } from './ach-file.js';

export interface AchFileView {
  readonly id: string;
  readonly object: 'achFile';
  readonly companyId: string;
  readonly paymentProcessorId: string;
  readonly direction: AchDirection;
  readonly fileName: string;
  readonly fileDate: DateText | null;
  readonly sameDay: boolean;
  readonly effectiveEntryDate: DateText | null;
  readonly entryCount: number;
  readonly debitTotalAmount: Amount;
  readonly creditTotalAmount: Amount;
  readonly status: AchFileStatus;
  readonly failureDescription: string | null;
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  readonly uploadedAt: DateTimeText | null;
  readonly confirmedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export interface AchFileListQuery extends PageQuery {
  readonly paymentProcessorId?: AnyId;
  readonly direction?: AchDirection;
  readonly status?: AchFileStatus;
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

/** An entry of a file, and what it stands for. */
export interface AchFileTransactionView {
  /** Its number in the file, from 1, as text. */
  readonly id: string;
  readonly object: 'achFileTransaction';
  readonly traceNumber: string;
  readonly direction: 'debit' | 'credit';
  readonly amount: Amount;
  /** Null: the entry verifies an account, or nothing is known of it. */
  readonly transactionId: string | null;
  readonly loanId: string | null;
  readonly personId: string | null;
  readonly paymentInstrumentId: string | null;
  /** It moves no money: the bank checks the account. */
  readonly isPrenote: boolean;
  /** Of files from the bank: why the entry came back, or what changed. */
  readonly achCode: string | null;
  /** Why nothing could be recorded; null: it was. */
  readonly problem: string | null;
}

export function achFileView(state: AchFileState): AchFileView {
  const { built } = state;
  return {
    id: state.id,
    object: 'achFile',
    companyId: state.tenant.company,
    paymentProcessorId: state.processorId,
    direction: state.direction,
    fileName: state.fileName,
    fileDate: orNull(dateText, state.fileDay),
    sameDay: built?.slot.kind === 'sameDay',
    effectiveEntryDate: orNull(dateText, built?.effectiveDay),
    entryCount: state.entryCount,
    debitTotalAmount: amount(state.debitCents),
    creditTotalAmount: amount(state.creditCents),
    status: state.status,
    failureDescription: state.failure,
    sha256: state.sha256,
    uploadedAt: orNull(dateTimeText, state.uploadedAt),
    confirmedAt: orNull(dateTimeText, state.confirmedAt),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

/** A file with the keys of its contents: for the part that makes and reads files, and for lists of entries. */
export interface AchFileWork {
  readonly state: AchFileState;
  readonly content: OpenContent | null;
  /** What leaves instead of the content. */
  readonly sealed: OpenContent | null;
  readonly entries: OpenContent | null;
}

/** What is known of the files of a processor without opening them. */
export interface FilesOfProcessor {
  /** Oldest first: files with work to do, and those whose confirmation is awaited. */
  readonly open: readonly string[];
  readonly awaitingConfirmation: readonly string[];
  readonly slots: readonly string[];
  readonly sourceKeys: readonly string[];
  /** Files with returns that were taken, newest first. */
  readonly takenReturns: readonly { readonly id: string; readonly createdStamp: number }[];
  /** Files from the bank of which nothing could be recorded. */
  readonly failedIncoming: readonly string[];
  /** Confirmations that were not taken, because they could not be processed. */
  readonly untakenConfirmations: readonly string[];
  /** Sequences of trace numbers of outgoing files, newest first. */
  readonly ranges: readonly { readonly id: string; readonly first: number; readonly count: number; readonly fileDate: string }[];
}

/** What a file moves, of files that the bank has. */
export interface AchMovement {
  readonly id: string;
  readonly direction: 'outgoing' | 'return';
  /** A file that the bank has sent twice may have two. */
  readonly fileNames: readonly string[];
  readonly fileDay: Day;
  /** Of outgoing files. */
  readonly effectiveDay: Day | null;
  readonly entryCount: number;
  readonly debitCents: Cents;
  readonly creditCents: Cents;
}

const known = (state: AchFileState): AchFileState =>
  state.createdStamp === 0 ? refuse('notFound', `There is no ACH file ${state.id}.`) : state;

export const achFileQueries: readonly QuerySpec<AchFileState>[] = [
  outlivedQuery(ACH_FILE_RETENTION),
  { kind: ACH_FILE, type: 'achFile.get', on: 'target', read: ({ state }) => achFileView(known(state)) },
  {
    kind: ACH_FILE,
    type: 'achFile.work',
    on: 'target',
    read: ({ state, env }): AchFileWork => ({
      state: known(state),
      content: openFileContent(env, state.id, state.content),
      sealed: openFileContent(env, state.id, state.sealed ?? null),
      entries: openFileContent(env, state.id, state.entries),
    }),
  },
  {
    kind: ACH_FILE,
    type: 'achFile.list',
    on: 'tenant',
    read({ query, env }: QueryOf<AchFileListQuery>) {
      return listed(query, env);
    },
  },
  {
    kind: ACH_FILE,
    type: 'achFile.ofProcessor',
    on: 'company',
    read({ query: { processorId }, env }: QueryOf<{ readonly processorId: string }>): FilesOfProcessor {
      return ofProcessor(processorId, env);
    },
  },
  {
    kind: ACH_FILE,
    type: 'achFile.movements',
    on: 'company',
    read({ query: { processorId, from }, env }: QueryOf<{ readonly processorId: string; readonly from: Day }>): readonly AchMovement[] {
      return movements(processorId, from, env);
    },
  },
];

function listed({ paymentProcessorId, direction, status, fromDate, toDate, ...page }: AchFileListQuery, env: QueryEnv): ListResult {
  const processor = paymentProcessorId === undefined ? undefined : processorNamed(paymentProcessorId, env);
  const isListed = ({ parentId, fields }: CatalogRow): boolean =>
    (processor === undefined || parentId === processor) &&
    (direction === undefined || fields['direction'] === direction) &&
    (status === undefined || fields['status'] === status) &&
    (fromDate === undefined || String(fields['fileDate']) >= fromDate) &&
    (toDate === undefined || String(fields['fileDate']) <= toDate);
  return listedActors(env, ACH_FILE, { ...page, matches: isListed }, achFileView);
}

function processorNamed(anyId: string, env: QueryEnv): string {
  if (!anyId.startsWith('ext-')) return anyId;
  for (const { id, stored } of processorsOf(companyOf(env, env.tenant)).values()) if (stored.externalId === anyId.slice(4)) return id;
  return refuse('notFound', `There is no payment processor ${anyId}.`);
}

function ofProcessor(processorId: string, env: QueryEnv): FilesOfProcessor {
  // Newest first.
  const { rows } = env.listAll(ACH_FILE, { matches: ({ parentId }) => parentId === processorId, limit: ALL_ROWS });
  const ids = (isWanted: (fields: CatalogRow['fields']) => boolean): readonly string[] =>
    rows
      .filter(({ fields }) => isWanted(fields))
      .map(({ id }) => id)
      .reverse();
  const texts = (name: 'slot' | 'sourceKey'): readonly string[] =>
    rows.flatMap(({ fields }) => (fields[name] === null ? [] : [String(fields[name])]));
  return {
    open: ids((fields) => fields['isOpen'] === true),
    awaitingConfirmation: ids((fields) => fields['awaitsConfirmation'] === true),
    slots: texts('slot'),
    sourceKeys: texts('sourceKey'),
    takenReturns: rows
      .filter(({ fields }) => fields['direction'] === 'return' && fields['status'] === 'confirmed')
      .map(({ id, createdStamp }) => ({ id, createdStamp })),
    failedIncoming: ids((fields) => fields['direction'] !== 'outgoing' && fields['status'] === 'failed'),
    untakenConfirmations: ids(
      (fields) => fields['direction'] === 'confirmation' && (fields['isOpen'] === true || fields['isAside'] === true),
    ),
    ranges: rows
      .filter(({ fields }) => fields['direction'] === 'outgoing')
      .map(({ id, fields }) => ({
        id,
        first: Number(fields['firstSequence']),
        count: Number(fields['entryCount']),
        fileDate: String(fields['fileDate']),
      })),
  };
}

/** Outgoing files that were uploaded, and returns that could be read, each once however often the bank has sent it; oldest first. */
function movements(processorId: string, from: Day, env: QueryEnv): readonly AchMovement[] {
  const { rows } = env.listAll(ACH_FILE, {
    matches: ({ parentId, fields }) => parentId === processorId && String(fields['fileDate']) >= formatDay(from),
    limit: ALL_ROWS,
  });
  const found: (AchMovement & { readonly fileNames: string[]; readonly sha256: string })[] = [];
  for (const { id } of rows.toReversed()) {
    const file = env.stateOf<AchFileState>(ACH_FILE, id);
    if (file === undefined || file.fileDay === null || file.status === 'created' || file.status === 'failed') continue;
    const { direction, fileName, fileDay, entryCount, debitCents, creditCents, built, sha256 } = file;
    if (direction === 'confirmation') continue;
    const first = direction === 'return' ? found.find((each) => each.direction === 'return' && each.sha256 === sha256) : undefined;
    first?.fileNames.push(fileName);
    const effectiveDay = built?.effectiveDay ?? null;
    const movement = { id, direction, fileNames: [fileName], fileDay, effectiveDay, entryCount, debitCents, creditCents, sha256 };
    if (first === undefined) found.push(movement);
  }
  return found.map(({ sha256: _digest, ...movement }) => movement);
}
