import type { Day } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dayOfText } from '../../wire.js';
import { planDrafts } from '../advances/advance.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanActivated } from '../facts.js';
import { heldAtActivation } from '../ledger/threshold-holds.js';
import { activateLine } from '../line/activate.js';
import { activationFrom, allowsAdvances, effectiveAtActivation } from '../origination/at-activation.js';
import { requireOwing } from '../people/person.js';
import { originatedPrograms } from '../promo-programs/program.js';
import type { ActivateLoanRequest } from '../requests.js';
import { merchantDiscountDrafts, merchantDiscountOn } from '../payouts/merchant-discount.js';
import { merchantReserveDrafts } from '../payouts/merchant-reserve.js';
import type { LoanState } from '../state.js';
import { activationReply } from '../views/loan.js';
import { beginAction, orderReply } from './order.js';

/** `POST L/activate`: interest starts on the activation date. */
export const activateLoan: CommandSpec<LoanState, ActivateLoanRequest> = {
  kind: 'loan',
  type: 'loan.activate',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction(context, 'activate');
    requireOwing(state, env);
    const day = activationDay(context, request);
    if (recordOf(state).type === 'lineOfCredit') return activateLine(context, request, day);
    const body = activationFrom(state, env, day, request);
    return {
      facts: [
        { type: 'LoanActivated', body, effective: effectiveAtActivation(env, state, day) },
        ...activationDrafts(state, env, body),
        ...merchantDrafts(state, env, body),
        ...heldAtActivation(env, state),
      ],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: activationReply(after, env) }),
    };
  },
};

/** What activation makes apart from the ledger: advances and promo programs. */
export function activationDrafts(state: LoanState, env: DecideEnv, { contract: { terms, endDate } }: LoanActivated): readonly FactDraft[] {
  const { activation } = terms;
  return [
    ...(allowsAdvances(state, env) ? planDrafts(state, env, activation) : []),
    ...originatedPrograms(state, env, { activation, lastDue: endDate }),
  ];
}

/** What the lender keeps of the payout to a merchant, for good or for a time. */
const merchantDrafts = (state: LoanState, env: DecideEnv, body: LoanActivated): readonly FactDraft[] => [
  ...merchantDiscountDrafts(state, env, body),
  ...merchantReserveDrafts(state, env, body, merchantDiscountOn(state, body)),
];

/** A day other than today only in test mode, and never after today. */
function activationDay({ state, env }: CommandContext<LoanState>, request: ActivateLoanRequest): Day {
  const today = todayOf(env, state);
  if (request.activationDate == null) return today;
  const day = dayOfText(request.activationDate);
  if (day === today) return today;
  if (env.tenant.mode !== 'test')
    refuseProperty('activationDate', 'today', '`activationDate` must be today, except in test mode and for migrations.');
  if (day > today) {
    refuse('ruleViolation', '`activationDate` must not be after today.', {
      errors: [{ path: 'activationDate', expected: 'today or earlier', message: 'is after today' }],
    });
  }
  return day;
}
