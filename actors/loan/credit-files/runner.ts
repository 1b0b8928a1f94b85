import type { OpenContent } from '../../kernel/sealed-contents.js';
import { createHash, type Hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { civil, type Day, dayAt, dayOf, daysInMonth, metro2, must } from '../../../engine/index.js';
import {
  type CompanyState,
  creditAgenciesOf,
  creditAgencyOf,
  type CreditAgencyRecord,
  type FilePgp,
  isWorkPaused,
  type PutFile,
} from '../../company/index.js';
import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { ServiceCalls, type AskedEngine, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import type { OperationView } from '../../kernel/jobs/share-views.js';
import type { ListResult } from '../../wire.js';
import { type FileEndedBody, type FileNamedBody, isDue, type PartStoredBody, type ScheduledFileBody } from './commands.js';
import { type CreditFileState, type Gathered, type HeldRecord, isOpenFile } from './credit-file.js';
import { fileNameOf, headerOf, partNames } from './header.js';
import type { CreditFileWork, GatheredLoan, LinesQuery } from './view.js';

/** How often it is looked for files to make, in milliseconds. */
const EVERY_MS = 1_000;
/** Loans that are gathered at once: their lines take a few milliseconds. */
const LOANS_AT_ONCE = 100;
/** Lines of a part. */
const PART_LINES = 5_000;
/** Records that are not in the file, named with it. */
const MOST_HELD = 100;
/** Tries to send a file, and the wait before the second, in milliseconds: the third waits twice as long. */
const SEND_TRIES = 3;
const SEND_WAIT_MS = 1_000;
/** Largest file that is encrypted, since it is in memory for that: about 300,000 accounts. */
const MOST_SEALED_BYTES = 128 * 1024 * 1024;
/** A file that has met a failure of the service so often in a row is given up. */
const MOST_FAILURES = 20;

/** What a server has said of a file: the file fails with these words. */
interface CreditOutside {
  /** Throws what `isFault` knows. */
  readonly putFile: PutFile;
  readonly pgp: Pick<FilePgp, 'seal'>;
  isFault(cause: unknown): cause is Error;
}

export interface CreditFileRunnerParts {
  readonly engine: SharedEngine;
  /** Where loans of all shards are asked. */
  readonly asked: AskedEngine;
  readonly contents: { put(content: Uint8Array): Promise<OpenContent>; get(content: OpenContent): Promise<Uint8Array> };
  readonly outside: CreditOutside;
  /** Hears of what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Starts the files of a month on their day and makes them, on the process that owns the shared shard. The next owner goes on. */
export class CreditFileRunner extends RoundRunner {
  readonly #failures = new Map<string, number>();

  constructor(private readonly parts: CreditFileRunnerParts) {
    super(EVERY_MS);
  }

  /** Resolves when no file is being made any more, for tests. */
  async settled(): Promise<void> {
    let isOpen = true;
    while (isOpen && !this.isClosed) {
      await this.run();
      isOpen = false;
      for (const tenant of this.parts.engine.tenants()) if ((await this.#open(this.#callsOf(tenant))).length > 0) isOpen = true;
      if (isOpen) await pause(10);
    }
  }

  #callsOf(tenant: Tenant): ServiceCalls {
    return new ServiceCalls(this.parts.asked, tenant);
  }

  protected override async round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      if (!company?.profile || creditAgenciesOf(company).size === 0 || this.isClosed) continue;
      const calls = this.#callsOf(tenant);
      try {
        await this.#schedule(tenant, company, calls);
        for (const id of await this.#open(calls)) await this.#make(tenant, id, calls);
      } catch (cause) {
        if (!(cause instanceof Refusal)) this.#report('files for credit agencies could not be looked at', tenant, cause);
      }
    }
  }

  async #open(calls: ServiceCalls): Promise<readonly string[]> {
    return (await calls.query<ListResult<string>>('creditFile.open', null)).items;
  }

  /** Agencies whose day has come: the file of the month before, once. */
  async #schedule(tenant: Tenant, company: CompanyState, calls: ServiceCalls): Promise<void> {
    const today = dayAt(this.parts.engine.companyZone(tenant), this.parts.engine.now(tenant));
    const activityDay = metro2.endOfLastMonth(today);
    for (const agency of creditAgenciesOf(company).values()) {
      if (
        !hasDayCome(agency, dayAt(this.parts.engine.companyZone(tenant), agency.createdAt), today) ||
        !isDue(agency, activityDay) ||
        isWorkPaused(company, 'creditFile', agency.id) ||
        this.isClosed
      )
        continue;
      const body: ScheduledFileBody = { creditAgencyId: agency.id, scheduledFor: activityDay };
      const key = `creditFile/${agency.id}/${tenant.mode}/${activityDay}`;
      try {
        await calls.command({ type: 'creditFile.start', target: tenant.company, body, key });
      } catch (cause) {
        // What the settings lack is looked at again with the next round, and reported once a day.
        if (!(cause instanceof Refusal)) throw cause;
        this.#reportOnce(`${key}/${today}`, 'a file for a credit agency could not be started', tenant, cause);
      }
    }
  }

  readonly #reported = new Set<string>();

  #reportOnce(key: string, message: string, tenant: Tenant, cause: unknown): void {
    if (this.#reported.has(key)) return;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.add(key);
    this.#report(message, tenant, cause);
  }

  async #make(tenant: Tenant, id: string, calls: ServiceCalls): Promise<void> {
    try {
      await new FileMaking(this.parts, { tenant, id, calls, isClosed: () => this.isClosed }).go();
      this.#failures.delete(id);
    } catch (cause) {
      if (cause instanceof Refusal && cause.errorType === 'invalidState') return;
      const failures = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, failures);
      this.#report('a file for a credit agency stopped, and goes on later', tenant, cause, id);
      if (failures < MOST_FAILURES) return;
      const body: FileEndedBody = { status: 'failed', failureDescription: 'The service has failed; its log has the cause.' };
      await calls.command({ type: 'creditFile.end', target: id, body });
      this.#failures.delete(id);
    }
  }

  #report(message: string, { company, mode }: Tenant, cause: unknown, fileId?: string): void {
    this.parts.report(message, { company, mode, ...(fileId === undefined ? {} : { fileId }), cause: String(cause) });
  }
}

