import { Bug, type Day, must, timeOfDayAt } from '../../engine/index.js';
import { contactOf, type PersonState } from '../borrower/index.js';
import { companyOf, type CompanyState, type LoanType, merchantOf } from '../company/index.js';
import { refuse } from '../errors.js';
import type { CommandContext, CommandRequest, DecideEnv, EvolveEnv } from '../kernel/actor.js';
import { resolveId } from '../kernel/ids.js';
import type { EffectiveTime } from '../kernel/fact.js';
import { dayOfText } from '../wire.js';
import type { LineServicing } from './line/ledger.js';
import { type LoanMove, type LoanStatus, mayMove, productOf, statusesFor } from './machine.js';
import { isForLater, isOfThePast, isBeforeMigration, isMigrationTrial } from './migration/stage.js';
import type { Activated, LoanRecord, LoanState, Servicing } from './state.js';

/** The earliest time of an action: nominal times before 02:00 belong to the daily work. */
export const FIRST_USER_SECONDS = 7_200;

/** The time of an action on a day other than today, if it names none. */
export const END_OF_DAY_SECONDS = 86_340;

export function recordOf(state: LoanState): LoanRecord {
  if (state.record === null) throw new Bug(`${state.id} has no first fact`);
  return state.record;
}

export function statusOf(state: LoanState): LoanStatus {
  const record = recordOf(state);
  return activationOf(state)?.summary.status ?? record.status;
}

/** A collection agency services the loan: the service records external payments and collects none itself. */
export const isWithAgency = (state: LoanState): boolean => recordOf(state).servicedBy === 'debtCollectionAgency';

/** The servicing of a loan of either product; null before activation. */
export const activationOf = (state: LoanState): Activated | null => state.servicing ?? state.line;

export function loanTypeOf(env: EvolveEnv, state: LoanState): LoanType {
  const { loanTypeId } = recordOf(state);
  return must(companyOf(env, state.tenant).loanTypes.get(loanTypeId), `the loan ${state.id} has an unknown loan type`);
}

const ACTIVATED: readonly LoanStatus[] = ['active', 'frozen', 'accelerated', 'chargedOff', 'paidOff'];

/** The servicing of a loan of either product; 409 before activation. */
export function activatedOf(state: LoanState): Activated {
  return activationOf(state) ?? refuseStatus(state, ACTIVATED);
}

/** The servicing of an installment loan; 409 before activation, and for a line of credit. */
export function servicingOf(state: LoanState): Servicing {
  requireInstallment(state);
  return state.servicing ?? refuseStatus(state, ACTIVATED);
}

/** The servicing of a line of credit; 409 before activation, and for an installment loan. */
export function lineServicingOf(state: LoanState): LineServicing {
  requireProduct(state, 'lineOfCredit');
  return state.line ?? refuseStatus(state, ACTIVATED);
}

/** 409 for a line of credit. */
export const requireInstallment = (state: LoanState): void => requireProduct(state, 'installment');

/** 409 for the other product. */
export function requireProduct(state: LoanState, product: LoanRecord['type']): void {
  const { type } = recordOf(state);
  if (type === product) return;
  refuse('invalidState', `The loan has the type ${type}. This operation needs the type ${product}.`, {
    errors: [{ path: 'type', expected: product, message: `the loan is of the type ${type}` }],
  });
}

/** 409 unless the loan's status and product allow the move. The error names the statuses that do, or the product. */
export function requireMove(state: LoanState, move: LoanMove): void {
  const product = productOf(move);
  if (product !== null) requireProduct(state, product);
  if (isMigrationTrial(state) && isOfThePast(move)) return;
  if (!mayMove(statusOf(state), move)) refuseStatus(state, statusesFor(move));
  if (isBeforeMigration(state) && isForLater(move)) {
    refuse('invalidState', 'The loan must be migrated first.', {
      errors: [{ path: 'migrationStatus', expected: 'migrated', message: `the loan is ${state.migration?.status ?? ''}` }],
    });
  }
}

export function refuseStatus(state: LoanState, allowed: readonly LoanStatus[]): never {
  const status = statusOf(state);
  const expected = allowed.length === 0 ? 'no status allows it' : `it must be ${allowed.join(' or ')}`;
  refuse('invalidState', `The loan is ${status}; ${expected}.`, {
    errors: [{ path: 'status', expected: allowed.join(', '), message: `the loan is ${status}` }],
  });
}

