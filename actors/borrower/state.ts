import type { MetaData } from '../wire.js';
import { type CardNetwork, type Cents, day, type Day } from '../../engine/index.js';
import type { Tenant } from '../kernel/fact.js';
import type { Confirmation, ConfirmationFacts } from './confirmation.js';
import type { Consent, ConsentFacts } from './consents.js';
import type { DocumentFacts } from './documents/decide.js';
import type { PersonDocument } from './documents/document.js';
import type { InstrumentFacts } from './instrument-facts.js';
import type { LegalRepresentative, LegalRepresentativeFacts } from './legal-representatives.js';
import type { InstrumentStatus, PersonStatus } from './machine.js';
import type { MonitoringFacts } from './monitoring/facts.js';
import type { MonitoringPlan } from './monitoring/planning.js';
import type { MonitoringStatus } from './monitoring/status.js';
import type { Prenote } from './prenote.js';
import type { FailureReason } from './questions.js';
import type { Verification, VerificationFacts } from './verifications/verification.js';

/**
 * A borrower with identities, names, contacts and payment instruments. Personal data is sealed with the borrower's
 * data key. Changes replace lists and records and never write into them, so a shallow copy is independent.
 */
export interface PersonState {
  readonly id: string;
  readonly tenant: Tenant;
  createdAt: number;
  updatedAt: number | null;
  deletedAt: number | null;
  /** Microseconds; 0 before the borrower exists. */
  createdStamp: number;
  updatedStamp: number;
  status: PersonStatus;
  statusUpdatedAt: number | null;
  borrowerType: BorrowerType;
  externalId: string | null;
  collectionsIntensity: CollectionsIntensity;
  commPreferences: CommPreferences;
  /** The user under which the borrower signs in to the portal, once there is one. */
  userId: string | null;
  monitorStartDate: Day;
  metaData: MetaData | null;
  dateOfBirth: Sealed | null;
  business: Business | null;
  /** In the order of recording. */
  names: readonly NameRecord[];
  identities: readonly Identity[];
  contacts: readonly Contact[];
  instruments: readonly Instrument[];
  /** Recorded consents; for the others the default applies. */
  consents: readonly Consent[];
  legalRepresentatives: readonly LegalRepresentative[];
  monitoring: readonly MonitoringStatus[];
  /** Null unless monitoring is to begin on a future day. */
  monitoringPlan: MonitoringPlan | null;
  documents: readonly PersonDocument[];
  /** The newest sessions, in the order of recording. */
  verifications: readonly Verification[];
  /** Codes that were sent to contacts within the last hour, oldest first. */
  confirmations: readonly Confirmation[];
}

export type BorrowerType = 'person' | 'business';
export type CollectionsIntensity = 'light' | 'normal' | 'heavy';

interface CommPreferences {
  readonly statementDeliveryChannels: readonly ('email' | 'mail')[];
  readonly sendRemindersWhenCurrent: boolean;
  /** Two letters; null: not said. Absent of what was recorded before it was asked. */
  readonly language?: string | null;
}

/** The language of messages to the borrower, where a template of it exists; null: English. */
export const languageOf = ({ commPreferences }: Pick<PersonState, 'commPreferences'>): string | null => commPreferences.language ?? null;

/** A text encrypted with the borrower's data key; see `contact-fields.ts` for the context of each field. */
export type Sealed = Uint8Array;

