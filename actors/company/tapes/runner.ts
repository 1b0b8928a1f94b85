import type { OpenContent } from '../../kernel/sealed-contents.js';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { addDays, type Day, dayAt, must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import { csvLine } from '../../kernel/csv.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { ServiceCalls, isForNow, type AskedEngine, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import { dateText, type ListResult } from '../../wire.js';
import type { SftpAddress } from '../campaigns/sftp.js';
import { settingsAt, settingsTimeline } from '../directory.js';
import type { FilePgp } from '../pgp.js';
import type { CompanyState } from '../state.js';
import type { ScheduledTapeBody, TapeEndedBody, TapeMadeBody, TapeNotPutBody } from './commands.js';
import { DEFAULT_FILE_NAME, fileNameOf } from './file-name.js';
import { lastScheduledDay, scheduledMoment } from './schedule.js';
import { seesPersonalData, type TapeAsked, tapeQuery } from './sql.js';
import { loanTapeOf, type LoanTapeRecord, loanTapesOf } from './tape.js';
import type { TapeFileState } from './tape-file.js';
import { type LoanTapeType, loanTapeTypeOf } from './tape-type.js';
import type { LastTapeFile, TapeFileWork } from './view.js';

/** How often it is looked for what is to be done, in milliseconds. */
const EVERY_MS = 1_000;
/** Parties 10: tries to put a file, and the wait between them, in milliseconds of the company's clock. */
const PUT_TRIES = 3;
const PUT_WAIT_MS = 15 * 60_000;
/** A file that has met a failure of the service so often in a row is given up. */
const MOST_FAILURES = 20;

type Cell = string | number | boolean | null;

interface Question {
  readonly sql: string;
  readonly seesPersonalData: boolean;
}

export interface TapeRunnerParts {
  readonly engine: SharedEngine;
  readonly asked: AskedEngine;
  /** Who answers SQL over the views. Throws `Refusal`. */
  readonly questions: {
    ask(tenant: Tenant, question: Question): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }>;
    parquet(tenant: Tenant, question: Question): Promise<TapeContentMade>;
  };
  readonly contents: {
    put(content: Uint8Array): Promise<OpenContent>;
    get(content: OpenContent): Promise<Uint8Array>;
  };
  readonly outside: {
    /** Throws what `isFault` knows. */
    putFile(tenant: Tenant, address: SftpAddress & { readonly password: string | null }, name: string, content: Uint8Array): Promise<void>;
    readonly pgp: Pick<FilePgp, 'seal'>;
    isFault(cause: unknown): cause is Error;
  };
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Orders the files of tapes by their schedules, makes each once and puts it, on the process that owns the shared shard. What was done is a
 * fact before the next step; the next owner of the shard goes on from there.
 */
export class TapeRunner extends RoundRunner {
  /** By tape and mode: the scheduled day whose file is known to be ordered. */
  readonly #ordered = new Map<string, Day>();
  /** By file: failures of the service in a row. */
  readonly #failures = new Map<string, number>();

  constructor(private readonly parts: TapeRunnerParts) {
    super(EVERY_MS);
  }

  /** Does what is to be done now, for tests. */
  async settled(): Promise<void> {
    await this.run();
    await this.run();
  }

  protected override async round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      const company = this.#companyOf(tenant);
      if (!company?.profile) continue;
      const calls = new ServiceCalls(this.parts.asked, tenant);
      for (const tape of loanTapesOf(company).values())
        if (tape.stored.status === 'active') await this.#guarded(tenant, tape.id, () => this.#schedule(tenant, company, tape, calls));
      const open = await this.#guarded(tenant, null, async () => (await calls.query<ListResult<string>>('loanTapeFile.open', null)).items);
      for (const id of open ?? []) await this.#guarded(tenant, id, () => this.#attempt(tenant, id, calls));
    }
  }

  #companyOf(tenant: Tenant): CompanyState | undefined {
    return this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
  }

  /** What fails is reported, and tried again in the next round. */
  async #guarded<Result>({ company, mode }: Tenant, id: string | null, work: () => Promise<Result>): Promise<Result | null> {
    if (this.isClosed) return null;
    try {
      return await work();
    } catch (cause) {
      this.parts.report('a loan tape could not go on, and is tried again', { company, mode, id, cause: String(cause) });
      return null;
    }
  }

  /** Orders the file of the last scheduled moment that has passed since the tape was made. After a stop it is made late. */
  async #schedule(tenant: Tenant, company: CompanyState, tape: LoanTapeRecord, calls: ServiceCalls): Promise<void> {
    const { engine } = this.parts;
    const type = typeOf(company, tape);
    const due = lastDueDay(type, engine.companyZone(tenant), engine.now(tenant), tape.createdAt);
    const key = `${tape.id}/${tenant.mode}`;
    if (due === null || this.#ordered.get(key) === due) return;
    const last = await calls.query<LastTapeFile>('loanTapeFile.last', null, { loanTapeId: tape.id });
    if (last.scheduledThrough !== null && last.scheduledThrough >= due) {
      this.#ordered.set(key, due);
      return;
    }
    if (last.isPending) return;
    const reportDate = type.tapeType === 'payments' ? { reportDate: dateText(due) } : {};
    const body: ScheduledTapeBody = { scheduledFor: due, ...reportDate };
    try {
      await calls.command({ type: 'loanTapeFile.create', target: tenant.company, params: { loanTapeId: tape.id }, body });
    } catch (cause) {
      // The day before is not closed yet: the next round orders the file.
      if (!(cause instanceof Refusal && cause.errorType === 'invalidState')) throw cause;
    }
  }

  async #attempt(tenant: Tenant, id: string, calls: ServiceCalls): Promise<void> {
    try {
      await this.#advance(tenant, id, calls);
      this.#failures.delete(id);
    } catch (cause) {
      const failures = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, failures);
      if (failures >= MOST_FAILURES && !isForNow(cause)) {
        await this.#end(id, { status: 'failed', failureDescription: 'The service has failed; its log has the cause.' }, calls);
        this.#failures.delete(id);
      }
      throw cause;
    }
  }

  async #advance(tenant: Tenant, id: string, calls: ServiceCalls): Promise<void> {
    let work = await calls.query<TapeFileWork>('loanTapeFile.work', id);
    if (work.state.made === null) {
      const failure = await this.#make(tenant, work.state, calls);
      if (failure !== null) return this.#end(id, { status: 'failed', failureDescription: failure }, calls);
      work = await calls.query<TapeFileWork>('loanTapeFile.work', id);
    }
    await this.#put(tenant, work, calls);
  }

  /** Null once it is made; otherwise why it cannot be made. */
  async #make(tenant: Tenant, state: TapeFileState, calls: ServiceCalls): Promise<string | null> {
    const company = must(this.#companyOf(tenant), 'the company of a tape');
    const tape = loanTapeOf(company, state.loanTapeId);
    if (tape === undefined) return REMOVED;
    const type = typeOf(company, tape);
    const { investorId } = tape.stored;
    const { reportDay } = state;
    const daysOfData = daysOfDataOn(company, reportDay);
    const made = await this.#answer(tenant, { type, companyId: tenant.company, investorId, reportDay, daysOfData });
    if (typeof made === 'string') return made;
    const name = tapeFileName(tape, type, state.reportDay);
    const packed = type.compressionType === 'gzip' ? await zipped(made.content) : made.content;
    const content = await this.#sealed(packed, tape.stored.publicKey ?? null);
    if (typeof content === 'string') return content;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const stored = await this.parts.contents.put(content);
    const body: TapeMadeBody = { ...stored, name, rowCount: made.rowCount, bytes: content.length, sha256 };
    await calls.command({ type: 'loanTapeFile.made', target: state.id, body });
    return null;
  }

  /** Encrypted once: it is these bytes that leave, however often they are put. A text: why they cannot be encrypted. */
  async #sealed(content: Uint8Array, publicKey: string | null): Promise<Uint8Array | string> {
    const { outside } = this.parts;
    if (publicKey === null) return content;
    try {
      return await outside.pgp.seal(content, { publicKey, signingKey: null });
    } catch (cause) {
      if (!outside.isFault(cause)) throw cause;
      return cause.message;
    }
  }

  /** What the views cannot answer at all, such as too many rows, is the reason of a failed file; what is unavailable is asked again. */
  async #answer(tenant: Tenant, asked: TapeAsked): Promise<TapeContentMade | string> {
    try {
      return await this.#asked(tenant, asked);
    } catch (cause) {
      if (cause instanceof Refusal && !isForNow(cause)) return cause.message;
      throw cause;
    }
  }

  async #asked(tenant: Tenant, asked: TapeAsked): Promise<TapeContentMade> {
    const question: Question = { sql: tapeQuery(asked), seesPersonalData: seesPersonalData(asked.type) };
    if (asked.type.tapeOutputFormat === 'Parquet') return this.parts.questions.parquet(tenant, question);
    const { columns, rows } = await this.parts.questions.ask(tenant, question);
    const lines = [columns, ...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))];
    return { content: Buffer.from(lines.map((line) => `${csvLine(line)}\r\n`).join('')), rowCount: rows.length };
  }

  /** Puts the file under the name that is recorded; putting it once more replaces it by the same. */
  async #put(tenant: Tenant, { state, content, sftp }: TapeFileWork, calls: ServiceCalls): Promise<void> {
    const { engine, outside, contents } = this.parts;
    if (sftp === null) return this.#end(state.id, { status: 'failed', failureDescription: REMOVED }, calls);
    if (state.putAgainAt !== null && engine.now(tenant) < state.putAgainAt) return;
    const file = await contents.get(must(content, 'a file that is made'));
    try {
      await outside.putFile(tenant, sftp, must(state.made, 'a file that is made').name, file);
    } catch (cause) {
      if (!outside.isFault(cause)) throw cause;
      const { message } = cause;
      if (state.triesFailed + 1 >= PUT_TRIES) return this.#end(state.id, { status: 'failed', failureDescription: message }, calls);
      const body: TapeNotPutBody = { description: message, putAgainAt: engine.now(tenant) + PUT_WAIT_MS };
      await calls.command({ type: 'loanTapeFile.notPut', target: state.id, body });
      return;
    }
    await this.#end(state.id, { status: 'succeeded', failureDescription: null }, calls);
  }

  async #end(id: string, body: TapeEndedBody, calls: ServiceCalls): Promise<void> {
    await calls.command({ type: 'loanTapeFile.end', target: id, body });
  }
}