/** 404 unless the person of the path is the main borrower or attached to the loan. */
export function requirePerson(state: LoanState, anyId: string | undefined, env: EvolveEnv): void {
  if (anyId === undefined) return;
  const record = recordOf(state);
  const personId = resolveId(env, state.tenant, 'person', anyId);
  const isKnown = personId === record.personId || record.additionalPeople.some((person) => person.personId === personId);
  if (!isKnown) refuse('notFound', `There is no loan ${state.id} under this borrower.`);
}

/** An employee's action must name a case if the company requires it. */
export function requireCase(env: EvolveEnv, state: LoanState, command: CommandRequest, caseId: string | null | undefined): void {
  if (command.actor.type !== 'user' || caseId != null) return;
  if (companyOf(env, state.tenant).profile?.forceCaseIdOnAgentActions !== true) return;
  refuse('caseRequired', '`caseId` is required: the action needs an open case.', {
    errors: [{ path: 'caseId', expected: 'the id of an open case', message: 'is missing' }],
  });
}

/** Today in the loan's zone. */
export const todayOf = (env: DecideEnv, state: LoanState): Day => env.today(recordOf(state).zone);

/** Now on the loan's own time axis, after the daily work of the day. */
export function effectiveNow(env: DecideEnv, state: LoanState): EffectiveTime {
  const { zone } = recordOf(state);
  const { hour, minute, second } = timeOfDayAt(zone, env.now);
  return { day: env.today(zone), seconds: Math.max(FIRST_USER_SECONDS, hour * 3600 + minute * 60 + second) };
}

/**
 * The time of an action that may name its date: now if it is today, the end of the day if it is past. 422 before activation or after
 * today.
 */
export function effectiveOn(env: DecideEnv, state: LoanState, text: string | null | undefined, path = 'effectiveDate'): EffectiveTime {
  const now = effectiveNow(env, state);
  if (text == null) return now;
  const day = dayOfText(text);
  if (day === now.day) return now;
  const { activation } = activatedOf(state).contract.terms;
  const fault = day > now.day ? 'is after today' : day < activation ? 'is before activation' : null;
  if (fault !== null) {
    refuse('ruleViolation', `The date ${text} ${fault}.`, {
      errors: [{ path, expected: 'a day from activation to today', message: fault }],
    });
  }
  return { day, seconds: END_OF_DAY_SECONDS };
}

/** The ways to send a letter or a check to the borrower, and the type of contact that each needs. */
const CONTACT_TYPES = { email: 'email', mail: 'address' } as const;

export type LetterChannel = keyof typeof CONTACT_TYPES;

export const typeOfContact = (channel: LetterChannel): (typeof CONTACT_TYPES)[LetterChannel] => CONTACT_TYPES[channel];

const CHANNELS: readonly LetterChannel[] = ['email', 'mail'];

export interface Addressed {
  readonly contactId?: string | null;
  /** Any of them when none is named. */
  readonly channels?: readonly LetterChannel[];
}

/** 422 unless the contact in the body belongs to the borrower and can be reached by one of the channels. */
export function checkContact({ state, env }: CommandContext<LoanState>, { contactId, channels = [] }: Addressed): void {
  if (contactId == null) return;
  const types: readonly string[] = (channels.length === 0 ? CHANNELS : channels).map((channel) => CONTACT_TYPES[channel]);
  const expected = `a contact of the borrower of type ${types.join(' or ')}`;
  const fault = (message: string): never =>
    refuse('ruleViolation', `The contact ${contactId} cannot be used: ${message}.`, {
      errors: [{ path: 'contactId', expected, message }],
    });
  const person = env.read<PersonState>('person', recordOf(state).personId);
  const contact = person && contactOf(person, contactId);
  if (contact === undefined) return fault('there is no such object');
  if (!types.includes(contact.contactType)) fault(`it is of type ${contact.contactType}`);
  if (contact.status === 'archived') fault('it is archived');
}

/** Whether the company has a merchant with this id. */
export const isMerchant = (env: EvolveEnv, tenant: LoanState['tenant'], anyId: string | null): boolean =>
  anyId !== null && merchantOf(companyOf(env, tenant), anyId) !== undefined;

/** The service id of a merchant, since its external id may change. An id that names no merchant stays as it was sent. */
export const merchantIdOf = (company: CompanyState, anyId: string | null | undefined): string | null =>
  anyId == null ? null : (merchantOf(company, anyId)?.id ?? anyId);

/** Null for a value that is still encrypted because its data key is missing. */
export const readable = <Value extends object>(value: Value | null): Value | null => (value instanceof Uint8Array ? null : value);
