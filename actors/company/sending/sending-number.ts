import type { tags } from 'typia';
import { type ResourceHost, type ResourceRecord, recordsOf } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../page.js';
import type { AnyId, DateTimeText } from '../../wire.js';

type NumberChannel = 'text' | 'voice';
type NumberType = 'longCode' | 'tollFree' | 'shortCode';
type RegistrationStatus = 'unregistered' | 'pending' | 'registered' | 'rejected';
/** `released`: it is not the company's any more. */
type SendingNumberStatus = 'active' | 'suspended' | 'released';

/** A number that texts and calls come from. */
export interface SendingNumber {
  /** E.164; of a short code its digits. */
  readonly number: string;
  readonly channels: readonly NumberChannel[];
  readonly numberType: NumberType;
  readonly registrationStatus: RegistrationStatus;
  /** Empty = all. */
  readonly loanTypeIds: readonly string[];
  readonly isDefault: boolean;
  readonly status: SendingNumberStatus;
  readonly inboundEnabled: boolean;
  /** Who was written to from it is written to from it again. */
  readonly stickySender: boolean;
}

export const SENDING_NUMBER_TYPE = 'sendingNumber';

type Numbers = ReadonlyMap<string, ResourceRecord<SendingNumber>>;

/** In the order of their making. */
export const sendingNumbersOf = (host: ResourceHost): Numbers => recordsOf(host, SENDING_NUMBER_TYPE) as Numbers;

export interface NumberWanted {
  readonly channel: NumberChannel;
  /** The number last used with the contact. */
  readonly lastNumberId: string | null;
  readonly loanTypeId: string | null;
}

/**
 * Which number a text comes from: the one last used with the contact, else one for the loan type, else the default.
 */
export function sendingNumberFor(
  host: ResourceHost,
  { channel, lastNumberId, loanTypeId }: NumberWanted,
): (SendingNumber & { readonly id: string }) | null {
  const those = [...sendingNumbersOf(host).values()]
    .map(({ id, stored }) => ({ ...stored, id }))
    .filter((number) => number.status !== 'released' && number.channels.includes(channel));
  return (
    those.find(({ id, stickySender }) => stickySender && id === lastNumberId) ??
    (loanTypeId === null ? undefined : byDefault(those.filter(({ loanTypeIds }) => loanTypeIds.includes(loanTypeId)))) ??
    byDefault(those.filter(({ loanTypeIds }) => loanTypeIds.length === 0)) ??
    null
  );
}

const byDefault = <Each extends SendingNumber>(numbers: readonly Each[]): Each | undefined =>
  numbers.find(({ isDefault }) => isDefault) ?? numbers[0];

/** E.164, or five or six digits of a short code. */
type NumberText = string & tags.Pattern<'^(\\+[1-9]\\d{6,14}|\\d{5,6})$'>;
type Channels = readonly NumberChannel[] & tags.MinItems<1> & tags.MaxItems<2>;
type LoanTypeIds = readonly AnyId[] & tags.MaxItems<100>;

interface SendingNumberBody {
  readonly registrationStatus?: RegistrationStatus;
  readonly loanTypeIds?: LoanTypeIds;
  readonly isDefault?: boolean;
  readonly inboundEnabled?: boolean;
  readonly stickySender?: boolean;
}

export interface SendingNumberCreateBody extends SendingNumberBody {
  readonly number: NumberText;
  readonly channels: Channels;
  readonly numberType: NumberType;
}

export interface SendingNumberUpdateBody extends SendingNumberBody {
  readonly channels?: Channels;
  readonly status?: 'active' | 'suspended';
}

export interface SendingNumberListQuery extends PageQuery {
  readonly channel?: NumberChannel;
  readonly status?: SendingNumberStatus;
}

export interface SendingNumberView extends SendingNumber {
  readonly id: string;
  readonly object: 'sendingNumber';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
