import { type Day, day } from '../../../engine/index.js';
import { accountNamed, type CompanyState, investorOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryRequest } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';
import { type AskedEngine, ServiceCalls, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import type { AccountingFact } from '../../loan/index.js';
import { DEFAULT_LIMIT, unknownCursor } from '../../list-order.js';
import { dayOfText, type ListResult } from '../../wire.js';
import type { BatchState } from './batch.js';
import { addressOfEntry, BASES, type Entry, entryIdOf, isOfLoan } from './entries.js';
import { entryView, isWanted, type LedgerEntryListQuery, type LedgerEntryTrace, type LedgerEntryView } from './entry-view.js';
import { entriesOfLoan } from './loans.js';
import { daysOfPeriod } from './periods.js';
import { entriesOfLedger, receiptEntries } from './receipts.js';
import { type OpenOfPeriod, openOfPeriod } from './period-work.js';
import { type LedgerReport, reportOf } from './reports.js';
import type { NextDays } from './view.js';

/** Entries that a list looks through for one page, before it asks for a narrower search. */
const MOST_LOOKED_AT = 200_000;

export interface GeneralLedgerReadingParts {
  readonly engine: SharedEngine;
  readonly asked: AskedEngine;
  /** Entries of the batch were read. */
  readonly wasRead: (tenant: Tenant, batchId: string) => void;
  /** The last day that was looked at and sealed; null: none. */
  readonly sealedThrough: (tenant: Tenant) => Day | null;
}

interface Reading {
  readonly tenant: Tenant;
  readonly company: CompanyState;
  readonly calls: ServiceCalls;
}

interface Found {
  readonly entry: Entry;
  readonly batchId: string;
}

/** Reads entries and reports of the books: entries are computed again from the facts of the loans. */
export class GeneralLedgerReading {
  constructor(private readonly parts: GeneralLedgerReadingParts) {}

  #of(tenant: Tenant): Reading {
    const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    if (!company?.profile) return refuse('notFound', `There is no company ${tenant.company}.`);
    return { tenant, company, calls: new ServiceCalls(this.parts.asked, tenant) };
  }

  /** `GET .../entries`: by accounting date, and within a day in the order in which they are booked. */
  async list({ query: asked }: QueryRequest, tenant: Tenant): Promise<ListResult<LedgerEntryView>> {
    const reading = this.#of(tenant);
    const query: LedgerEntryListQuery = checked(asked);
    const { company, calls } = reading;
    const accountId = query.accountId === undefined ? undefined : (accountNamed(company, query.accountId)?.id ?? query.accountId);
    const investorId = query.investorId === undefined ? undefined : (investorOf(company, query.investorId)?.id ?? query.investorId);
    const batches = await this.#batchesFor(query, calls);
    const matches = (entry: Entry): boolean => isWanted(entry, { query, company, accountId, investorId });
    const found = query.loanId === undefined ? this.#scanned(batches, query, reading) : this.#ofLoan(batches, query.loanId, calls);
    const page = await pageOf(found, matches, query);
    for (const { batchId } of page.items) this.parts.wasRead(tenant, batchId);
    const isAll =
      Object.entries(query).every(([name, value]) => value === undefined || UNFILTERED.has(name)) && query.dateKind !== 'effective';
    return {
      items: page.items.map(({ entry, batchId }) => entryView(company, entry, batchId)),
      total: isAll ? batches.reduce((sum, { entryCount }) => sum + entryCount, 0) : null,
      hasMore: page.hasMore,
      hasPrevious: page.hasPrevious,
    };
  }

  async #batchesFor(
    { basis, fromDate, toDate, dateKind = 'accounting' }: LedgerEntryListQuery,
    calls: ServiceCalls,
  ): Promise<readonly BatchState[]> {
    const from = fromDate === undefined ? EARLIEST : dayOfText(fromDate);
    // What is effective until a day may be booked on any later one.
    const to = toDate === undefined || dateKind === 'effective' ? LATEST : dayOfText(toDate);
    return calls.query<readonly BatchState[]>('generalLedger.batches', null, { from, to, ...(basis === undefined ? {} : { basis }) });
  }

  /** Batch after batch; behind the cursor where the list begins there. */
  async *#scanned(
    batches: readonly BatchState[],
    { startingAfter, endingBefore }: LedgerEntryListQuery,
    { calls, tenant }: Reading,
  ): AsyncGenerator<Found> {
    const address = startingAfter === undefined || endingBefore !== undefined ? null : addressOfEntry(startingAfter);
    const first = address === null ? 0 : batches.findIndex((batch) => batch.day === address.day && batch.basis === address.basis);
    if (first < 0) throw unknownCursor('startingAfter');
    for (const [at, batch] of batches.entries()) {
      if (at < first) continue;
      this.parts.wasRead(tenant, batch.id);
      const span = { bases: [batch.basis], from: batch.day, through: batch.day };
      const isCursors = at === first && address !== null;
      if (isCursors && isOfLoan(address.loanId))
        for (const entry of await entriesOfLoan(calls, address.loanId, span)) yield { entry, batchId: batch.id };
      for await (const { entries } of entriesOfLedger(calls, span, isCursors ? { after: address.loanId } : {}))
        for (const entry of entries) yield { entry, batchId: batch.id };
    }
  }

  async *#ofLoan(batches: readonly BatchState[], loanId: string, calls: ServiceCalls): AsyncGenerator<Found> {
    const [first, last] = [batches.at(0), batches.at(-1)];
    if (first === undefined || last === undefined) return;
    const ids = new Map(batches.map((batch) => [`${batch.day}/${batch.basis}`, batch.id]));
    const bases = [...new Set(batches.map(({ basis }) => basis))];
    const entries = await entriesOfLoan(calls, loanId, { bases, from: first.day, through: last.day });
    const ordered = [...entries].sort((a, b) => a.accountingDate - b.accountingDate || BASES.indexOf(a.basis) - BASES.indexOf(b.basis));
    for (const entry of ordered) {
      const batchId = ids.get(`${entry.accountingDate}/${entry.basis}`);
      if (batchId !== undefined) yield { entry, batchId };
    }
  }

  /** `GET .../entries/{entryId}`. */
  async get({ params }: QueryRequest, tenant: Tenant): Promise<LedgerEntryTrace> {
    const { company, calls } = this.#of(tenant);
    const entryId = params['entryId'] ?? '';
    const missing = (): never => refuse('notFound', `There is no entry ${entryId}.`);
    const address = addressOfEntry(entryId) ?? missing();
    const batches = await calls.query<readonly BatchState[]>('generalLedger.batches', null, {
      basis: address.basis,
      from: address.day,
      to: address.day,
    });
    const [batch] = batches;
    if (batch === undefined) return missing();
    const span = { bases: [address.basis], from: address.day, through: address.day };
    const entries = isOfLoan(address.loanId)
      ? await entriesOfLoan(calls, address.loanId, span)
      : (await receiptEntries(calls, span)).flatMap((ofStatement) => ofStatement.entries);
    const entry = entries.find((each) => entryIdOf(each) === entryId) ?? missing();
    this.parts.wasRead(tenant, batch.id);
    return {
      ...entryView(company, entry, batch.id),
      explanation: entry.explanation ?? null,
      ...(await traced(entry, calls)),
    };
  }

  /** What keeps a month from being closed. */
  async openOfPeriod({ params }: QueryRequest, tenant: Tenant): Promise<OpenOfPeriod> {
    const { company, calls } = this.#of(tenant);
    const period = params['period'] ?? '';
    const days = daysOfPeriod(period) ?? refuse('notFound', `There is no month ${period}. A month is written as 2026-03.`);
    return openOfPeriod(days, { company, calls, sealedThrough: this.parts.sealedThrough(tenant) });
  }

  /** `GET .../reports/{report}`. */
  async report({ query, params }: QueryRequest, tenant: Tenant): Promise<LedgerReport> {
    const { company, calls } = this.#of(tenant);
    const { closedThrough } = await calls.query<NextDays>('generalLedger.next', null);
    return reportOf(params['report'] ?? '', checked(query), { company, calls, closedThrough });
  }
}

