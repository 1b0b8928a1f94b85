import type { OpenContent } from '../../kernel/sealed-contents.js';
import { createHash } from 'node:crypto';
import { amountText, type Cents, cents, csvLine, type Day, dayAt, formatDay, isBusinessDay } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { isApart, type Moment, momentOf, RoundRunner } from '../../kernel/jobs/rounds.js';
import { ServiceCalls, type AskedEngine, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import { dateText, type ListResult } from '../../wire.js';
import type { PutFile } from '../campaigns/sftp.js';
import { moneyCalendarOf } from '../directory.js';
import { isActiveInstrument, missingToSettle } from '../parties/settlement-instruments.js';
import { investorsOf } from '../parties/investors.js';
import { isWorkPaused } from '../paused-works.js';
import type { CompanyState } from '../state.js';
import { type ComputedBody, type CreateSettlementBody, nextPeriodEnd, type SettlementLinesBody } from './commands.js';
import type { SettlementState, SettlementTotals } from './settlement.js';
import type { SettlementWork } from './view.js';

/** How often it is looked for what is to be done, in milliseconds. */
const EVERY_MS = 1_000;
/** Loans that are asked for their lines at once, and lines that are stored together. */
const LOANS_AT_ONCE = 500;
const BATCH_LINES = 5_000;
/** A file that could not be put is put again after so many milliseconds. */
const PUT_AGAIN_MS = 15 * 60_000;

/** A line of a settlement: what one payment on a loan has changed for the investor. Amounts are signed. */
export interface SettlementLine {
  readonly loanId: string;
  readonly transactionId: string;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly processingFeeCents: Cents;
}

/** The lines of one loan. */
export interface LinesOfLoan {
  readonly id: string;
  readonly lines: readonly Omit<SettlementLine, 'loanId'>[];
}

export interface SettlementRunnerParts {
  readonly engine: SharedEngine;
  readonly asked: AskedEngine;
  readonly contents: { put(content: Uint8Array): Promise<OpenContent>; get(content: OpenContent): Promise<Uint8Array> };
  readonly putFile: PutFile;
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Orders settlements by their schedules, adds up their lines once all loans have recorded them, and puts their files, on the process that
 * owns the shared shard. What was done is a fact before the next step; the next owner of the shard goes on from there.
 */
export class SettlementRunner extends RoundRunner {
  /** By settlement: when its file could not be put. */
  readonly #notPutAt = new Map<string, Moment>();

  constructor(private readonly parts: SettlementRunnerParts) {
    super(EVERY_MS);
  }

  protected override async round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      if (!company?.profile || investorsOf(company).size === 0 || this.isClosed) continue;
      const calls = new ServiceCalls(this.parts.asked, tenant);
      const today = dayAt(this.parts.engine.companyZone(tenant), this.parts.engine.now(tenant));
      await this.#guarded(tenant, null, () => this.#schedule(tenant, company, today, calls));
      const open = await this.#guarded(tenant, null, async () => (await calls.query<ListResult<string>>('settlement.open', null)).items);
      for (const id of open ?? []) await this.#guarded(tenant, id, () => this.#advance({ tenant, company, id, today }, calls));
    }
  }

  #guarded<Result>({ company, mode }: Tenant, settlementId: string | null, work: () => Promise<Result>): Promise<Result | null> {
    const of = { company, mode, ...(settlementId === null ? {} : { settlementId }) };
    return this.guarded(work, (cause) => this.parts.report('a settlement could not go on, and is tried again', { ...of, cause }));
  }

  /** Settles each investor that has a schedule and one account to which money can go, on a business day after its period. */
  async #schedule(tenant: Tenant, company: CompanyState, today: Day, calls: ServiceCalls): Promise<void> {
    if (!isBusinessDay(today, moneyCalendarOf(company))) return;
    for (const { id, stored } of investorsOf(company).values()) {
      // What is missing is an error of the work in the calendar of automatic work, which becomes late.
      if (stored.settlementFrequency === null || missingToSettle(company, id) !== null) continue;
      if (isWorkPaused(company, 'settlement', id)) continue;
      const last = await calls.query<LastSettled>('settlement.last', null, { investorId: id });
      const periodEnd = last.isOpen ? null : nextPeriodEnd(stored.settlementFrequency, today, last.periodEnd);
      if (periodEnd === null) continue;
      const body: CreateSettlementBody = { investorId: id, periodEndDate: dateText(periodEnd) };
      const key = `settlement/${id}/${tenantKey(tenant)}/${formatDay(periodEnd)}/${last.settlementId ?? ''}`;
      await calls.command({ type: 'settlement.create', target: tenant.company, body, key });
    }
  }

  async #advance({ tenant, company, id, today }: OpenSettlement, calls: ServiceCalls): Promise<void> {
    const work = await calls.query<SettlementWork>('settlement.work', id);
    const { state } = work;
    if (state.totals === null) return this.#compute(work, calls);
    if (state.status === 'initiated' && today > state.settlementDay) await calls.command({ type: 'settlement.end', target: id, body: {} });
    else if (state.status === 'pending' && today >= state.settlementDay && !isWorkPaused(company, 'settlementTransfer', id))
      await this.#initiate(tenant, { ...work, sftp: isActiveInstrument(company, state.settlementInstrumentId) ? work.sftp : null }, calls);
  }

  /** Adds up the lines of all loans once their work is done, and stores them with the file. */
  async #compute({ state, carriedCents }: SettlementWork, calls: ServiceCalls): Promise<void> {
    if (!(await isDone(calls, state.operationId))) return;
    const batches: { readonly count: number; readonly content: OpenContent }[] = [];
    const sums = new Sums(carriedCents);
    let text = HEAD;
    let waiting: SettlementLine[] = [];
    const store = async (): Promise<void> => {
      if (waiting.length === 0) return;
      batches.push({ count: waiting.length, content: await this.parts.contents.put(Buffer.from(JSON.stringify(waiting))) });
      waiting = [];
    };
    for await (const line of linesOf(calls, 'loan.remitted', linesBody(state))) {
      sums.add(line);
      text += lineText(line);
      if (waiting.push(line) >= BATCH_LINES) await store();
    }
    await store();
    const content = Buffer.from(text);
    const name = `remittance_${state.id}_${formatDay(state.periodEnd).replaceAll('-', '')}.csv`;
    const digest = createHash('sha256').update(content).digest('hex');
    const body: ComputedBody = {
      totals: sums.totals(),
      batches,
      file: { ...(await this.parts.contents.put(content)), name, bytes: content.length, digest },
    };
    await calls.command({ type: 'settlement.computed', target: state.id, body });
  }

  /** Puts the file under the name that is recorded; putting it once more replaces it by the same. */
  async #initiate(tenant: Tenant, { state, file, sftp }: SettlementWork, calls: ServiceCalls): Promise<void> {
    if (sftp !== null && file !== null) {
      const now = momentOf(this.parts.engine, tenant);
      const notPutAt = this.#notPutAt.get(state.id);
      if (notPutAt !== undefined && !isApart(notPutAt, now, PUT_AGAIN_MS)) return;
      try {
        await this.parts.putFile(tenant, sftp, file.name, await this.parts.contents.get(file));
      } catch (cause) {
        this.#notPutAt.set(state.id, now);
        const error = cause instanceof Error ? cause.message : 'The file could not be put.';
        if (error !== state.deliveryError) await calls.command({ type: 'settlement.undelivered', target: state.id, body: { error } });
        throw cause;
      }
    }
    this.#notPutAt.delete(state.id);
    await calls.command({ type: 'settlement.initiate', target: state.id, body: { isFileDelivered: sftp !== null } });
  }
}

