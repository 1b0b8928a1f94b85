import type { OpenContent } from '../../kernel/sealed-contents.js';
import { day, type Day, must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import { noLongerKept, outlivedQuery } from '../../kernel/retention.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import { type DateText, dateText, type DateTimeText, dateTimeText, dayOfText, type ListResult, orNull } from '../../wire.js';
import { openSecrets, type SftpServer } from '../campaigns/sftp.js';
import { companyOf } from '../directory.js';
import { sftpServerOf } from '../sftp-access.js';
import { loanTapeOf, type LoanTapeRecord, type TapeBucket } from './tape.js';
import { LOAN_TAPE_FILE, LOAN_TAPE_RETENTION, openedPieces, openedSections, type TapeFileState, type TapeFileStatus } from './tape-file.js';

export interface TapeFileView {
  readonly id: string;
  readonly object: 'loanTapeFile';
  readonly loanTapeId: string;
  readonly reportDate: DateText;
  /** It shows what was recorded until then; null of a file of an earlier release, which shows what was known when it was made. */
  readonly recordedAsOf: DateTimeText | null;
  /** Null until it is made. */
  readonly fileName: string | null;
  readonly rowCount: number | null;
  readonly bytes: number | null;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string | null;
  readonly trigger: TapeFileState['trigger'];
  readonly status: TapeFileStatus;
  /** Also of a try to put it that is followed by another. */
  readonly failureDescription: string | null;
  readonly uploadedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export interface TapeFileListQuery extends PageQuery {
  /** By the report date. */
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export function tapeFileView(state: TapeFileState): TapeFileView {
  const { made } = state;
  return {
    id: state.id,
    object: 'loanTapeFile',
    loanTapeId: state.loanTapeId,
    reportDate: dateText(state.reportDay),
    recordedAsOf: orNull(dateTimeText, state.knownAt),
    fileName: made?.name ?? null,
    rowCount: made?.rowCount ?? null,
    bytes: made?.bytes ?? null,
    sha256: made?.sha256 ?? null,
    trigger: state.trigger,
    status: state.status,
    failureDescription: state.failureDescription,
    uploadedAt: orNull(dateTimeText, state.uploadedAt),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: dateTimeText(state.updatedAt),
    deletedAt: null,
  };
}

/** A file as it was made. */
export interface TapeFileContents {
  readonly name: string;
  readonly bytes: number;
  readonly pieces: readonly OpenContent[];
}

/** What the schedule of a tape knows of its files. */
export interface LastTapeFile {
  readonly isPending: boolean;
  /** The last report day of a scheduled file. */
  readonly scheduledThrough: Day | null;
}

type TapeTarget =
  | { readonly type: 'sftp'; readonly server: SftpServer }
  | { readonly type: 'bucket'; readonly bucket: TapeBucket & { readonly secret: string } };

/** All that the runner needs, secrets among it: it goes to nobody else. */
export interface TapeFileWork {
  readonly state: TapeFileState;
  /** Of the sections that have rows, while it is made. */
  readonly sections: readonly OpenContent[];
  /** Null until it is made. */
  readonly pieces: readonly OpenContent[] | null;
  /** Null where the tape is removed. */
  readonly target: TapeTarget | null;
}

export const tapeFileQueries: readonly QuerySpec<TapeFileState>[] = [
  outlivedQuery(LOAN_TAPE_RETENTION),
  {
    kind: LOAN_TAPE_FILE,
    type: 'loanTapeFile.list',
    on: 'tenant',
    read({ query, request, env }: QueryOf<TapeFileListQuery>): ListResult<TapeFileView> {
      const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, fromDate, toDate } = query;
      const [from, to] = [orNull(dayOfText, fromDate) ?? -Infinity, orNull(dayOfText, toDate) ?? Infinity];
      const page = env.list(LOAN_TAPE_FILE, {
        limit,
        parentId: knownTape(env, request.params['loanTapeId'] ?? ''),
        ...(startingAfter === undefined ? {} : { startingAfter }),
        ...(endingBefore === undefined ? {} : { endingBefore }),
        matches: ({ fields }) => Number(fields['reportDay']) >= from && Number(fields['reportDay']) <= to,
      });
      const items = page.rows.map(({ id }) => tapeFileView(must(env.stateOf<TapeFileState>(LOAN_TAPE_FILE, id), id)));
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  {
    kind: LOAN_TAPE_FILE,
    type: 'loanTapeFile.contents',
    on: 'target',
    read({ state, request, env }): TapeFileContents {
      const { made } = state;
      const pieces = openedPieces(env, state);
      if (state.loanTapeId !== knownTape(env, request.params['loanTapeId'] ?? ''))
        return refuse('notFound', `The loan tape has no file ${state.id}.`);
      if (made === null) return refuse('notFound', `The file ${state.id} is not made.`);
      if (pieces === null || (pieces.length === 0 && made.bytes > 0)) throw noLongerKept(`The contents of the file ${state.id}`);
      return { name: made.name, bytes: made.bytes, pieces };
    },
  },
  // The service's own: no route leads here.
  {
    kind: LOAN_TAPE_FILE,
    type: 'loanTapeFile.work',
    on: 'target',
    read({ state, env }): TapeFileWork {
      const tape = loanTapeOf(companyOf(env, env.tenant), state.loanTapeId);
      return {
        state,
        sections: openedSections(env, state),
        pieces: openedPieces(env, state),
        target: tape === undefined ? null : targetOf(env, tape),
      };
    },
  },
  {
    kind: LOAN_TAPE_FILE,
    type: 'loanTapeFile.last',
    on: 'tenant',
    read({ query: { loanTapeId: parentId }, env }: QueryOf<{ readonly loanTapeId: string }>): LastTapeFile {
      const first = (matches: (fields: CatalogRow['fields']) => boolean): CatalogRow | undefined =>
        env.listAll(LOAN_TAPE_FILE, { parentId, limit: 1, matches: ({ fields }) => matches(fields) }).rows[0];
      const scheduled = first(({ trigger }) => trigger === 'schedule');
      return {
        isPending: first(({ status }) => status === 'pending') !== undefined,
        scheduledThrough: scheduled === undefined ? null : day(Number(scheduled.fields['reportDay'])),
      };
    },
  },
  {
    kind: LOAN_TAPE_FILE,
    type: 'loanTapeFile.open',
    on: 'tenant',
    read({ env }): ListResult<string> {
      const page = env.listAll(LOAN_TAPE_FILE, { limit: Number.MAX_SAFE_INTEGER, matches: ({ fields }) => fields['status'] === 'pending' });
      const items = page.rows.map(({ id }) => id).reverse(); // oldest first
      return { items, total: items.length, hasMore: false, hasPrevious: false };
    },
  },
];

function targetOf(env: QueryEnv, { id, stored: { sftp, bucket, secrets } }: LoanTapeRecord): TapeTarget | null {
  const known = openSecrets(env, id, secrets);
  if (bucket != null) return { type: 'bucket', bucket: { ...bucket, secret: known.s3Secret ?? '' } };
  return sftp && { type: 'sftp', server: sftpServerOf(sftp, known) };
}

function knownTape(env: QueryEnv, id: string): string {
  return loanTapeOf(companyOf(env, env.tenant), id)?.id ?? refuse('notFound', `There is no loan tape ${id}.`);
}