const MOST_REPORTED = 1_000;

/**
 * Whether a day of the agency has come in this month, since the agency was added; in a month that has no such day it is the last one. A
 * service that was down on the day makes the file later.
 */
function hasDayCome({ stored }: CreditAgencyRecord, addedOn: Day, today: Day): boolean {
  const { year, month } = civil(today);
  const last = daysInMonth(year, month);
  return stored.specificDays.some((specific) => {
    const day = dayOf(year, month, Math.min(specific, last));
    return addedOn <= day && day <= today;
  });
}

interface Making {
  readonly tenant: Tenant;
  readonly id: string;
  readonly calls: ServiceCalls;
  readonly isClosed: () => boolean;
}

/** One file, from where it stands as far as it can go now. */
class FileMaking {
  constructor(
    private readonly parts: CreditFileRunnerParts,
    private readonly making: Making,
  ) {}

  async go(): Promise<void> {
    const { calls, id } = this.making;
    let work = await this.#work();
    if (work.state.status === 'recording') {
      if (!(await this.#isRecorded(work.state))) return;
      await this.#record('recorded', {});
      work = await this.#work();
    }
    if (work.state.status === 'writing') {
      await this.#gather(work.state);
      const failure = await this.#name(await this.#work());
      if (failure !== null) {
        await calls.command({ type: 'creditFile.end', target: id, body: { status: 'failed', failureDescription: failure } });
        return;
      }
      work = await this.#work();
    }
    if (!isOpenFile(work.state.status) || this.making.isClosed()) return;
    await calls.command({ type: 'creditFile.end', target: id, body: await this.#sent(work) });
  }

  /** Whether the months of all loans are recorded. An operation that is not known any more has ended. */
  async #isRecorded({ operationId }: CreditFileState): Promise<boolean> {
    try {
      const operation = await this.making.calls.query<OperationView>('operation.get', null, {}, { operationId });
      return operation.status !== 'running';
    } catch (cause) {
      if (cause instanceof Refusal && cause.errorType === 'notFound') return true;
      throw cause;
    }
  }

  /** The lines of all loans, part by part. What was gathered before a stop is not gathered again. */
  async #gather(state: CreditFileState): Promise<void> {
    let gathered = state.gathered ?? NOTHING_GATHERED;
    let chunkId = state.parts.length;
    while (!gathered.isLast) {
      if (this.making.isClosed()) return;
      const next = await this.#nextPart(state, gathered);
      const text = next.lines.map((line) => `${line}\n`).join('');
      const part = next.lines.length === 0 ? null : await this.#stored(state, (chunkId += 1), text, next.gathered);
      await this.#record('partStored', { part, gathered: next.gathered } satisfies PartStoredBody);
      gathered = next.gathered;
    }
  }

  async #nextPart(state: CreditFileState, before: Gathered): Promise<{ readonly lines: readonly string[]; readonly gathered: Gathered }> {
    const count = metro2.TrailerCount.of(before.totals);
    const lines: string[] = [];
    const held: HeldRecord[] = [...before.held];
    const warnings: Record<string, number> = { ...before.warnings };
    let { cursor, heldCount } = before;
    let isLast = false;
    while (!isLast && lines.length < PART_LINES) {
      const { items, hasMore } = await this.#lines(state, cursor);
      for (const { id, line, checks, isHeld } of items) {
        cursor = id;
        if (isHeld) {
          heldCount += 1;
          if (held.length < MOST_HELD) held.push({ loanId: id, checks });
        } else if (line !== null) {
          lines.push(line);
          count.addCounted(metro2.countersOfLine(line));
          for (const check of checks) warnings[check] = (warnings[check] ?? 0) + 1;
        }
      }
      isLast = !hasMore;
    }
    return { lines, gathered: { cursor, isLast, totals: count.totals(), heldCount, held, warnings } };
  }

  #lines({ creditAgencyId, activityDay }: CreditFileState, cursor: string): Promise<ListResult<GatheredLoan>> {
    const query: LinesQuery = {
      fileId: this.making.id,
      creditAgencyId,
      activityDay: must(activityDay, 'a file that was ordered'),
      limit: LOANS_AT_ONCE,
      ...(cursor === '' ? {} : { startingAfter: cursor }),
    };
    return this.making.calls.query<ListResult<GatheredLoan>>('creditFile.lines', null, query);
  }

