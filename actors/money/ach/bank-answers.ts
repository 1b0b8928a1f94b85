import {
  type Addenda,
  addedTotals,
  achTotalsOf,
  correctionOf,
  type FoundEntry,
  formatDay,
  isLateReturn,
  must,
  readAchInSteps,
  settlementDayOf,
  transactionCode,
} from '../../../engine/index.js';
import type { CorrectInstrumentBody, PrenoteReturnedBody } from '../../borrower/index.js';
import type { ProcessorRecord } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import { Refusal } from '../../errors.js';
import { inSteps } from '../../kernel/jobs/in-steps.js';
import { isFinalRefusal, isForNow } from '../../kernel/jobs/service-calls.js';
import type { TransactionView } from '../../loan/index.js';
import { type BankDay, noteDifferences, noteOnce, refusedRefund } from '../bank-day.js';
import { type Difference, NOTHING_KNOWN } from '../reconciliation/index.js';
import type { AchFileState } from './ach-file.js';
import { KnownFiles } from './known-files.js';
import type { FileAppliedBody, FileRefusedBody } from './commands.js';
import { type IncomingEntry, type OutgoingEntry, packEntries, textOfFile, unpackIncoming, unpackOutgoing } from './entries.js';
import { differenceOf, earliestDayOfReturns, type OutgoingFiles } from './outgoing.js';
import type { AchWorkParts } from './ports.js';
import type { AchFileWork, FilesOfProcessor } from './view.js';

/** Files with returns, the newest, with which a file is compared that may come a second time or late. */
const MOST_COMPARED = 200;

type Coded = Extract<Addenda, { readonly code: string }>;
type Change = Extract<Addenda, { readonly type: 'change' }>;

/** An entry of an outgoing file, and the file. */
interface Original {
  readonly entry: OutgoingEntry;
  readonly file: AchFileState;
}

/** An entry of a file from the bank. */
interface Answer {
  readonly entry: FoundEntry;
  readonly addenda: Coded;
  readonly original: Original | null;
  /** The file in which it came. */
  readonly file: AchFileState;
}

/** An entry that another file of the bank had. */
interface TakenEntry extends IncomingEntry {
  /** Whether the file came before the one that is compared. */
  readonly isEarlier: boolean;
}

/*
 * Records what a file of a bank says. All of it may be done twice: a file is done again from its first line after a crash, and a bank sends
 * an entry again in another file. So each step knows what it has done by what the entry is, not by the file in which it came.
 *
 * Files may be processed in another order, since one that cannot be processed stands aside. What that changes:
 *
 *   confirmations        nothing: each names its own files, and one that comes late concerns those alone that are still awaited
 *   returns              nothing: a payment is returned once, and whether it was late is asked of the day on which its file came
 *   changes of accounts  the newest must win: a change is not recorded if a file that came later has changed the same account
 */
export class BankAnswers {
  readonly #entries = new Map<string, Promise<ReadonlyMap<string, OutgoingEntry>>>();
  readonly #incoming = new Map<string, readonly IncomingEntry[]>();

  readonly #files: KnownFiles;

  constructor(
    private readonly parts: AchWorkParts,
    private readonly processor: ProcessorRecord,
    private readonly day: BankDay,
    private readonly outgoing: Pick<OutgoingFiles, 'arrived'>,
  ) {
    this.#files = new KnownFiles(parts.calls, processor.id);
  }

