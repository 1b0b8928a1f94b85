import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import { must } from '../../../engine/index.js';
import { bulkSendersOf, type CompanyState, contactExportersOf, isPersonalQuery, personalColumnsOf } from '../../company/index.js';
import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import { isForNow, type ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { HeapMarking } from '../../kernel/shard/heap-marking.js';
import { TimeBudget } from '../../kernel/shard/scheduler.js';

import type { RowsDoneBody, RunEndedBody, RunFileBody, RunListedBody } from './commands.js';
import { fileNameOf, packBatch, packList, unpackBatch, unpackList } from './run-files.js';
import { duplicateRow, exportingWorker, type RowDone, type RowLooked, type RowParts, type RowWorker, sendingWorker } from './row-work.js';
import { ListColumns, type QueryList } from './rows.js';
import { type CampaignRunnerParts, OutsideFault } from './runner-ports.js';
import { CAMPAIGN_RUN, isUnderWay, type RowStatus, type RunCounts, type RunState } from './run.js';
import type { RunWork } from './view.js';

/** Rows that a query may answer. */
const MOST_ROWS = 100_000;
/** Tries to put a file, and the wait before the second, in milliseconds: the third waits twice as long. */
const FILE_TRIES = 3;
const FILE_WAIT_MS = 1_000;
/** Rows that are looked at again before others have their turn. */
const LOOKED_AGAIN = 50;
/** A batch is recorded no later than so many milliseconds after its first row. */
const BATCH_MS = 5_000;
/**
 * A run whose last step is older is not gone on with, in milliseconds: the replies by which nothing is sent twice are kept for a day.
 */
const LONGEST_REST_MS = 20 * 3_600_000;

/** The run is over already: it was canceled, or somebody else has gone on with it. */
class RunIsOver extends Error {
  override readonly name = 'RunIsOver';
}

interface Parts extends Omit<CampaignRunnerParts, 'report' | 'asked'> {
  readonly calls: ServiceCalls;
  readonly paced: () => Promise<void>;
  readonly isClosed: () => boolean;
}

/** One run, from where it stands to its end. Nothing is sent again, wherever it stopped. */
export class RunExecution {
  constructor(
    private readonly parts: Parts,
    private readonly tenant: Tenant,
    private readonly id: string,
  ) {}

  /** Throws what is to be tried again later. */
  async run(): Promise<void> {
    try {
      await this.#run();
    } catch (cause) {
      if (cause instanceof RunIsOver) return;
      if (cause instanceof OutsideFault) return this.#fail(cause.message);
      if (!(cause instanceof Refusal) || isForNow(cause)) throw cause;
      if (cause.errorType === 'invalidState') return; // it was canceled meanwhile
      await this.#fail(cause.message);
    }
  }

  /** For a run that nothing helps. */
  async #fail(error: string): Promise<void> {
    await this.#end({ status: 'failed', error });
  }

  async #run(): Promise<void> {
    const work = await this.#work();
    if (!isUnderWay(work.state.status)) return;
    if (this.parts.engine.machineMs() - work.state.updatedStamp / 1000 > LONGEST_REST_MS && work.state.status !== 'queued')
      return this.#fail('The service was away for too long to go on with the run.');
    if (work.state.status === 'queued') await this.#record('begin', {});
    const worker = this.#workerOf(work);
    const list = work.list === null ? await this.#listed(work, worker) : await unpackList(await this.parts.contents.get(work.list));
    await this.#rows(list);
    await this.#finish(worker);
  }

  #workerOf({ state }: RunWork): RowWorker {
    const company = must(this.parts.engine.stateOf<CompanyState>(this.tenant, 'company', this.tenant.company), 'the company of a run');
    const { bulkSenderId, contactExporterId } = must(state.campaign, 'a run that was ordered');
    const parts: RowParts = { runId: this.id, calls: this.parts.calls, units: this.parts.units, paced: () => this.parts.paced() };
    const sender = bulkSenderId === null ? undefined : bulkSendersOf(company).get(bulkSenderId);
    if (sender) return sendingWorker(sender.stored, parts);
    const exporter = contactExporterId === null ? undefined : contactExportersOf(company).get(contactExporterId);
    if (exporter) return exportingWorker(exporter.stored, parts);
    throw new OutsideFault('The worker of the campaign is gone.');
  }

  /** The list of the query, stored before anything is done with it. */
  async #listed({ state, queryApiKey }: RunWork, worker: RowWorker): Promise<QueryList> {
    const { query, queryUrl, seesPersonalData } = must(state.campaign, 'a run that was ordered');
    const list =
      query === null
        ? await this.parts.outside.fetchList({ url: must(queryUrl, 'a campaign has a query'), apiKey: queryApiKey })
        : await this.parts.questions.ask(this.tenant, { sql: query, seesPersonalData });
    if (list.rows.length > MOST_ROWS) throw new OutsideFault(`The query has answered more than ${MOST_ROWS} rows.`);
    const missing = worker.missing(new ListColumns(list.columns));
    if (missing.length > 0) throw new OutsideFault(`The result of the query lacks the columns ${missing.join(', ')}.`);
    const stored = await this.parts.contents.put(await packList(list));
    await this.#record('listed', { rowCount: list.rows.length, list: stored } satisfies RunListedBody);
    return list;
  }

  /** What is left of the rows, batch by batch. */
  async #rows(list: QueryList): Promise<void> {
    const work = await this.#work();
    const seen = new Set<string>();
    const worker = this.#workerOf(work);
    const columns = new ListColumns(list.columns);
    await this.#remember(work, worker, { list, columns, seen });
    let { counts } = work.state;
    let recorded: Promise<void> = Promise.resolve();
    try {
      while (counts.processed < list.rows.length) {
        const from = counts.processed + 1;
        const rows = await this.#batch(worker, { list, columns, from, seen });
        counts = added(counts, rows);
        await recorded;
        recorded = this.#rowsDone(rows, { from, counts });
        recorded.catch(() => undefined); // it is waited for when the next rows are done, or at the end
      }
    } finally {
      await recorded;
    }
  }

  /** Records a batch, while the rows of the next one are worked. Sends that are not recorded have replies under their keys. */
  async #rowsDone(rows: readonly RowDone[], done: Pick<RowsDoneBody, 'from' | 'counts'>): Promise<void> {
    const results = rows.map(({ result }) => result);
    const batch = { results, lines: rows.map(({ lines }) => lines).join(''), keys: rows.flatMap(({ key }) => key ?? []) };
    const content = await this.parts.contents.put(packBatch(batch));
    const statuses = statusesOf(rows);
    await this.#record('rowsDone', { ...done, statuses, content } satisfies RowsDoneBody);
    this.parts.measure?.rows(statuses);
  }

  /**
   * Rows side by side, some after the others: while some wait for a flush others are computed, and between two groups, each of a time slice
   * at most, others have their turn. Of those about the same borrower and loan the first counts.
   */
  async #batch(worker: RowWorker, { list: { rows }, columns, from, seen }: BatchAsked): Promise<readonly RowDone[]> {
    const until = performance.now() + BATCH_MS;
    const most = Math.min(worker.batchRows, rows.length - from + 1);
    const working: Promise<RowDone>[] = [];
    let done = 0;
    while (working.length < most && (working.length === 0 || performance.now() < until)) {
      const many = Math.min(worker.together, most - working.length);
      for (; done < working.length + many - worker.atOnce; done += 1) await working[done];
      this.#assertGoesOn();
      const first = from + working.length;
      const looks: Promise<RowLooked | RowDone>[] = [];
      for (const time = new TimeBudget(); looks.length < many && (looks.length === 0 || !time.isSpent); ) {
        const rowNumber = first + looks.length;
        looks.push(worker.look({ rowNumber, cells: rows[rowNumber - 1] ?? [], columns }));
      }
      for (const [at, row] of (await Promise.all(looks)).entries()) working.push(workedOnce(row, first + at, seen));
      await othersTurn();
      await HeapMarking.ofThread.pause();
    }
    return Promise.all(working);
  }

  /** Borrowers and loans of the rows that were done before the run stopped: they are duplicates in later rows, too. */
  async #remember({ batches }: RunWork, worker: RowWorker, { list, columns, seen }: RowsAsked): Promise<void> {
    for (const { content } of batches) {
      const { results, keys } = unpackBatch(await this.parts.contents.get(content));
      if (keys !== undefined) for (const key of keys) seen.add(key);
      else {
        // A batch of an earlier release names no loans: its rows are looked at again.
        for (const { rowNumber } of results) {
          const row = await worker.look({ rowNumber, cells: list.rows[rowNumber - 1] ?? [], columns });
          if ('work' in row) seen.add(keyOf(row));
          if (rowNumber % LOOKED_AGAIN === 0) await othersTurn();
        }
      }
    }
  }

  async #finish({ head }: RowWorker): Promise<void> {
    const work = await this.#work();
    const { counts, rowCount } = work.state;
    if (head !== '') await this.#file(work, head);
    const isAllFailed = counts.failed > 0 && counts.failed === rowCount;
    await this.#end({ status: isAllFailed ? 'failed' : counts.failed > 0 ? 'partiallyFailed' : 'succeeded', error: null });
  }

  async #file({ state, batches, sftpPassword }: RunWork, head: string): Promise<void> {
    const company = must(this.parts.engine.stateOf<CompanyState>(this.tenant, 'company', this.tenant.company), 'the company of a run');
    const campaign = must(state.campaign, 'a run that was ordered');
    const { contactExporterId, sftpSettings } = campaign;
    const exporter = must(contactExportersOf(company).get(contactExporterId ?? ''), 'an exporter makes the file').stored;
    const parts: string[] = [head];
    for (const { content } of batches) parts.push(unpackBatch(await this.parts.contents.get(content)).lines);
    const file = Buffer.from(parts.join(''));
    const zone = this.parts.engine.companyZone(this.tenant);
    const name =
      state.file?.name ??
      fileNameOf(exporter.fileNamePattern, { campaignId: state.campaignId, runId: this.id, at: state.startedAt ?? state.createdAt, zone });
    if (state.file === null) {
      const stored = await this.parts.contents.put(file);
      const holdsPersonalData = personalColumnsOf(exporter.columnSettings, isPersonalQuery(campaign)).length > 0;
      await this.#record('fileStored', { ...stored, file: { name, bytes: file.length, holdsPersonalData } } satisfies RunFileBody);
    }
    const address = exporter.sftpSettings ?? sftpSettings;
    if (address !== null)
      await this.#put(() => this.parts.outside.putFile(this.tenant, { ...address, password: sftpPassword }, name, file));
  }

  async #put(put: () => Promise<void>): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await put();
      } catch (cause) {
        if (!(cause instanceof OutsideFault) || tried === FILE_TRIES) throw cause;
        this.#assertGoesOn();
        await pause(FILE_WAIT_MS * tried);
      }
    }
  }

  /** Stops between two rows: a run that was canceled, and a service that closes. */
  #assertGoesOn(): void {
    const state = this.parts.engine.stateOf<RunState>(this.tenant, CAMPAIGN_RUN, this.id);
    if (this.parts.isClosed() || (state !== undefined && !isUnderWay(state.status))) throw new RunIsOver(this.id);
  }

  #work(): Promise<RunWork> {
    return this.parts.calls.query<RunWork>('campaignRun.work', this.id);
  }

  async #end(body: RunEndedBody): Promise<void> {
    await this.#record('end', body);
    this.parts.measure?.ended(body.status);
  }

  async #record(verb: 'begin' | 'listed' | 'rowsDone' | 'fileStored' | 'end', body: object): Promise<void> {
    await this.parts.calls.command({ type: `campaignRun.${verb}`, target: this.id, body });
  }
}

