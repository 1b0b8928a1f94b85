import { allowsAdvances } from '../origination/at-activation.js';
import { activationFrom, effectiveAtActivation } from '../origination/at-activation.js';
import { type Day } from '../../../engine/index.js';
import { heldAtActivation } from '../ledger/thresholds.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dayOfText } from '../../wire.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanActivated } from '../facts.js';
import { activateLine } from '../line/activate.js';
import { originatedPrograms } from '../promo-programs/make.js';
import type { ActivateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { activationReply } from '../views/actions.js';
import { planDrafts } from '../advances/plan.js';
import { beginAction, finished } from './order.js';

/** `POST L/activate`: interest starts on the activation date. */
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

/** What comes into being with activation beside the ledger: advances and promo programs. */
export function activationDrafts(state: LoanState, env: DecideEnv, { contract: { terms, endDate } }: LoanActivated): readonly FactDraft[] {
  const { activation } = terms;
  return [
    ...(allowsAdvances(state, env) ? planDrafts(state, env, activation) : []),
    ...originatedPrograms(state, env, { activation, lastDue: endDate }),
  ];
}

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
