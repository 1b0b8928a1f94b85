import { createHash } from 'node:crypto';
import {
  achTotalsOf,
  addedTotals,
  addDays,
  addBusinessDays,
  dayAt,
  effectiveEntryDay,
  formatDay,
  must,
  SAME_DAY_LIMIT_CENTS,
  writeAch,
} from '../../../engine/index.js';
import type { AwaitingDeposits, AwaitingDepositsQuery, DepositsFiledBody, FileAccount, PrenoteFiledBody } from '../../borrower/index.js';
import type { BankAccess, PausableWork, ProcessorRecord } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import type { AwaitingFile, AwaitingFileQuery, TransactionFiled, TransactionUnsendable } from '../../loan/index.js';
import { isApart, type Moment, momentOf } from '../../kernel/jobs/rounds.js';
import { isFinalRefusal } from '../../kernel/jobs/service-calls.js';
import type { Difference } from '../reconciliation/index.js';
import { type AchFileState, type AchSlot, slotText } from './ach-file.js';
import { type BankDay, clockOf, noteDifferences, type PassedSlot, refusedRefund } from '../bank-day.js';
import { fileOf, MAX_SEQUENCE, modifierOf, type PlannedEntry, verificationEntries } from './building.js';
import { KnownFiles } from './known-files.js';
import type { BuildFileBody, FileAppliedBody, FileRefusedBody, FileSealedBody, UploadFailedBody } from './commands.js';
import { type OutgoingEntry, packEntries, unpackOutgoing } from './entries.js';
import { type AchWorkParts, forEachOf, UploadUncertain } from './ports.js';
import { prenoteKey, Prenotes } from './prenotes.js';
import { purposeOf, UNREADABLE, unsendable } from './sendable.js';
import type { AchFileWork, FilesOfProcessor } from './view.js';

/** Entries of one file; more go into the next one. */
const MAX_ENTRIES = 500_000;
/** Tries to upload a file, before a person has to look at it, and the time between them in milliseconds. */
const UPLOAD_TRIES = 3;
const RETRY_MS = 900_000;

interface OutgoingParts extends AchWorkParts {
  /** Whether a user has paused the files of a cut-off: what is not at the bank stays here. */
  readonly isPaused: (work: PausableWork) => boolean;
}

/** The name of the work that makes the file of a cut-off. */
export const workOfSlot = ({ kind }: Pick<AchSlot, 'kind'>): PausableWork => (kind === 'sameDay' ? 'achSameDayFile' : 'achFile');

/** The outgoing files of one processor: each is built once, uploaded once, and its payments become pending once. */
export class OutgoingFiles {
  readonly #files: KnownFiles;

  constructor(
    private readonly parts: OutgoingParts,
    private readonly processor: ProcessorRecord,
    private readonly day: BankDay,
  ) {
    this.#files = new KnownFiles(parts.calls, processor.id);
  }

