import { addDays, type Day, dayAt, must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { ServiceCalls, isForNow, type AskedEngine, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import { dateText, type ListResult } from '../../wire.js';
import type { PutFile } from '../campaigns/sftp.js';
import type { CompanyState } from '../state.js';
import { type ScheduledTapeBody, type TapeEndedBody, type TapeNotPutBody, tapeTermsOn } from './commands.js';
import { DEFAULT_FILE_NAME, fileNameOf } from './file-name.js';
import { TapeMaking, type TapeMakingParts, type Step, ZIP_ENDING } from './making.js';
import { lastScheduledDay, scheduledMoment } from './schedule.js';
import { loanTapeOf, type LoanTapeRecord, loanTapesOf, type TapeBucket } from './tape.js';
import { type CompressionType, type LoanTapeType, loanTapeTypeOf } from './tape-type.js';
import type { LastTapeFile, TapeFileWork } from './view.js';

/** How often it is looked for what is to be done, in milliseconds. */
const EVERY_MS = 1_000;
/** Parties 10: tries to put a file, and the wait between them, in milliseconds of the company's clock. */
const PUT_TRIES = 3;
const PUT_WAIT_MS = 15 * 60_000;
/** A file that has met a failure of the service so often in a row is given up. */
const MOST_FAILURES = 20;

interface FileForBucket {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly content: () => AsyncIterable<Uint8Array>;
}

export interface TapeRunnerParts extends TapeMakingParts {
  readonly engine: SharedEngine;
  readonly asked: AskedEngine;
  readonly outside: TapeMakingParts['outside'] & {
    /** Throws what `isFault` knows. */
    readonly putFile: PutFile;
    /** The same into a bucket. */
    putToBucket(bucket: TapeBucket & { readonly secret: string }, file: FileForBucket): Promise<void>;
  };
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Orders the files of tapes by their schedules, makes each once, one step after the other, and puts it, on the process that owns the shared
 * shard. What was done is a fact before the next step; the next owner of the shard goes on from there.
 */
export class TapeRunner extends RoundRunner {
  /** By tape and mode: the scheduled day whose file is known to be ordered. */
  readonly #ordered = new Map<string, Day>();
  /** Whether a file that is being made has let others go first. */
  #isUnfinished = false;
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
    do {
      this.#isUnfinished = false;
      await this.#pass();
    } while (this.#isUnfinished && !this.isClosed);
  }

  /** All companies once: a long file has a step between those of the others. */
  async #pass(): Promise<void> {
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

  #guarded<Result>({ company, mode }: Tenant, id: string | null, work: () => Promise<Result>): Promise<Result | null> {
    return this.guarded(work, (cause) =>
      this.parts.report('a loan tape could not go on, and is tried again', { company, mode, id, cause }),
    );
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
      const step = await this.#make(tenant, work, calls);
      if (step.type === 'unfinished') this.#isUnfinished = true;
      if (step.type === 'failed') await this.#fail(work, step.why, calls);
      if (step.type !== 'made') return;
      work = await calls.query<TapeFileWork>('loanTapeFile.work', id);
    }
    await this.#put(tenant, work, calls);
  }

  /** What the views cannot answer at all is the reason of a failed file; what is unavailable is asked again. */
  async #make(tenant: Tenant, { state }: TapeFileWork, calls: ServiceCalls): Promise<Step> {
    const company = must(this.#companyOf(tenant), 'the company of a tape');
    const tape = loanTapeOf(company, state.loanTapeId);
    if (tape === undefined) return { type: 'failed', why: REMOVED };
    // A file that was ordered in an earlier release follows the settings of now.
    const terms = state.terms ?? tapeTermsOn(company, tape, state.reportDay, state.createdAt);
    const name = tapeFileName(tape, terms.type, state.reportDay);
    const publicKey = tape.stored.publicKey ?? null;
    try {
      return await new TapeMaking(this.parts, calls, { tenant, state, terms, name, publicKey, goesOn: () => !this.isClosed }).step();
    } catch (cause) {
      if (cause instanceof Refusal && !isForNow(cause)) return { type: 'failed', why: cause.message };
      throw cause;
    }
  }

  /** Nobody needs the sections of a file that is not made. */
  async #fail({ state }: TapeFileWork, failureDescription: string, calls: ServiceCalls): Promise<void> {
    const { sections } = await calls.query<TapeFileWork>('loanTapeFile.work', state.id);
    await this.#end(state.id, { status: 'failed', failureDescription }, calls);
    await this.parts.sections.close(state.id);
    for (const { contentId } of sections) await this.parts.contents.drop(contentId);
  }

  /** Puts the file under the name that is recorded; putting it once more replaces it by the same. */
  async #put(tenant: Tenant, { state, pieces, target }: TapeFileWork, calls: ServiceCalls): Promise<void> {
    const { engine, outside, contents } = this.parts;
    if (target === null) return this.#end(state.id, { status: 'failed', failureDescription: REMOVED }, calls);
    if (state.putAgainAt !== null && engine.now(tenant) < state.putAgainAt) return;
    const file = must(pieces, 'a file that is made');
    const content = async function* (): AsyncIterable<Uint8Array> {
      for (const piece of file) yield await contents.get(piece);
    };
    try {
      const { name, bytes, sha256 } = must(state.made, 'a file that is made');
      if (target.type === 'sftp') await outside.putFile(tenant, target.server, name, content);
      else await outside.putToBucket(target.bucket, { name, bytes, sha256, content });
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

const REMOVED = 'The loan tape was removed before the file was sent.';

const typeOf = (company: CompanyState, { stored }: LoanTapeRecord): LoanTapeType =>
  must(loanTapeTypeOf(company, stored.loanTapeTypeId), 'a type with tapes is not removed');

/** The day of the last scheduled moment up to now; null where none has come since the tape was made. */
function lastDueDay(type: LoanTapeType, zone: string, now: number, madeAt: number): Day | null {
  const momentOf = (day: Day): number => scheduledMoment(type.runTimeOfDay, zone, day);
  const today = dayAt(zone, now);
  const due = lastScheduledDay(type, momentOf(today) <= now ? today : addDays(today, -1));
  return momentOf(due) > madeAt ? due : null;
}

/** How the names of files end. */
const ENDINGS: Readonly<Record<CompressionType, string>> = { gzip: '.gz', zip: ZIP_ENDING, noCompression: '' };

function tapeFileName(
  { id, stored }: LoanTapeRecord,
  { tapeName, tapeOutputFormat, compressionType }: LoanTapeType,
  reportDay: Day,
): string {
  const pattern = stored.customFileName ?? `${DEFAULT_FILE_NAME}.${tapeOutputFormat.toLowerCase()}`;
  const name = fileNameOf(pattern, { loanTapeId: id, loanTapeTypeId: stored.loanTapeTypeId, tapeName, reportDay });
  const ending = ENDINGS[compressionType];
  return name.endsWith(ending) ? name : `${name}${ending}`;
}