const keyOf = ({ personId, loanId }: Pick<RowLooked, 'personId' | 'loanId'>): string => `${personId}/${loanId ?? ''}`;

interface RowsAsked {
  readonly list: QueryList;
  readonly columns: ListColumns;
  /** Keys of the rows that were worked. */
  readonly seen: Set<string>;
}

interface BatchAsked extends RowsAsked {
  /** Number of its first row. */
  readonly from: number;
}

/** Starts a row, unless its borrower and loan were in an earlier one. A failure is seen where the rows are waited for. */
function workedOnce(row: RowLooked | RowDone, rowNumber: number, seen: Set<string>): Promise<RowDone> {
  if (!('work' in row)) return Promise.resolve(row);
  const key = keyOf(row);
  if (seen.has(key)) return Promise.resolve(duplicateRow(rowNumber, row.personId));
  seen.add(key);
  const done = row.work().then((worked) => ({ ...worked, key }));
  done.catch(() => undefined);
  return done;
}

function added(counts: RunCounts, rows: readonly RowDone[]): RunCounts {
  const sum = (of: (row: RowDone) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const withStatus = (status: RowStatus): number => sum(({ result }) => Number(result.status === status));
  return {
    processed: counts.processed + rows.length,
    exported: counts.exported + sum(({ exported }) => exported),
    sent: counts.sent + withStatus('sent'),
    // Of an exporter contacts are counted; of a sender rows.
    blocked:
      counts.blocked + sum(({ result, blocked, exported }) => (exported + blocked > 0 ? blocked : Number(result.status === 'blocked'))),
    failed: counts.failed + withStatus('failed'),
    duplicate: counts.duplicate + sum(({ isDuplicate }) => Number(isDuplicate)),
  };
}

function statusesOf(rows: readonly RowDone[]): RowsDoneBody['statuses'] {
  const statuses: { [Status in RowStatus]?: number } = {};
  for (const { result } of rows) statuses[result.status] = (statuses[result.status] ?? 0) + 1;
  return statuses;
}