interface OpenSettlement {
  readonly tenant: Tenant;
  readonly company: CompanyState;
  readonly id: string;
  readonly today: Day;
}

/** The newest settlement of an investor, for its schedule. */
export interface LastSettled {
  readonly settlementId: string | null;
  readonly periodEnd: Day | null;
  /** It is being computed. */
  readonly isOpen: boolean;
  /** What is carried into the next one; zero or less. */
  readonly carriedCents: Cents;
}

const linesBody = ({ id, investorId, periodEnd }: Pick<SettlementState, 'id' | 'investorId' | 'periodEnd'>): SettlementLinesBody => ({
  settlementId: id,
  investorId,
  through: dateText(periodEnd),
});

/** Loans that could not be computed have no lines: what they owe comes with the next settlement. */
async function isDone(calls: ServiceCalls, operationId: string): Promise<boolean> {
  try {
    const { status } = await calls.query<{ readonly status: string }>('operation.get', null, {}, { operationId });
    return status !== 'running';
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return true; // it was done long ago
    throw cause;
  }
}

/** The lines of all loans, loan after loan. */
async function* linesOf(calls: Pick<ServiceCalls, 'query'>, type: string, asked: SettlementLinesBody): AsyncIterable<SettlementLine> {
  let startingAfter: string | undefined;
  for (;;) {
    const page = await calls.query<ListResult<LinesOfLoan>>(type, null, {
      ...asked,
      limit: LOANS_AT_ONCE,
      ...(startingAfter === undefined ? {} : { startingAfter }),
    });
    for (const { id, lines } of page.items) for (const line of lines) yield { loanId: id, ...line };
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return;
  }
}

/** What the lines of a settlement come to. */
export class Sums {
  #principal = 0;
  #interest = 0;
  #fees = 0;
  #gross = 0;
  #clawback = 0;
  #processing = 0;
  #count = 0;

  constructor(private readonly carriedCents: Cents) {}

  add({ principalCents, interestCents, feesCents, processingFeeCents }: SettlementLine): void {
    const whole = principalCents + interestCents + feesCents;
    this.#principal += principalCents;
    this.#interest += interestCents;
    this.#fees += feesCents;
    if (whole > 0) this.#gross += whole;
    else this.#clawback -= whole;
    this.#processing += processingFeeCents;
    this.#count += 1;
  }

  totals(): SettlementTotals {
    return {
      principalCents: cents(this.#principal),
      interestCents: cents(this.#interest),
      feesCollectedCents: cents(this.#fees),
      grossCents: cents(this.#gross),
      feesCents: cents(this.#processing),
      clawbackCents: cents(this.#clawback),
      carriedCents: this.carriedCents,
      netCents: cents(this.#gross - this.#clawback - this.#processing + this.carriedCents),
      transactionCount: this.#count,
    };
  }
}

const HEAD = `${csvLine([
  'loanId',
  'transactionId',
  'effectiveDate',
  'principalAmount',
  'interestAmount',
  'feesAmount',
  'processingFeeAmount',
  'totalAmount',
])}\r\n`;

function lineText(line: SettlementLine): string {
  const { loanId, transactionId, effectiveDate, principalCents, interestCents, feesCents, processingFeeCents } = line;
  const amounts = [principalCents, interestCents, feesCents, processingFeeCents];
  const total = principalCents + interestCents + feesCents - processingFeeCents;
  return `${csvLine([loanId, transactionId, effectiveDate, ...amounts.map(amountText), amountText(total)])}\r\n`;
}