  async #stored(state: CreditFileState, chunkId: number, text: string, { cursor }: Gathered): Promise<PartStoredBody['part']> {
    const names = partNames(this.#agency(state), must(state.activityDay, 'a file that was ordered'), chunkId);
    const content = Buffer.from(text, 'latin1');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const lines = text.split('\n').length - 1;
    const metadata = { file: names.name, chunkId, lines, bytes: content.length, sha256, throughLoanId: cursor };
    return {
      ...names,
      lines,
      bytes: content.length,
      sha256,
      content: await this.parts.contents.put(content),
      metadata: await this.parts.contents.put(Buffer.from(JSON.stringify(metadata))),
    };
  }

  /** Name and digest of what leaves are facts before it leaves. A text: why it cannot be encrypted. */
  async #name(work: CreditFileWork): Promise<string | null> {
    const { state } = work;
    if (state.gathered?.isLast !== true) return null;
    const activityDay = must(state.activityDay, 'a file that was ordered');
    const created = dayAt('UTC', this.parts.engine.now(this.making.tenant));
    const head = new metro2.FileWriter().header(headerOf(this.#company(), this.#agency(state), activityDay, created));
    const tail = `${metro2.TRAILER.write(metro2.TrailerCount.of(state.gathered.totals).trailer())}\n`;
    const hash: Hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of this.#pieces({ ...work, head, tail })) {
      hash.update(piece);
      bytes += piece.length;
    }
    const name = fileNameOf(this.#company(), this.#agency(state), activityDay);
    const publicKey = this.#agency(state).stored.publicKey ?? null;
    const clear = { bytes, sha256: hash.digest('hex'), sealed: null };
    const leaving = publicKey === null ? clear : await this.#sealed(bytes, this.#pieces({ ...work, head, tail }), publicKey);
    if (typeof leaving === 'string') return leaving;
    await this.#record('named', { name, head, tail, ...leaving } satisfies FileNamedBody);
    return null;
  }

  /** Encrypted once: it is these bytes that leave, however often they are put. */
  async #sealed(bytes: number, pieces: AsyncIterable<Uint8Array>, publicKey: string): Promise<Sealed | string> {
    const { outside, contents } = this.parts;
    if (bytes > MOST_SEALED_BYTES) return `The file has ${bytes} bytes; ${MOST_SEALED_BYTES} can be encrypted.`;
    const whole = new Uint8Array(bytes);
    let at = 0;
    for await (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    try {
      const content = await outside.pgp.seal(whole, { publicKey, signingKey: null });
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { bytes: content.length, sha256, sealed: await contents.put(content) };
    } catch (cause) {
      if (!outside.isFault(cause)) throw cause;
      return cause.message;
    }
  }

  async *#pieces({
    parts,
    head,
    tail,
  }: Pick<CreditFileWork, 'parts'> & { readonly head: string; readonly tail: string }): AsyncIterable<Uint8Array> {
    yield Buffer.from(head, 'latin1');
    for (const part of parts) yield await this.parts.contents.get(part);
    yield Buffer.from(tail, 'latin1');
  }

  async *#whole(content: OpenContent): AsyncIterable<Uint8Array> {
    yield await this.parts.contents.get(content);
  }

  async #sent(work: CreditFileWork): Promise<FileEndedBody> {
    const { state, sealed, parts, server } = work;
    const { name, head, tail } = must(state.file, 'a file with a name');
    if (server === null) return { status: 'succeeded', failureDescription: null };
    for (let tried = 1; ; tried += 1) {
      try {
        const content = (): AsyncIterable<Uint8Array> => (sealed === null ? this.#pieces({ parts, head, tail }) : this.#whole(sealed));
        await this.parts.outside.putFile(this.making.tenant, server, name, content);
        return { status: 'succeeded', failureDescription: null };
      } catch (cause) {
        if (!this.parts.outside.isFault(cause)) throw cause;
        if (tried === SEND_TRIES || this.making.isClosed()) return { status: 'failed', failureDescription: cause.message };
        await pause(SEND_WAIT_MS * tried);
      }
    }
  }

  #company(): CompanyState {
    const { tenant } = this.making;
    return must(this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company), 'the company of a file');
  }

  #agency({ creditAgencyId }: CreditFileState): CreditAgencyRecord {
    return must(creditAgencyOf(this.#company(), creditAgencyId), 'an agency with files is not removed');
  }

  #work(): Promise<CreditFileWork> {
    return this.making.calls.query<CreditFileWork>('creditFile.work', this.making.id);
  }

  async #record(verb: 'recorded' | 'partStored' | 'named', body: object): Promise<void> {
    await this.making.calls.command({ type: `creditFile.${verb}`, target: this.making.id, body });
  }
}

type Sealed = Pick<FileNamedBody, 'bytes' | 'sha256' | 'sealed'>;

const NOTHING_GATHERED: Gathered = { cursor: '', isLast: false, totals: {}, heldCount: 0, held: [], warnings: {} };
