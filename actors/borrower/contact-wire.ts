import type { tags } from 'typia';
import type { AnyId, DateText, DateTimeText, LongExternalId, ShortText } from '../wire.js';
import type { Affiliation, ContactLabel, ContactStatus, ContactType, DisconnectionDetails } from './state.js';

/** The wire of contacts. */

export interface AddressBody {
  readonly addressLine1?: (string & tags.MaxLength<200>) | null;
  readonly addressLine2?: (string & tags.MaxLength<200>) | null;
  readonly city?: ShortText | null;
  readonly countyOrRegion?: ShortText | null;
  readonly state?: (string & tags.MaxLength<50>) | null;
  readonly postalCode?: (string & tags.MaxLength<20>) | null;
  readonly country?: (string & tags.MaxLength<50>) | null;
  readonly POBox?: ShortText | null;
}

interface ContactFieldsBody {
  readonly externalId?: LongExternalId | null;
  readonly status?: ContactStatus;
  readonly affiliation?: Affiliation;
  /** An e-mail address or a telephone number in E.164; an address has none. */
  readonly value?: (string & tags.MinLength<1> & tags.MaxLength<320>) | null;
  readonly address?: AddressBody | null;
  /** Of third parties. */
  readonly name?: ShortText | null;
  readonly valid?: boolean;
  readonly verified?: boolean;
  readonly receiveTextMessages?: boolean;
  readonly authorizedThirdParty?: boolean;
  readonly powerOfAttorney?: boolean;
  readonly phoneDisconnectionDetails?: {
    readonly disconnectionStatus?: 'disconnected' | 'connected' | null;
    readonly lastDisconnectCheckDate?: DateText | null;
    readonly lastKnownConnectionDate?: DateText | null;
  } | null;
  readonly caseId?: AnyId | null;
}

export interface ContactCreateBody extends ContactFieldsBody {
  readonly contactType: ContactType;
  readonly label: ContactLabel;
}

export interface ContactUpdateBody extends ContactFieldsBody {
  readonly contactType?: ContactType;
  readonly label?: ContactLabel;
}

export interface ContactWriteQuery {
  /** Addresses are checked unless this is false. */
  readonly validate?: boolean;
  readonly confirmationCode?: string & tags.Pattern<'^\\d{6}$'>;
}

export interface AddressView {
  readonly object: 'address';
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly countyOrRegion: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
  readonly POBox: string | null;
  readonly fipsCode: string | null;
  readonly timezone: string | null;
}

export interface ContactView {
  readonly id: string;
  readonly object: 'contact';
  readonly personId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly contactType: ContactType;
  readonly label: ContactLabel;
  readonly affiliation: Affiliation;
  readonly status: ContactStatus;
  /** In replies to writes an opaque token; in replies to reads the value. */
  readonly value: string | null;
  readonly address: AddressView | null;
  readonly name: string | null;
  readonly valid: boolean;
  readonly verified: boolean;
  readonly receiveTextMessages: boolean;
  readonly receiveTextMessagesLastConsentAt: DateTimeText | null;
  readonly authorizedThirdParty: boolean;
  readonly powerOfAttorney: boolean;
  readonly phoneDisconnectionDetails: DisconnectionDetails | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