  /**
   * Goes on with files that are under way, oldest first, then makes the files of cut-offs that have passed. False: one of them is not at
   * the bank yet, and later files wait for it.
   */
  async run(slots: readonly PassedSlot[]): Promise<boolean> {
    const files = await this.#files.all();
    let isBehind = false;
    for (const id of files.open) {
      const work = await this.#files.work(id);
      if (work.state.direction === 'outgoing') isBehind = !(await this.#finish(work)) || isBehind;
    }
    // What a file that is not at the bank yet has must not be in another one: it is asked for below.
    if (isBehind || this.parts.isClosed()) return false;
    let isDone = true;
    for (const slot of slots)
      if (!files.slots.includes(slotText(slot.slot))) isDone = (await this.#build(slot, await this.#files.all())) && isDone;
    return isDone;
  }

  /** Files that the bank should have confirmed by now are reported. */
  async checkConfirmations(): Promise<void> {
    if (this.processor.stored.sftp.confirmationPattern === null) return;
    const { awaitingConfirmation, untakenConfirmations } = await this.#files.all();
    // What one that could not be processed confirms is not known: its files are not to be sent again.
    const untaken = await Promise.all(untakenConfirmations.map(async (id) => (await this.#files.work(id)).state.createdAt));
    for (const id of awaitingConfirmation) {
      const { state, entries } = await this.#files.work(id);
      const { status, uploadedAt } = state;
      if (status !== 'uploaded' || uploadedAt === null || untaken.some((cameAt) => cameAt >= uploadedAt)) continue;
      const last = addBusinessDays(dayAt(this.day.zone, uploadedAt), 1, this.day.calendar);
      if (this.day.today <= last) continue;
      const outgoing = entries === null ? [] : unpackOutgoing(await this.parts.contents.get(entries));
      await noteDifferences(
        this.parts,
        this.processor.id,
        this.day.today,
        outgoing.flatMap((entry) => missingAtBank(entry, state)),
      );
      await this.#files.record(id, 'refused', {
        reason: 'The bank has not confirmed the file within a banking day.',
      } satisfies FileRefusedBody);
    }
  }

  /** What the bank says of entries of a file shows that it has the file, whatever is known of its upload: its payments become pending. */
  async arrived(id: string): Promise<void> {
    await this.#files.record(id, 'confirmed', {});
    await this.#apply(await this.#files.work(id));
  }

  /** Whether the file is at the bank and all its payments know it. */
  async #finish(work: AchFileWork): Promise<boolean> {
    if (work.state.status === 'failed') return true;
    if (this.#rests(work.state) || this.#isPaused(work.state)) return false;
    if (work.state.status === 'created' && !(await this.#upload(work))) return false;
    await this.#apply(work);
    return true;
  }

  /** An upload whose end is not known is looked at all the same. */
  #isPaused({ status, isUploading, built }: AchFileState): boolean {
    return status === 'created' && !isUploading && built !== null && this.parts.isPaused(workOfSlot(built.slot));
  }

  /** After a try that has failed. */
  #rests({ status, uploadTries, isUploading, updatedStamp, updatedAt }: AchFileState): boolean {
    const { engine, tenant, isForced } = this.parts;
    if (isForced || status !== 'created' || uploadTries === 0 || isUploading) return false;
    const tried: Moment = { machineMs: updatedStamp / 1_000, companyMs: updatedAt ?? 0 };
    return !isApart(tried, momentOf(engine, tenant), RETRY_MS);
  }

  /** Puts the file into the folder of the bank, once: after a crash it is looked whether it is there. */
  async #upload(work: AchFileWork): Promise<boolean> {
    const access = await this.#access();
    const ready = await this.#ready(work, access);
    if (ready === null) return true;
    const { state, content, sealed } = ready;
    const { id, fileName, sha256 } = state;
    try {
      const bytes = Buffer.from(await this.parts.contents.get(must(sealed ?? content, 'a file that was built has a content')));
      if (state.isUploading) {
        const found = await this.parts.banks.look(access, fileName, sha256);
        if (found === 'absent') return await this.#uncertain(id);
        if (found === 'there') return await this.#uploaded(id);
      } else await this.#files.record(id, 'beginUpload', {});
      await this.parts.banks.put(access, fileName, bytes);
      return await this.#uploaded(id);
    } catch (cause) {
      // Whether it got its name is looked at in the next round.
      if (!(cause instanceof OutsideFault) || cause instanceof UploadUncertain) throw cause;
      const isFinal = state.uploadTries + 1 >= UPLOAD_TRIES;
      await this.#files.record(id, 'uploadFailed', { reason: cause.message, isFinal } satisfies UploadFailedBody);
      return isFinal;
    }
  }

  /**
   * The file as it leaves: encrypted and signed once, as its processor asks for it, before anything is put. Null: it cannot be, and a
   * person has to look at the key.
   */
  async #ready(work: AchFileWork, { pgp: { sealing } }: BankAccess): Promise<AchFileWork | null> {
    const { state, sealed, content } = work;
    if (sealed !== null || sealing === null || state.isUploading) return work;
    const { contents, pgp } = this.parts;
    try {
      const bytes = await pgp.seal(await contents.get(must(content, 'a file that was built has a content')), sealing);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await this.#files.record(state.id, 'sealed', { sha256, content: await contents.put(bytes) } satisfies FileSealedBody);
    } catch (cause) {
      if (!(cause instanceof OutsideFault)) throw cause;
      await this.#files.record(state.id, 'uploadFailed', { reason: cause.message, isFinal: true } satisfies UploadFailedBody);
      return null;
    }
    return this.#files.work(state.id);
  }

  async #uploaded(id: string): Promise<true> {
    await this.#files.record(id, 'uploaded', {});
    return true;
  }

