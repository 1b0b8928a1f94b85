/** A payment or credit of a loan, beside what the ledger knows of it. */
export interface TransactionRecord {
  readonly id: string;
  readonly externalId: string | null;
}
