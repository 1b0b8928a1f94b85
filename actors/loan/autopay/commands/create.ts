import { type DueDateRule, parseDueDateRule, ZERO } from '../../../../engine/index.js';
import { companyOf } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { centsOf, orNull } from '../../../wire.js';
import { activationOf, isWithAgency, recordOf, requireBody, requireCase, requireMove, requirePerson, todayOf } from '../../context.js';
import { runningOn } from '../../ledger/running.js';
import { lineOf } from '../../line/ledger.js';
import { ownDueRule } from '../../line/schedule.js';
import type { LoanRecord, LoanState } from '../../state.js';
import type { AutopayStarted } from '../facts.js';
import { type AutopayAmountType, livePlan, MAX_AUTOPAY_PAYMENTS } from '../plan.js';
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
    if (isWithAgency(state)) refuse('invalidState', 'A collection agency services the loan.');
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
      amountType: amountTypeOf(request) ?? AMOUNT_TYPES[recordOf(state).type][0],
      fixedCents: orNull(centsOf, request.fixedAmount),
      extraCents: request.extraAmount == null ? ZERO : centsOf(request.extraAmount),
      caseId: request.caseId ?? null,
      idBase: env.reserveIds(MAX_AUTOPAY_PAYMENTS),
      startDay: today,
      ...seenRows(activationOf(state) === null ? null : runningOn(state, env, today)),
    };
    return planDecision(context, request, body.id, [{ type: 'AutopayStarted', body }]);
  },
};

/** How loans of each type may be paid; the first one unless another is asked for. */
const AMOUNT_TYPES: Readonly<Record<LoanRecord['type'], readonly [AutopayAmountType, ...AutopayAmountType[]]>> = {
  installment: ['scheduledAmount'],
  lineOfCredit: ['minimumDueAmount', 'statementBalance', 'fixedAmount', 'outstandingBalance'],
};

/** `statementMinimumAmount` is another name of what a statement asks for at least (README 33). */
const amountTypeOf = ({ amountType }: CreateAutopayRequest): AutopayAmountType | null =>
  amountType === 'statementMinimumAmount' ? 'minimumDueAmount' : (amountType ?? null);

/** Faults that the body shows by itself. */
function bodyFaults({
  isAlignedToDueDates,
  paymentFrequency,
  specificDays,
  amountType,
  fixedAmount,
}: CreateAutopayRequest): readonly Fault[] {
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
function checkTerms({ state, env }: CommandContext<LoanState>, request: CreateAutopayRequest): void {
  const { type } = recordOf(state);
  const { agreementDocumentId } = request;
  const amountType = amountTypeOf(request);
  if (amountType != null && !AMOUNT_TYPES[type].includes(amountType)) {
    refuse('ruleViolation', `A loan of the type ${type} is not paid by its ${amountType}.`, {
      errors: [{ path: 'amountType', expected: AMOUNT_TYPES[type].join(', '), message: 'belongs to the other product' }],
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
function ruleOf(
  context: CommandContext<LoanState>,
  { isAlignedToDueDates, paymentFrequency, specificDays }: CreateAutopayRequest,
): DueDateRule | null {
  if (paymentFrequency == null || specificDays == null) return null;
  const rule = parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) ?? null;
  const own = loanRule(context);
  if (rule === null || (own !== null && JSON.stringify(rule) === JSON.stringify(own))) return null;
  if (isAlignedToDueDates === true) {
    refuse('ruleViolation', 'The loan falls due on other days.', {
      errors: [
        { path: 'specificDays', expected: 'the days of the loan, or isAlignedToDueDates false', message: 'contradict isAlignedToDueDates' },
      ],
    });
  }
  return rule;
}

function loanRule({ state, env }: CommandContext<LoanState>): DueDateRule | null {
  if (state.line !== null) return ownDueRule(lineOf(state, env).schedule);
  if (state.servicing !== null) return state.servicing.contract.terms.dueDateRule;
  const { paymentFrequency, specificDays } = recordOf(state).atOrigination;
  return specificDays === null ? null : (parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) ?? null);
}
