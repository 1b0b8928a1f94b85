import { cents, type Day, lineOverdueOf, rateOn, ZERO } from '../../../engine/index.js';
import { amount, dateText, orNull, rateValue } from '../../wire.js';
import { livePlan } from '../autopay/plan.js';
import { recordOf } from '../context.js';
import { indexOf, isScraOn, rateRowsOf, timelineOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import type { CurrentView } from '../views/types.js';
import { lineOfCredit } from './ledger.js';

/** How a line stands today; before its activation by its terms. */
export function currentLineView(state: LoanState, env: ViewEnv): CurrentView {
  const { atOrigination: terms, zone } = recordOf(state);
  const today = env.today(zone);
  const ledger = state.line && lineOfCredit.toRead(state, env, today);
  const overdue = ledger && lineOverdueOf(ledger);
  const stated = ledger?.obligations.at(-1);
  return {
    autopayEnabled: livePlan(state) !== null,
    creditLimitAmount: orNull(amount, ledger === null ? terms.credit?.limitCents : cents(ledger.limitCents)),
    activePaymentPlanId: null,
    isScraActive: isScraOn(state, env, today),
    paymentFrequency: terms.paymentFrequency,
    specificDays: terms.specificDays,
    periodicPayment: orNull(amount, stated === undefined ? null : cents(stated.amountCents)),
    nextDueDate: orNull(dateText, overdue?.nextDueDate),
    nextDueAmount: orNull(amount, overdue?.nextDueCents),
    isOverdue: overdue?.isOverdue ?? false,
    daysOverdue: overdue?.daysOverdue ?? 0,
    overdueAmount: amount(overdue?.overdueCents ?? ZERO),
    duration: null,
    interestRate: ledger && rateValue(rateOfLine(state, env, today)),
  };
}

function rateOfLine(state: LoanState, env: ViewEnv, today: Day): ReturnType<typeof rateOn>['net'] {
  const activation = state.line?.contract.terms.activation ?? today;
  return rateOn(timelineOf(rateRowsOf(state, env), indexOf(state, env), activation), today).net;
}
