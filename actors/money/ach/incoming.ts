import { createHash } from 'node:crypto';
import {
  type Addenda,
  addedTotals,
  achTotalsOf,
  correctionOf,
  type FoundEntry,
  formatDay,
  isLateReturn,
  isUsable,
  MAX_ACH_CHARACTERS,
  must,
  readAch,
  settlementDayOf,
  transactionCode,
  ZERO,
} from '../../../engine/index.js';
import type { CorrectInstrumentBody } from '../../borrower/index.js';
import type { BankAccess, ProcessorRecord } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import { isFinalRefusal } from '../../kernel/jobs/service-calls.js';
import type { TransactionView } from '../../loan/index.js';
import { type Difference, NOTHING_KNOWN } from '../reconciliation/reconciliation.js';
import type { AchFileState } from './ach-file.js';
import { type BankDay, noteDifferences, refusedRefund } from '../bank-day.js';
import type { FileAppliedBody, FileRefusedBody, ReceiveFileBody } from './commands.js';
import { type IncomingEntry, type OutgoingEntry, packEntries, unpackOutgoing } from './entries.js';
import { differenceOf, earliestDayOfReturns, type OutgoingFiles } from './outgoing.js';
import { type AchWorkParts, type InboxFile } from './ports.js';
import type { AchFileWork, FilesOfProcessor } from './view.js';

/** Files from a bank above this size are not read. */
const MAX_BYTES = MAX_ACH_CHARACTERS;

/** How long the bytes of a file are kept after its last change, in milliseconds of machine time. */
const KEPT_MS = 90 * 24 * 3_600_000;

type Coded = Extract<Addenda, { readonly code: string }>;

/** A file as it is read, or as it came where it cannot be decrypted. */
interface Came {
  readonly bytes: Buffer;
  readonly fault: string | null;
}

/** An entry of an outgoing file, and the file. */
interface Original {
  readonly entry: OutgoingEntry;
  readonly file: AchFileState;
}

/** The files that a bank puts into the inbox: confirmations, returns and notifications of change. Each is taken once, whatever its name. */
export class IncomingFiles {
  readonly #entries = new Map<string, Promise<ReadonlyMap<string, OutgoingEntry>>>();

  constructor(
    private readonly parts: AchWorkParts,
    private readonly processor: ProcessorRecord,
    private readonly day: BankDay,
    private readonly outgoing: Pick<OutgoingFiles, 'arrived'>,
  ) {}

  async run(): Promise<void> {
    const files = await this.#files();
    for (const id of files.open) {
      const work = await this.#work(id);
      if (work.state.direction !== 'outgoing') await this.#process(work);
    }
    const patterns = this.#patterns();
    if (patterns.length === 0) return;
    const access = await this.parts.calls.query<BankAccess>(
      'paymentProcessor.access',
      this.parts.tenant.company,
      {},
      { paymentProcessorId: this.processor.id },
    );
    const known = new Set(files.sourceKeys);
    for (const found of await this.parts.banks.list(access)) {
      const kind = patterns.find(({ pattern }) => pattern.test(found.name))?.direction;
      if (kind === undefined || known.has(keyOf(found)) || found.bytes > MAX_BYTES || this.parts.isClosed()) continue;
      await this.#receive(found, kind, await this.#opened(await this.parts.banks.get(access, found.name), access));
    }
  }

  /** Bytes of files have account numbers: they are dropped when nobody needs them any more. */
  async dropOld(): Promise<void> {
    const before = (this.parts.engine.machineMs() - KEPT_MS) * 1_000;
    const { kept } = await this.#files();
    for (const { id } of kept.filter(({ updatedStamp }) => updatedStamp < before)) {
      const { content, sealed, state } = await this.#work(id);
      if (!state.isApplied || content === null) continue;
      await this.#record(id, 'empty', {});
      await this.parts.contents.drop(content.contentId);
      if (sealed !== null) await this.parts.contents.drop(sealed.contentId);
    }
  }