export interface NameRecord {
  readonly id: string;
  /** The name's parts as JSON. */
  readonly parts: Sealed;
  readonly source: NameSource;
  readonly status: 'active' | 'archived';
  /** The name is current from this moment on; null = from its recording. */
  readonly effectiveAt: number | null;
  /** What a correction replaced. */
  readonly original: Sealed | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export type NameSource = 'lender' | 'borrower' | 'agent' | 'bureau';

/** `NameRecord.parts` in clear. */
export interface NameParts {
  readonly prefix: string | null;
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly maidenLastName: string | null;
  readonly suffix: string | null;
  readonly preferredFirstName: string | null;
}

export interface Business {
  readonly businessType: BusinessType;
  readonly businessName: Sealed;
  readonly businessLegalName: Sealed | null;
  readonly incorporatedCountry: string | null;
  readonly incorporatedState: string | null;
}

export type BusinessType = 'LLC' | 'corporation' | 'sCorporation' | 'partnership' | 'soleProprietorship' | 'nonProfit' | 'trust' | 'other';

export interface Identity {
  readonly id: string;
  readonly identityType: IdentityType;
  readonly customIdentityTypeName: string | null;
  readonly value: Sealed;
  readonly valid: boolean;
  readonly issueDate: string | null;
  readonly expirationDate: string | null;
  readonly issuingCountry: string;
  readonly isArchived: boolean;
  readonly isPrimary: boolean;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export type IdentityType = 'SSN' | 'ITIN' | 'passport' | 'driversLicense' | 'taxID' | 'FEIN' | 'customID';

export interface Contact {
  readonly id: string;
  readonly externalId: string | null;
  readonly contactType: ContactType;
  readonly label: ContactLabel;
  readonly affiliation: Affiliation;
  readonly status: ContactStatus;
  /** Of e-mail and phone. */
  readonly value: Sealed | null;
  /** Of an address: its parts as JSON. */
  readonly address: Sealed | null;
  readonly name: Sealed | null;
  readonly valid: boolean;
  readonly verified: boolean;
  readonly receiveTextMessages: boolean;
  readonly receiveTextMessagesLastConsentAt: number | null;
  readonly authorizedThirdParty: boolean;
  readonly powerOfAttorney: boolean;
  readonly phoneDisconnectionDetails: DisconnectionDetails | null;
  /** What lists of numbers have said last, one a list. Absent: nothing. */
  readonly numberChecks?: readonly NumberCheck[];
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** A list that a telephone number was looked up in. */
export type NumberList =
  /** The national do-not-call registry (47 CFR 64.1200(c)(2)). */
  | 'nationalDoNotCall'
  /** Who has asked this company for no calls that sell (47 CFR 64.1200(d)). */
  | 'internalDoNotCall'
  /** Numbers that were given to somebody else (47 CFR 64.1200(m)). */
  | 'reassigned';

/** What a list has said of a number last. The list itself is not kept: only what it says of numbers of borrowers. */
export interface NumberCheck {
  readonly list: NumberList;
  readonly isListed: boolean;
  /** The day of the list. */
  readonly checkedOn: Day;
}

export type ContactType = 'email' | 'phone' | 'address';
export type ContactLabel = 'personal' | 'work' | 'home' | 'military';
export type ContactStatus = 'primary' | 'secondary' | 'additional' | 'archived';
export type Affiliation =
  | 'self'
  | 'spouse'
  | 'parent'
  | 'child'
  | 'sibling'
  | 'relative'
  | 'friend'
  | 'neighbor'
  | 'employer'
  | 'coBorrower'
  | 'guardian'
  | 'attorney'
  | 'legalRepresentative'
  | 'creditCounselor'
  | 'executor'
  | 'commander'
  | 'reference'
  | 'other';

export interface DisconnectionDetails {
  readonly disconnectionStatus: 'disconnected' | 'connected' | null;
  readonly lastDisconnectCheckDate: string | null;
  readonly lastKnownConnectionDate: string | null;
}

export interface Instrument {
  readonly id: string;
  readonly externalId: string | null;
  readonly instrumentType: InstrumentType;
  readonly isExternal: boolean;
  readonly status: InstrumentStatus;
  readonly inactiveReason: InactiveReason | null;
  readonly verified: boolean;
  readonly nickname: string | null;
  readonly failureReason: FailureReason | null;
  readonly metaData: MetaData | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly deletedAt: number | null;
  readonly activeAt: number | null;
  readonly inactiveAt: number | null;
  readonly pendingAt: number | null;
  /** Plain facts of the account or card: bank, type, expiry. */
  readonly details: InstrumentDetails;
  /** `InstrumentSecrets` as JSON. Absent in records of earlier releases, whose nickname and details have these fields in clear. */
  readonly personal?: Sealed;
  /** The number of the account, of the check, or of a card that is charged. */
  readonly accountNumber: Sealed | null;
  readonly accountHolderName: Sealed | null;
  /** `CardSecrets` of `decide/cards.ts` as JSON, of a card that is charged. */
  readonly card?: Sealed;
  /** The deposits that verify the account; null when none are under way. */
  readonly microDeposits: MicroDeposits | null;
  /** The entry of zero by which its bank checks the account; absent: none was ordered. */
  readonly prenote?: Prenote | null;
  /** Its link at the vendor of bank data; absent: there is none. */
  readonly link?: BankLink | null;
  /** What the vendor has said of its balance: the newest answer, behind the last one without an error. */
  readonly balances?: readonly LinkedBalance[];
}

export interface BankLink {
  readonly accessToken: Sealed;
  readonly itemId: string | null;
  readonly accountId: string;
  readonly dataServices: readonly ('accountInfo' | 'balance')[];
  readonly status: 'active' | 'error' | 'reloginRequired' | 'inactive';
  readonly recentError: BankLinkError | null;
  /** Milliseconds. */
  readonly lastErrorCommunicationAt: number | null;
}

export interface BankLinkError {
  readonly errorType: 'retry' | 'relogin' | 'permanent';
  readonly errorTypeByVendor: string | null;
  readonly errorCodeByVendor: string | null;
  readonly errorDescriptionInternal: string | null;
  readonly errorDescriptionBorrower: string | null;
}

export interface LinkedBalance {
  readonly id: string;
  /** Milliseconds of the company's clock. */
  readonly at: number;
  readonly availableCents: Cents | null;
  readonly currentCents: Cents | null;
  readonly currency: string;
  readonly error: BankLinkError | null;
}

export type InstrumentType = 'bankAccount' | 'card' | 'check' | 'payroll' | 'paymentNetwork' | 'moneyOrder' | 'wire';

export type InactiveReason =
  | 'fraudAlert'
  | 'borrowerRequest'
  | 'accountClosed'
  | 'invalidAccount'
  | 'expired'
  | 'verificationFailed'
  | 'linkBroken'
  | 'unauthorized'
  | 'replaced'
  | 'other';

/** Fields that identify the account, card or check. */
export interface InstrumentSecrets
  extends Pick<InstrumentDetails, 'accountNumberLastFour' | 'cardNumberLastFour' | 'checkNumber' | 'reference'> {
  readonly nickname: string | null;
}

export interface InstrumentDetails {
  readonly accountNumberLastFour?: string;
  readonly routingNumber?: string | null;
  readonly institutionName?: string | null;
  readonly accountType?: 'checking' | 'savings' | null;
  readonly accountHolderType?: 'personal' | 'business' | null;
  readonly cardType?: 'debit' | 'credit';
  readonly cardNumberLastFour?: string;
  readonly network?: CardNetwork;
  readonly expirationMonth?: number;
  readonly expirationYear?: number;
  readonly checkNumber?: string | null;
  readonly reference?: string | null;
}

export interface MicroDeposits {
  /** The two amounts in cents as JSON. */
  readonly amounts: Sealed;
  readonly sentAt: number;
  readonly sets: number;
  readonly wrongAttempts: number;
  /** The ACH file that has them; absent until one was uploaded, and where none is made. */
  readonly fileId?: string;
}

/** A borrower before its first fact. */
export function newPerson(id: string, tenant: Tenant): PersonState {
  return {
    id,
    tenant,
    createdAt: 0,
    updatedAt: null,
    deletedAt: null,
    createdStamp: 0,
    updatedStamp: 0,
    status: 'active',
    statusUpdatedAt: null,
    borrowerType: 'person',
    externalId: null,
    collectionsIntensity: 'normal',
    commPreferences: { statementDeliveryChannels: [], sendRemindersWhenCurrent: true },
    userId: null,
    monitorStartDate: day(0),
    metaData: null,
    dateOfBirth: null,
    business: null,
    names: [],
    identities: [],
    contacts: [],
    instruments: [],
    consents: [],
    legalRepresentatives: [],
    monitoring: [],
    monitoringPlan: null,
    documents: [],
    verifications: [],
    confirmations: [],
  };
}

/** Whether the borrower was deleted or erased. */
export const isGone = ({ status }: PersonState): boolean => status === 'deleted' || status === 'erased';

/** Whether requests may reach the borrower. */
export const isReachable = (state: PersonState): boolean =>
  state.createdStamp > 0 && (state.status === 'active' || state.status === 'inactive');

/** What can happen to a borrower. Bodies by the fact's type; personal data in them is sealed. */
export interface PersonFacts
  extends ConfirmationFacts,
    ConsentFacts,
    DocumentFacts,
    InstrumentFacts,
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
  /** The data key is destroyed: nothing that was sealed with it can be read. */
  readonly PersonErased: Readonly<Record<string, never>>;
  /** Recorded with the user itself, in one batch. */
  readonly PortalUserGiven: { readonly userId: string };
  readonly NameAdded: { readonly name: Recorded<NameRecord> };
  readonly NameCorrected: { readonly name: Recorded<NameRecord> };
  readonly IdentityAdded: { readonly identity: Recorded<Identity> };
  readonly IdentityUpdated: { readonly identity: Recorded<Identity> };
  readonly IdentityArchived: { readonly id: string };
  /** A copy of a contact that gets texts keeps the time of that consent; absent in facts of earlier releases. */
  readonly ContactAdded: { readonly contact: Recorded<Contact>; readonly isConsentKept?: boolean };
  readonly ContactUpdated: { readonly contact: Recorded<Contact> };
  readonly ContactDeleted: { readonly id: string };
}

/** The fields of the borrower itself. */
export type PersonFields = Pick<
  PersonState,
  'borrowerType' | 'externalId' | 'collectionsIntensity' | 'commPreferences' | 'monitorStartDate' | 'metaData' | 'dateOfBirth' | 'business'
>;

/** A record without the times, which the fact's envelope has. */
export type Recorded<Item> = Omit<Item, 'createdAt' | 'updatedAt'>;

export type InstrumentFields = Omit<
  Instrument,
  'createdAt' | 'updatedAt' | 'deletedAt' | 'activeAt' | 'inactiveAt' | 'pendingAt' | 'microDeposits' | 'prenote' | 'link' | 'balances'
>;
