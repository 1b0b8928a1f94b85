import { formatDay, must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { dayOfText, secondsOf } from '../../../wire.js';
import { effectiveNow, END_OF_DAY_SECONDS, FIRST_USER_SECONDS, activatedOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { movedDraft } from '../ledger-facts.js';
import { moveDraft } from '../moves.js';
import type { BackdateTransactionRequest } from '../requests.js';
import { beginMove, decided } from './decision.js';

/** `POST L/transactions/{transactionId}/backdate`: the loan is computed again from the earlier day. */
export const backdateTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.backdate',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const { request, record } = beginMove<BackdateTransactionRequest>(context, 'backdate');
    const seconds = request.effectiveTimeOfDay == null ? END_OF_DAY_SECONDS : secondsOf(request.effectiveTimeOfDay);
    if (seconds < FIRST_USER_SECONDS) {
      refuseProperty('effectiveTimeOfDay', '02:00:00 or later', 'Before 02:00 lies the daily work.');
    }
    const effective = { day: dayOfText(request.effectiveDate), seconds };
    const { activation } = activatedOf(state).contract.terms;
    if (effective.day >= record.effective.day || effective.day < activation) {
      const expected = `a day from ${formatDay(activation)} to the day before ${formatDay(record.effective.day)}`;
      refuse('ruleViolation', 'A transaction is moved to an earlier day, at the earliest the activation of the loan.', {
        errors: [{ path: 'effectiveDate', expected, message: 'is not such a day' }],
      });
    }
    const at = effectiveNow(env, state);
    const caseId = request.caseId ?? null;
    const payment = must(record.payment, 'what succeeded and was not reversed counts');
    return decided(context, request, record.id, [
      moveDraft(record, 'backdate', { effective }, caseId),
      movedDraft(payment, effective, { at, today: at.day, caseId }),
    ]);
  },
};
