import { addDays, AmortizationError, type Day, fieldsOf, formatRate, ownJson, RATE_ZERO } from '../../../engine/index.js';
import { companyOf, type CompanyState, currentSettings, type LoanType, type LoanTypeSettings } from '../../company/index.js';
import { checkAll, type ErrorType, type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import { isPermitted } from '../../permission.js';
import { toJsonText } from '../../wire.js';
import { livePlacement } from '../collection/index.js';
import { recordOf, refuseStatus, statusOf, todayOf } from '../context.js';
import type { LoanUpdated } from '../facts.js';
import { lineScheduleFaults } from '../line/schedule.js';
import { loanChart, type LoanMove, mayMove } from '../machine.js';
import { preparationLater } from '../migration/line/history.js';
import { changedMigration } from '../migration/migration.js';
import { originationFaults, readOrigination } from '../origination/read.js';
import { planOf } from '../origination/schedule-plan.js';
import type { Origination } from '../origination/terms.js';
import type { OriginationRequest, UpdateLoanRequest } from '../requests.js';
import { requireOwing } from '../people/person.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { originationView } from '../views/origination.js';
import { beginAction } from './order.js';
import {
  addressReader,
  checkExternalId,
  checkInvestors,
  checkLabels,
  checkPeople,
  readDeclineReason,
  type References,
  requireDeclineReason,
  withMerchantIds,
} from './references.js';

/** A fault found by comparing with stored data or configuration, with the type of its error. */
export interface Checked extends Fault {
  readonly errorType: ErrorType;
}

/** 422 with every fault that was found; the first one decides the error type. */
export function refuseFaults(checks: readonly Checked[]): void {
  const [first] = checks;
  if (first === undefined) return;
  refuse(first.errorType, first.message, {
    errors: checks.map(({ path, expected, message }) => ({ path, expected, message })),
  });
}

/** The active loan type that a body names. */
export function checkLoanType(company: CompanyState, id: string, type: 'installment' | 'lineOfCredit'): LoanType {
  const refuseType = (path: string, expected: string, message: string): never =>
    refuse('ruleViolation', message, { errors: [{ path, expected, message }] });
  const loanType = company.loanTypes.get(id);
  if (loanType === undefined) return refuseType('loanTypeId', 'the id of an active loan type', `There is no loan type ${id}.`);
  if (loanType.status !== 'active') return refuseType('loanTypeId', 'an active loan type', `The loan type ${id} is inactive.`);
  if (loanType.type !== type) return refuseType('type', loanType.type, `The loan type ${id} is for ${loanType.type} loans.`);
  return loanType;
}

export interface TermsToCheck {
  readonly atOrigination: Origination;
  readonly loanType: LoanType;
  readonly today: Day;
}

/** Checks the terms against the product's settings, and whether a schedule can be computed. */
export function checkTerms({ atOrigination, loanType, today }: TermsToCheck, checks: Checked[]): void {
  const settings = currentSettings(loanType);
  checkFrequency(atOrigination, settings, checks);
  if (settings.enforceRateLimits) checkRates(atOrigination, settings, checks);
  if (loanType.type === 'lineOfCredit') return void checks.push(...lineScheduleFaults(atOrigination, settings));
  if (!settings.structure.allowMultipleAdvances && (atOrigination.advanceSchedule?.length ?? 0) > 1) {
    checks.push(fault('atOrigination.advanceSchedule', 'one advance', 'the loan type does not allow multiple advances'));
  }
  checkSchedule(atOrigination, settings, today, checks);
}

/** Refuses terms without a possible schedule when they are given, not when the loan is activated. */
function checkSchedule(terms: Origination, settings: LoanTypeSettings, today: Day, checks: Checked[]): void {
  const first = terms.expectedPayments?.[0]?.date;
  const start = first !== undefined && first <= today ? addDays(first, -1) : today;
  try {
    planOf(terms, settings, start, terms.expectedPayments === null ? 'reAmortize' : 'useAtOrigination');
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    checks.push(fault('atOrigination', 'terms that pay the loan off', error.message));
  }
}

function checkFrequency(terms: Origination, settings: LoanTypeSettings, checks: Checked[]): void {
  const allowed = settings.schedule.allowedFrequencies;
  if (allowed.includes(terms.paymentFrequency)) return;
  checks.push(
    fault('atOrigination.paymentFrequency', allowed.join(', '), `the loan type does not allow ${terms.paymentFrequency} payments`),
  );
}

export function checkRates(
  terms: Pick<Origination, 'interestRates'>,
  { interest: { minRate, maxRate } }: LoanTypeSettings,
  checks: Checked[],
): void {
  const expected = `${formatRate(minRate ?? RATE_ZERO)} to ${maxRate === null ? 'any rate' : formatRate(maxRate)}`;
  terms.interestRates.forEach((band, index) => {
    const isWithin = (minRate === null || band.rate >= minRate) && (maxRate === null || band.rate <= maxRate);
    if (isWithin) return;
    const path = `atOrigination.interestRates[${index}].rate`;
    checks.push({ errorType: 'rateOutOfRange', path, expected, message: 'the rate is outside of the range of the loan type' });
  });
}

const fault = (path: string, expected: string, message: string): Checked => ({ errorType: 'ruleViolation', path, expected, message });

/** The permission to change the terms of an originated loan, with `force`. */
export const FORCE_PERMISSION = 'loan:update.force';

type Context = CommandContext<LoanState, unknown, UpdateLoanQuery>;

/**
 * `atOrigination` of an update: can be changed while the loan is pending, and before activation with `force` and its permission. Sending it
 * unchanged is always accepted.
 */
function changedTerms(context: Context, request: UpdateLoanRequest, references: References, checks: Checked[]): LoanUpdated {
  if (request.atOrigination === undefined) return {};
  const { state, env } = context;
  const known = withMerchantIds(references, asRequest(state, context));
  const { card } = request.atOrigination;
  if (card !== undefined && toJsonText(card) !== toJsonText(known.card ?? null))
    refuseProperty('atOrigination.card', 'no change', 'The card of the terms cannot be changed: change the cards of the loan.');
  const merged = withMerchantIds(references, { ...known, ...request.atOrigination });
  if (toJsonText(comparable(merged)) === toJsonText(comparable(known))) return {};
  requireEditable(context);
  const errors = originationFaults(merged, recordOf(state).type, 'atOrigination');
  if (errors.length > 0) refuse('validationError', 'The terms are not valid: see `errors`.', { errors });
  const { loanTypeId, type, atOrigination: before } = recordOf(state);
  const sent = readOrigination(merged, addressReader(references, state.id, checks));
  const read =
    request.atOrigination.investors === undefined ? sent : { ...sent, investors: checkInvestors(references, sent.investors, checks) };
  const atOrigination = withCardOf(read, before);
  const loanType = checkLoanType(companyOf(env, env.tenant), request.loanTypeId ?? loanTypeId, type);
  checkTerms({ atOrigination, loanType, today: state.migration?.activatedDay ?? todayOf(env, state) }, checks);
  return { atOrigination };
}

/** A reply shows only a part of a card: the card stays as stored. */
const withCardOf = (terms: Origination, { credit: before }: Origination): Origination =>
  terms.credit === undefined || before === undefined ? terms : { ...terms, credit: { ...terms.credit, card: before.card } };

function requireEditable({ state, command }: Context): void {
  const status = statusOf(state);
  if (mayMove(status, 'changeTerms')) return;
  const { force = false } = command.query ?? {};
  if (!force || !mayMove(status, 'forceTerms')) {
    refuseProperty('atOrigination', 'the values of origination', `The terms at origination are read-only: the loan is ${status}.`);
  }
  if (!isPermitted(command.permissions, FORCE_PERMISSION)) {
    refuse('permissionDenied', `To change the terms of an originated loan you need the permission ${FORCE_PERMISSION}.`);
  }
}

/** The stored terms as a request: a client may send back what it has read. */
function asRequest(state: LoanState, { env }: CommandContext<LoanState>): OriginationRequest {
  return ownJson<OriginationRequest>(toJsonText(originationView(state, recordOf(state), env)));
}

/** Days are compared in the spelling of replies. */
function comparable(request: OriginationRequest): object {
  return { ...request, specificDays: request.specificDays?.map(String) ?? null };
}

export interface UpdateLoanQuery {
  readonly validate?: boolean;
  readonly force?: boolean;
}

/** `PUT L`: absent fields stay as they are, null clears a field. The status decides which fields can change. */
export const updateLoan: CommandSpec<LoanState, UpdateLoanRequest, UpdateLoanQuery> = {
  kind: 'loan',
  type: 'loan.update',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction(context, 'update');
    const record = recordOf(state);
    refuseImmutable(context, request);
    requireNoAgency(state, request);
    const references = { env, tenant: env.tenant, personId: record.personId, company: companyOf(env, env.tenant) };
    const checks: Checked[] = [];
    const body: LoanUpdated = {
      ...plainChanges(request),
      ...statusChange(context, request),
      ...productChange(context, request),
      ...closedChange(context, request),
      ...referenceChanges(context, request, references, checks),
      ...changedTerms(context, request, references, checks),
    };
    refuseFaults(checks);
    if (body.status !== undefined || body.declineReason !== undefined) requireDeclineReason(record, body);
    if (request.externalId !== record.externalId) checkExternalId(references, request.externalId);
    const changed = differing(record, body);
    const migration = changedMigration(state, request.migration, todayOf(env, state));
    return {
      facts: [
        ...(Object.keys(changed).length === 0 ? [] : [{ type: 'LoanUpdated', body: changed }]),
        ...(migration === null ? [] : preparationLater(state, env, migration)),
      ],
      preview: request.previewMode === true,
      reply: (after) => ({ data: loanView(after, env), sealedFor: record.personId }),
    };
  },
};

