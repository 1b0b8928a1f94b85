import type { tags } from 'typia';
import type { OffsetQuery } from '../../page.js';
import type { AnyId, DateTimeText, MetaData, ShortText } from '../../wire.js';
import type { NameBody } from '../decide.js';
import type { AddressBody, AddressView } from '../contact-wire.js';
import type { RepresentativeStatus } from './representative.js';

/** The wire of legal representatives. */

type Mailbox = string & tags.MaxLength<254>;
type PhoneText = string & tags.MaxLength<40>;

export interface RepresentativeBody {
  readonly status?: RepresentativeStatus;
  readonly name?: Omit<NameBody, 'source' | 'effectiveAt'> | null;
  readonly address?: AddressBody | null;
  readonly phone?: PhoneText | null;
  readonly otherPhone?: PhoneText | null;
  readonly email?: Mailbox | null;
  readonly otherEmail?: Mailbox | null;
  readonly firmName?: ShortText | null;
  /** Cases of the borrower in which they act. */
  readonly caseIds?: readonly AnyId[] & tags.MaxItems<50>;
  readonly metaData?: MetaData | null;
}

export interface RepresentativeWriteQuery {
  /** The address is checked unless this is false. */
  readonly validate?: boolean;
}

export interface RepresentativeListQuery extends OffsetQuery {
  readonly includeArchived?: boolean;
}

interface RepresentativeNameView {
  readonly object: 'name';
  readonly prefix: string | null;
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly maidenLastName: string | null;
  readonly suffix: string | null;
  readonly preferredFirstName: string | null;
}

export interface RepresentativeView {
  readonly id: string;
  readonly object: 'legalRepresentative';
  readonly personId: string;
  readonly companyId: string;
  readonly status: RepresentativeStatus;
  readonly name: RepresentativeNameView | null;
  readonly address: AddressView | null;
  readonly phone: string | null;
  readonly otherPhone: string | null;
  readonly email: string | null;
  readonly otherEmail: string | null;
  readonly firmName: string | null;
  readonly caseIds: readonly string[];
  readonly metaData: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
