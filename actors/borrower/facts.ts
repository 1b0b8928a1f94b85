import type { ConfirmationFacts } from './confirmation/facts.js';
import type { ConsentFacts } from './consents/facts.js';
import type { DocumentFacts } from './documents/facts.js';
import type { LegalRepresentativeFacts } from './legal-representatives/facts.js';
import type { MonitoringFacts } from './monitoring/facts.js';
import type { FailureReason } from './payment-reasons.js';
import type { Contact, Identity, Instrument, InactiveReason, NameRecord, PersonState, Sealed } from './state.js';
import type { VerificationFacts } from './verifications/facts.js';

/** What happens to a borrower. Bodies by the fact's type; personal data in them is sealed. */
export interface PersonFacts
  extends ConfirmationFacts,
    ConsentFacts,
    DocumentFacts,
    LegalRepresentativeFacts,
    MonitoringFacts,
    VerificationFacts {
  readonly PersonCreated: PersonFields & {
    readonly status: 'active' | 'inactive';
    readonly name: Recorded<NameRecord> | null;
    readonly identity: Recorded<Identity> | null;
  };
  /** Only what changed. */
  readonly PersonUpdated: { readonly changes: Partial<PersonFields> };
  readonly PersonStatusChanged: { readonly status: 'active' | 'inactive' };
  readonly PersonDeleted: Readonly<Record<string, never>>;
  /** The data key is gone: what was sealed with it can no longer be read. */
  readonly PersonErased: Readonly<Record<string, never>>;
  /** Recorded with the user itself, in one batch. */
  readonly PortalUserGiven: { readonly userId: string };
  readonly NameAdded: { readonly name: Recorded<NameRecord> };
  readonly NameCorrected: { readonly name: Recorded<NameRecord> };
  readonly IdentityAdded: { readonly identity: Recorded<Identity> };
  readonly IdentityUpdated: { readonly identity: Recorded<Identity> };
  readonly IdentityArchived: { readonly id: string };
  readonly ContactAdded: { readonly contact: Recorded<Contact> };
  readonly ContactUpdated: { readonly contact: Recorded<Contact> };
  readonly ContactDeleted: { readonly id: string };
  /** `amounts` are those of the deposits that were sent to verify the account. */
  readonly InstrumentAdded: { readonly instrument: InstrumentFields; readonly amounts: Sealed | null };
  readonly InstrumentUpdated: { readonly instrument: InstrumentFields };
  /** A payment was returned: the account cannot be charged again. */
  readonly InstrumentDeactivated: { readonly id: string; readonly reason: InactiveReason; readonly failureReason: FailureReason };
  readonly InstrumentVerified: { readonly id: string };
  readonly MicroDepositsSent: { readonly id: string; readonly amounts: Sealed };
  /** `reason` is set when no try is left and the instrument was made inactive. */
  readonly VerificationAttemptFailed: { readonly id: string; readonly reason: InactiveReason | null };
  readonly InstrumentRemoved: { readonly id: string };
}

/** The fields that a borrower itself carries. */
export type PersonFields = Pick<
  PersonState,
  'borrowerType' | 'externalId' | 'collectionsIntensity' | 'commPreferences' | 'monitorStartDate' | 'metaData' | 'dateOfBirth' | 'business'
>;

/** A record without the times, which the fact's envelope has. */
export type Recorded<Item> = Omit<Item, 'createdAt' | 'updatedAt'>;

export type InstrumentFields = Omit<
  Instrument,
  'createdAt' | 'updatedAt' | 'deletedAt' | 'activeAt' | 'inactiveAt' | 'pendingAt' | 'microDeposits'
>;