/** A loan at a collection agency is taken back before somebody else services it. */
function requireNoAgency(state: LoanState, { servicedBy }: UpdateLoanRequest): void {
  if (servicedBy === undefined || servicedBy === recordOf(state).servicedBy || livePlacement(state) === null) return;
  refuse('invalidState', 'The loan is at a collection agency. Take it back first.', {
    errors: [{ path: 'servicedBy', expected: recordOf(state).servicedBy, message: 'the loan is at a collection agency' }],
  });
}

/** Refuses another type of loan or another borrower; sending the stored values is accepted. */
function refuseImmutable({ state, env }: CommandContext<LoanState>, { type, mainBorrowerId }: UpdateLoanRequest): void {
  const record = recordOf(state);
  checkAll([
    () => type === undefined || type === record.type || refuseProperty('type', record.type, '`type` cannot be changed.'),
    () =>
      mainBorrowerId == null ||
      resolveId(env, state.tenant, 'person', mainBorrowerId) === record.personId ||
      refuseProperty('mainBorrowerId', record.personId, '`mainBorrowerId` cannot be changed.'),
  ]);
}

/** Fields that stay editable in every status. */
function plainChanges(request: UpdateLoanRequest): LoanUpdated {
  const { externalId, servicedBy, newDrawsAllowed, nickname, muteLoanNotices } = request;
  const metaData = request.metaData === undefined ? request.metadata : request.metaData;
  return {
    ...(externalId === undefined ? {} : { externalId }),
    ...(servicedBy === undefined ? {} : { servicedBy }),
    ...(newDrawsAllowed === undefined ? {} : { newDrawsAllowed }),
    ...(nickname === undefined ? {} : { nickname }),
    ...(muteLoanNotices === undefined ? {} : { muteLoanNotices }),
    ...(metaData === undefined ? {} : { metaData }),
    ...(request.declineReason === undefined ? {} : { declineReason: readDeclineReason(request.declineReason) }),
  };
}

