import { createHash } from 'node:crypto';
import { addDays, day, type Day, must } from '../../../engine/index.js';
import { type CompanyState, type PutFile } from '../../company/index.js';
import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import type { Operation } from '../../kernel/jobs/operations.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { type AskedEngine, isForNow, ServiceCalls, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import type { BatchExport, BatchFacts, BatchState } from './batch.js';
import type { ExportMadeBody, SealDayBody } from './commands.js';
import { BASES, BATCH_FORMAT, DaySums, type Entry } from './entries.js';
import { fileNameOf, writeFile } from './files/write.js';
import { firstDayOfLoans } from './loans.js';
import { entriesOfLedger } from './receipts.js';
import { accountsOfBatch } from './mapped.js';
import type { NextDays, ExportWork } from './view.js';

/** How often it is looked for what is to be done, in milliseconds. */
const EVERY_MS = 1_000;
/** The most days whose entries are gathered in one pass over the loans. */
const DAYS_AT_ONCE = 14;
/**
 * A pass has so many days that it should not take longer than this, in milliseconds: what it has gathered is lost where the process ends.
 * The first one of a process has a single day.
 */
const PASS_MS = 300_000;
/** After a pass that took longer than this, files and other companies come first, in milliseconds. */
const LONG_PASS_MS = 2_000;
/** Tries to put a file, and the wait between them, in milliseconds of the company's clock. */
const PUT_TRIES = 3;
const PUT_WAIT_MS = 15 * 60_000;
/** A file that has met a failure of the service so often in a row is given up. */
const MOST_FAILURES = 20;
/** The wait for loans that have still to record what the end of a day has brought, and until that is reported, in milliseconds. */
const BEHIND_MS = 2_000;
const REPORTED_MS = 600_000;
/** Batches whose entries were read, and that wait to be compared with their hashes. */
const MOST_TO_COMPARE = 100;

export interface GeneralLedgerRunnerParts {
  readonly engine: SharedEngine & {
    readonly operations: { get(tenant: Tenant, operationId: string, nowMs: number): Operation | undefined };
  };
  readonly asked: AskedEngine;
  readonly contents: { put(content: Uint8Array): Promise<OpenContent>; get(content: OpenContent): Promise<Uint8Array> };
  readonly outside: {
    /** Throws what `isFault` knows. */
    readonly putFile: PutFile;
    isFault(cause: unknown): cause is Error;
  };
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Seals the days of the books, writes their files and sends them, on the process that owns the shared shard. What was done is a fact before
 * the next step; the next owner of the shard goes on from there.
 */
export class GeneralLedgerRunner extends RoundRunner {
  /** By tenant: through which day the books are known to be sealed, behind which batch. */
  readonly #looked = new Map<string, { readonly through: Day; readonly behind: string }>();
  /** By tenant: since when a loan is behind, and until when it is not looked at again. */
  readonly #waits = new Map<string, { readonly since: number; readonly until: number }>();
  /** By tenant: the days of the next pass. */
  readonly #days = new Map<string, number>();
  /** By file: failures of the service in a row. */
  readonly #failures = new Map<string, number>();
  /** Batches of which entries were read, by id. */
  readonly #toCompare = new Map<string, Tenant>();

  constructor(private readonly parts: GeneralLedgerRunnerParts) {
    super(EVERY_MS);
  }

  /** Does what is to be done now, for tests. */
  async settled(): Promise<void> {
    await this.run();
    await this.run();
  }

  /** The last day that was looked at and sealed; null: none since the start of the process. */
  sealedThrough(tenant: Tenant): Day | null {
    return this.#looked.get(tenantKey(tenant))?.through ?? null;
  }

  /** Entries of the batch were read: they are compared with what was sealed. */
  compareLater(tenant: Tenant, batchId: string): void {
    if (this.#toCompare.size < MOST_TO_COMPARE) this.#toCompare.set(batchId, tenant);
  }

  protected override async round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      if (!company?.profile || company.loanTypes.size === 0) continue;
      const calls = new ServiceCalls(this.parts.asked, tenant);
      await this.#guarded(tenant, null, () => this.#seal(tenant, calls));
      const open = await this.#guarded(tenant, null, () => calls.query<readonly string[]>('generalLedger.open', null));
      for (const id of open ?? []) await this.#guarded(tenant, id, () => this.#export(tenant, company, id, calls));
    }
    for (const [id, tenant] of [...this.#toCompare]) {
      this.#toCompare.delete(id);
      await this.#guarded(tenant, id, () => this.#compare(tenant, id));
    }
  }

