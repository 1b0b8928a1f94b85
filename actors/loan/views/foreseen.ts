import { addDays, type Day } from '../../../engine/index.js';
import { comingPayments } from '../autopay/amounts.js';
import { projectionOf } from '../autopay/daily.js';
import { livePlan } from '../autopay/plan.js';
import { moneyOf, paymentsToCome } from '../autopay/projection.js';
import { activationOf, recordOf } from '../context.js';
import { computedWith, runningOn, toReadOn, upToDate, withLedger } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { isCredit, isInternalMoney } from '../transactions/record.js';
import type { ViewEnv } from './loan.js';

/**
 * The loan as it will be on the morning of a day, if its scheduled and automatic payments of the days before are made, and nothing else
 * happens to it: a copy. On a day that has come, the loan as it is.
 */
export function foreseenOn(state: LoanState, env: ViewEnv, day: Day): LoanState {
  const today = activationOf(state) === null ? day : env.today(recordOf(state).zone);
  if (day <= today) return upToDate(state, env);
  const present = toReadOn(state, env, today);
  const plan = livePlan(state);
  const automatic = plan === null ? [] : projectionOf(state, env, plan, present).payments.filter((payment) => payment.day < day);
  const scheduled = state.transactions
    .scheduled()
    .filter((record) => (isCredit(record) || isInternalMoney(record)) && record.autopayPlanId === null && record.scheduledDay < day);
  const payments = [
    ...automatic.map((payment) => ({
      day: payment.day,
      money: { amountCents: payment.amountCents, extraCents: 0, enablePrepayments: true },
    })),
    ...scheduled.map((record) => ({ day: record.effective.day, money: moneyOf(record) })),
  ].filter((payment) => payment.day >= today);
  const ledger = payments.length === 0 ? runningOn(state, env, day) : computedWith(state, env, day, paymentsToCome(present, payments));
  const then = withLedger(state, ledger);
  if (plan === null) return then;
  const through = addDays(day, -1);
  const made = automatic.map(({ ordinal, day: on, amountCents }) => ({ ordinal, day: on, amountCents, transactionIds: [] }));
  const nextDay = comingPayments(plan, through)[0]?.day ?? null;
  const planThen = { ...plan, payments: [...plan.payments, ...made], through, nextDay };
  return { ...then, autopay: state.autopay.map((each) => (each === plan ? planThen : each)) };
}
