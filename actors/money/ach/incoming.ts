import { createHash } from 'node:crypto';
import {
  type AchReading,
  addDays,
  addedTotals,
  achTotalsOf,
  isUsable,
  must,
  readAchInSteps,
  startOfDay,
  ZERO,
} from '../../../engine/index.js';
import type { BankAccess, ProcessorRecord } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import { Refusal } from '../../errors.js';
import { inSteps } from '../../kernel/jobs/in-steps.js';
import { type BankDay, noteOnce } from '../bank-day.js';
import { type Difference, NOTHING_KNOWN } from '../reconciliation/index.js';
import { BankAnswers, isOutside } from './bank-answers.js';
import { textOfFile } from './entries.js';
import { directionsOf, type NamePattern } from './inbox-names.js';
import { KnownFiles } from './known-files.js';
import type { FileNotTakenBody, FileNotTakenReply, ReceiveFileBody } from './commands.js';
import type { OutgoingFiles } from './outgoing.js';
import { type AchWorkParts, type InboxFile } from './ports.js';
import type { AchFileWork } from './view.js';

/** Files from a bank above this size are not read, and a difference of the day: 170,000 returns. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Files of one look that cannot be fetched, before the server counts as away. */
const MOST_UNFETCHED = 3;

/** Days after its last change in which it is looked whether a file that has failed is a difference. */
const REPORTED_DAYS = 30;

const SERVICE_FAILED = 'The service has failed; its log has the cause.';

/** A file as it is read, or as it came where it cannot be decrypted. */
interface Came {
  readonly bytes: Buffer;
  readonly fault: string | null;
}

/**
 * The files that a bank puts into the inbox: confirmations, returns and notifications of change. Each is taken once, whatever its name. One
 * that cannot be processed lets those behind it go on, and stands aside after some tries, until a user orders another.
 */
export class IncomingFiles {
  readonly #answers: BankAnswers;
  /** What was not the fault of a file: it is tried again soon, and does not count as a try. */
  readonly #outside: unknown[] = [];

  readonly #files: KnownFiles;

  constructor(
    private readonly parts: AchWorkParts,
    private readonly processor: ProcessorRecord,
    private readonly day: BankDay,
    outgoing: Pick<OutgoingFiles, 'arrived'>,
  ) {
    this.#files = new KnownFiles(parts.calls, processor.id);
    this.#answers = new BankAnswers(parts, processor, day, outgoing);
  }

  /** Throws the first fault of what is outside, when every file has had its turn. */
  async run(): Promise<void> {
    const files = await this.#files.all();
    for (const id of files.open) {
      const work = await this.#files.work(id);
      if (work.state.direction !== 'outgoing') await this.#take(work);
    }
    await this.#readInbox(new Set(files.sourceKeys));
    await this.#reportFailed();
    if (this.#outside.length > 0) throw this.#outside[0];
  }

  async #readInbox(known: ReadonlySet<string>): Promise<void> {
    const patterns = this.#patterns();
    if (patterns.length === 0) return;
    const access = await this.parts.calls.query<BankAccess>(
      'paymentProcessor.access',
      this.parts.tenant.company,
      {},
      { paymentProcessorId: this.processor.id },
    );
    let unfetched = 0;
    const inbox = await this.parts.banks.list(access);
    const kinds = directionsOf(
      inbox.map(({ name }) => name),
      patterns,
    );
    const unread: Difference[] = [];
    for (const [at, found] of inbox.entries()) {
      const kind = kinds[at];
      if (kind === undefined || known.has(keyOf(found)) || this.parts.isClosed()) continue;
      if (found.bytes > MAX_BYTES) {
        unread.push(tooLarge(found));
        continue;
      }
      try {
        await this.#receive(found, kind, await this.#opened(await this.parts.banks.get(access, found.name, MAX_BYTES), access));
      } catch (cause) {
        if (!(cause instanceof OutsideFault)) throw cause;
        this.#outside.push(cause);
        unfetched += 1;
        if (unfetched >= MOST_UNFETCHED) break;
      }
    }
    await noteOnce(this.parts, this.processor.id, this.day.today, unread);
  }

