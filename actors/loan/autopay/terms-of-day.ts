import { type Day, type LedgerState, must } from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { ledgerOf } from '../ledger/installment.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { type AutopayAmount, autopayAmount } from './amounts.js';
import { comingPayments } from './dates.js';
import type { AutopayPlan } from './plan.js';
import { type Projection, projectPlan } from './projection.js';

/** Planned money that was made and waits for a business day: neither counted by the ledger nor to be asked for again. */
export function waitingCents(state: LoanState, plan: AutopayPlan): number {
  let waiting = 0;
  for (const { transactionIds } of plan.payments) {
    const record = state.transactions.get(transactionIds.at(-1) ?? '');
    if (record?.status === 'scheduled') waiting += record.scheduledCents - (record.principalOnlyCents ?? 0);
  }
  return waiting;
}

/** What the plan pays on a day, with the ledger standing on that day. */
export function amountOn(state: LoanState, env: EvolveEnv, plan: AutopayPlan, day: Day): AutopayAmount {
  return autopayAmount(ledgerOf(state, env), day, {
    isAligned: plan.rule === null,
    extraCents: plan.extraCents,
    includeOverdue: productOn(state, env, day).autopay.includeOverdue,
    waitingCents: waitingCents(state, plan),
    coming: comingPayments(plan),
  });
}

/** The payments to come, computed from the loan's present ledger. A frozen loan's plan waits: none can be told. */
export function projectionOf(state: LoanState, env: EvolveEnv, plan: AutopayPlan, ledger: LedgerState): Projection {
  return projectPlan(ledger, {
    isAligned: plan.rule === null,
    extraCents: plan.extraCents,
    includeOverdue: productOn(state, env, ledger.day).autopay.includeOverdue,
    waitingCents: waitingCents(state, plan),
    coming: comingPayments(plan, ledger.day > plan.through ? ledger.day : plan.through),
  });
}

/** The rows of the schedule as a plan keeps them. */
export function seenRows(ledger: LedgerState | null): Pick<AutopayPlan, 'rowDays' | 'rowCents'> {
  if (ledger === null) return { rowDays: [], rowCents: [] };
  return { rowDays: ledger.rows.map(({ date }) => date), rowCents: ledger.rows.map(({ amountCents }) => amountCents) };
}

/** Whether the rows to come are others than the plan has seen. A ledger that is laid down has not changed since. */
export function hasNewRows({ servicing }: LoanState, { rowDays, rowCents }: AutopayPlan): boolean {
  const ledger = servicing?.ledger ?? null;
  if (ledger === null) return false;
  const { rows, nextRow } = ledger;
  if (rows.length !== rowDays.length) return true;
  for (let at = nextRow; at < rows.length; at += 1) {
    const row = must(rows[at], 'a row within the schedule');
    if (row.date !== rowDays[at] || row.amountCents !== rowCents[at]) return true;
  }
  return false;
}