/** The query as its route has checked it: plain values. */
const checked = (query: unknown): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(query ?? {}));

/** Earlier and later than any day of books. */
const EARLIEST = day(-1_000_000);
const LATEST = day(1_000_000);

const UNFILTERED: ReadonlySet<string> = new Set(['limit', 'startingAfter', 'endingBefore', 'basis', 'fromDate', 'toDate', 'dateKind']);

const traced = async ({ loanId, factId }: Entry, calls: ServiceCalls): Promise<AccountingFact> =>
  isOfLoan(loanId) ? calls.query<AccountingFact>('loan.accountingFact', loanId, { factId }) : NOBODY;

/** Money without a loan. */
const NOBODY: AccountingFact = { transactionId: null, personId: null, by: null };

interface FoundPage {
  readonly items: readonly Found[];
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
}

/** A page of what is found in order, without the rest being looked for. */
async function pageOf(
  found: AsyncIterable<Found>,
  matches: (entry: Entry) => boolean,
  { limit = DEFAULT_LIMIT, startingAfter, endingBefore }: LedgerEntryListQuery,
): Promise<FoundPage> {
  const cursor = endingBefore ?? startingAfter;
  let isBehind = cursor === undefined || endingBefore !== undefined;
  let count = 0;
  let lookedAt = 0;
  const items: Found[] = [];
  for await (const each of found) {
    lookedAt += 1;
    if (lookedAt > MOST_LOOKED_AT)
      refuse('ruleViolation', `A page looks through at most ${MOST_LOOKED_AT} entries. Name a loan, or fewer days.`);
    const isCursor = cursor !== undefined && entryIdOf(each.entry) === cursor;
    if (isCursor && endingBefore !== undefined) return { items, hasMore: true, hasPrevious: count > items.length };
    if (isCursor) {
      isBehind = true;
      continue;
    }
    if (!isBehind || !matches(each.entry)) continue;
    count += 1;
    if (endingBefore === undefined && items.length === limit) return { items, hasMore: true, hasPrevious: startingAfter !== undefined };
    items.push(each);
    if (items.length > limit) items.shift();
  }
  if (endingBefore !== undefined || !isBehind) throw unknownCursor(endingBefore === undefined ? 'startingAfter' : 'endingBefore');
  return { items, hasMore: false, hasPrevious: startingAfter !== undefined };
}
