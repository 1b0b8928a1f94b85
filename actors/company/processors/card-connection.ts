import type { Fault } from '../../errors.js';
import { MASK } from '../campaigns/sftp.js';
import type { SealedProcessorSecrets } from './secrets.js';
import type { PaymentProcessorUpdateBody, PaymentProcessorView, ProcessorType } from './wire.js';

/** A processor of cards, as its processor record has it. */
export interface CardConnection {
  readonly paymentTypes: readonly CardPaymentType[];
  /** What its calls begin with, without a slash at the end; null: not known yet. */
  readonly apiUrl: string | null;
}

export type CardPaymentType = 'debitCard' | 'creditCard';
export type PaymentType = 'ach' | CardPaymentType;

export const paymentTypeOfCard = (cardType: 'debit' | 'credit' | null | undefined): CardPaymentType =>
  cardType === 'credit' ? 'creditCard' : 'debitCard';

const BY_FILES: readonly PaymentType[] = ['ach'];

/** What the processor can make payments by. */
export const paymentTypesOf = ({ card }: { readonly card?: CardConnection }): readonly PaymentType[] => card?.paymentTypes ?? BY_FILES;

const isCardType = (type: PaymentType): type is CardPaymentType => type !== 'ach';

/** The fields of cards after a change; undefined for a processor that moves money by files. */
export function changedCard(
  before: CardConnection | undefined,
  { processorType, paymentTypes, cardApiUrl }: PaymentProcessorUpdateBody,
): CardConnection | undefined {
  if (before === undefined && processorType !== 'cardHTTP') return undefined;
  const known = before ?? { paymentTypes: [], apiUrl: null };
  return {
    paymentTypes: paymentTypes === undefined ? known.paymentTypes : [...new Set(paymentTypes.filter(isCardType))],
    apiUrl: cardApiUrl === undefined ? known.apiUrl : (cardApiUrl?.replace(/\/+$/, '') ?? null),
  };
}

const CARD_FIELDS = ['cardApiUrl', 'cardApiKey', 'cardWebhookSecret'] as const;

/** What does not go with the type of a processor. */
export function typeFaults(body: PaymentProcessorUpdateBody, type: ProcessorType): Fault[] {
  const faults: Fault[] = [];
  const { paymentTypes = [], processorType = type } = body;
  if (processorType !== type) faults.push({ path: 'processorType', expected: type, message: 'cannot be changed' });
  const [expected, isOther] = type === 'cardHTTP' ? ['debitCard, creditCard', 'ach' as const] : ['ach alone', null];
  if (paymentTypes.some((each) => (isOther === null ? each !== 'ach' : each === isOther)))
    faults.push({ path: 'paymentTypes', expected, message: `a processor of the type ${type} makes other payments` });
  if (type === 'cardHTTP') {
    if (body.achPrenotes === true)
      faults.push({ path: 'achPrenotes', expected: 'false, for a processor of cards', message: 'is of files' });
    return faults;
  }
  for (const path of CARD_FIELDS)
    if (body[path] != null) faults.push({ path, expected: 'nothing, for a processor that moves money by files', message: 'is of cards' });
  return faults;
}

/** What replies show of it. */
export function cardView(
  card: CardConnection | undefined,
  secrets: SealedProcessorSecrets | null,
): Pick<PaymentProcessorView, 'paymentTypes' | 'processorType' | (typeof CARD_FIELDS)[number]> {
  const maskOf = (name: 'cardApiKey' | 'cardWebhookSecret'): string | null => (secrets?.holds.includes(name) === true ? MASK : null);
  return {
    paymentTypes: paymentTypesOf(card === undefined ? {} : { card }),
    processorType: card === undefined ? 'achDirectUS' : 'cardHTTP',
    cardApiUrl: card?.apiUrl ?? null,
    cardApiKey: maskOf('cardApiKey'),
    cardWebhookSecret: maskOf('cardWebhookSecret'),
  };
}
