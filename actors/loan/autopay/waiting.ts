import type { Day } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { computedWith, isLine, type RunningLedger } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { isCredit, isInternalMoney, type TransactionRecord } from '../transactions/record.js';
import type { AutopayPlan } from './plan.js';
import { type Money, paymentOf } from './trial.js';

/** Above the sequences of a trial. */
const WAITING_SEQUENCE = 2_000_000_000;

/** Whether a payment in a ledger is one that only waits for its business day. */
export const isWaiting = (transaction: number): boolean => transaction > WAITING_SEQUENCE;

/**
 * The ledger with the payments that wait for a business day: they will count from their own day, and are
 * not to be asked for again.
 */
export function withWaiting(state: LoanState, env: EvolveEnv, plan: AutopayPlan, ledger: RunningLedger): RunningLedger {
  const waiting = waitingOf(state, plan, ledger.day);
  if (waiting.length === 0) return ledger;
  const facts = waiting.map((record, position) => {
    const { effective, draw } = record;
    const fact = paymentOf(
      WAITING_SEQUENCE + 1 + position,
      { ...effective, day: Math.min(effective.day, ledger.day) as Day },
      moneyOf(record),
    );
    return isLine(ledger) ? { ...fact, draw, holdUntil: null } : fact;
  });
  return computedWith(state, env, ledger.day, facts);
}

/** What the plan has made, and what the borrower has planned for a day that has come. */
const waitingOf = ({ transactions }: LoanState, plan: AutopayPlan, day: Day): readonly TransactionRecord[] =>
  transactions.scheduled().filter((record) => isInternalMoney(record) && (record.autopayPlanId === plan.id || record.scheduledDay <= day));

const moneyOf = (record: TransactionRecord): Money => ({
  amountCents: record.scheduledCents,
  extraCents: record.principalOnlyCents ?? 0,
  enablePrepayments: record.enablePrepayments,
  kind: isCredit(record) ? 'credit' : 'payment',
  draw: record.draw,
});

/** Money that is planned beside a plan. */
export interface Beside {
  readonly scheduledDay: Day;
  readonly effectiveDay: Day;
  readonly money: Money;
}

/** What comes by itself after a day and is no payment of the plan, by its days. */
export const besideOf = ({ transactions }: LoanState, plan: AutopayPlan, after: Day): readonly Beside[] =>
  transactions
    .scheduled()
    .filter((record) => (isCredit(record) || isInternalMoney(record)) && record.autopayPlanId !== plan.id && record.scheduledDay > after)
    .map((record): Beside => ({ scheduledDay: record.scheduledDay, effectiveDay: record.effective.day, money: moneyOf(record) }))
    .sort((a, b) => a.scheduledDay - b.scheduledDay);