  /** The bank may have taken the file away already. Nothing is sent twice: a person asks the bank, or its confirmation answers. */
  async #uncertain(id: string): Promise<true> {
    const reason =
      'The upload was interrupted, and the file is not in the folder. Ask the bank whether it has the file; if not, send it again.';
    await this.#files.record(id, 'uploadFailed', { reason, isFinal: true } satisfies UploadFailedBody);
    return true;
  }

  /** Reports the upload to each payment and account. */
  async #apply({ state, entries }: AchFileWork): Promise<void> {
    const fresh = await this.#files.work(state.id);
    if (fresh.state.status === 'failed' || fresh.state.status === 'created' || fresh.state.isApplied) return;
    const built = must(state.built, 'an outgoing file was built');
    const outgoing = unpackOutgoing(await this.parts.contents.get(must(entries, 'an outgoing file has entries')));
    const isSameDay = built.slot.kind === 'sameDay';
    const { fee } = this.processor.stored;
    const differences: Difference[] = [];
    await forEachOf(outgoing, async (entry) => {
      try {
        await this.#reportEntry(entry, {
          achFileId: state.id,
          trace: entry.trace,
          effectiveEntryDay: built.effectiveDay,
          isSameDay,
          feeCents: isSameDay ? fee.sameDayCents : fee.cents,
          feeType: fee.type,
        });
      } catch (cause) {
        if (!isFinalRefusal(cause)) throw cause;
        differences.push({ ...differenceOf(entry, state, 'missingInLedger'), description: cause.message });
      }
    });
    if (differences.length > 0) await noteDifferences(this.parts, this.processor.id, this.day.today, differences);
    await this.#files.record(state.id, 'applied', { entries: null } satisfies FileAppliedBody);
  }

  async #reportEntry({ payment, personId, instrumentId, isPrenote }: OutgoingEntry, filed: TransactionFiled): Promise<void> {
    const { calls } = this.parts;
    if (payment !== null) {
      const { loanId: target, transactionId } = payment;
      await calls.command({ type: 'transaction.filed', target, params: { transactionId }, body: filed });
      return;
    }
    const { achFileId, effectiveEntryDay: entryDay } = filed;
    const params = { personId, paymentInstrumentId: instrumentId };
    if (isPrenote === true) {
      const body: PrenoteFiledBody = { achFileId, entryDay };
      await calls.command({ type: 'paymentInstrument.prenoteFiled', target: personId, params, body });
      return;
    }
    const body: DepositsFiledBody = { achFileId };
    await calls.command({ type: 'paymentInstrument.depositsFiled', target: personId, params, body });
  }

  /** Whether what it has made is at the bank. */
  async #build({ slot, until }: PassedSlot, files: FilesOfProcessor): Promise<boolean> {
    const planned = await this.#planned({ slot, until }, files);
    if (planned.length === 0) return true;
    const { id: processorId, stored } = this.processor;
    const { today } = this.day;
    const fileDate = formatDay(today);
    const modifier = modifierOf(files.ranges.filter((range) => range.fileDate === fileDate).length);
    if (modifier === undefined) throw new TypeError('a day has at most 36 files of a processor');
    const [last] = files.ranges;
    const next = last === undefined ? 1 : last.first + last.count;
    const firstSequence = next + planned.length - 1 > MAX_SEQUENCE ? 1 : next;
    const effectiveDay = effectiveEntryDay(today, slot.kind === 'sameDay', this.day.calendar);
    const { file, entries } = fileOf({
      processor: stored,
      fileDay: today,
      time: clockOf(this.day),
      modifier,
      effectiveDay,
      firstSequence,
      entries: planned,
    });
    const bytes = Buffer.from(writeAch(file), 'latin1');
    const totals = addedTotals(file.batches.map((batch) => achTotalsOf(batch.entries)));
    const body: BuildFileBody = {
      processorId,
      slot,
      fileName: `ACH_${processorId}_${fileDate.replaceAll('-', '')}_${modifier}.ach`,
      fileDay: today,
      effectiveDay,
      modifier,
      firstSequence,
      entryCount: entries.length,
      debitCents: totals.debitCents,
      creditCents: totals.creditCents,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      content: await this.parts.contents.put(bytes),
      entries: await this.parts.contents.put(packEntries(entries)),
    };
    const { calls, tenant } = this.parts;
    const { id } = await calls.command<{ readonly id: string }>({ type: 'achFile.build', target: tenant.company, body });
    return this.#finish(await this.#files.work(id));
  }

  /** What waits for a file and is in none that is not at the bank yet. */
  async #planned({ slot, until }: PassedSlot, files: FilesOfProcessor): Promise<readonly PlannedEntry[]> {
    const isSameDay = slot.kind === 'sameDay';
    const taken = await this.#taken(files);
    const query: AwaitingFileQuery = { processorId: this.processor.id, until };
    const payments = (await this.parts.calls.all<AwaitingFile>('transaction.awaitingFile', query))
      .filter(({ id, amountCents }) => !taken.has(id) && (!isSameDay || amountCents <= SAME_DAY_LIMIT_CENTS))
      .reverse()
      .slice(0, MAX_ENTRIES);
    const { calls } = this.parts;
    const prenotes = new Prenotes({ calls, files: this.#files, processor: this.processor, day: this.day, taken, isSameDay });
    const planned: (PlannedEntry | null)[] = Array.from({ length: payments.length }, () => null);
    await forEachOf([...payments.entries()], async ([at, payment]) => {
      planned[at] = await this.#plannedPayment(payment, prenotes);
    });
    if (!isSameDay) await prenotes.planOrdered(until, ({ personId, instrumentId }) => this.#account(personId, instrumentId));
    const deposits = isSameDay ? [] : await this.#plannedDeposits(until, taken);
    return [...planned.filter((each) => each !== null), ...prenotes.entries, ...deposits];
  }

  async #plannedPayment(payment: AwaitingFile, prenotes: Prenotes): Promise<PlannedEntry | null> {
    const { id: transactionId, loanId, personId, instrumentId, amountCents, direction, isRecurring } = payment;
    const account = await this.#account(personId, instrumentId);
    const purpose = purposeOf(payment, this.day.today);
    const body = account === null ? UNREADABLE : unsendable(payment, account, purpose);
    if (account === null || purpose === null || body !== null) {
      await this.#unsendable(payment, body ?? UNREADABLE);
      return null;
    }
    if (!(await prenotes.mayFollow({ personId, instrumentId }, account))) return null;
    return {
      account,
      entry: { direction, amountCents, personId, instrumentId, payment: { loanId, transactionId } },
      reference: transactionId,
      isRecurring,
      purpose,
    };
  }

  async #unsendable(payment: AwaitingFile, body: TransactionUnsendable): Promise<void> {
    const { id: transactionId, loanId: target, isReversal } = payment;
    if (isReversal) {
      const difference = refusedRefund(payment, { description: `The refund cannot be sent: ${body.details}` });
      await noteDifferences(this.parts, this.processor.id, this.day.today, [difference]);
    }
    await this.parts.calls.command({ type: 'transaction.unsendable', target, params: { transactionId }, body });
  }

  async #plannedDeposits(until: number, taken: ReadonlySet<string>): Promise<readonly PlannedEntry[]> {
    const query: AwaitingDepositsQuery = { processorId: this.processor.id, until };
    const waiting = await this.parts.calls.all<AwaitingDeposits>('paymentInstrument.depositsAwaitingFile', query);
    const planned: PlannedEntry[] = [];
    for (const { personId, instrumentId } of waiting) {
      if (taken.has(instrumentId)) continue;
      const account = await this.#account(personId, instrumentId);
      if (account?.deposits != null) planned.push(...verificationEntries(personId, instrumentId, account));
    }
    return planned;
  }

  /** Payments and accounts in files that were not uploaded. */
  async #taken({ awaitingConfirmation }: FilesOfProcessor): Promise<ReadonlySet<string>> {
    const taken = new Set<string>();
    for (const id of awaitingConfirmation) {
      const { state, entries } = await this.#files.work(id);
      if (state.isApplied || entries === null) continue;
      for (const { payment, instrumentId, isPrenote } of unpackOutgoing(await this.parts.contents.get(entries)))
        taken.add(payment?.transactionId ?? (isPrenote === true ? prenoteKey(instrumentId) : instrumentId));
    }
    return taken;
  }

  #account(personId: string, paymentInstrumentId: string): Promise<FileAccount | null> {
    return this.parts.calls.query<FileAccount | null>('paymentInstrument.account', personId, {}, { personId, paymentInstrumentId });
  }

  #access(): Promise<BankAccess> {
    return this.parts.calls.query<BankAccess>(
      'paymentProcessor.access',
      this.parts.tenant.company,
      {},
      { paymentProcessorId: this.processor.id },
    );
  }
}

/** Nothing is older than this when a return comes: banks have sixty days, and people take their time. */
export const earliestDayOfReturns = (today: BankDay['today']): BankDay['today'] => addDays(today, -730);

export function differenceOf(entry: OutgoingEntry, { id }: AchFileState, kind: Difference['kind']): Omit<Difference, 'description'> {
  return {
    key: `${id}/${entry.trace}/${kind}`,
    kind,
    transactionId: entry.payment?.transactionId ?? null,
    loanId: entry.payment?.loanId ?? null,
    personId: entry.personId,
    achFileId: id,
    trace: entry.trace,
    expectedCents: entry.amountCents,
    actualCents: null,
  };
}

const missingAtBank = (entry: OutgoingEntry, file: AchFileState): readonly Difference[] =>
  entry.payment === null
    ? []
    : [{ ...differenceOf(entry, file, 'missingAtBank'), description: `The bank has not confirmed the file ${file.fileName}.` }];
