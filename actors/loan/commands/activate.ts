import { AmortizationError, type Day } from '../../../engine/index.js';
import { heldAtActivation } from '../../casework/cases/thresholds.js';
import { companyOf, feeTypesOf, indexStampOf, loanTypeVersions } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { dayOfText } from '../../wire.js';
import { effectiveNow, loanTypeOf, recordOf, todayOf } from '../context.js';
import { contractOf } from '../origination/contract.js';
import type { LoanActivated } from '../facts.js';
import { lateFeeTerms } from '../fees/late.js';
import { activateLine } from '../line/activate.js';
import { settingsAt } from '../ledger/settings.js';
import { indexOf } from '../rates/rows.js';
import { originatedPrograms } from '../promo-programs/make.js';
import { recurringTriggers } from '../fees/recurring.js';
import type { ActivateLoanRequest } from '../requests.js';
import type { PlanMode } from '../origination/schedule-plan.js';
import type { Contract, LoanState } from '../state.js';
import { activationReply } from '../views/actions.js';
import type { ViewEnv } from '../views/loan.js';
import { plannedCents, planDrafts } from '../advances/plan.js';
import { beginAction, finished } from './order.js';

/** `POST L/activate`: interest starts on the activation date (loans.md 1.5, servicing-behaviour 3). */
export const activateLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.activate',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction<ActivateLoanRequest>(context, 'activate');
    const day = activationDay(context, request);
    if (recordOf(state).type === 'lineOfCredit') return activateLine(context, request, day);
    const body = activationFrom(state, env, day, request);
    return {
      facts: [
        { type: 'LoanActivated', body, effective: effectiveAtActivation(env, state, day) },
        ...activationDrafts(state, env, body),
        ...heldAtActivation(env, state),
      ],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: activationReply(after, env) }),
    };
  },
};

/** What activation on a day brings into force; refuses terms that no schedule fits from that day. */
export const activationFrom = (
  state: LoanState,
  env: ViewEnv,
  day: Day,
  request: Pick<ActivateLoanRequest, 'amortizationAtActivation'>,
): LoanActivated => ({ contract: contractFrom(state, env, day, modeOf(state, request, day)), ...productAtActivation(state, env) });

/** What the product brings to an activation beside the contract. */
export function productAtActivation(state: LoanState, env: ViewEnv): Omit<LoanActivated, 'contract'> {
  const { loanTypeId, atOrigination, zone } = recordOf(state);
  const company = companyOf(env, state.tenant);
  const feeTypes = feeTypesOf(company, loanTypeId);
  return {
    lateFees: lateFeeTerms(feeTypes, atOrigination),
    recurring: recurringTriggers(feeTypes),
    indexStamp: indexStampOf(company, loanTypeId),
    recordedDay: env.today(zone),
  };
}

/** Today's is now, a past one's the beginning of its day. */
export function effectiveAtActivation(env: DecideEnv, state: LoanState, day: Day): EffectiveTime {
  const now = effectiveNow(env, state);
  return day === now.day ? now : { day, seconds: 0 };
}

/** What comes into being with activation beside the ledger: advances and promo programs. */
export function activationDrafts(state: LoanState, env: DecideEnv, { contract: { terms, endDate } }: LoanActivated): readonly FactDraft[] {
  const { activation } = terms;
  return [
    ...(allowsAdvances(state, env) ? planDrafts(state, env, activation) : []),
    ...originatedPrograms(state, env, { activation, lastDue: endDate }),
  ];
}

/** A loan with several advances pays out at activation what is not planned for later. */
const allowsAdvances = (state: LoanState, env: EvolveEnv): boolean =>
  loanTypeOf(env, state).versions.at(-1)?.settings.structure.allowMultipleAdvances === true;

/** Another day than today: in test mode, and never one to come. */
function activationDay({ state, env }: CommandContext<LoanState>, request: ActivateLoanRequest): Day {
  const today = todayOf(env, state);
  if (request.activationDate == null) return today;
  const day = dayOfText(request.activationDate);
  if (day === today) return today;
  if (env.tenant.mode !== 'test') refuseProperty('activationDate', 'today', 'Another activation date is for test mode and migration only.');
  if (day > today) {
    refuse('ruleViolation', 'The activation date lies after today.', {
      errors: [{ path: 'activationDate', expected: 'today or earlier', message: 'lies after today' }],
    });
  }
  return day;
}

/** Given rows are used as they are, unless they would fall due before activation. */
function modeOf(state: LoanState, request: Pick<ActivateLoanRequest, 'amortizationAtActivation'>, day: Day): PlanMode {
  const given = recordOf(state).atOrigination.expectedPayments;
  const mode = request.amortizationAtActivation ?? (given === null ? 'reAmortize' : 'useAtOrigination');
  if (mode === 'reAmortize') return mode;
  const [first] = given ?? [];
  if (first === undefined) {
    refuse('ruleViolation', 'The loan has no expected payments at origination to use.', {
      errors: [{ path: 'amortizationAtActivation', expected: 'reAmortize', message: 'the loan has no expected payments' }],
    });
  }
  if (first.date > day) return mode;
  return refuse('ruleViolation', 'An expected payment falls due on or before the activation date.', {
    errors: [{ path: 'amortizationAtActivation', expected: 'reAmortize', message: 'an expected payment lies before activation' }],
  });
}

function contractFrom(state: LoanState, env: EvolveEnv, day: Day, mode: PlanMode): Contract {
  const { atOrigination: origination, loanTypeId } = recordOf(state);
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), loanTypeId), day);
  try {
    return contractOf({
      origination,
      settings,
      day,
      mode,
      index: indexOf(state, env),
      plannedCents: allowsAdvances(state, env) ? plannedCents(state, day) : 0,
    });
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    return refuse('ruleViolation', `The loan cannot be amortized from this day: ${error.message}.`, {
      errors: [{ path: 'activationDate', expected: 'a day from which the terms pay the loan off', message: error.message }],
      cause: error,
    });
  }
}
