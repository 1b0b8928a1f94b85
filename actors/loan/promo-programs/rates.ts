import { addDays, type Day, LAST_DAY, netRateSegments, type Rate } from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import type { EffectiveTime, FactDraft } from '../../runtime/fact.js';
import { servicingOf } from '../context.js';
import { ratesSetDraft } from '../rates/changes.js';
import { indexOf, NEW_ROW, type RateRow, rateRowsOf, timelineOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { Why } from '../tell.js';
import type { PromoProgram, PromoTerms } from './program.js';

/** The id of the rate that a program brings. */
export const promoRateId = (state: LoanState, env: EvolveEnv, { rateCounter }: Pick<PromoProgram, 'rateCounter'>): string =>
  env.derivedId('RA', state.id, rateCounter);

/**
 * The promo rate of an earned program: as high as the interest rate, so that nothing is charged. Same-as-cash gives back the
 * interest of the whole loan, whenever the promotion began; deferred interest that since the promotion began.
 */
export function waivingRate(state: LoanState, env: EvolveEnv, program: PromoProgram): RateRow {
  const { activation } = servicingOf(state).contract.terms;
  const from = program.promoType === 'sameAsCash' ? activation : program.startDay;
  let rate = 0 as Rate;
  const timeline = timelineOf(rateRowsOf(state, env), indexOf(state, env), activation);
  for (const { gross } of netRateSegments(timeline, from, LAST_DAY)) if (gross > rate) rate = gross;
  return { ...NEW_ROW, id: promoRateId(state, env, program), kind: 'promoRate', rate, from, until: null };
}

/** What a reduced rate takes off while the program runs; one that was ended keeps the days before. */
export function reducedRate(state: LoanState, env: EvolveEnv, program: PromoProgram, terms: PromoTerms, endedOn: Day | null): RateRow {
  const from = terms.startDay;
  const until = endedOn === null ? addDays(terms.endDay, 1) : endedOn;
  const row = { ...NEW_ROW, id: promoRateId(state, env, program), kind: 'promoRate' as const, rate: program.promoRate ?? (0 as Rate), from, until };
  return until > from ? row : { ...row, until: addDays(from, 1), isActive: false };
}

export const ratesFact = (state: LoanState, env: EvolveEnv, row: RateRow, now: EffectiveTime, why: Why): FactDraft =>
  ratesSetDraft(state, env, [row], now, why);
