import { cents, formatCents, formatDay, must } from '../../../engine/index.js';
import { type Fault, Refusal } from '../../errors.js';
import { recordOf } from '../context.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { isCredit } from '../transactions/record.js';
import type { ViewEnv } from '../views/loan.js';
import type { PreparedActivity, Reconciliation } from './migration.js';
import type { Taking } from './evolve.js';
import { liveFrom } from './line/ready.js';
import { activatedDayOf, takingOf } from './prepared.js';
import { isMatch } from './reconcile.js';

export interface Checked {
  readonly faults: readonly Fault[];
  /** Null when the loan cannot be taken in. */
  readonly taking: Taking | null;
}

/** What is wrong with a prepared loan before any replay: all of it at once. */
export function checkPrepared(state: LoanState, env: ViewEnv & { readonly now: number }): Checked {
  const { zone } = recordOf(state);
  const day = activatedDayOf(state);
  const faults: Fault[] = [];
  if (day > env.today(zone)) {
    faults.push({ path: 'migration.activatedDate', expected: `${formatDay(env.today(zone))} or earlier`, message: 'lies after today' });
  }
  const from = liveFrom(state, day);
  const { prepared } = must(state.migration, `${state.id} is in preparation`);
  for (const activity of prepared) {
    const { effective } = activity;
    if (effective === null || effective.day >= from) continue;
    const message = `${formatDay(effective.day)} lies before ${from === day ? 'activation' : 'the cutoff'}`;
    faults.push({ path: pathOf(activity), expected: `${formatDay(from)} or later`, message });
  }
  try {
    return { faults, taking: takingOf(state, env) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.errorType === 'migrationValidation') faults.push(...error.errors);
    else faults.push({ path: 'atOrigination', expected: 'terms that can be activated on their day', message: error.message });
    return { faults, taking: null };
  }
}

/** Ledger facts name what they count by a number alone. */
function pathOf({ type, body }: PreparedActivity): string {
  const { details, change } = body as {
    readonly details?: { readonly id: string };
    readonly change?: { readonly type: string; readonly transaction?: number };
  };
  if (details !== undefined) return `fees.${details.id}`;
  return change === undefined ? type : `${change.type}.${change.transaction ?? ''}`;
}

/** What only the replay finds: credits without a balance to lower, and figures that are to match and do not. */
export function checkTakenIn(
  loan: LoanState,
  env: ViewEnv,
  reconciliation: Reconciliation,
  tolerance: { readonly cents: number } | null,
): readonly Fault[] {
  const faults: Fault[] = [];
  const { payments } = runningOf(loan, env);
  for (const record of loan.transactions.values()) {
    const over = isCredit(record) ? (payments.find(({ transaction }) => transaction === record.payment)?.overCents ?? 0) : 0;
    if (over === 0) continue;
    const message = `${formatCents(cents(over))} of the credit ${record.id} find no balance`;
    faults.push({ path: `transactions.${record.id}.amount`, expected: 'no more than the balances that credits may lower', message });
  }
  if (tolerance === null) return faults;
  for (const row of reconciliation.rows) {
    if (isMatch(row, tolerance.cents)) continue;
    faults.push({
      path: row.field,
      expected: printed(row.kind, row.stated),
      message: `the replay gives ${printed(row.kind, row.computed)}`,
    });
  }
  return faults;
}

function printed(kind: Reconciliation['rows'][number]['kind'], value: number | string | null): string {
  if (typeof value !== 'number') return value ?? 'nothing';
  return kind === 'amount' ? formatCents(value as never) : kind === 'date' ? formatDay(value as never) : String(value);
}
