import { addDays, type Day, LAST_DAY, must, netRateSegments, type Rate } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { activatedOf } from '../context.js';
import { drawIdOf } from '../draws/find.js';
import { type RateScope, ratesSetDrafts, scopeOf } from '../rates/changes.js';
import { indexOf, NEW_ROW, type RateRow, timelineOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { Why } from '../tell.js';
import type { PromoProgram, PromoTerms } from './program.js';

/** The id of the rate that a program brings. */
export const promoRateId = (state: LoanState, env: EvolveEnv, { rateCounter }: Pick<PromoProgram, 'rateCounter'>): string =>
  env.derivedId('RA', state.id, rateCounter);

/** The rates that a program works on: the loan's, or those of one draw. */
const scopeOfProgram = (state: LoanState, env: EvolveEnv, { draw }: Pick<PromoProgram, 'draw'>): RateScope =>
  scopeOf(state, env, drawIdOf(state, draw) ?? undefined);

/**
 * The promo rate of an earned program: as high as the interest rate, so that nothing is charged. Same-as-cash gives back the
 * interest of the whole loan, whenever the promotion began; deferred interest that since the promotion began. On a line, which
 * goes on to be drawn on, either gives back what was charged since the promotion began until the line was paid.
 */
export function waivingRate(state: LoanState, env: EvolveEnv, program: PromoProgram, paidThrough: Day): RateRow {
  const { activation } = activatedOf(state).contract.terms;
  const isWhole = state.line === null && program.promoType === 'sameAsCash';
  const from = isWhole ? activation : program.startDay;
  // On the day itself nothing is owed any more that could bear interest.
  const until = state.line === null ? null : paidThrough > from ? paidThrough : addDays(from, 1);
  let rate = 0 as Rate;
  const timeline = timelineOf(scopeOfProgram(state, env, program).rows, indexOf(state, env), activation);
  for (const { gross } of netRateSegments(timeline, from, until ?? LAST_DAY)) if (gross > rate) rate = gross;
  return { ...NEW_ROW, id: promoRateId(state, env, program), kind: 'promoRate', rate, from, until };
}

/** Takes back the rate that a program has brought. */
export const withdrawnRate = (state: LoanState, env: EvolveEnv, program: PromoProgram): RateRow => {
  const id = promoRateId(state, env, program);
  return {
    ...must(
      scopeOfProgram(state, env, program).rows.find((row) => row.id === id),
      'an exercised program has its rate',
    ),
    isActive: false,
  };
};

/** What a reduced rate takes off while the program runs; one that was ended keeps the days before. */
export function reducedRate(state: LoanState, env: EvolveEnv, program: PromoProgram, terms: PromoTerms, endedOn: Day | null): RateRow {
  const from = terms.startDay;
  const until = endedOn === null ? addDays(terms.endDay, 1) : endedOn;
  const row = {
    ...NEW_ROW,
    id: promoRateId(state, env, program),
    kind: 'promoRate' as const,
    rate: program.promoRate ?? (0 as Rate),
    from,
    until,
  };
  return until > from ? row : { ...row, until: addDays(from, 1), isActive: false };
}

/** The facts that a program's rate is new or other than before. */
export const ratesFacts = (
  state: LoanState,
  env: EvolveEnv,
  program: PromoProgram,
  row: RateRow,
  now: EffectiveTime,
  why: Why,
): readonly FactDraft[] => ratesSetDrafts(state, env, scopeOfProgram(state, env, program), [row], { now, why });
