import { routingFacts } from '../../../engine/index.js';
import { type Fault, Refusal } from '../../errors.js';
import type { InstrumentCreateBody } from '../instrument-wire.js';
import type { InstrumentDetails, InstrumentType } from '../state.js';

/** Fields that each kind needs, beside those of every instrument. */
const NEEDED: { readonly [Type in InstrumentType]: readonly (keyof InstrumentCreateBody)[] } = {
  bankAccount: ['accountNumber', 'routingNumber', 'accountType', 'accountHolderType', 'accountHolderName'],
  card: ['cardType', 'cardNumber', 'expirationMonth', 'expirationYear', 'accountHolderName'],
  check: [],
  payroll: [],
  paymentNetwork: [],
  moneyOrder: [],
  wire: [],
};

/** What a record of payments made elsewhere may leave out. */
const NEEDED_EXTERNAL: { readonly [Type in InstrumentType]: readonly (keyof InstrumentCreateBody)[] } = {
  ...NEEDED,
  bankAccount: ['accountNumber'],
  card: ['cardNumber'],
};

interface Choices {
  readonly isExternal: boolean;
  /** The caller answers for the routing number. */
  readonly force: boolean;
  readonly now: number;
}

/** Refuses an instrument whose parts are missing or wrong, naming every fault. */
export function checkAccount(body: InstrumentCreateBody, { isExternal, force, now }: Choices): void {
  const errors: Fault[] = [];
  for (const path of (isExternal ? NEEDED_EXTERNAL : NEEDED)[body.instrumentType]) {
    if (body[path] !== undefined && body[path] !== null) continue;
    errors.push({ path, expected: `a value, for a ${body.instrumentType}`, message: 'is missing' });
  }
  const { routingNumber, cardNumber } = body;
  if (routingNumber && !force && !routingFacts(routingNumber)) {
    errors.push({ path: 'routingNumber', expected: 'a routing number of a US bank, or force', message: 'is no routing number' });
  }
  if (cardNumber !== undefined && cardNumber.length > LAST_FOUR && !hasLuhnDigit(cardNumber)) {
    errors.push({ path: 'cardNumber', expected: 'a number with its check digit', message: 'is no card number' });
  }
  if (isExpired(body, now)) errors.push({ path: 'expirationYear', expected: 'a month that is not past', message: 'the card has expired' });
  if (errors.length > 0) throw new Refusal('validationError', 'The payment instrument is incomplete or wrong.', { errors });
}

const LAST_FOUR = 4;

/** The check digit of ISO/IEC 7812: every second digit from the right is doubled. */
function hasLuhnDigit(number: string): boolean {
  let total = 0;
  for (const [index, digit] of Array.from(number).reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return total % 10 === 0;
}

function isExpired({ expirationMonth, expirationYear }: InstrumentCreateBody, now: number): boolean {
  if (expirationMonth === undefined || expirationYear === undefined) return false;
  return Date.UTC(expirationYear, expirationMonth, 1) <= now;
}

/** The number of the account, check or card; of a card only its last four digits are ever kept. */
export function numberOf({ instrumentType, accountNumber, cardNumber }: InstrumentCreateBody): string | null {
  if (instrumentType === 'card') return cardNumber?.slice(-LAST_FOUR) ?? null;
  return accountNumber ?? null;
}

export const holderOf = (body: InstrumentCreateBody): string | null => body.accountHolderName ?? body.payerName ?? body.senderName ?? null;

export function detailsOf(body: InstrumentCreateBody, number: string | null): InstrumentDetails {
  const lastFour = number?.slice(-LAST_FOUR);
  if (body.instrumentType === 'card') {
    return {
      cardType: body.cardType ?? 'debit',
      ...(lastFour === undefined ? {} : { cardNumberLastFour: lastFour }),
      ...(body.expirationMonth === undefined ? {} : { expirationMonth: body.expirationMonth }),
      ...(body.expirationYear === undefined ? {} : { expirationYear: body.expirationYear }),
    };
  }
  return {
    ...(lastFour === undefined ? {} : { accountNumberLastFour: lastFour }),
    routingNumber: body.routingNumber ?? null,
    institutionName: body.institutionName ?? null,
    accountType: body.accountType ?? null,
    accountHolderType: body.accountHolderType ?? null,
    ...(body.checkNumber === undefined ? {} : { checkNumber: body.checkNumber }),
    ...(body.reference === undefined ? {} : { reference: body.reference }),
  };
}