interface TapeContentMade {
  readonly content: Uint8Array;
  readonly rowCount: number;
}

const REMOVED = 'The loan tape was removed before the file was sent.';

const zipped = promisify(gzip);

const typeOf = (company: CompanyState, { stored }: LoanTapeRecord): LoanTapeType =>
  must(loanTapeTypeOf(company, stored.loanTapeTypeId), 'a type with tapes is not removed');

const daysOfDataOn = ({ loanTypes }: CompanyState, day: Day): ReadonlyMap<string, number> =>
  new Map([...loanTypes.values()].map(({ id, versions }) => [id, settingsAt(settingsTimeline(versions), day).snapshotDaysAfterPayoff]));

/** The day of the last scheduled moment up to now; null where none has come since the tape was made. */
function lastDueDay(type: LoanTapeType, zone: string, now: number, madeAt: number): Day | null {
  const momentOf = (day: Day): number => scheduledMoment(type.runTimeOfDay, zone, day);
  const today = dayAt(zone, now);
  const due = lastScheduledDay(type, momentOf(today) <= now ? today : addDays(today, -1));
  return momentOf(due) > madeAt ? due : null;
}

function tapeFileName(
  { id, stored }: LoanTapeRecord,
  { tapeName, tapeOutputFormat, compressionType }: LoanTapeType,
  reportDay: Day,
): string {
  const pattern = stored.customFileName ?? `${DEFAULT_FILE_NAME}.${tapeOutputFormat.toLowerCase()}`;
  const name = fileNameOf(pattern, { loanTapeId: id, loanTapeTypeId: stored.loanTapeTypeId, tapeName, reportDay });
  return compressionType === 'gzip' && !name.endsWith('.gz') ? `${name}.gz` : name;
}
