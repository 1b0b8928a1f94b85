import { type DueDateRule, parseDueDateRule, ZERO } from '../../../../engine/index.js';
import { companyOf } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../runtime/actor.js';
import { centsOf } from '../../../wire.js';
import { recordOf, requireBody, requireCase, requireMove, requirePerson, todayOf } from '../../context.js';
import { installment } from '../../ledger/installment.js';
import type { LoanState } from '../../state.js';
import type { AutopayStarted } from '../facts.js';
import { livePlan, MAX_AUTOPAY_PAYMENTS } from '../plan.js';
import type { CreateAutopayRequest } from '../requests.js';
import { seenRows } from '../terms-of-day.js';
import { chargeable, planDecision } from './common.js';

/** `POST L/autopay`: one plan at a time, of an active loan, or of an originated one to take effect on activation. */
export const createAutopay: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'autopay.create',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    const request = requireBody<CreateAutopayRequest>(context.body);
    requirePerson(state, command.params['personId'], env);
    refuseFaults(bodyFaults(request));
    requireMove(state, 'enrollAutopay');
    if (recordOf(state).servicedBy === 'debtCollectionAgency') refuse('invalidState', 'A collection agency services the loan.');
    const present = livePlan(state);
    if (present !== null) refuse('activePlanExists', `The loan has the autopay plan ${present.id}; cancel it first.`);
    requireCase(env, state, command, request.caseId);
    checkTerms(context, request);
    const today = todayOf(env, state);
    const body: AutopayStarted = {
      id: env.newId('AP'),
      rule: ruleOf(context, request),
      instrument: chargeable(context, request.paymentInstrumentId),
      agreementDocumentId: request.agreementDocumentId ?? null,
      amountType: 'scheduledAmount',
      extraCents: request.extraAmount == null ? ZERO : centsOf(request.extraAmount),
      caseId: request.caseId ?? null,
      idBase: env.reserveIds(MAX_AUTOPAY_PAYMENTS),
      startDay: today,
      ...seenRows(state.servicing === null ? null : installment.on(state, env, today)),
    };
    return planDecision(context, request, body.id, [{ type: 'AutopayStarted', body }]);
  },
};

/** Faults that the body shows by itself. */
function bodyFaults({ isAlignedToDueDates, paymentFrequency, specificDays, amountType, fixedAmount }: CreateAutopayRequest): readonly Fault[] {
  const faults: Fault[] = [];
  const isOwn = isAlignedToDueDates === false || paymentFrequency != null || specificDays != null;
  const missing = (path: string): void => void faults.push({ path, expected: 'the frequency and its days together', message: 'missing' });
  if (isOwn && paymentFrequency == null) missing('paymentFrequency');
  if (isOwn && specificDays == null) missing('specificDays');
  if (amountType === 'fixedAmount' && fixedAmount == null) faults.push({ path: 'fixedAmount', expected: 'the amount', message: 'missing' });
  if (amountType !== 'fixedAmount' && fixedAmount != null) {
    faults.push({ path: 'fixedAmount', expected: 'nothing', message: 'belongs to amountType fixedAmount' });
  }
  if (paymentFrequency != null && specificDays != null && parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) === undefined) {
    faults.push({ path: 'specificDays', expected: `days of ${paymentFrequency}`, message: 'do not fit the frequency' });
  }
  return faults;
}

/** Given days do not depend on the day of activation. */
const ANY_DAY = 0 as Parameters<typeof parseDueDateRule>[2];

function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', 'The autopay plan has faults.', { errors });
}

/** What the loan and its company refuse. */
function checkTerms({ state, env }: CommandContext<LoanState>, { amountType, agreementDocumentId }: CreateAutopayRequest): void {
  if (amountType != null && amountType !== 'scheduledAmount') {
    refuse('ruleViolation', `An installment loan is not paid by its ${amountType}.`, {
      errors: [{ path: 'amountType', expected: 'scheduledAmount', message: 'belongs to lines of credit' }],
    });
  }
  const isRequired = companyOf(env, state.tenant).profile?.config.autopay.requireAgreement ?? true;
  if (isRequired && agreementDocumentId == null) {
    refuse('ruleViolation', 'Autopay needs the signed authorization of the borrower.', {
      errors: [{ path: 'agreementDocumentId', expected: 'the document of the authorization', message: 'missing' }],
    });
  }
}

/** Null: on the due dates, also when the own dates that were asked for are just those. */
function ruleOf({ state }: CommandContext<LoanState>, { isAlignedToDueDates, paymentFrequency, specificDays }: CreateAutopayRequest): DueDateRule | null {
  if (paymentFrequency == null || specificDays == null) return null;
  const rule = parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) ?? null;
  const own = loanRule(state);
  if (rule === null || (own !== null && JSON.stringify(rule) === JSON.stringify(own))) return null;
  if (isAlignedToDueDates === true) {
    refuse('ruleViolation', 'The loan falls due on other days.', {
      errors: [{ path: 'specificDays', expected: 'the days of the loan, or isAlignedToDueDates false', message: 'contradict isAlignedToDueDates' }],
    });
  }
  return rule;
}

function loanRule(state: LoanState): DueDateRule | null {
  if (state.servicing !== null) return state.servicing.contract.terms.dueDateRule;
  const { paymentFrequency, specificDays } = recordOf(state).atOrigination;
  return specificDays === null ? null : (parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) ?? null);
}
