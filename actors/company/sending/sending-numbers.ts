import { changed, type Declaration, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { type Fault, refuse, refuseProperty, Refusal } from '../../errors.js';
import type { CompanyState } from '../state.js';
import {
  SENDING_NUMBER_TYPE,
  type SendingNumber,
  type SendingNumberCreateBody,
  type SendingNumberListQuery,
  sendingNumbersOf,
  type SendingNumberUpdateBody,
} from './sending-number.js';

export const SENDING_NUMBER: Declaration<SendingNumberCreateBody, SendingNumberUpdateBody, SendingNumber> = {
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
  // One default a channel.
  consequences: (_before, after, { id, host }) =>
    after?.isDefault === true
      ? othersOf(host, id)
          .filter(({ stored }) => stored.isDefault && stored.channels.some((channel) => after.channels.includes(channel)))
          .map((other) => changed(SENDING_NUMBER_TYPE, other, { ...other.stored, isDefault: false }))
      : [],
  matches({ stored }, query) {
    const { channel, status } = query as SendingNumberListQuery;
    return (channel === undefined || stored.channels.includes(channel)) && (status === undefined || stored.status === status);
  },
  view: (stored) => stored,
};

const othersOf = (host: ResourceHost, ownId: string): readonly ResourceRecord<SendingNumber>[] =>
  [...sendingNumbersOf(host).values()].filter(({ id }) => id !== ownId);

function refuseReleased({ status }: SendingNumber, id: string): void {
  if (status === 'released') refuse('invalidState', `The number ${id} was released.`);
}

function checked(host: ResourceHost, number: SendingNumber): SendingNumber {
  const { loanTypes } = host as CompanyState;
  const isShort = !number.number.startsWith('+');
  if (isShort !== (number.numberType === 'shortCode'))
    refuseProperty(
      'number',
      isShort ? 'a number in E.164 such as +12025550143' : 'the five or six digits of a short code',
      `The number is no ${number.numberType}.`,
    );
  if (isShort && number.channels.includes('voice')) refuseProperty('channels', 'text alone', 'Nobody calls from a short code.');
  const errors: readonly Fault[] = number.loanTypeIds.flatMap((id, index) =>
    loanTypes.has(id)
      ? []
      : [{ path: `loanTypeIds[${index}]`, expected: 'the id of a loan type', message: `There is no such loan type: ${id}` }],
  );
  if (errors.length > 0) throw new Refusal('validationError', 'The number names unknown loan types.', { errors });
  return { ...number, channels: [...new Set(number.channels)], loanTypeIds: [...new Set(number.loanTypeIds)] };
}
