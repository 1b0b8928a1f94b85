import { addDays, type Day, dayAt, generalLedger, LAST_DAY } from '../../../engine/index.js';
import { companyOf, generalLedgerSettingsOn } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, loanTypeOf, recordOf } from '../context.js';
import { type BookedLoanFacts, bookedLoan } from '../general-ledger/index.js';
import type { LoanState } from '../state.js';

interface OfBasis {
  readonly basis: generalLedger.Basis;
  /** Accounting days. */
  readonly from: Day;
  readonly through: Day;
}

/** What the general ledger of a company takes of a loan on the days of a span, with the dimensions that its accounts may depend on. */
export function accountingEntries(state: LoanState, env: EvolveEnv, { basis, from, through }: OfBasis): readonly generalLedger.Entry[] {
  const activation = activationOf(state);
  if (activation === null) return [];
  const company = companyOf(env, state.tenant);
  const { id: loanTypeId, currency } = loanTypeOf(env, state);
  const begin = dayAt(recordOf(state).zone, activation.recordedAt);
  const last = lastDayOf(state);
  const entries: generalLedger.Entry[] = [];
  let settings: generalLedger.GeneralLedgerSettings | null = null;
  let loan: BookedLoanFacts | null = null;
  for (let day = from > begin ? from : begin; day <= through && day <= last; day = addDays(day, 1)) {
    const onDay = generalLedgerSettingsOn(company, day);
    if (!onDay.bases.includes(basis)) continue;
    if (onDay !== settings) loan = bookedLoan(state, env, { basis, settings: onDay });
    settings = onDay;
    if (loan === null) return entries;
    for (const entry of generalLedger.entriesOn(loan, day))
      entries.push({
        ...entry,
        lines: entry.lines.map((line) => ({ ...line, dimensions: { loanTypeId, currency, ...line.dimensions } })),
      });
  }
  return entries;
}

/** Statuses in which no day brings anything by itself. */
const ENDED: ReadonlySet<string> = new Set(['paidOff', 'canceled']);

/** Behind this day nothing is booked any more. */
function lastDayOf(state: LoanState): Day {
  const activation = activationOf(state);
  if (activation === null || !ENDED.has(activation.summary.status)) return LAST_DAY;
  const { zone } = recordOf(state);
  let last = dayAt(zone, activation.recordedAt);
  for (const { recordedAt } of state.statusHistory) last = later(last, dayAt(zone, recordedAt));
  for (const { fact } of activation.facts.all()) last = later(last, fact.recordedDay);
  return addDays(last, 1);
}

const later = (a: Day, b: Day): Day => (a > b ? a : b);
