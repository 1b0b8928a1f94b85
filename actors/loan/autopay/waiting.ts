import type { Day } from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { computedWith, isLine, type RunningLedger } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from '../transactions/record.js';
import type { AutopayPlan } from './plan.js';
import { paymentOf } from './trial.js';

/** Above the sequences of a trial. */
const WAITING_SEQUENCE = 2_000_000_000;

/** Whether a payment in a ledger is one that only waits for its business day. */
export const isWaiting = (transaction: number): boolean => transaction > WAITING_SEQUENCE;

/**
 * The ledger with the plan's payments that were made and wait for a business day: they will count from their own day
 * (money 2, rule 13), and are not to be asked for again.
 */
export function withWaiting(state: LoanState, env: EvolveEnv, plan: AutopayPlan, ledger: RunningLedger): RunningLedger {
  const waiting = waitingOf(state, plan);
  if (waiting.length === 0) return ledger;
  const facts = waiting.map(({ effective, scheduledCents, principalOnlyCents, enablePrepayments }, position) => {
    const day = Math.min(effective.day, ledger.day) as Day;
    const money = { amountCents: scheduledCents, extraCents: principalOnlyCents ?? 0, enablePrepayments };
    const fact = paymentOf(WAITING_SEQUENCE + 1 + position, { ...effective, day }, money);
    return isLine(ledger) ? { ...fact, draw: null, holdUntil: null } : fact;
  });
  return computedWith(state, env, ledger.day, facts);
}

const waitingOf = ({ transactions }: LoanState, { payments }: AutopayPlan): readonly TransactionRecord[] =>
  payments.flatMap(({ transactionIds }) => {
    const record = transactions.get(transactionIds.at(-1) ?? '');
    return record?.status === 'scheduled' ? [record] : [];
  });
