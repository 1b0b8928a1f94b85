import { type Day, dayAt, generalLedger } from '../../../engine/index.js';
import { companyOf, generalLedgerSettingsOn, nonaccrualAfterOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { loanTypeOf, recordOf } from '../context.js';
import { bookedLoan } from './booked.js';
import type { LoanState } from '../state.js';

/** What one fact has left in the general ledger; of daily amounts of one rule all together. */
export interface AccountingItem {
  /** Null: of many days. */
  readonly factId: string | null;
  /** The fact whose money it moves on, where that is not its own. */
  readonly meets?: string;
  readonly rule: string;
  readonly effectiveDate: Day;
  /** The business day on which the fact was recorded. */
  readonly recordedDay: Day;
  readonly lines: readonly generalLedger.Line[];
}

export interface AccountingAsOf {
  readonly basis: generalLedger.Basis;
  /** The last effective day. */
  readonly through: Day;
  /** With what was recorded until the close of this day. */
  readonly knownOn: Day;
}

/** All that the general ledger holds of a loan through a day: one computation, whatever the age of the loan. */
export function accountingItems(state: LoanState, env: EvolveEnv, { basis, through, knownOn }: AccountingAsOf): readonly AccountingItem[] {
  const company = companyOf(env, state.tenant);
  const settings = generalLedgerSettingsOn(company, knownOn);
  const nonaccrualAfter = nonaccrualAfterOf(company);
  const loan = settings.bases.includes(basis) ? bookedLoan(state, env, { basis, settings, nonaccrualAfter }) : null;
  if (loan === null) return [];
  const { id: loanTypeId, currency } = loanTypeOf(env, state);
  const { zone } = recordOf(state);
  const items: AccountingItem[] = [];
  const daily = new Map<string, generalLedger.Line[]>();
  for (const { factId, meets, rule, effectiveDate, recordedAt, isDaily, lines } of generalLedger.believedOn(loan, through, knownOn)) {
    if (effectiveDate > through) continue;
    if (isDaily) daily.set(rule, [...(daily.get(rule) ?? []), ...lines]);
    else
      items.push({ factId, rule, effectiveDate, recordedDay: dayAt(zone, recordedAt), ...(meets === undefined ? {} : { meets }), lines });
  }
  for (const [rule, lines] of daily)
    items.push({ factId: null, rule, effectiveDate: through, recordedDay: through, lines: generalLedger.balancesOfLines(lines) });
  const dimensions = { loanTypeId, currency };
  return items.map((item) => ({
    ...item,
    lines: item.lines.map((line) => ({ ...line, dimensions: { ...dimensions, ...line.dimensions } })),
  }));
}