function referenceChanges(
  { state, env }: CommandContext<LoanState>,
  request: UpdateLoanRequest,
  references: References,
  checks: Checked[],
): LoanUpdated {
  const { labels, additionalPeople } = request;
  const knownPeople = { known: recordOf(state).additionalPeople, today: todayOf(env, state) };
  return {
    ...(labels === undefined ? {} : { labels: checkLabels(references, labels ?? [], checks) }),
    ...(additionalPeople === undefined ? {} : { additionalPeople: checkPeople(references, additionalPeople ?? [], knownPeople, checks) }),
  };
}

/** Moves that an update can make by naming the new status. */
const BY_UPDATE: ReadonlySet<LoanMove> = new Set<LoanMove>(['originate', 'decline', 'reopen']);

/** An update moves a loan on from pending, or with `force` back to it. Every other move has an action of its own. */
function statusChange({ state, env, command }: Context, request: UpdateLoanRequest): LoanUpdated {
  const status = statusOf(state);
  const { force = false } = command.query ?? {};
  const reason = chargeOffReason(state, request);
  if (request.status === undefined || request.status === status) return reason;
  const move = loanChart.moveBetween(status, request.status);
  if (move === undefined || !BY_UPDATE.has(move) || (move === 'reopen' && !force)) {
    return refuse('invalidState', `The loan is ${status}. An update cannot set its status to ${request.status}.`, {
      errors: [{ path: 'status', expected: 'originated or declined, from pending', message: `the loan is ${status}` }],
    });
  }
  if (move === 'originate') requireOwing(state, env);
  // A declined loan frees its external ids, as a canceled one does.
  return { ...reason, status: request.status, ...(request.status === 'declined' ? { areExternalIdsFree: true } : {}) };
}

function chargeOffReason(state: LoanState, { chargedOffReason }: UpdateLoanRequest): LoanUpdated {
  if (chargedOffReason == null) return {};
  if (!mayMove(statusOf(state), 'explainChargeOff')) refuseStatus(state, ['chargedOff']);
  return { chargedOffReason };
}

function productChange({ state, env }: CommandContext<LoanState>, { loanTypeId }: UpdateLoanRequest): LoanUpdated {
  const record = recordOf(state);
  if (loanTypeId === undefined || loanTypeId === record.loanTypeId) return {};
  if (!mayMove(statusOf(state), 'changeTerms'))
    refuseProperty('loanTypeId', record.loanTypeId, '`loanTypeId` can only be changed while the loan is pending.');
  const { id, assetType, assetDisplayName } = checkLoanType(companyOf(env, env.tenant), loanTypeId, record.type);
  return { loanTypeId: id, assetType, assetDisplayName };
}

function closedChange({ state }: CommandContext<LoanState>, { isClosed }: UpdateLoanRequest): LoanUpdated {
  const record = recordOf(state);
  if (isClosed === undefined || isClosed === record.isClosed) return {};
  if (!mayMove(statusOf(state), 'changeTerms'))
    refuseProperty('isClosed', String(record.isClosed), '`isClosed` can only be set while the loan is pending. Use the close action.');
  return { isClosed };
}

/** Only the fields whose values differ from the stored ones. */
function differing(before: object, body: LoanUpdated): LoanUpdated {
  const known = fieldsOf(before);
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value)));
}
