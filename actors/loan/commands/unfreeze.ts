import type { CommandSpec } from '../../kernel/actor.js';
import { effectiveNow } from '../context.js';
import type { UnfreezeLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/schedule.js';
import { beginAction, orderDecision } from './order.js';

/** `POST L/unfreeze`: the caller says what becomes of the interest and the due dates of the frozen days. */
export const unfreezeLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.unfreeze',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<UnfreezeLoanRequest>(context, 'unfreeze');
    const { state, env } = context;
    const change = {
      type: 'unfreeze',
      retroactivelyAccrueInterest: request.retroactivelyAccrueInterest ?? false,
      shiftDueDates: request.shiftDueDates ?? false,
    } as const;
    return orderDecision(context, request, { change, effective: effectiveNow(env, state) }, (after) => {
      const { paymentFrequency, specificDays, schedule } = scheduleReply(after, env);
      return { data: { paymentFrequency, specificDays, schedule } };
    });
  },
};
