import { addDays, type Day, dayAt, generalLedger, LAST_DAY } from '../../../engine/index.js';
import { type CompanyState, companyOf, generalLedgerEditions, generalLedgerSettingsOn, nonaccrualAfterOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, loanTypeOf, recordOf } from '../context.js';
import { runningOf } from '../ledger/running.js';
import { type BookedLoanFacts, bookedLoan } from './booked.js';
import { isOwned, lastOwnersDay } from './owners.js';
import { lastOtherDay } from './parties.js';
import { LoanReplays } from './replays.js';
import type { LoanState } from '../state.js';

interface OfDays {
  readonly bases: readonly generalLedger.Basis[];
  /** Accounting days. */
  readonly from: Day;
  readonly through: Day;
}

/** The entries of the first days of a span, and the first day that was not computed; null: all were. */
interface SomeDays {
  readonly entries: readonly generalLedger.Entry[];
  readonly next: Day | null;
}

/**
 * What the general ledger of a company takes of a loan on the days of a span, with the dimensions that its accounts may depend on: one day
 * at least, and no further day once the time is spent.
 */
export function accountingEntries(
  state: LoanState,
  env: EvolveEnv,
  { bases, from, through }: OfDays,
  time: { readonly isSpent: boolean },
): SomeDays {
  const activation = activationOf(state);
  if (activation === null) return { entries: [], next: null };
  const company = companyOf(env, state.tenant);
  const { id: loanTypeId, currency } = loanTypeOf(env, state);
  const begin = dayAt(recordOf(state).zone, activation.recordedAt);
  const isShared = isOwned(state);
  const changedOn = isShared ? ownShareChangedOn(company, { from, through }) : NO_DAYS;
  const last = lastDayOf(state, env, changedOn);
  const entries: generalLedger.Entry[] = [];
  const first = from > begin ? from : begin;
  const loans = new Map<generalLedger.Basis, OfSettings>();
  const replays = new LoanReplays(state, env);
  const nonaccrualAfter = nonaccrualAfterOf(company);
  for (let day = first; day <= through && day <= last; day = addDays(day, 1)) {
    if (day > first && time.isSpent) return { entries, next: day };
    const settings = generalLedgerSettingsOn(company, day);
    for (const basis of bases) {
      if (!settings.bases.includes(basis)) continue;
      let known = loans.get(basis);
      if (known?.settings !== settings) known = { settings, loan: bookedLoan(state, env, { basis, settings, nonaccrualAfter }, replays) };
      loans.set(basis, known);
      if (known.loan === null) continue;
      const before = changedOn.has(day) ? generalLedgerSettingsOn(company, addDays(day, -1)) : settings;
      const bookedBefore =
        before === settings || !before.bases.includes(basis) ? null : bookedLoan(state, env, { basis, settings: before, nonaccrualAfter });
      for (const entry of generalLedger.entriesOn(known.loan, day, bookedBefore))
        entries.push({
          ...entry,
          lines: entry.lines.map((line) => ({ ...line, dimensions: { loanTypeId, currency, ...line.dimensions } })),
        });
    }
  }
  return { entries, next: null };
}

/** A loan whose days are booked by one version of the settings. */
interface OfSettings {
  readonly settings: generalLedger.GeneralLedgerSettings;
  readonly loan: BookedLoanFacts | null;
}

const NO_DAYS: ReadonlySet<Day> = new Set();

/** Days of a span on which the books begin to hold another share of loans: they bring what the whole history differs by. */
function ownShareChangedOn(company: CompanyState, { from, through }: Pick<OfDays, 'from' | 'through'>): ReadonlySet<Day> {
  const days = new Set<Day>();
  for (const { from: day, before, settings } of generalLedgerEditions(company))
    if (
      day >= from &&
      day <= through &&
      (before.ownerBooks !== settings.ownerBooks || before.lenderInvestorId !== settings.lenderInvestorId)
    )
      days.add(day);
  return days;
}

/** Statuses in which no day brings anything by itself, but for the grace of a line. */
const ENDED: ReadonlySet<string> = new Set(['paidOff', 'canceled']);

/** Behind this day nothing is booked any more. */
function lastDayOf(state: LoanState, env: EvolveEnv, changedOn: ReadonlySet<Day>): Day {
  const activation = activationOf(state);
  if (activation === null || !ENDED.has(activation.summary.status)) return LAST_DAY;
  const { zone } = recordOf(state);
  let last = dayAt(zone, activation.recordedAt);
  for (const { recordedAt } of state.statusHistory) last = later(last, dayAt(zone, recordedAt));
  for (const { fact } of activation.facts.all()) last = later(last, fact.recordedDay);
  const others = [...changedOn, lastOwnersDay(state) ?? last, lastOtherDay(state, zone) ?? last, graceDayOf(state, env) ?? last];
  return others.reduce(later, addDays(last, 1));
}

/** The day on which the grace of the last statement of a line is decided: interest that was paid may be owed to the borrower then. */
function graceDayOf(state: LoanState, env: EvolveEnv): Day | null {
  if (state.line === null) return null;
  const statement = runningOf(state, env).obligations.at(-1);
  return statement === undefined ? null : addDays(statement.dueDay, 1 + statement.pausedDays);
}

const later = (a: Day, b: Day): Day => (a > b ? a : b);