  #guarded<Result>({ company, mode }: Tenant, id: string | null, work: () => Promise<Result>): Promise<Result | null> {
    return this.guarded(work, (cause) => this.parts.report('the books could not go on, and are tried again', { company, mode, id, cause }));
  }

  /** Seals the days that are over and not sealed, some at a time. */
  async #seal(tenant: Tenant, calls: ServiceCalls): Promise<void> {
    for (;;) {
      const next = await calls.query<NextDays>('generalLedger.next', null);
      const span = await this.#spanOf(tenant, next, calls);
      if (span === null || this.isClosed) return;
      if (this.parts.engine.machineMs() < (this.#waits.get(tenantKey(tenant))?.until ?? 0)) return;
      const begun = performance.now();
      const days = await this.#gathered(tenant, span, calls);
      if (days === null) return;
      const tookMs = performance.now() - begun;
      const fitting = Math.floor((PASS_MS * (span.through - span.from + 1)) / Math.max(1, tookMs));
      this.#days.set(tenantKey(tenant), Math.min(DAYS_AT_ONCE, Math.max(1, fitting)));
      const behind = { ...next.last };
      for (let at = span.from; at <= span.through; at = addDays(at, 1))
        for (const basis of BASES) {
          const sums = days.get(`${basis}/${at}`);
          if (sums === undefined || at <= (behind[basis]?.day ?? -Infinity)) continue;
          const body: SealDayBody = { basis, day: at, ...sums.content() };
          const key = `generalLedger/${tenantKey(tenant)}/${basis}/${at}/${behind[basis]?.id ?? ''}`;
          const { id } = await calls.command<{ readonly id: string }>({
            type: 'generalLedgerBatch.seal',
            target: tenant.company,
            body,
            key,
          });
          behind[basis] = { id, day: at };
        }
      this.#looked.set(tenantKey(tenant), { through: span.through, behind: headOf(behind) });
      if (tookMs > LONG_PASS_MS) return;
    }
  }

  /** The days that are to be sealed next; null while none is over. */
  async #spanOf(tenant: Tenant, { closedThrough, last }: NextDays, calls: ServiceCalls): Promise<{ from: Day; through: Day } | null> {
    const looked = this.#looked.get(tenantKey(tenant));
    const newest = Math.max(last.accrual?.day ?? -Infinity, last.cash?.day ?? -Infinity);
    // The time of an emptied test mode may be set back.
    const isKnown = looked !== undefined && looked.behind === headOf(last) && looked.through <= closedThrough;
    if (isKnown && looked.through === closedThrough) return null;
    let from: Day | null;
    if (newest === -Infinity) from = await firstDayOfLoans(calls);
    // A process may have ended between the two bases of a day.
    else from = isKnown ? addDays(looked.through, 1) : day(newest);
    if (from === null || from > closedThrough) {
      this.#looked.set(tenantKey(tenant), { through: closedThrough, behind: headOf(last) });
      return null;
    }
    return { from, through: day(Math.min(closedThrough, addDays(from, (this.#days.get(tenantKey(tenant)) ?? 1) - 1))) };
  }

  /** By basis and day; null where loans are behind, or the process ends. */
  async #gathered(
    tenant: Tenant,
    { from, through }: { readonly from: Day; readonly through: Day },
    calls: ServiceCalls,
  ): Promise<ReadonlyMap<string, DaySums> | null> {
    const days = new Map<string, DaySums>();
    const loans = entriesOfLedger(calls, { bases: BASES, from, through }, { isInBackground: true, goesOn: () => !this.isClosed });
    for await (const { id, entries, isBehind } of loans) {
      if (isBehind) {
        this.#waitFor(tenant, id);
        return null;
      }
      for (const entry of entries) {
        const key = `${entry.basis}/${entry.accountingDate}`;
        const sums = days.get(key) ?? new DaySums();
        days.set(key, sums);
        sums.add(entry);
      }
    }
    this.#waits.delete(tenantKey(tenant));
    return this.isClosed ? null : days;
  }

  /** The loan has still to record what the end of the day has brought. */
  #waitFor(tenant: Tenant, loanId: string): void {
    const now = this.parts.engine.machineMs();
    const { since } = this.#waits.get(tenantKey(tenant)) ?? { since: now };
    const isLong = now - since >= REPORTED_MS;
    if (isLong) this.parts.report('the books wait for a loan whose day is not closed', { ...tenant, loanId });
    this.#waits.set(tenantKey(tenant), { since: isLong ? now : since, until: now + BEHIND_MS });
  }

  async #export(tenant: Tenant, company: CompanyState, batchId: string, calls: ServiceCalls): Promise<void> {
    const { exports } = await calls.query<ExportWork>('generalLedgerBatch.work', batchId);
    for (const { id } of exports) {
      try {
        await this.#advance(tenant, company, { batchId, exportId: id }, calls);
        this.#failures.delete(id);
      } catch (cause) {
        const failures = (this.#failures.get(id) ?? 0) + 1;
        this.#failures.set(id, failures);
        if (failures >= MOST_FAILURES && !isForNow(cause)) {
          await this.#end(tenant, { batchId, exportId: id }, 'The service has failed; its log has the cause.', calls);
          this.#failures.delete(id);
        }
        throw cause;
      }
    }
  }

  async #advance(
    tenant: Tenant,
    company: CompanyState,
    { batchId, exportId }: { readonly batchId: string; readonly exportId: string },
    calls: ServiceCalls,
  ): Promise<void> {
    const now = this.parts.engine.now(tenant);
    let work = await calls.query<ExportWork>('generalLedgerBatch.work', batchId);
    let one = exportOf(work, exportId);
    if (one.made === null) {
      const failure = await this.#make(company, work, one, calls);
      if (failure !== null) return this.#end(tenant, { batchId, exportId }, failure, calls);
      work = await calls.query<ExportWork>('generalLedgerBatch.work', batchId);
      one = exportOf(work, exportId);
    }
    const { sftp, content } = must(
      work.exports.find(({ id }) => id === exportId),
      'a file that is sent',
    );
    if (sftp === null) return this.#end(tenant, { batchId, exportId }, null, calls);
    if (one.putAgainAt !== null && now < one.putAgainAt) return;
    const file = await this.parts.contents.get(must(content, 'a file that is made'));
    try {
      await this.parts.outside.putFile(tenant, sftp, must(one.made, 'a file that is made').name, file);
    } catch (cause) {
      if (!this.parts.outside.isFault(cause)) throw cause;
      const { message } = cause;
      if (one.triesFailed + 1 >= PUT_TRIES) return this.#end(tenant, { batchId, exportId }, message, calls);
      const body: BatchFacts['LedgerExportNotPut'] = { exportId, description: message, putAgainAt: now + PUT_WAIT_MS };
      await calls.command({ type: 'generalLedgerBatch.exportNotPut', target: batchId, body });
      return;
    }
    await this.#end(tenant, { batchId, exportId }, null, calls);
  }

  /** Null once it is written; otherwise why it cannot be. What was written once is not written again: the bytes stay the same. */
  async #make(company: CompanyState, work: ExportWork, one: BatchExport, calls: ServiceCalls): Promise<string | null> {
    const { batch } = work;
    const { format, detail } = one;
    const before = batch.exports.find((each) => each.made !== null && each.format === format && each.detail === detail)?.made;
    const name = fileNameOf(batch, format, detail);
    if (before != null) {
      const content = must(
        work.written.find((each) => each.format === format && each.detail === detail),
        'a file that was written',
      ).content;
      const { rowCount, bytes, sha256 } = before;
      await this.#made(batch.id, { exportId: one.id, name, rowCount, bytes, sha256, ...content }, calls);
      return null;
    }
    const sums = new DaySums();
    const currency = 'USD';
    const file = await writeFile(
      { batch, day: batch.day, currency },
      { format, detail },
      {
        entries: counted(
          entriesOfBatch(batch, calls, () => !this.isClosed),
          sums,
        ),
        accountOf: accountsOfBatch(company, batch),
      },
    );
    if (this.isClosed) return null;
    if (await this.#isDifferent(batch, sums, calls)) return 'The entries differ from what was sealed.';
    const sha256 = createHash('sha256').update(file.content).digest('hex');
    const stored = await this.parts.contents.put(file.content);
    const { rowCount, content } = file;
    await this.#made(batch.id, { exportId: one.id, name, rowCount, bytes: content.length, sha256, ...stored }, calls);
    return null;
  }

  async #made(batchId: string, body: ExportMadeBody, calls: ServiceCalls): Promise<void> {
    await calls.command({ type: 'generalLedgerBatch.exportMade', target: batchId, body });
  }

  async #end(
    tenant: Tenant,
    { batchId, exportId }: { readonly batchId: string; readonly exportId: string },
    failureDescription: string | null,
    calls: ServiceCalls,
  ): Promise<void> {
    const { batch } = await calls.query<ExportWork>('generalLedgerBatch.work', batchId);
    const status = failureDescription === null ? 'succeeded' : 'failed';
    const body: BatchFacts['LedgerExportEnded'] = { exportId, status, failureDescription };
    await calls.command({ type: 'generalLedgerBatch.exportEnd', target: batchId, body });
    const { operationId } = must(
      batch.exports.find(({ id }) => id === exportId),
      exportId,
    );
    const now = this.parts.engine.machineMs();
    // After a restart nobody knows of the operation any more; the batch has the file with its status.
    const operation = this.parts.engine.operations.get(tenant, operationId, now);
    if (operation?.status !== 'running') return;
    Object.assign(operation, { status, finishedAt: now });
    if (failureDescription !== null) Object.assign(operation, { errorType: 'operationFailed', errorMessage: failureDescription });
  }

