import { addBusinessDays, cents, dayAt, must, settlementDayOf } from '../../../engine/index.js';
import type { AwaitingDeposits, AwaitingDepositsQuery, FileAccount } from '../../borrower/index.js';
import { prenotesOf, type ProcessorRecord } from '../../company/index.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { BankDay } from '../bank-day.js';
import type { PlannedEntry } from './building.js';
import type { KnownFiles } from './known-files.js';

/** Under which a prenote is known while its file is not at the bank yet: the same account may have deposits in another file. */
export const prenoteKey = (instrumentId: string): string => `prenote/${instrumentId}`;

interface PrenoteParts {
  readonly calls: ServiceCalls;
  readonly files: KnownFiles;
  readonly processor: ProcessorRecord;
  readonly day: BankDay;
  /** What files have that are not at the bank yet. */
  readonly taken: ReadonlySet<string>;
  /** Prenotes go out with the files of the next day. */
  readonly isSameDay: boolean;
}

interface AccountOf {
  readonly personId: string;
  readonly instrumentId: string;
}

/**
 * The prenotes of one file, and which accounts wait for theirs. An entry that moves money goes to an account so many banking days after its
 * prenote has settled; until then its payment waits for a later file.
 */
export class Prenotes {
  readonly #planned = new Map<string, PlannedEntry>();
  /** By file: whether entries may follow its prenotes today. */
  readonly #isOver = new Map<string, Promise<boolean>>();

  constructor(private readonly parts: PrenoteParts) {}

  get entries(): readonly PlannedEntry[] {
    return [...this.#planned.values()];
  }

  /** Plans the prenotes that were ordered up to a moment. */
  async planOrdered(until: number, accountOf: (owner: AccountOf) => Promise<FileAccount | null>): Promise<void> {
    const query: AwaitingDepositsQuery = { processorId: this.parts.processor.id, until };
    const waiting = await this.parts.calls.all<AwaitingDeposits>('paymentInstrument.prenotesAwaitingFile', query);
    for (const owner of waiting) {
      const account = await accountOf(owner);
      if (account !== null) this.#plan(owner, account);
    }
  }

  /** Whether an entry that moves money may go to the account. If it is the first one, the prenote goes out in its place. */
  async mayFollow(owner: AccountOf, account: FileAccount): Promise<boolean> {
    const { prenote } = account;
    if (prenote === null) return true;
    if (prenote.fileId !== undefined && prenote.returnCode === undefined) return this.#over(prenote.fileId);
    if (prenote.isByHand !== true && !prenotesOf(this.parts.processor.stored).isOn) return true;
    this.#plan(owner, account);
    return false;
  }

  #plan({ personId, instrumentId }: AccountOf, account: FileAccount): void {
    const { taken, isSameDay } = this.parts;
    if (isSameDay || taken.has(prenoteKey(instrumentId)) || account.status !== 'active') return;
    this.#planned.set(instrumentId, {
      account,
      entry: { direction: 'debit', amountCents: cents(0), personId, instrumentId, payment: null, isPrenote: true },
      reference: instrumentId,
      isRecurring: false,
      purpose: 'prenote',
    });
  }

  #over(fileId: string): Promise<boolean> {
    const known = this.#isOver.get(fileId) ?? this.#isOverToday(fileId);
    this.#isOver.set(fileId, known);
    return known;
  }

  /** The file of a prenote may have been rejected, and sent again later than it was made. */
  async #isOverToday(fileId: string): Promise<boolean> {
    const { files, processor, day } = this.parts;
    const { status, uploadedAt, built } = (await files.work(fileId)).state;
    if (status === 'created' || status === 'failed' || uploadedAt === null) return false;
    const { effectiveDay } = must(built, 'an outgoing file was built');
    const settled = settlementDayOf(effectiveDay, dayAt(day.zone, uploadedAt), day.calendar);
    return day.today >= addBusinessDays(settled, prenotesOf(processor.stored).waitDays, day.calendar);
  }
}
