import {
  beginningAt,
  consecutiveBands,
  consecutiveInterestBands,
  type Day,
  type IndexValue,
  type InterestType,
  type Rate,
  rateTimeline,
  type RateTimeline,
} from '../../../engine/index.js';
import { companyOf, indexValuesOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, recordOf } from '../context.js';
import { rateCapId, rateId } from '../derived-ids.js';
import type { LoanState } from '../state.js';

export type RateKind = 'interestRate' | 'promoRate' | 'rateCap';

/** One rate of a loan: set at origination, added later, or by an SCRA order. Replaced, never changed. */
export interface RateRow {
  readonly id: string;
  readonly kind: RateKind;
  /** Only of interest rates. */
  readonly interestType: InterestType | null;
  readonly rate: Rate;
  readonly from: Day;
  /** Exclusive; null: until the end of the loan. */
  readonly until: Day | null;
  /** False if it was removed, or ended before it began. */
  readonly isActive: boolean;
  readonly setAtActivation: boolean;
  /** Only of caps. */
  readonly rateCapReason: string | null;
  /** Only of SCRA rates: the fees of the period are waived. */
  readonly isCancelFees: boolean;
}

/** Default values of an added row. */
export const NEW_ROW = { interestType: null, isActive: true, setAtActivation: false, rateCapReason: null, isCancelFees: false } as const;

/** The rates of origination. Their days count from activation; before it they are shown from today on. */
export function originationRates(state: LoanState, env: EvolveEnv, activation: Day): readonly RateRow[] {
  const { interestRates, promoRates, rateCaps } = recordOf(state).atOrigination;
  const interest = consecutiveInterestBands(
    activation,
    interestRates.map(({ interestType, days, rate }) => ({ type: interestType, days, rate })),
  );
  const promos = consecutiveBands(activation, promoRates ?? []);
  const caps = consecutiveBands(
    activation,
    (rateCaps ?? []).map(({ days, maxRate }) => ({ days, rate: maxRate })),
  );
  return [
    ...interest.map(({ type, rate, from, until }, index) =>
      originRow({ id: rateId(env, state, index), kind: 'interestRate', interestType: type, rate, from, until, rateCapReason: null }),
    ),
    ...promos.map(({ rate, from, until }, index) =>
      originRow({
        id: rateId(env, state, interest.length + index),
        kind: 'promoRate',
        interestType: null,
        rate,
        from,
        until,
        rateCapReason: null,
      }),
    ),
    ...caps.map(({ rate, from, until }, index) =>
      originRow({
        id: rateCapId(env, state, index),
        kind: 'rateCap',
        interestType: null,
        rate,
        from,
        until,
        rateCapReason: rateCaps?.[index]?.rateCapReason ?? 'other',
      }),
    ),
  ];
}

/** Written property by property: each loan that applies an index makes these rows, and a spread costs twenty times as much. */
const originRow = ({
  id,
  kind,
  interestType,
  rate,
  from,
  until,
  rateCapReason,
}: Omit<RateRow, 'isActive' | 'setAtActivation' | 'isCancelFees'>): RateRow => ({
  id,
  kind,
  interestType,
  rate,
  from,
  until,
  isActive: true,
  setAtActivation: true,
  rateCapReason,
  isCancelFees: false,
});

/** All rates of an activated loan, removed ones too. */
export function rateRowsOf(state: LoanState, env: EvolveEnv): readonly RateRow[] {
  const activation = activationOf(state);
  if (activation === null) return [];
  return activation.rates ?? originationRates(state, env, activation.contract.terms.activation);
}

/** The current index values of the loan's product; empty for a loan without spreads. */
export function indexOf(state: LoanState, env: EvolveEnv): readonly IndexValue[] {
  return hasSpread(state) ? indexValuesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId) : NO_INDEX;
}

const NO_INDEX: readonly IndexValue[] = [];

/** Whether a rate of the loan, or of a draw of its own, is a spread over the index. */
export const hasSpread = (state: LoanState): boolean =>
  areSpreads(recordOf(state).atOrigination.interestRates) ||
  state.draws.some(({ atOrigination, rates }) => areSpreads(atOrigination.interestRates ?? NONE) || areSpreads(rates ?? NONE));

const areSpreads = (rates: readonly Pick<RateRow, 'interestType'>[]): boolean =>
  rates.some(({ interestType }) => interestType === 'spread');

const NONE: readonly Pick<RateRow, 'interestType'>[] = [];

/** The rates of each day; removed rates do not count. */
export function timelineOf(rows: readonly RateRow[], index: readonly IndexValue[], activation: Day): RateTimeline {
  const active = rows.filter((row) => row.isActive);
  const ofKind = (kind: RateKind): readonly RateRow[] => active.filter((row) => row.kind === kind);
  const timeline = rateTimeline({
    interest: ofKind('interestRate').map(({ from, until, rate, interestType }) => ({
      from,
      until,
      rate,
      type: interestType ?? 'absolute',
    })),
    promos: ofKind('promoRate'),
    caps: ofKind('rateCap'),
    index,
  });
  return beginningAt(timeline, activation);
}

/** The open-ended rates of a kind, ended on the day on which a new one begins. SCRA rates stay. */
export function endedAt(rows: readonly RateRow[], { kind, from }: Pick<RateRow, 'kind' | 'from'>): readonly RateRow[] {
  const open = rows.filter((row) => row.kind === kind && row.isActive && row.until === null && row.interestType !== 'absoluteScra');
  return open.map((row) => (row.from < from ? { ...row, until: from } : { ...row, isActive: false }));
}

/** The rows with changed ones replaced by id, and new ones at the end. */
export function withRows(rows: readonly RateRow[], changed: readonly RateRow[]): readonly RateRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of changed) byId.set(row.id, row);
  return [...byId.values()];
}

export const isScra = (row: Pick<RateRow, 'interestType'>): boolean => row.interestType === 'absoluteScra';

/** Whether an SCRA rate is in force on a day. Rates of origination seldom are SCRA rates: they are checked before rows are made of them. */
export function isScraOn(state: LoanState, env: EvolveEnv, day: Day): boolean {
  const activation = activationOf(state);
  if (activation === null || (activation.rates === null && !recordOf(state).atOrigination.interestRates.some(isScra))) return false;
  return rateRowsOf(state, env).some((row) => isScra(row) && row.isActive && covers(row, day));
}

export const covers = (row: Pick<RateRow, 'from' | 'until'>, day: Day): boolean =>
  row.from <= day && (row.until === null || day < row.until);
