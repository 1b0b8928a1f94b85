import { addDays, type Day, LAST_DAY } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import { dateText, dayOfText, orNull } from '../../wire.js';
import { activatedOf, loanTypeOf, recordOf, todayOf } from '../context.js';
import { indexOf, type RateKind, type RateRow } from './rows.js';
import type { LoanState } from '../state.js';

/** Both dates as they are sent: the end is inclusive, null = the end of the loan. */
export interface SentDates {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
}

type Span = Pick<RateRow, 'from' | 'until'>;

/** Days by which the end must lie after the start. */
const LEAST_DAYS: { readonly [Kind in RateKind]: 0 | 1 } = { interestRate: 0, promoRate: 1, rateCap: 1 };

/**
 * The days of a rate, from what was sent and what held before. 400 for an end before its start, 422 for a start outside of
 * the loan's life.
 */
export function spanOf({ state, env }: CommandContext<LoanState>, kind: RateKind, sent: SentDates, before: Span | null, path = ''): Span {
  const from = sent.startDate == null ? (before?.from ?? todayOf(env, state)) : dayOfText(sent.startDate);
  const until = sent.endDate === undefined ? (before?.until ?? null) : orNull((text: string) => addDays(dayOfText(text), 1), sent.endDate);
  const least = LEAST_DAYS[kind];
  if (until !== null && until - 1 < from + least) {
    refuseProperty(`${path}endDate`, `${dateText(addDays(from, least))} or later`, 'The end date lies too early.');
  }
  requireInLife(state, from, `${path}startDate`);
  return { from, until };
}

/** 422 outside of the days from activation to the last due date. */
export function requireInLife(state: LoanState, day: Day, path: string): void {
  const { contract, summary } = activatedOf(state);
  const { activation } = contract.terms;
  // A line of credit has no end.
  const last = summary.endDay ?? ('endDate' in contract ? contract.endDate : addDays(LAST_DAY, -1));
  if (activation <= day && day <= last) return;
  refuse('ruleViolation', `The date ${dateText(day)} lies outside of the life of the loan.`, {
    errors: [
      { path, expected: `a day from ${dateText(activation)} to ${dateText(last)}`, message: 'lies outside of the life of the loan' },
    ],
  });
}

/** Flags of a rate that was added; null where none was. */
export interface RateFlags {
  readonly interestRateExceedsMax: boolean;
  readonly interestRateBelowMinOrZero: boolean;
}

export const NO_FLAGS: RateFlags = { interestRateExceedsMax: false, interestRateBelowMinOrZero: false };

/**
 * The rate, with the index of its first day, against the range of the loan type: 422 outside of it. A rate of zero is told
 * and let pass where the range allows it.
 */
export function checkRange({ state, env }: CommandContext<LoanState>, row: RateRow, path: string): RateFlags {
  const { minRate, maxRate } = currentSettings(loanTypeOf(env, state)).interest;
  if (row.interestType === 'absolute' && row.rate < 0) {
    refuse('ruleViolation', 'An absolute rate is not negative.', { errors: [{ path, expected: 'zero or more', message: 'is negative' }] });
  }
  const index = row.interestType === 'spread' ? (indexOf(state, env).findLast(({ from }) => from <= row.from)?.rate ?? 0) : 0;
  const total = row.rate + index;
  const isBelow = minRate !== null && total < minRate;
  const flags = { interestRateExceedsMax: maxRate !== null && total > maxRate, interestRateBelowMinOrZero: isBelow || total <= 0 };
  if (!flags.interestRateExceedsMax && !isBelow) return flags;
  const [flag] = flags.interestRateExceedsMax ? ['interestRateExceedsMax'] : ['interestRateBelowMinOrZero'];
  return refuse('rateOutOfRange', `The rate lies outside of the range of the loan type: ${flag}.`, {
    errors: [{ path, expected: 'a rate within the range of the loan type', message: flag ?? '' }],
    extra: { ratesValidation: flags },
  });
}

/** The type that origination has set governs later rates. */
export const interestTypeOf = (state: LoanState): 'absolute' | 'spread' =>
  recordOf(state).atOrigination.interestRates[0]?.interestType ?? 'absolute';

/** The open-ended rates of a kind that end where a new one begins: SCRA rates stay. */
export function endedAt(rows: readonly RateRow[], kind: RateKind, from: Day): readonly RateRow[] {
  const open = rows.filter((row) => row.kind === kind && row.isActive && row.until === null && row.interestType !== 'absoluteScra');
  return open.map((row) => (row.from < from ? { ...row, until: from } : { ...row, isActive: false }));
}
