import { dayAt, hasLuhnDigit, networkOfBin, routingFacts } from '../../../engine/index.js';
import { fullAddress } from '../../address.js';
import { companyOf, ordersPrenotes, paymentTypeOfCard, verifyingProcessor } from '../../company/index.js';
import { type Fault, Refusal, refuse, refuseProperty } from '../../errors.js';
import { ask } from '../../kernel/policy.js';
import { isPermitted } from '../../permission.js';
import { openJson, openText, sealJson, sealText } from '../contact-fields.js';
import type { InstrumentMove } from '../machine.js';
import { borrowerAsks } from '../questions.js';
import type { InactiveReason, Instrument, InstrumentDetails, InstrumentFields, InstrumentType, Sealed } from '../state.js';
import {
  type InstrumentCreateBody,
  type InstrumentUpdateBody,
  type InstrumentWriteQuery,
  withSecretsOpen,
  withSecretsSealed,
} from '../views.js';
import { type CardSecrets, isExpiredOn } from './cards.js';
import { type Context, decided, done, fact, mustMove, onPerson, refuseTaken } from './common.js';
import { fieldsOf, instrumentOf, mustMoveInstrument, newDeposits, shown } from './micro-deposits.js';

/** Fields that each type requires, in addition to those of every instrument. A token of the processor stands for the number of a card. */
const NEEDED: { readonly [Type in InstrumentType]: readonly (keyof InstrumentCreateBody)[] } = {
  bankAccount: ['accountNumber', 'routingNumber', 'accountType', 'accountHolderType', 'accountHolderName'],
  card: ['cardType', 'cardNumber', 'expirationMonth', 'expirationYear', 'accountHolderName'],
  check: [],
  payroll: [],
  paymentNetwork: [],
  moneyOrder: [],
  wire: [],
};

/** Fields required of external instruments, which only record payments made outside this service. */
const NEEDED_EXTERNAL: { readonly [Type in InstrumentType]: readonly (keyof InstrumentCreateBody)[] } = {
  ...NEEDED,
  bankAccount: ['accountNumber'],
  card: ['cardNumber'],
};

interface Choices {
  readonly isExternal: boolean;
  /** The caller vouches for the routing number. */
  readonly force: boolean;
  readonly now: number;
}

/** Numbers of a body whose check digits are wrong. `force`: the caller vouches for the routing number. */
export function checkDigitFaults(
  { routingNumber, cardNumber }: Partial<InstrumentCreateBody>,
  { force = false }: { readonly force?: boolean },
): readonly Fault[] {
  const faults: Fault[] = [];
  if (routingNumber && !force && !routingFacts(routingNumber)) {
    faults.push({ path: 'routingNumber', expected: 'a routing number of a US bank, or force', message: 'is not a routing number' });
  }
  if (cardNumber !== undefined && cardNumber.length > LAST_FOUR && !hasLuhnDigit(cardNumber)) {
    faults.push({ path: 'cardNumber', expected: 'a card number with a valid check digit', message: 'is not a card number' });
  }
  return faults;
}

/** Refuses an instrument with missing or wrong fields; the refusal lists every fault. */
function checkAccount(body: InstrumentCreateBody, { isExternal, force, now }: Choices): void {
  const errors: Fault[] = [];
  const { instrumentType } = body;
  const isCharged = instrumentType === 'card' && !isExternal;
  for (const path of (isExternal ? NEEDED_EXTERNAL : NEEDED)[instrumentType]) {
    if (body[path] !== undefined && body[path] !== null) continue;
    if (path === 'cardNumber' && isCharged && body.processorToken !== undefined) continue;
    errors.push({ path, expected: `a value, for a ${instrumentType}`, message: 'is missing' });
  }
  if (isCharged) errors.push(...cardFaults(body));
  errors.push(...checkDigitFaults(body, { force }));
  if (isExpiredOn(body, dayAt('UTC', now)))
    errors.push({ path: 'expirationYear', expected: 'a month that has not passed', message: 'the card has expired' });
  if (errors.length > 0) throw new Refusal('validationError', 'The payment instrument is not valid: see `errors`.', { errors });
}

