import type { tags } from 'typia';
import type { DateTimeText, ExternalId, MetaData, ShortText, Whole } from '../wire.js';
import type { InactiveReason, InstrumentType } from './state.js';

/** The wire of payment instruments: bank accounts, and every kind as a record of payments made elsewhere. */

type Digits = string & tags.Pattern<'^\\d{4,17}$'>;
type HolderName = string &
  tags.MinLength<1> &
  tags.MaxLength<100> &
  tags.Pattern<'^[A-Za-z0-9\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F ]+$'>;

export interface InstrumentCreateBody {
  readonly instrumentType: InstrumentType;
  readonly externalId?: ExternalId | null;
  /** A record of payments made elsewhere: never verified, never charged. */
  readonly isExternal?: boolean;
  /** External instruments only; default `active`. */
  readonly status?: 'active' | 'pending' | 'inactive';
  readonly inactiveReason?: InactiveReason | null;
  /** With `force`: the caller has verified the account by other means. */
  readonly verified?: boolean;
  readonly nickname?: ShortText | null;
  readonly metaData?: MetaData | null;
  readonly sendNotice?: boolean;
  /** Of an external account its last four digits suffice. */
  readonly accountNumber?: Digits;
  readonly routingNumber?: (string & tags.Pattern<'^\\d{9}$'>) | null;
  readonly institutionName?: ShortText | null;
  readonly accountType?: 'checking' | 'savings';
  readonly accountHolderType?: 'personal' | 'business';
  /** Letters, digits and spaces. */
  readonly accountHolderName?: HolderName;
  readonly cardType?: 'debit' | 'credit';
  /** Of an external card its last four digits suffice; more are never stored. */
  readonly cardNumber?: string & tags.Pattern<'^\\d{4,19}$'>;
  readonly expirationMonth?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<12>;
  readonly expirationYear?: number & tags.Type<'uint32'> & tags.Minimum<2000> & tags.Maximum<2200>;
  /** Of a check; equals `accountHolderName`. */
  readonly payerName?: HolderName;
  readonly checkNumber?: ShortText;
  readonly reference?: ShortText;
  readonly senderName?: HolderName;
}

export interface InstrumentUpdateBody {
  readonly externalId?: ExternalId | null;
  readonly status?: 'active' | 'pending' | 'inactive';
  readonly inactiveReason?: InactiveReason | null;
  readonly verified?: boolean;
  readonly nickname?: ShortText | null;
  readonly metaData?: MetaData | null;
  readonly accountType?: 'checking' | 'savings';
  readonly accountHolderType?: 'personal' | 'business';
  readonly accountHolderName?: HolderName;
  readonly expirationMonth?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<12>;
  readonly expirationYear?: number & tags.Type<'uint32'> & tags.Minimum<2000> & tags.Maximum<2200>;
}

/** The amounts of the two deposits in cents, in any order. */
export interface VerifyBody {
  readonly deposit1: DepositCents;
  readonly deposit2: DepositCents;
}

type DepositCents = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<99>;

export interface InstrumentWriteQuery {
  readonly force?: boolean;
  readonly sync?: boolean;
  /** External instruments only. */
  readonly allowDuplicates?: boolean;
}

export interface InstrumentView {
  readonly id: string;
  /** Equals `instrumentType`. */
  readonly object: InstrumentType;
  readonly personId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly isExternal: boolean;
  readonly instrumentType: InstrumentType;
  readonly status: 'active' | 'pending' | 'inactive';
  readonly inactiveReason: InactiveReason | null;
  readonly verified: boolean;
  readonly nickname: string | null;
  readonly failureReason: string | null;
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
  readonly metaData: MetaData | null;
  /** An opaque token; the number itself is never returned. */
  readonly accountNumber?: string | null;
  readonly accountNumberLastFour?: string;
  readonly routingNumber?: string | null;
  readonly institutionName?: string | null;
  readonly accountType?: 'checking' | 'savings' | null;
  readonly accountHolderType?: 'personal' | 'business' | null;
  readonly accountHolderName?: string | null;
  readonly accountLink?: null;
  readonly cardType?: 'debit' | 'credit';
  readonly cardNumberLastFour?: string;
  readonly expirationMonth?: Whole;
  readonly expirationYear?: Whole;
  readonly checkNumber?: string | null;
  readonly reference?: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
  readonly activeAt: DateTimeText | null;
  readonly inactiveAt: DateTimeText | null;
  readonly pendingAt: DateTimeText | null;
}
