import type { tags } from 'typia';
import type { AnyId, DateText, DateTimeText, LongExternalId, MetaData, ShortText } from '../wire.js';
import type { BorrowerUserView } from './portal-user.js';
import type { BorrowerType, BusinessType, CollectionsIntensity, IdentityType, NameSource } from './state.js';

/** The wire of borrowers, names and identities. */

export interface PersonCreateBody extends PersonFieldsBody {
  readonly borrowerType?: BorrowerType;
  /** The primary identity. */
  readonly identity?: IdentityFieldsBody | null;
}

export interface PersonUpdateBody extends PersonFieldsBody {
  /** Fixed once a loan exists. */
  readonly borrowerType?: BorrowerType;
  /** For the audit trail. */
  readonly caseId?: AnyId | null;
}

type LanguageText = string & tags.Pattern<'^[a-z]{2}$'>;

interface PersonFieldsBody {
  readonly externalId?: LongExternalId | null;
  readonly status?: 'active' | 'inactive';
  readonly collectionsIntensity?: CollectionsIntensity;
  readonly commPreferences?: {
    readonly statementDeliveryChannels?: readonly ('email' | 'mail')[];
    readonly sendRemindersWhenCurrent?: boolean;
    /** Two letters (ISO 639-1): of messages, where a template speaks it; English otherwise. Null: not said. */
    readonly language?: LanguageText | null;
  };
  readonly monitorStartDate?: DateText;
  readonly metaData?: MetaData | null;
  /** Required when a person is created; a business has none. */
  readonly name?: NameBody | null;
  readonly dateOfBirth?: DateText | null;
  readonly businessDetails?: BusinessDetails | null;
}

type NamePart = string & tags.MinLength<1> & tags.MaxLength<100>;

export interface NameBody {
  readonly prefix?: ShortText | null;
  readonly firstName: NamePart;
  readonly middleName?: ShortText | null;
  readonly lastName: NamePart;
  readonly maidenLastName?: ShortText | null;
  readonly suffix?: (string & tags.MaxLength<5>) | null;
  readonly preferredFirstName?: ShortText | null;
  readonly source?: NameSource;
  /** The name is current from this moment on; absent or null = at once. */
  readonly effectiveAt?: DateTimeText | null;
}

export interface NameCorrectionBody extends Partial<NameBody> {
  readonly status?: 'active' | 'archived';
}

export interface BusinessDetails {
  readonly businessType?: BusinessType;
  readonly businessName: string & tags.MinLength<1> & tags.MaxLength<200>;
  readonly businessLegalName?: (string & tags.MaxLength<200>) | null;
  readonly incorporatedCountry?: CountryCode | null;
  readonly incorporatedState?: (string & tags.MaxLength<50>) | null;
}

type CountryCode = string & tags.Pattern<'^[A-Z]{2}$'>;

interface IdentityFieldsBody {
  readonly identityType: IdentityType;
  /** Required with `customID`. */
  readonly customIdentityTypeName?: ShortText | null;
  /** SSN, ITIN, FEIN and taxID: nine digits, separators are removed. */
  readonly value: string & tags.MinLength<1> & tags.MaxLength<100>;
  readonly valid?: boolean;
  readonly issueDate?: DateText | null;
  readonly expirationDate?: DateText | null;
  readonly issuingCountry?: CountryCode | '';
}

export interface IdentityCreateBody extends IdentityFieldsBody {
  readonly isPrimary?: boolean;
  readonly caseId?: AnyId | null;
}

export interface IdentityUpdateBody extends Partial<IdentityFieldsBody> {
  readonly isPrimary?: boolean;
  readonly isArchived?: boolean;
  readonly caseId?: AnyId | null;
}

export interface NameView {
  readonly id: string;
  readonly object: 'name';
  readonly prefix: string | null;
  readonly firstName: string | null;
  readonly middleName: string | null;
  readonly lastName: string | null;
  readonly maidenLastName: string | null;
  readonly suffix: string | null;
  readonly preferredFirstName: string | null;
  readonly current: boolean;
  readonly status: 'active' | 'archived';
  readonly source: NameSource;
  readonly effectiveAt: DateTimeText | null;
  /** What a correction replaced. */
  readonly originalValue: object | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export interface IdentityView {
  readonly id: string;
  readonly object: 'identity';
  readonly personId: string;
  readonly identityType: IdentityType;
  readonly customIdentityTypeName: string | null;
  /** In replies to writes an opaque token; in replies to reads the value. Null once the borrower was erased. */
  readonly value: string | null;
  readonly valid: boolean;
  readonly issueDate: string | null;
  readonly expirationDate: string | null;
  readonly issuingCountry: string;
  readonly isArchived: boolean;
  readonly isPrimary: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export interface PersonView {
  readonly id: string;
  readonly object: 'person';
  readonly companyId: string;
  readonly borrowerType: BorrowerType;
  readonly externalId: string | null;
  readonly displayId: string;
  readonly status: 'active' | 'inactive';
  readonly statusUpdatedAt: DateTimeText | null;
  readonly collectionsIntensity: CollectionsIntensity;
  readonly commPreferences: {
    readonly statementDeliveryChannels: readonly ('email' | 'mail')[];
    readonly sendRemindersWhenCurrent: boolean;
    readonly language: string | null;
  };
  readonly monitorStartDate: DateText;
  readonly metaData: MetaData | null;
  /** The user with which the borrower signs in to the portal. */
  readonly user: BorrowerUserView | null;
  /** Values as opaque tokens. */
  readonly identities: readonly IdentityView[];
  /** With `includeIdentity`: the primary identity with its value. */
  readonly identity?: IdentityView | null;
  readonly name: NameView | null;
  readonly dateOfBirth: string | null;
  readonly businessDetails: BusinessView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
}

export interface BusinessView {
  readonly businessType: BusinessType;
  readonly businessName: string | null;
  readonly businessLegalName: string | null;
  readonly incorporatedCountry: string | null;
  readonly incorporatedState: string | null;
}
