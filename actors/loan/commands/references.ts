import type { AddressReader } from '../origination/at-activation.js';
import { resolveId } from '../../kernel/ids.js';
import { type Day, RATE_ONE, rate } from '../../../engine/index.js';
import { addressOf, contactOf, personOf, type PersonState } from '../../borrower/index.js';
import { type CompanyState, defaultInvestorOf, investorOf, loanLabelOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';
import { merchantIdOf } from '../context.js';
import type { LoanStatus } from '../machine.js';
import type { InvestorShare } from '../origination/terms.js';
import type { AdditionalPersonRequest, AdvanceRequest, DeclineReasonRequest, LabelReference, OriginationRequest } from '../requests.js';
import { type AdditionalPerson, mayBeOn } from '../people/person.js';
import type { DeclineReason } from '../state.js';
import type { Checked } from './update.js';

/** The owners of a new loan, with the service ids of their investors. Without any it belongs to the default investor, if there is one. */
export function ownersOfNewLoan(references: References, sent: readonly InvestorShare[] | null, checks: Checked[]): typeof sent {
  if (sent !== null && sent.length > 0) return checkInvestors(references, sent, checks);
  const investor = defaultInvestorOf(references.company);
  if (investor === undefined) return sent;
  return [{ investorId: investor.id, share: rate(RATE_ONE), effectiveDate: null, isK2SegmentReported: false }];
}

/** Owners that origination names: investors of the company that are not archived. */
export const checkInvestors = (
  { company }: References,
  owners: readonly InvestorShare[] | null,
  checks: Checked[],
): readonly InvestorShare[] | null =>
  owners?.map((owner, index) => {
    const investor = investorOf(company, owner.investorId);
    const path = `atOrigination.investors[${index}].investorId`;
    if (investor === undefined) checks.push(missing(path, 'an investor'));
    else if (investor.stored.status === 'archived')
      checks.push({ errorType: 'ruleViolation', path, expected: 'an active investor', message: 'the investor is archived' });
    return investor === undefined ? owner : { ...owner, investorId: investor.id };
  }) ?? null;

/** Terms that name their merchants by service ids. */
export function withMerchantIds({ company }: Pick<References, 'company'>, terms: OriginationRequest): OriginationRequest {
  const { merchantId, advanceSchedule } = terms;
  return {
    ...terms,
    ...(merchantId == null ? {} : { merchantId: merchantIdOf(company, merchantId) }),
    ...(advanceSchedule == null ? {} : { advanceSchedule: advanceSchedule.map((advance) => advanceWithMerchantId(company, advance)) }),
  };
}

function advanceWithMerchantId(company: CompanyState, advance: AdvanceRequest): AdvanceRequest {
  const { advanceDetails } = advance;
  if (advanceDetails?.merchantId == null) return advance;
  return { ...advance, advanceDetails: { ...advanceDetails, merchantId: merchantIdOf(company, advanceDetails.merchantId) } };
}

/** Where the references of a loan's body are looked up. */
export interface References {
  readonly env: DecideEnv;
  readonly tenant: Tenant;
  readonly personId: string;
  readonly company: CompanyState;
}

/** The ids of the labels that are named by either id. Labels belong to the company. */
export function checkLabels({ company }: References, labels: readonly LabelReference[], checks: Checked[]): readonly string[] {
  const found = new Set<string>();
  labels.forEach((reference, index) => {
    const anyId = reference.id ?? (reference.externalId == null ? undefined : `ext-${reference.externalId}`);
    const label = anyId === undefined ? undefined : loanLabelOf(company, anyId);
    if (label !== undefined) found.add(label.id);
    else checks.push(missing(`labels[${index}]`, 'a label of the company'));
  });
  return [...found];
}

/** Additional people of a loan: each once, and each a borrower of the company. */
export function checkPeople(
  { env, tenant, personId }: References,
  people: readonly AdditionalPersonRequest[],
  { known, today }: KnownPeople,
  checks: Checked[],
): readonly AdditionalPerson[] {
  const found = new Map<string, AdditionalPerson>();
  people.forEach((person, index) => {
    const path = `additionalPeople[${index}].personId`;
    const id = resolveId(env, tenant, 'person', person.personId);
    const before = known.find((other) => other.personId === id);
    const borrower = id === undefined ? undefined : env.read<PersonState>('person', id);
    if (id === undefined || borrower === undefined) return void checks.push(missing(path, 'a borrower'));
    if (id === personId) return void checks.push(wrong(path, 'another borrower', 'is the main borrower'));
    if (found.has(id)) return void checks.push(wrong(path, 'each borrower once', 'is listed twice'));
    const after = { ...(before ?? newcomer(env, id, today)), loanRelationType: person.loanRelationType };
    if (mayBeOn(borrower, after, before, today)) found.set(id, after);
    else checks.push(missing(path, 'a borrower'));
  });
  return [...found.values()];
}

/** People who are on the loan already keep their row; new people begin today. */
interface KnownPeople {
  readonly known: readonly AdditionalPerson[];
  readonly today: Day;
}

const newcomer = (env: DecideEnv, personId: string, today: Day): Omit<AdditionalPerson, 'loanRelationType'> => ({
  id: env.newId('LP'),
  personId,
  startDay: today,
  endDay: null,
  receivesNotices: false,
  createdAt: env.now,
});

/** 409 when another loan has the external id. */
export function checkExternalId({ env, tenant }: Pick<References, 'env' | 'tenant'>, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(tenant, 'loan', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another loan.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** Encrypts the address with the borrower's data key, or finds the contact that an id names. */
export function addressReader({ env, personId }: References, loanId: string, checks: Checked[]): AddressReader {
  return {
    seal: (address) => env.seal(personId, JSON.stringify(address), addressContext(loanId)),
    sealCard: (card) => env.seal(personId, JSON.stringify(card), cardContext(loanId)),
    contact: (anyId) => {
      const person = personOf(env, personId);
      const contact = contactOf(person, anyId);
      const address = contact === undefined ? null : addressOf(env, person, contact);
      if (contact !== undefined && address !== null) return { id: contact.id, address, isValid: contact.valid };
      checks.push(missing('atOrigination.personAddressId', 'an address of the borrower'));
      return null;
    },
  };
}

/** The context that an encrypted address is bound to. */
export const addressContext = (loanId: string): string => `loan/${loanId}/personAddress`;

/** The context that an encrypted card is bound to. */
export const cardContext = (loanId: string): string => `loan/${loanId}/card`;

/** A declined loan needs a reason. */
export const declineFaults = (status: LoanStatus, reason: object | null | undefined): readonly Fault[] =>
  status === 'declined' && reason == null ? [{ path: 'declineReason', expected: 'the reason of the decline', message: 'is missing' }] : [];

/** 422 if a change leaves a declined loan or draw without a reason. */
export function requireDeclineReason(before: Declinable, changes: Partial<Declinable>): void {
  const { status, declineReason } = { ...before, ...changes };
  const errors = declineFaults(status, declineReason);
  if (errors.length > 0) refuse('validationError', '`declineReason` is required with status declined.', { errors });
}

interface Declinable {
  readonly status: LoanStatus;
  readonly declineReason: DeclineReason | null;
}

/** A reason without any content counts as absent. */
export function readDeclineReason(reason: DeclineReasonRequest | null | undefined): DeclineReason | null {
  if (reason == null || isEmpty(reason)) return null;
  return {
    mainExternalReasonCode: reason.mainExternalReasonCode ?? null,
    mainText: reason.mainText ?? null,
    mainScriptForRep: reason.mainScriptForRep ?? null,
    subReasons: (reason.subReasons ?? []).map((sub) => ({
      externalReasonCode: sub.externalReasonCode ?? null,
      reasonText: sub.reasonText ?? null,
      scriptForRep: sub.scriptForRep ?? null,
    })),
  };
}

const isEmpty = ({ subReasons, ...main }: DeclineReasonRequest): boolean =>
  isBlank(main) && (subReasons ?? []).every((sub) => isBlank(sub));

const isBlank = (said: object): boolean => Object.values(said).every((text) => text == null || text === '');

const missing = (path: string, expected: string): Checked => ({
  errorType: 'ruleViolation',
  path,
  expected,
  message: 'there is no such object',
});

/** A fault that does not depend on stored data. */
const wrong = (path: string, expected: string, message: string): Checked => ({ errorType: 'validationError', path, expected, message });
