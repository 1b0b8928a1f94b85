import type { tags } from 'typia';
import { checkAll, type Fault, Refusal, refuse, refuseProperty } from '../../errors.js';
import { changed, type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import type { CompanyState } from '../state.js';

type NumberChannel = 'text' | 'voice';
type NumberType = 'longCode' | 'tollFree' | 'shortCode';
type RegistrationStatus = 'unregistered' | 'pending' | 'registered' | 'rejected';
/** `released`: the number no longer belongs to the company. */
type SendingNumberStatus = 'active' | 'suspended' | 'released';

/** A number from which texts and calls come. */
export interface SendingNumber {
  /** E.164, or the digits of a short code. */
  readonly number: string;
  readonly channels: readonly NumberChannel[];
  readonly numberType: NumberType;
  readonly registrationStatus: RegistrationStatus;
  /** Empty = all. */
  readonly loanTypeIds: readonly string[];
  readonly isDefault: boolean;
  readonly status: SendingNumberStatus;
  readonly inboundEnabled: boolean;
  /** A contact that got a text from this number gets later ones from it as well. */
  readonly stickySender: boolean;
}

const SENDING_NUMBER_TYPE = 'sendingNumber';

type Numbers = ReadonlyMap<string, ResourceRecord<SendingNumber>>;

/** In the order of their creation. */
export const sendingNumbersOf = (host: ResourceHost): Numbers => recordsOf(host, SENDING_NUMBER_TYPE);

export interface NumberWanted {
  readonly channel: NumberChannel;
  /** The number last used with the contact. */
  readonly lastNumberId: string | null;
  readonly loanTypeId: string | null;
}

/**
 * The number to send a text from: the one last used with the contact, else one for the loan type, else the default.
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

/** E.164, or the five or six digits of a short code. */
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

export const SENDING_NUMBER: Declaration<SendingNumberCreateBody, SendingNumberUpdateBody, SendingNumber, CompanyState> = {
  type: SENDING_NUMBER_TYPE,
  prefix: 'NU',
  param: 'sendingNumberId',
  unique: [{ name: 'number', of: ({ number, status }) => (status === 'released' ? null : number) }],
  create: (
    {
      number,
      channels,
      numberType,
      registrationStatus = 'unregistered',
      loanTypeIds = [],
      isDefault = false,
      inboundEnabled = true,
      stickySender = true,
    },
    { host },
  ) =>
    checked(host, {
      number,
      channels,
      numberType,
      registrationStatus,
      loanTypeIds,
      isDefault,
      status: 'active',
      inboundEnabled,
      stickySender,
    }),
  change: (before, body, { id, host }) => {
    refuseReleased(before, id);
    return checked(host, { ...before, ...body });
  },
  retire: (before, { id }) => {
    refuseReleased(before, id);
    return { ...before, status: 'released', isDefault: false };
  },
  // One default for each channel.
  consequences: (_before, after, { id, host }) =>
    after?.isDefault === true
      ? othersOf(host, id)
          .filter(({ stored }) => stored.isDefault && stored.channels.some((channel) => after.channels.includes(channel)))
          .map((other) => changed(SENDING_NUMBER_TYPE, other, { ...other.stored, isDefault: false }))
      : [],
  matches({ stored }, query: SendingNumberListQuery) {
    const { channel, status } = query;
    return (channel === undefined || stored.channels.includes(channel)) && (status === undefined || stored.status === status);
  },
  view: (stored) => stored,
};

const othersOf = (host: ResourceHost, ownId: string): readonly ResourceRecord<SendingNumber>[] =>
  [...sendingNumbersOf(host).values()].filter(({ id }) => id !== ownId);

function refuseReleased({ status }: SendingNumber, id: string): void {
  if (status === 'released') refuse('invalidState', `The number ${id} was released.`);
}

function checked(host: CompanyState, number: SendingNumber): SendingNumber {
  checkAll([() => checkNumber(number), () => checkChannels(number), () => checkLoanTypes(host, number)]);
  return { ...number, channels: [...new Set(number.channels)], loanTypeIds: [...new Set(number.loanTypeIds)] };
}

const isShort = ({ number }: SendingNumber): boolean => !number.startsWith('+');

function checkNumber(number: SendingNumber): void {
  if (isShort(number) === (number.numberType === 'shortCode')) return;
  refuseProperty(
    'number',
    isShort(number) ? 'a number in E.164 such as +12025550143' : 'the five or six digits of a short code',
    `\`number\` is not a ${number.numberType} number.`,
  );
}

function checkChannels(number: SendingNumber): void {
  if (isShort(number) && number.channels.includes('voice'))
    refuseProperty('channels', 'text only', '`channels` of a short code can only be text: calls are not possible.');
}

function checkLoanTypes({ loanTypes }: CompanyState, { loanTypeIds }: SendingNumber): void {
  const errors: readonly Fault[] = loanTypeIds.flatMap((id, index) =>
    loanTypes.has(id) ? [] : [{ path: `loanTypeIds[${index}]`, expected: 'the id of a loan type', message: `there is no loan type ${id}` }],
  );
  if (errors.length > 0) throw new Refusal('validationError', '`loanTypeIds` has an id that does not exist: see `errors`.', { errors });
}