const LAST_FOUR = 4;
const SHORTEST_CARD_NUMBER = 8;

/** What a card that is charged needs, beyond one that is only recorded. */
function cardFaults({ cardNumber, processorToken, cvv }: InstrumentCreateBody): readonly Fault[] {
  const faults: Fault[] = [];
  if (cardNumber !== undefined && cardNumber.length < SHORTEST_CARD_NUMBER)
    faults.push({ path: 'cardNumber', expected: 'all digits, for a card that is charged', message: 'is not a card number' });
  if (cardNumber !== undefined && processorToken !== undefined)
    faults.push({ path: 'processorToken', expected: 'nothing, beside cardNumber', message: 'stands for the number of the card' });
  if (cardNumber !== undefined && cvv === undefined)
    faults.push({ path: 'cvv', expected: 'a value, with cardNumber', message: 'is missing' });
  return faults;
}

/** The number of the account, check or card. Of a card that is not charged only the last four digits are stored. */
function numberOf({ instrumentType, accountNumber, cardNumber, isExternal = false }: InstrumentCreateBody): string | null {
  if (instrumentType !== 'card') return accountNumber ?? null;
  return (isExternal ? cardNumber?.slice(-LAST_FOUR) : cardNumber) ?? null;
}

const holderOf = (body: InstrumentCreateBody): string | null => body.accountHolderName ?? body.payerName ?? body.senderName ?? null;

