import type { Day } from '../../engine/index.js';
import type { FailureReason } from './questions.js';
import type { BankLink, InactiveReason, InstrumentFields, LinkedBalance, Sealed } from './state.js';

/** What can happen to a payment instrument of a borrower. Bodies by the fact's type. */
export interface InstrumentFacts {
  /** `amounts` are those of the deposits that were sent to verify the account. */
  readonly InstrumentAdded: {
    readonly instrument: InstrumentFields;
    readonly amounts: Sealed | null;
    /** A processor wants new accounts to be checked by a prenote. */
    readonly isPrenoteOrdered?: true;
  };
  readonly InstrumentUpdated: { readonly instrument: InstrumentFields };
  /** A payment was returned: the account cannot be charged again. */
  readonly InstrumentDeactivated: { readonly id: string; readonly reason: InactiveReason; readonly failureReason: FailureReason };
  readonly InstrumentVerified: { readonly id: string };
  /** Its processor takes a token instead of the number of the card from now on. */
  readonly CardTokenKept: { readonly id: string; readonly card: Sealed };
  readonly MicroDepositsSent: { readonly id: string; readonly amounts: Sealed };
  /** Linked at the vendor of bank data, or the link changed. */
  readonly InstrumentLinked: { readonly id: string; readonly link: BankLink };
  readonly InstrumentUnlinked: { readonly id: string };
  /** What the vendor has answered about the balance. */
  readonly InstrumentBalanceRecorded: { readonly id: string; readonly balance: LinkedBalance };
  /** The ACH file that has the deposits was uploaded. */
  readonly MicroDepositsFiled: { readonly id: string; readonly achFileId: string };
  /** A bank has returned a deposit. */
  readonly MicroDepositsReturned: { readonly id: string };
  /** A user has ordered a prenote. */
  readonly PrenoteOrdered: { readonly id: string };
  /** The ACH file that has the prenote was uploaded. */
  readonly PrenoteFiled: { readonly id: string; readonly achFileId: string; readonly entryDay: Day };
  /** The bank has sent the prenote back. */
  readonly PrenoteReturned: { readonly id: string; readonly returnCode: string };
  /** `reason` is set when no try is left and the instrument was made inactive. */
  readonly VerificationAttemptFailed: { readonly id: string; readonly reason: InactiveReason | null };
  readonly InstrumentRemoved: { readonly id: string };
}