  /** Records what follows from a file. A failure may come at each step, and leaves the file to be done again. */
  async take({ state, content }: AchFileWork): Promise<void> {
    const text = textOfFile(await this.parts.contents.get(must(content, 'a file that was received has a content')));
    await this.#files.record(
      state.id,
      'applied',
      state.direction === 'return' ? await this.#returned(text, state) : await this.#confirmed(text),
    );
  }

  /** A confirmation names files, each on a line, with REJECTED where the bank has not taken it. */
  async #confirmed(text: string): Promise<FileAppliedBody> {
    const lines = text.split(/\r?\n/);
    const { awaitingConfirmation } = await this.#files.all();
    for (const id of awaitingConfirmation) {
      const { state } = await this.#files.work(id);
      const line = lines.find((each) => each.includes(state.fileName));
      if (line === undefined) continue;
      if (/\bREJECT/i.test(line)) {
        await this.#files.record(id, 'refused', { reason: 'The bank has rejected the file.' } satisfies FileRefusedBody);
        const differences = [...(await this.#entriesOf(id)).values()].map(
          (entry): Difference => ({ ...differenceOf(entry, state, 'missingAtBank'), description: 'The bank has rejected the file.' }),
        );
        await noteDifferences(this.parts, this.processor.id, this.day.today, differences);
      } else await this.#files.record(id, 'confirmed', {});
    }
    return { entries: null };
  }

  async #returned(text: string, file: AchFileState): Promise<FileAppliedBody> {
    const { batches } = await inSteps(readAchInSteps(text));
    const came = batches.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.addenda.filter(isCoded).map((addenda) => ({ entry, addenda }))),
    );
    const files = await this.#files.all();
    const entries: IncomingEntry[] = Array.from({ length: came.length });
    const differences: Difference[] = [];
    const failures: unknown[] = [];
    // One after the other: two entries may be about the same payment. One that meets a bug does not hold up those behind it.
    for (const [at, { entry, addenda }] of came.entries()) {
      const original = await this.#originalOf(addenda.originalTrace, file, files);
      if (original !== null && isOnItsWay(original.file)) await this.outgoing.arrived(original.file.id);
      const found = await this.#taken({ entry, addenda, original, file }).catch((cause: unknown) => {
        if (isOutside(cause) || this.parts.isClosed()) throw cause;
        failures.push(cause);
        return [];
      });
      differences.push(...found);
      entries[at] = {
        trace: addenda.originalTrace,
        code: addenda.code,
        direction: transactionCode(entry.transactionCode)?.direction ?? 'debit',
        amountCents: entry.amountCents,
        personId: original?.entry.personId ?? null,
        instrumentId: original?.entry.instrumentId ?? null,
        payment: original?.entry.payment ?? null,
        ...(original?.entry.isPrenote === true ? { isPrenote: true } : {}),
        problem: found.find(({ kind }) => !OF_RECORDED.has(kind))?.description ?? null,
        ownTrace: addenda.trace,
      };
    }
    // Once, on whatever day and in whichever file an entry comes again.
    await noteOnce(this.parts, this.processor.id, this.day.today, differences);
    if (failures.length > 0) throw failures[0];
    const totals = addedTotals(batches.map((batch) => achTotalsOf(batch.entries)));
    return {
      entries: await this.parts.contents.put(packEntries(entries)),
      figures: { entryCount: batches.reduce((count, batch) => count + batch.entries.length, 0), ...totals },
    };
  }

  /** Records what an entry says, and answers the differences that it shows. */
  async #taken(answer: Answer): Promise<readonly Difference[]> {
    const { entry, addenda, original, file } = answer;
    const key = keyOf(answer);
    const { amountCents } = entry;
    if (original === null)
      return [
        {
          ...NOTHING_KNOWN,
          key,
          kind: 'missingInLedger',
          achFileId: file.id,
          trace: addenda.originalTrace,
          actualCents: amountCents,
          description: `The bank has sent ${addenda.code} for an entry that no file has.`,
        },
      ];
    const difference = (kind: Difference['kind'], description: string): Difference => ({
      ...differenceOf(original.entry, original.file, kind),
      key,
      achFileId: file.id,
      actualCents: amountCents,
      description,
    });
    try {
      switch (addenda.type) {
        case 'change':
          return await this.#change(addenda, original, file, difference);
        case 'return':
          if (amountCents !== original.entry.amountCents)
            return [difference('amountMismatch', `The bank has returned another amount than the entry had, with ${addenda.code}.`)];
          return [
            ...(await this.#return(addenda.code, original)),
            ...((await this.#isLate(answer, original)) ? [difference('lateReturn', `${addenda.code} came after its window.`)] : []),
          ];
        case 'dishonoredReturn':
        case 'contestedReturn':
        case 'refusedChange':
          return [difference('missingInLedger', `${addenda.code} needs a decision: nothing was recorded.`)];
      }
    } catch (cause) {
      if (!isFinalRefusal(cause)) throw cause;
      return [difference('missingInLedger', cause.message)];
    }
  }

  /**
   * The ledger no longer counts the payment, as of its own effective date. A second return of it changes nothing. The return of a refund is
   * a difference.
   */
  async #return(returnCode: string, { entry, file }: Original): Promise<readonly Difference[]> {
    const { calls } = this.parts;
    const { payment, personId, instrumentId, trace, amountCents, isPrenote } = entry;
    const params = { personId, paymentInstrumentId: instrumentId };
    if (isPrenote === true) {
      const body: PrenoteReturnedBody = { achFileId: file.id, returnCode };
      await calls.command({ type: 'paymentInstrument.prenoteReturned', target: personId, params, body });
      return [];
    }
    if (payment === null) {
      await calls.command({ type: 'paymentInstrument.depositsReturned', target: personId, params, body: {} });
      return [];
    }
    const { loanId, transactionId: id } = payment;
    const { transactionType } = await calls.command<Pick<TransactionView, 'transactionType'>>({
      type: 'transaction.return',
      target: loanId,
      params: { transactionId: id },
      body: { returnCode },
    });
    if (transactionType !== 'reversal') return [];
    const description = `The bank has returned the refund with ${returnCode}.`;
    return [{ ...refusedRefund({ id, loanId, personId, amountCents }, { trace, description }), achFileId: file.id }];
  }

  async #change(
    { code, correctedData, trace: ownTrace }: Change,
    { entry: { personId, instrumentId, trace } }: Original,
    file: AchFileState,
    difference: (kind: Difference['kind'], description: string) => Difference,
  ): Promise<readonly Difference[]> {
    const correction = correctionOf(code, correctedData);
    if (correction === undefined) return [difference('missingInLedger', `${code} has no corrected data that can be used.`)];
    const others = await this.#othersThan(file);
    // The account may have changed again since: what was recorded once is not recorded a second time.
    if (others.some((other) => other.trace === trace && other.code === code && other.ownTrace === ownTrace && other.problem === null))
      return [];
    const isOfAccount = (other: TakenEntry): boolean => other.instrumentId === instrumentId && other.code.startsWith('C');
    if (others.some((other) => !other.isEarlier && other.problem === null && isOfAccount(other)))
      return [difference('missingInLedger', `A file that came later has changed the account: ${code} was not recorded.`)];
    await this.parts.calls.command({
      type: 'paymentInstrument.correct',
      target: personId,
      params: { personId, paymentInstrumentId: instrumentId },
      body: { correction } satisfies CorrectInstrumentBody,
    });
    return [];
  }

  /**
   * Whether the window of a return was over on the day on which its file came: holidays of the lender do not lengthen it. A copy of a
   * return that came in time is not late.
   */
  async #isLate({ addenda: { code }, entry: { amountCents }, file: came }: Answer, { entry: { trace }, file }: Original): Promise<boolean> {
    const { effectiveDay, fileDay } = must(file.built, 'an outgoing file was built');
    const cameOn = must(came.fileDay, 'a file that was received has a day');
    if (!isLateReturn(code, settlementDayOf(effectiveDay, fileDay), cameOn)) return false;
    const others = await this.#othersThan(came);
    return !others.some((other) => other.isEarlier && other.trace === trace && other.code === code && other.amountCents === amountCents);
  }

  /** The entries of other files with returns that were taken. */
  async #othersThan(file: AchFileState): Promise<readonly TakenEntry[]> {
    const { takenReturns } = await this.#files.all();
    const compared = takenReturns.filter(({ id }) => id !== file.id).slice(0, MOST_COMPARED);
    const entries: TakenEntry[] = [];
    for (const { id, createdStamp } of compared)
      for (const entry of await this.#incomingOf(id)) entries.push({ ...entry, isEarlier: createdStamp < file.createdStamp });
    return entries;
  }

  async #incomingOf(id: string): Promise<readonly IncomingEntry[]> {
    const known = this.#incoming.get(id);
    if (known !== undefined) return known;
    const { entries } = await this.#files.work(id);
    const read = entries === null ? [] : unpackIncoming(await this.parts.contents.get(entries));
    this.#incoming.set(id, read);
    return read;
  }

  /** The newest entry with a trace number that had left when the file came: numbers begin again after ten million. */
  async #originalOf(trace: string, { fileDay }: AchFileState, { ranges }: FilesOfProcessor): Promise<Original | null> {
    const sequence = Number(trace.slice(-7));
    const cameOn = must(fileDay, 'a file that was received has a day');
    const [earliest, latest] = [formatDay(earliestDayOfReturns(cameOn)), formatDay(cameOn)];
    for (const { id, first, count, fileDate } of ranges) {
      if (sequence < first || sequence >= first + count || fileDate < earliest || fileDate > latest) continue;
      const entry = (await this.#entriesOf(id)).get(trace);
      if (entry !== undefined) return { entry, file: (await this.#files.work(id)).state };
    }
    return null;
  }

  #entriesOf(id: string): Promise<ReadonlyMap<string, OutgoingEntry>> {
    const known = this.#entries.get(id) ?? this.#readEntries(id);
    this.#entries.set(id, known);
    return known;
  }

  async #readEntries(id: string): Promise<ReadonlyMap<string, OutgoingEntry>> {
    const { entries } = await this.#files.work(id);
    const outgoing = entries === null ? [] : unpackOutgoing(await this.parts.contents.get(entries));
    return new Map(outgoing.map((entry) => [entry.trace, entry]));
  }
}

/** Whether it was no fault of a file: nobody counts such tries. A request that meets a bug of the service is no such thing. */
export const isOutside = (cause: unknown): boolean =>
  cause instanceof OutsideFault || (isForNow(cause) && !(cause instanceof Refusal && cause.errorType === 'internalError'));

/** Differences of returns that were recorded: that of a refund, and one behind its window. */
const OF_RECORDED: ReadonlySet<Difference['kind']> = new Set<Difference['kind']>(['missingAtBank', 'lateReturn']);

const isOnItsWay = ({ status, isApplied }: AchFileState): boolean => status !== 'confirmed' || !isApplied;

const isCoded = (addenda: Addenda): addenda is Coded => addenda.type !== 'information' && addenda.type !== 'other';

/**
 * A return is the same as another by the trace number of the original entry, its code and its amount, and never by the trace number that
 * the returning bank gives it. What answers a return or corrects an account may come more than once, and is the same by that number.
 */
const keyOf = ({ entry: { amountCents }, addenda, original }: Answer): string =>
  [
    original?.file.id ?? 'unknown',
    addenda.originalTrace,
    addenda.code,
    ...(addenda.type === 'return' ? [amountCents] : [addenda.trace]),
  ].join('/');