  /** Computes the entries of a batch again, and records a difference. */
  async #compare(tenant: Tenant, batchId: string): Promise<void> {
    const calls = new ServiceCalls(this.parts.asked, tenant);
    const { batch } = await calls.query<ExportWork>('generalLedgerBatch.work', batchId);
    const sums = new DaySums();
    for await (const entry of entriesOfBatch(batch, calls, () => !this.isClosed)) sums.add(entry);
    if (!this.isClosed) await this.#isDifferent(batch, sums, calls);
  }

  async #isDifferent(batch: BatchState, sums: DaySums, calls: ServiceCalls): Promise<boolean> {
    const { contentHash, entryCount, debitCents } = sums.content();
    // A later version writes entries in another way for their hash: only the figures can be compared then.
    const isSame =
      batch.format === BATCH_FORMAT
        ? contentHash === batch.contentHash
        : entryCount === batch.entryCount && debitCents === batch.debitCents;
    if (isSame) return false;
    const body: BatchFacts['LedgerDifferenceFound'] = { contentHash, entryCount, debitCents };
    await calls.command({ type: 'generalLedgerBatch.different', target: batch.id, body });
    return true;
  }
}

const headOf = ({ accrual, cash }: NextDays['last']): string => `${accrual?.id ?? ''}/${cash?.id ?? ''}`;

const exportOf = ({ batch }: ExportWork, exportId: string): BatchExport =>
  batch.exports.find(({ id }) => id === exportId) ?? missing(exportId);

function missing(exportId: string): never {
  throw new Refusal('notFound', `There is no file ${exportId}.`);
}

/** The entries of a batch, computed again. */
async function* entriesOfBatch(
  { basis, day: its }: Pick<BatchState, 'basis' | 'day'>,
  calls: ServiceCalls,
  goesOn: () => boolean,
): AsyncGenerator<Entry> {
  for await (const { entries } of entriesOfLedger(calls, { bases: [basis], from: its, through: its }, { isInBackground: true, goesOn }))
    yield* entries;
}

async function* counted(entries: AsyncIterable<Entry>, sums: DaySums): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    sums.add(entry);
    yield entry;
  }
}