  #patterns(): readonly { readonly direction: 'return' | 'confirmation'; readonly pattern: RegExp }[] {
    const { returnPattern, confirmationPattern } = this.processor.stored.sftp;
    const made = (direction: 'return' | 'confirmation', pattern: string | null) =>
      pattern === null ? [] : [{ direction, pattern: new RegExp(pattern, 'u') }];
    return [...made('return', returnPattern), ...made('confirmation', confirmationPattern)];
  }

  /** What a file of a bank that encrypts holds. One that cannot be decrypted is kept as it came. */
  async #opened(came: Buffer, { pgp: { opening } }: BankAccess): Promise<Came> {
    if (opening === null) return { bytes: came, fault: null };
    try {
      return { bytes: Buffer.from(await this.parts.pgp.open(Uint8Array.from(came), opening, MAX_BYTES)), fault: null };
    } catch (cause) {
      if (!(cause instanceof OutsideFault)) throw cause;
      return { bytes: came, fault: cause.message };
    }
  }

  async #receive(found: InboxFile, direction: 'return' | 'confirmation', { bytes, fault }: Came): Promise<void> {
    const reading = direction === 'return' && fault === null ? readAch(bytes.toString('utf8')) : null;
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
    if (isReadable) return this.#process(await this.#work(id));
    await noteDifferences(this.parts, this.processor.id, this.day.today, [
      { ...NOTHING_KNOWN, key: `${id}/file`, kind: 'missingInLedger', achFileId: id, description: body.failure ?? '' },
    ]);
  }

  async #process({ state, content }: AchFileWork): Promise<void> {
    const text = Buffer.from(await this.parts.contents.get(must(content, 'a file that was received has a content'))).toString('utf8');
    if (state.direction === 'confirmation') await this.#confirm(text);
    const entries = state.direction === 'return' ? await this.#returns(text, state) : null;
    const stored = entries === null ? null : await this.parts.contents.put(packEntries(entries));
    await this.#record(state.id, 'applied', { entries: stored } satisfies FileAppliedBody);
  }

  /** A confirmation names files, each on a line, with REJECTED where the bank has not taken it. */
  async #confirm(text: string): Promise<void> {
    const lines = text.split(/\r?\n/);
    const { awaitingConfirmation } = await this.#files();
    for (const id of awaitingConfirmation) {
      const { state } = await this.#work(id);
      const line = lines.find((each) => each.includes(state.fileName));
      if (line === undefined) continue;
      if (/\bREJECT/i.test(line)) {
        await this.#record(id, 'refused', { reason: 'The bank has rejected the file.' } satisfies FileRefusedBody);
        const differences = [...(await this.#entriesOf(id)).values()].map(
          (entry): Difference => ({ ...differenceOf(entry, state, 'missingAtBank'), description: 'The bank has rejected the file.' }),
        );
        await noteDifferences(this.parts, this.processor.id, this.day.today, differences);
      } else await this.#record(id, 'confirmed', {});
    }
  }

  async #returns(text: string, file: AchFileState): Promise<readonly IncomingEntry[]> {
    const came = readAch(text).batches.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.addenda.filter(isCoded).map((addenda) => ({ entry, addenda }))),
    );
    const files = await this.#files();
    const entries: IncomingEntry[] = Array.from({ length: came.length });
    const differences: Difference[] = [];
    // One after the other: two entries may be about the same payment.
    for (const [at, { entry, addenda }] of came.entries()) {
      const original = await this.#originalOf(addenda.originalTrace, files);
      if (original !== null && isOnItsWay(original.file)) await this.outgoing.arrived(original.file.id);
      const found = await this.#taken(entry, addenda, original, file);
      differences.push(...found);
      entries[at] = {
        trace: addenda.originalTrace,
        code: addenda.code,
        direction: transactionCode(entry.transactionCode)?.direction ?? 'debit',
        amountCents: entry.amountCents,
        personId: original?.entry.personId ?? null,
        instrumentId: original?.entry.instrumentId ?? null,
        payment: original?.entry.payment ?? null,
        problem: found.find(({ kind }) => !OF_RECORDED.has(kind))?.description ?? null,
      };
    }
    if (differences.length > 0) await noteDifferences(this.parts, this.processor.id, this.day.today, differences);
    return entries;
  }

  /** Records what an entry says, and answers the differences that it shows. */
  async #taken(entry: FoundEntry, addenda: Coded, original: Original | null, file: AchFileState): Promise<readonly Difference[]> {
    const key = `${file.sha256.slice(0, 16)}/${entry.line}`;
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
          return await this.#change(addenda, original, difference);
        case 'return':
          if (amountCents !== original.entry.amountCents)
            return [difference('amountMismatch', `The bank has returned another amount than the entry had, with ${addenda.code}.`)];
          return [
            ...(await this.#return(addenda.code, original)),
            ...(this.#late(addenda.code, original) ? [difference('lateReturn', `${addenda.code} came after its window.`)] : []),
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
    const { payment, personId, instrumentId, trace, amountCents } = entry;
    if (payment === null) {
      const params = { personId, paymentInstrumentId: instrumentId };
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
    { code, correctedData }: Extract<Addenda, { readonly type: 'change' }>,
    { entry: { personId, instrumentId } }: Original,
    difference: (kind: Difference['kind'], description: string) => Difference,
  ): Promise<readonly Difference[]> {
    const correction = correctionOf(code, correctedData);
    if (correction === undefined) return [difference('missingInLedger', `${code} has no corrected data that can be used.`)];
    await this.parts.calls.command({
      type: 'paymentInstrument.correct',
      target: personId,
      params: { personId, paymentInstrumentId: instrumentId },
      body: { correction } satisfies CorrectInstrumentBody,
    });
    return [];
  }

  #late(code: string, { file }: Original): boolean {
    const { effectiveDay, fileDay } = must(file.built, 'an outgoing file was built');
    return isLateReturn(code, settlementDayOf(effectiveDay, fileDay, this.day.calendar), this.day.today, this.day.calendar);
  }

  /** The newest entry with a trace number: numbers begin again after ten million. */
  async #originalOf(trace: string, { ranges }: FilesOfProcessor): Promise<Original | null> {
    const sequence = Number(trace.slice(-7));
    const earliest = formatDay(earliestDayOfReturns(this.day.today));
    for (const { id, first, count, fileDate } of ranges) {
      if (sequence < first || sequence >= first + count || fileDate < earliest) continue;
      const entry = (await this.#entriesOf(id)).get(trace);
      if (entry !== undefined) return { entry, file: (await this.#work(id)).state };
    }
    return null;
  }

  #entriesOf(id: string): Promise<ReadonlyMap<string, OutgoingEntry>> {
    const known = this.#entries.get(id) ?? this.#readEntries(id);
    this.#entries.set(id, known);
    return known;
  }

  async #readEntries(id: string): Promise<ReadonlyMap<string, OutgoingEntry>> {
    const { entries } = await this.#work(id);
    const outgoing = entries === null ? [] : unpackOutgoing(await this.parts.contents.get(entries));
    return new Map(outgoing.map((entry) => [entry.trace, entry]));
  }

  #files(): Promise<FilesOfProcessor> {
    return this.parts.calls.query<FilesOfProcessor>('achFile.ofProcessor', null, { processorId: this.processor.id });
  }

  #work(id: string): Promise<AchFileWork> {
    return this.parts.calls.query<AchFileWork>('achFile.work', id);
  }

  async #record(target: string, verb: string, body: object): Promise<void> {
    await this.parts.calls.command({ type: `achFile.${verb}`, target, body });
  }
}

/** Differences of returns that were recorded: that of a refund, and one behind its window. */
const OF_RECORDED: ReadonlySet<Difference['kind']> = new Set<Difference['kind']>(['missingAtBank', 'lateReturn']);

const isOnItsWay = ({ status, isApplied }: AchFileState): boolean => status !== 'confirmed' || !isApplied;

const isCoded = (addenda: Addenda): addenda is Coded => addenda.type !== 'information' && addenda.type !== 'other';

/** The same name may come again with another content: size and time of a file belong to what names it. */
const keyOf = ({ name, bytes, modifiedAt }: InboxFile): string => `${name}/${bytes}/${modifiedAt}`;

const SHOWN_FAULTS = 5;

/** Codes and lines alone: what a line holds is a matter of the account holder. */
function faultsOf(errors: readonly { readonly code: string; readonly line: number | null }[]): string {
  const shown = errors.slice(0, SHOWN_FAULTS).map(({ code, line }) => (line === null ? code : `${code} on line ${line}`));
  return errors.length > SHOWN_FAULTS ? `${shown.join(', ')} and ${errors.length - SHOWN_FAULTS} more` : shown.join(', ');
}
