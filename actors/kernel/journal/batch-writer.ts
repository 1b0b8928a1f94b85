/** Sizes of batches. */
export interface BatchSizes {
  /** A batch of at least this size is written when no other batch is being written. */
  readonly from: number;
  /** A batch of this size is handed over before more is added. */
  readonly upTo: number;
}

/**
 * Writes batches one after the other while the next one gathers: where writing is slow, batches grow and fewer are written. After a failure
 * nothing more is written, and the next caller that hands over gets the error.
 */
export class BatchWriter<Item> {
  #gathered: Item[] = [];
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly sizes: BatchSizes,
    private readonly write: (batch: readonly Item[]) => Promise<void>,
  ) {}

  add(item: Item): void {
    this.#gathered.push(item);
  }

  /** Whether the batch should be handed over before more is added. */
  get isFull(): boolean {
    const { length } = this.#gathered;
    return length >= this.sizes.upTo || (length >= this.sizes.from && !this.#isWriting);
  }

  /** Resolves when the batch before this one is written, and this one is being written. */
  async handOver(): Promise<void> {
    await this.#written;
    const batch = this.#gathered;
    this.#gathered = [];
    this.#isWriting = true;
    this.#written = this.write(batch).finally(() => {
      this.#isWriting = false;
    });
    this.#written.catch(() => undefined); // thrown by the next hand-over, or at the end
  }

  /** Resolves when all that was added is written. */
  async end(): Promise<void> {
    if (this.#gathered.length > 0) await this.handOver();
    await this.#written;
  }

  /** Resolves when nothing is being written, whether it succeeded or failed. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#written]);
  }
}

/**
 * Key dictionary: names of properties that are frequent in records. A record has the index of the name in this list instead of its letters.
 * The list is part of the format of the journal: names are only ever added at its end, never moved or removed. A name that is not in the
 * list is written as text. The first 128 indexes take one byte.
 */
const KEYS: readonly string[] = `
actualCents additionalPeople amount amountCents amountFinancedCents aprEffective aprNominal atOrigination autopayPaymentIds autopayPlanId
balances becameCurrentDate bufferToPushOutSchedule cancellationReason caseId cause change changes contract createdAt createdWhile currency
date day daysOverdue declineReason description details digest drawId dueDate dueDay duration effective effectiveAt effectiveDate endDate
endDay expectedPayments externalId failureCode failureReason fee feeId feeTypeId fees from hold id instrument interest interestCents
interestRates interestType isExternal isFollowed isForced isOpen isOver isPrepaymentEnabled isProcessing isReplay kind lateFees loanTypeId
managedByService metaData move name newDrawsAllowed newStatus number obligationId oldStatus oldestObligationId originalEffectiveDay
originatingCreditorName originationFeeCents overdue overdueAmount overdueSinceDate payment paymentFrequency paymentInstrumentId payments
period periodId periodicPaymentCents personAddress personId previousBalances previousDaysOverdue principal principalCents purchaseId rate
rates reason recordedDay reimbursement returnFeeCounter rows scheduledCents scheduledDate scheduledDay seconds serviceCredit
serviceFeeCents servicedBy settlement startDate status terms through timestamps timezone to toldDueOn total totalInterestCapCents
totalInterestCents transaction transactionId transactionType type until version zone
`
  .trim()
  .split(/\s+/);

const INDEXES: ReadonlyMap<string, number> = new Map(KEYS.map((key, index) => [key, index]));

/** Undefined for a name that is not in the dictionary. */
export const indexOfKey = (name: string): number | undefined => INDEXES.get(name);

export const keyAt = (index: number): string | undefined => KEYS[index];