function detailsOf(body: InstrumentCreateBody, number: string | null): InstrumentDetails {
  const lastFour = number?.slice(-LAST_FOUR);
  if (body.instrumentType === 'card') {
    const network = body.cardNumber === undefined || body.isExternal === true ? undefined : networkOfBin(body.cardNumber);
    return {
      cardType: body.cardType ?? 'debit',
      ...(network === undefined ? {} : { network }),
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

/**
 * A bank account is `pending` until its two deposits are verified, a card until its processor has verified it; with `force` the caller
 * vouches for it and it is `active` at once. An external instrument is a record without verification: it has the status that the caller
 * gives, `active` by default.
 */
export const createInstrument = onPerson('paymentInstrument.create', (context: Context<InstrumentCreateBody>) => {
  const { id: personId, state, env } = context;
  mustMove(state, 'update');
  const body = context.body;
  const { force = false, allowDuplicates = false } = writeQuery(context);
  const isExternal = body.isExternal ?? false;
  if (isExternal) mustBePermitted(context, 'payment.instrument:external', 'isExternal');
  else checkInternal(context, body);
  if (force) mustBePermitted(context, 'payment.instrument:force', 'force');
  checkAccount(body, { isExternal, force, now: env.now });
  refuseTaken(env, 'paymentInstrument', body.externalId, null);
  const number = numberOf(body);
  if (number !== null && !(isExternal && allowDuplicates)) refuseSameAccount(context, body, number, isExternal);

  const id = env.newId('PT');
  const isVouched = !isExternal && force && body.verified === true;
  const holder = holderOf(body);
  const instrument: InstrumentFields = {
    id,
    externalId: body.externalId ?? null,
    instrumentType: body.instrumentType,
    isExternal,
    status: isExternal ? (body.status ?? 'active') : isVouched ? 'active' : 'pending',
    inactiveReason: reasonFor(isExternal ? (body.status ?? 'active') : 'pending', body.inactiveReason ?? null),
    verified: isVouched,
    failureReason: null,
    metaData: body.metaData ?? null,
    ...withSecretsSealed(env, personId, id, { nickname: body.nickname ?? null, details: detailsOf(body, number) }),
    accountNumber: sealedNumber(context, body, id, number),
    accountHolderName: holder === null ? null : sealedHolder(context, id, holder),
    ...(body.instrumentType === 'card' && !isExternal ? { card: sealedCard(context, id, body) } : {}),
  };
  const isVerifiedByDeposits = instrument.status === 'pending' && !isExternal && body.instrumentType === 'bankAccount';
  const amounts = isVerifiedByDeposits ? newDeposits(env, personId, id) : null;
  // The contract wants a list of one, for flows that create several.
  const isPrenoted = body.instrumentType === 'bankAccount' && !isExternal && ordersPrenotes(companyOf(env, env.tenant));
  const added = fact('InstrumentAdded', { instrument, amounts, ...(isPrenoted ? { isPrenoteOrdered: true } : {}) });
  return decided(context, [added], (after) => [shown(after, id, env)], { status: 201 });
});

export const updateInstrument = onPerson('paymentInstrument.update', (context: Context<InstrumentUpdateBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const before = instrumentOf(context);
  const body = context.body;
  const { force = false } = writeQuery(context);
  if (force) mustBePermitted(context, 'payment.instrument:force', 'force');
  refuseTaken(env, 'paymentInstrument', body.externalId, before.id);
  const isVouched = force && body.verified === true && !before.isExternal;
  const status = isVouched && body.status === undefined ? 'active' : (body.status ?? before.status);
  if (isVouched) mustMoveInstrument(before, 'vouch');
  else if (status !== before.status) mustMoveInstrument(before, moveTo(before, status));
  const { accountHolderName } = body;
  const known = fieldsOf(before);
  const instrument: InstrumentFields = {
    ...known,
    externalId: body.externalId === undefined ? known.externalId : body.externalId,
    status,
    inactiveReason: reasonFor(status, body.inactiveReason === undefined ? known.inactiveReason : body.inactiveReason),
    verified: isVouched || known.verified,
    ...renamed(context, before, body),
    metaData: body.metaData === undefined ? known.metaData : body.metaData,
    accountHolderName: accountHolderName === undefined ? known.accountHolderName : sealedHolder(context, known.id, accountHolderName),
    ...movedCard(context, before, body),
  };
  return decided(context, [fact('InstrumentUpdated', { instrument })], (after) => shown(after, instrument.id, env));
});

/** Seals again only if the nickname differs: a text that is sealed twice looks like a change. */
function renamed(
  { id: personId, env }: Context,
  before: Instrument,
  body: InstrumentUpdateBody,
): Pick<Instrument, 'nickname' | 'details' | 'personal'> {
  const { nickname, details } = withSecretsOpen(env, personId, before);
  if (body.nickname !== undefined && body.nickname !== nickname)
    return withSecretsSealed(env, personId, before.id, { nickname: body.nickname, details: { ...details, ...changedDetails(body) } });
  const kept = { nickname: before.nickname, details: { ...before.details, ...changedDetails(body) } };
  return before.personal === undefined ? kept : { ...kept, personal: before.personal };
}

/** Marks the instrument as deleted; the record stays for the payments that were made with it. Refused while such a payment is under way. */
export const deleteInstrument = onPerson('paymentInstrument.delete', (context) => {
  mustMove(context.state, 'update');
  const { id } = instrumentOf(context);
  if (ask(context.env, borrowerAsks.isPaymentUnderWay, context.id, id))
    refuse('invalidState', `The payment instrument ${id} cannot be removed while a payment with it is under way.`);
  return done([fact('InstrumentRemoved', { id })]);
});

const sealedHolder = ({ id, env }: Context, instrumentId: string, name: string): Sealed =>
  sealText(env, id, 'instrument.accountHolderName', instrumentId, name);

/** With another address of its holder. */
function movedCard({ id: personId, env }: Context, { id, card }: Instrument, { address }: InstrumentUpdateBody): Pick<Instrument, 'card'> {
  if (address === undefined || card === undefined) return {};
  const known = openJson<CardSecrets>(env, personId, 'instrument.card', id, card);
  if (known === null) return {};
  const secrets: CardSecrets = { ...known, address: address === null ? null : fullAddress(address) };
  return { card: sealJson(env, personId, 'instrument.card', id, secrets) };
}

const sealedCard = ({ id, env }: Context, instrumentId: string, { processorToken, address }: InstrumentCreateBody): Sealed =>
  sealJson(env, id, 'instrument.card', instrumentId, {
    token: processorToken ?? null,
    address: address == null ? null : fullAddress(address),
  } satisfies CardSecrets);

/** Of a card that is only recorded the last digits are stored, and these are not sealed here. */
function sealedNumber(
  { id, env }: Context,
  { instrumentType, isExternal = false }: InstrumentCreateBody,
  instrumentId: string,
  number: string | null,
): Sealed | null {
  return number === null || (instrumentType === 'card' && isExternal)
    ? null
    : sealText(env, id, 'instrument.accountNumber', instrumentId, number);
}

const writeQuery = ({ command }: Context): InstrumentWriteQuery => command.query ?? {};

/** Some choices need a further permission beside the route's own. */
function mustBePermitted({ command }: Context, permission: string, choice: string): void {
  if (!isPermitted(command.permissions, permission)) refuse('permissionDenied', `${choice} needs the permission ${permission}.`);
}

/** An internal instrument must be one that the service can charge: a bank account, or a card for which there is a processor. */
function checkInternal({ env }: Context, { instrumentType, status, cardType }: InstrumentCreateBody): void {
  const type = paymentTypeOfCard(cardType);
  if (instrumentType === 'card' && verifyingProcessor(companyOf(env, env.tenant), type) === null)
    refuse('businessValidation', `No active payment processor takes payments by ${type}: a card can only be external.`);
  if (instrumentType !== 'bankAccount' && instrumentType !== 'card')
    refuseProperty('isExternal', 'true', `A ${instrumentType} can only be external: \`isExternal\` must be true.`);
  if (status !== undefined && status !== 'pending') {
    refuseProperty(
      'status',
      'nothing: only external instruments have it',
      '`status` can only be set on an external instrument. That of others follows from the verification.',
    );
  }
}

/** The caller sets the status of an external instrument. An internal one can be deactivated, and activated again if it was verified. */
function moveTo(instrument: Instrument, status: Instrument['status']): InstrumentMove {
  if (status === 'inactive') return 'deactivate';
  if (instrument.isExternal) return status === 'active' ? 'setActive' : 'setPending';
  if (status === 'active' && instrument.verified) return 'reactivate';
  return refuse('invalidState', `The payment instrument ${instrument.id} can become ${status} only by its verification.`);
}

function reasonFor(status: Instrument['status'], reason: InactiveReason | null): InactiveReason | null {
  if (status !== 'inactive') return null;
  return reason ?? refuseProperty('inactiveReason', 'a reason, with status inactive', '`inactiveReason` is required with status inactive.');
}

function changedDetails({ accountType, accountHolderType, expirationMonth, expirationYear }: InstrumentUpdateBody): Instrument['details'] {
  return {
    ...(accountType === undefined ? {} : { accountType }),
    ...(accountHolderType === undefined ? {} : { accountHolderType }),
    ...(expirationMonth === undefined ? {} : { expirationMonth }),
    ...(expirationYear === undefined ? {} : { expirationYear }),
  };
}

/** Refuses an account that the borrower already has. External accounts are compared by their last four digits. */
function refuseSameAccount({ id: personId, state, env }: Context, body: InstrumentCreateBody, number: string, isExternal: boolean): void {
  const isSame = (known: Instrument): boolean => {
    if (known.deletedAt !== null || known.instrumentType !== body.instrumentType || known.isExternal !== isExternal) return false;
    const { details } = withSecretsOpen(env, personId, known);
    const lastFour = details.accountNumberLastFour ?? details.cardNumberLastFour;
    if (lastFour !== number.slice(-4)) return false;
    if (isExternal) return true;
    if (known.details.routingNumber !== body.routingNumber) return false;
    return openText(env, personId, 'instrument.accountNumber', known.id, known.accountNumber) === number;
  };
  const same = state.instruments.find(isSame);
  if (!same) return;
  const fault: Fault = { path: 'accountNumber', expected: 'an account that the borrower does not have yet', message: 'was already added' };
  const details = { errors: [fault], extra: { duplicateOfId: same.id } };
  throw new Refusal('duplicate', `The borrower already has this account as the payment instrument ${same.id}.`, details);
}