  /** Records what a file says, or that it could not be. */
  async #take(work: AchFileWork): Promise<void> {
    try {
      await this.#answers.take(work);
    } catch (cause) {
      if (this.parts.isClosed() || isOutside(cause)) {
        this.#outside.push(cause);
        return;
      }
      const { calls, tenant } = this.parts;
      const { id: target } = work.state;
      const body: FileNotTakenBody = { reason: cause instanceof Refusal && cause.statusCode < 500 ? cause.message : SERVICE_FAILED };
      const { isAside } = await calls.command<FileNotTakenReply>({ type: 'achFile.notTaken', target, body });
      this.#report(
        isAside ? 'a file of a bank cannot be processed, and stands aside' : 'a file of a bank could not be processed, and is tried again',
        { ...tenant, processorId: this.processor.id, achFileId: target, cause: String(cause) },
      );
    }
  }

  #report(message: string, details: Readonly<Record<string, unknown>>): void {
    this.parts.report(message, details);
  }

  /** A file of which nothing could be recorded is a difference of the day on which that is known. */
  async #reportFailed(): Promise<void> {
    const { zone, today } = this.day;
    const since = startOfDay(zone, addDays(today, -REPORTED_DAYS));
    const { failedIncoming } = await this.#files.all();
    const differences: Difference[] = [];
    for (const id of failedIncoming) {
      const { state } = await this.#files.work(id);
      if ((state.updatedAt ?? state.createdAt) < since) continue;
      differences.push({ ...NOTHING_KNOWN, key: `${id}/file`, kind: 'missingInLedger', achFileId: id, description: state.failure ?? '' });
    }
    await noteOnce(this.parts, this.processor.id, today, differences);
  }

  #patterns(): readonly NamePattern[] {
    const { returnPattern, confirmationPattern } = this.processor.stored.sftp;
    const made = (direction: NamePattern['direction'], pattern: string | null) =>
      pattern === null ? [] : [{ direction, pattern: new RegExp(pattern, 'u') }];
    return [...made('return', returnPattern), ...made('confirmation', confirmationPattern)];
  }

  /** What a file of a bank that encrypts holds. One that cannot be decrypted is kept as it came. */
  async #opened(came: Buffer, { pgp: { opening } }: BankAccess): Promise<Came> {
    if (opening === null) return { bytes: came, fault: null };
    try {
      return { bytes: Buffer.from(await this.parts.pgp.open(Uint8Array.from(came), opening, MAX_BYTES)), fault: null };
    } catch (cause) {
      if (cause instanceof OutsideFault) return { bytes: came, fault: cause.message };
      this.#report('a file of a bank could not be decrypted', {
        ...this.parts.tenant,
        processorId: this.processor.id,
        cause: String(cause),
      });
      return { bytes: came, fault: SERVICE_FAILED };
    }
  }

  async #receive(found: InboxFile, direction: 'return' | 'confirmation', { bytes, fault }: Came): Promise<void> {
    const reading = direction === 'return' && fault === null ? await readingOf(bytes) : null;
    const totals = addedTotals((reading?.batches ?? []).map(({ entries }) => achTotalsOf(entries)));
    const isReadable = fault === null && (reading === null || isUsable(reading, true));
    const body: ReceiveFileBody = {
      processorId: this.processor.id,
      direction,
      fileName: found.name,
      fileDay: this.day.today,
      sourceKey: keyOf(found),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      entryCount: reading?.batches.reduce((count, { entries }) => count + entries.length, 0) ?? 0,
      debitCents: isReadable ? totals.debitCents : ZERO,
      creditCents: isReadable ? totals.creditCents : ZERO,
      content: await this.parts.contents.put(bytes),
      failure: isReadable ? null : (fault ?? `The file cannot be used: ${faultsOf(must(reading, 'a file of returns').errors)}.`),
    };
    const { calls, tenant } = this.parts;
    const { id } = await calls.command<{ readonly id: string }>({ type: 'achFile.receive', target: tenant.company, body });
    if (isReadable) await this.#take(await this.#files.work(id));
  }
}

/** Null: it cannot be read at all, which shows when the file is taken. */
async function readingOf(bytes: Buffer): Promise<AchReading | null> {
  try {
    return await inSteps(readAchInSteps(textOfFile(bytes)));
  } catch {
    return null;
  }
}

const tooLarge = (found: InboxFile): Difference => ({
  ...NOTHING_KNOWN,
  key: `inbox/${keyOf(found)}`,
  kind: 'missingInLedger',
  description: `The file ${found.name} has ${found.bytes} bytes; ${MAX_BYTES} can be read.`,
});

/** The same name may come again with another content: size and time of a file belong to what names it. */
const keyOf = ({ name, bytes, modifiedAt }: InboxFile): string => `${name}/${bytes}/${modifiedAt}`;

const SHOWN_FAULTS = 5;

/** Codes and lines alone: what a line holds is a matter of the account holder. */
function faultsOf(errors: readonly { readonly code: string; readonly line: number | null }[]): string {
  const shown = errors.slice(0, SHOWN_FAULTS).map(({ code, line }) => (line === null ? code : `${code} on line ${line}`));
  return errors.length > SHOWN_FAULTS ? `${shown.join(', ')} and ${errors.length - SHOWN_FAULTS} more` : shown.join(', ');
}
