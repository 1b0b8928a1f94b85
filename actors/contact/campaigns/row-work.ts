import { csvLine } from '../../../engine/index.js';
import { type BulkSender, type ContactExporter, isExportField, QUERY_FIELD } from '../../company/index.js';
import { Refusal } from '../../errors.js';
import { isFinalRefusal, isForNow, type ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { CanInteractRequest, CanInteractView } from '../guard/index.js';

import type { ExportedContacts, ExportedQuery } from './exporting.js';
import type { RowNamed, RowNames } from './row-named.js';
import { type ListCell, type ListColumns, orderOfRow, textOfCell } from './rows.js';
import type { SendRowBody, SendRowReply } from './send-row.js';
import type { RowResult } from './view.js';

/** What one row comes to. */
export interface RowDone {
  readonly result: RowResult;
  /** Of an exporter: its lines of the file, contacts that it gave, and contacts that the guard has stopped. */
  readonly lines: string;
  readonly exported: number;
  readonly blocked: number;
  readonly isDuplicate: boolean;
  /** The key of a row that was worked; null of others, which make no later row a duplicate. */
  readonly key: string | null;
}

/** What a worker does with the rows of a run, each once. */
export interface RowWorker {
  /** Columns without which no row can be worked. */
  missing(columns: ListColumns): readonly string[];
  /** How many rows are begun together, how many are under way at most, and how many are recorded together. */
  readonly together: number;
  readonly atOnce: number;
  readonly batchRows: number;
  /** The line with the names of the columns; empty where no file is made. */
  readonly head: string;
  /** The borrower of a row; what the row comes to where it has none. */
  look(row: RowAsked): Promise<RowLooked | RowDone>;
}

/** A row whose borrower is known. Ids are those of the service. */
export interface RowLooked {
  readonly personId: string;
  readonly loanId: string | null;
  readonly work: () => Promise<RowDone>;
}

interface RowAsked {
  readonly rowNumber: number;
  readonly cells: readonly ListCell[];
  readonly columns: ListColumns;
}

export interface RowParts {
  readonly runId: string;
  readonly calls: ServiceCalls;
  /** How many engines have borrowers: one, or the units of a cluster. */
  readonly units: number;
  /** Resolves when the next message may be sent. */
  readonly paced: () => Promise<void>;
}

const done = (result: RowResult, more: Partial<RowDone> = {}): RowDone => ({
  result,
  lines: '',
  exported: 0,
  blocked: 0,
  isDuplicate: false,
  key: null,
  ...more,
});

const failed = (rowNumber: number, borrowerId: string | null, reason: string): RowDone =>
  done({ rowNumber, borrowerId, status: 'failed', interactionId: null, reason });

/** The first row of a borrower and loan counts. */
export const duplicateRow = (rowNumber: number, borrowerId: string): RowDone =>
  done(
    { rowNumber, borrowerId, status: 'skipped', interactionId: null, reason: 'The borrower and loan stand in an earlier row.' },
    { isDuplicate: true },
  );

/** What a refusal makes of a row; one that is for now is tried again with the run. */
function refused(rowNumber: number, borrowerId: string, cause: unknown): RowDone {
  if (!(cause instanceof Refusal) || isForNow(cause)) throw cause;
  if (cause.errorType === 'duplicate') {
    return done({ rowNumber, borrowerId, status: 'skipped', interactionId: null, reason: cause.message }, { isDuplicate: true });
  }
  return failed(rowNumber, borrowerId, cause.message);
}

const BEST = ['sent', 'blocked', 'failed'] as const;

/**
 * What a final refusal of one channel comes to: the others have their own outcome. An external id that is taken is for the whole row, which
 * was sent before.
 */
function refusedSend(cause: unknown): SendRowReply {
  if (!isFinalRefusal(cause) || cause.errorType === 'duplicate') throw cause;
  return { outcome: 'failed', interactionId: null, reason: cause.message };
}

/** A bulk sender: one send for each row and channel. What was sent under a row's key is not sent again. */
export function sendingWorker(sender: BulkSender, { runId, calls, paced }: RowParts): RowWorker {
  const { interactionSubject: subject, interactionTheme: theme, interactionChannel: channel } = sender;

  async function sent(rowNumber: number, { personId, channels }: RowNamed, request: object): Promise<RowDone> {
    const replies: SendRowReply[] = [];
    for (const each of channel === null ? channels : [channel]) {
      await paced();
      // The external id names one interaction: the first that is recorded.
      const isNamed = replies.some(({ interactionId }) => interactionId !== null);
      const body = {
        request: { ...request, ...(isNamed ? { interactionExternalId: null } : {}), personId, channel: each, subject, theme },
        onlyWithTemplate: channel === null,
      } as SendRowBody;
      const key = `campaign/${runId}/${rowNumber}/${each}`;
      replies.push(await calls.command<SendRowReply>({ type: 'interaction.sendRow', target: personId, body, key }).catch(refusedSend));
    }
    if (replies.length === 0) return failed(rowNumber, personId, 'The row names a contact and a template that no channel has in common.');
    const best = BEST.map((outcome) => replies.find((reply) => reply.outcome === outcome)).find((reply) => reply !== undefined);
    if (best === undefined) return failed(rowNumber, personId, 'templateMissing: No channel has a template for the subject.');
    const { outcome, interactionId, reason } = best;
    return done({ rowNumber, borrowerId: personId, status: outcome === 'noTemplate' ? 'failed' : outcome, interactionId, reason });
  }

  return {
    missing: (columns) => columns.missingFor(subject),
    together: 1,
    atOnce: 1,
    batchRows: 100,
    head: '',
    async look({ rowNumber, cells, columns }) {
      const order = orderOfRow(columns, cells, subject);
      if ('reason' in order) return failed(rowNumber, textOfCell(columns.of(cells, 'borrowerId')), order.reason);
      const { borrowerId, request } = order;
      try {
        const { loanId = null, contactId = null, useTemplate = null } = request;
        const names: RowNames = { loanId, contactId, useTemplate };
        const named = await calls.query<RowNamed>('person.named', borrowerId, names);
        return { ...named, work: worked(rowNumber, named.personId, () => sent(rowNumber, named, request)) };
      } catch (cause) {
        return refused(rowNumber, borrowerId, cause);
      }
    },
  };
}

const worked =
  (rowNumber: number, personId: string, work: () => Promise<RowDone>): RowLooked['work'] =>
  () =>
    work().catch((cause: unknown) => refused(rowNumber, personId, cause));

type Pace = Pick<RowWorker, 'together' | 'atOnce' | 'batchRows'>;

/** Rows of one engine are computed on this thread. */
const OF_ONE_ENGINE: Pace = { together: 8, atOnce: 128, batchRows: 1_000 };
/** Those of many units wait for messages and for the journal of each: what is asked together costs a message and a flush less. */
const OF_UNITS: Pace = { together: 32, atOnce: 1_024, batchRows: 4_000 };

/** A contact exporter: one line for each contact that the guard lets through. */
export function exportingWorker(exporter: ContactExporter, { calls, units }: Pick<RowParts, 'calls' | 'units'>): RowWorker {
  const { contactMatchingCriteria: criteria, columnSettings, checkCompliance } = exporter;

  const fields = columnSettings.flatMap(({ field }) => (isExportField(field) ? [field] : []));

  /** Without a key: a row that is worked again after a crash is judged again, and its second decision counts. */
  const isLetThrough = async (personId: string, contactId: string, loanId: string | null): Promise<boolean> => {
    if (checkCompliance === null) return true;
    const body: CanInteractRequest = { contactId, checkAtCompanyNoon: true, loanId, ...checkCompliance };
    const { result } = await calls.replyTo<Pick<CanInteractView, 'result'>>({ type: 'person.canInteract', target: personId, body });
    return result;
  };

  const lineOf = (values: ExportedContacts['contacts'][number]['values'], cells: readonly ListCell[], columns: ListColumns): string =>
    `${csvLine(
      columnSettings.map(({ field }) =>
        isExportField(field) ? (values[field] ?? '') : String(columns.of(cells, field.slice(QUERY_FIELD.length)) ?? ''),
      ),
    )}\r\n`;

  async function exported({ rowNumber, cells, columns }: RowAsked, { personId, loanId, contacts }: ExportedContacts): Promise<RowDone> {
    let lines = '';
    let count = 0;
    let blocked = 0;
    for (const { id, values } of contacts) {
      if (await isLetThrough(personId, id, loanId)) {
        lines += lineOf(values, cells, columns);
        count += 1;
      } else blocked += 1;
    }
    const status = count > 0 ? 'exported' : blocked > 0 ? 'blocked' : 'skipped';
    const reason =
      count > 0 ? null : blocked > 0 ? 'The guard lets none of the contacts through.' : 'The borrower has no contact that is wanted.';
    return done({ rowNumber, borrowerId: personId, status, interactionId: null, reason }, { lines, exported: count, blocked });
  }

  return {
    missing: (columns) => [
      ...(columns.has('id') ? [] : ['id']),
      ...columnSettings
        .flatMap(({ field }) => (field.startsWith(QUERY_FIELD) ? [field.slice(QUERY_FIELD.length)] : []))
        .filter((name) => !columns.has(name)),
    ],
    ...(units === 1 ? OF_ONE_ENGINE : OF_UNITS),
    head: `${csvLine(columnSettings.map(({ field, outputName }) => outputName ?? field))}\r\n`,
    async look(row) {
      const { rowNumber, cells, columns } = row;
      const borrowerId = textOfCell(columns.of(cells, 'id'));
      if (borrowerId === null) return failed(rowNumber, null, 'The row names no borrower.');
      try {
        const query: ExportedQuery = { criteria, fields, loanId: textOfCell(columns.of(cells, 'loanId')) };
        const found = await calls.query<ExportedContacts>('person.exportedContacts', borrowerId, query);
        const { personId, loanId } = found;
        return { personId, loanId, work: worked(rowNumber, personId, () => exported(row, found)) };
      } catch (cause) {
        return refused(rowNumber, borrowerId, cause);
      }
    },
  };
}
