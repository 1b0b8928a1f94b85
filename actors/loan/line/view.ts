import { cents, type Day, drawOwedCents, lineOverdueOf, rateOn, ZERO } from '../../../engine/index.js';
import { amount, dateText, orNull, rateValue } from '../../wire.js';
import { livePlan } from '../autopay/plan.js';
import { recordOf } from '../context.js';
import { indexOf, isScraOn, rateRowsOf, timelineOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import type { ActivationView, CurrentView } from '../views/types.js';
import { lineOfCredit } from './ledger.js';
import { lineDaysOf } from './rows.js';
import type { LineContract } from './state.js';

/** How a line stands today; before its activation by its terms. */
export function currentLineView(state: LoanState, env: ViewEnv): CurrentView {
  const { atOrigination: terms, zone } = recordOf(state);
  const today = env.today(zone);
  const ledger = state.line && lineOfCredit.toRead(state, env, today);
  const overdue = ledger && lineOverdueOf(ledger);
  const isAsking = ledger?.status === 'active' || ledger?.status === 'frozen';
  const stated = isAsking ? ledger.obligations.at(-1) : undefined;
  const days = state.line === null ? terms : lineDaysOf(state, env);
  return {
    autopayEnabled: livePlan(state) !== null,
    creditLimitAmount: orNull(amount, ledger === null ? terms.credit?.limitCents : cents(ledger.limitCents)),
    activePaymentPlanId: null,
    isScraActive: isScraOn(state, env, today),
    paymentFrequency: days.paymentFrequency,
    specificDays: days.specificDays,
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

/** The last due date of a line that is closed: its draws' rows end then. What is paid by minimum payments has no such date. */
export function lineEndDay(state: LoanState, env: ViewEnv): Day | null {
  if (state.line === null || !recordOf(state).isClosed) return null;
  const { draws, obligations } = lineOfCredit.toRead(state, env, env.today(recordOf(state).zone));
  const owing = draws.filter((draw) => drawOwedCents(draw) > 0);
  if (!owing.every(({ isAmortized }) => isAmortized)) return null;
  const days = owing.flatMap(({ rows }) => rows.map(({ dueDate }) => dueDate));
  return days.reduce<Day | null>((last, day) => (last === null || day > last ? day : last), obligations.at(-1)?.dueDay ?? null);
}

/** What a line was activated with: it has neither an amount nor an end. */
export const lineActivationView = ({ terms, aprNominal, aprEffective }: LineContract): ActivationView => ({
  startDate: dateText(terms.activation),
  endDate: null,
  duration: null,
  principalAmount: null,
  amountFinanced: null,
  periodicPaymentAmount: null,
  totalInterestAmount: null,
  aprNominal: rateValue(aprNominal),
  aprEffective: rateValue(aprEffective),
  expectedPayments: [],
});

function rateOfLine(state: LoanState, env: ViewEnv, today: Day): ReturnType<typeof rateOn>['net'] {
  const activation = state.line?.contract.terms.activation ?? today;
  return rateOn(timelineOf(rateRowsOf(state, env), indexOf(state, env), activation), today).net;
}
