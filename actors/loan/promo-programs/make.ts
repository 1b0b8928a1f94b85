import type { Day } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dayOfText, orNull } from '../../wire.js';
import type { MetaData } from '../../wire.js';
import { recordOf } from '../context.js';
import type { PromoProgramPlan } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import { promoTypeAsked, requireOnlyOne } from './find.js';
import type { PromoDetails } from './program.js';
import { type AskedTerms, type LoanLife, promoTerms } from './read-terms.js';
import type { CreatePromoProgramRequest } from './requests.js';

interface Wanted {
  readonly draw: number | null;
  readonly startAt: number | null;
  readonly promoTypeId: string;
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly caseId: string | null;
  readonly isStarting: boolean;
  readonly terms: AskedTerms;
}

/** A new program of one of the product's types. */
export function newProgram(state: LoanState, env: DecideEnv, wanted: Wanted, life: LoanLife): PromoDetails {
  const type = promoTypeAsked(state, env, wanted.promoTypeId);
  const program: PromoDetails = {
    id: env.newId('PG'),
    draw: wanted.draw,
    startAt: wanted.startAt,
    externalId: wanted.externalId,
    metaData: wanted.metaData,
    caseId: wanted.caseId,
    promoTypeId: type.id,
    promoType: type.promoType,
    displayName: type.displayName,
    description: type.description,
    promoRate: type.defaults.promoRate,
    isStarting: wanted.isStarting,
    rateCounter: env.reserveIds(1),
    ...promoTerms(wanted.terms, type.defaults, life),
  };
  requireOnlyOne(state, program);
  return program;
}

/** The programs that a loan was originated with come into being when it is activated. */
export function originatedPrograms(state: LoanState, env: DecideEnv, life: LoanLife): readonly FactDraft[] {
  const plans = recordOf(state).atOrigination.promoPrograms ?? [];
  return plans.map((plan) => madeDraft(newProgram(state, env, wantedBy(plan), life)));
}

const wantedBy = (plan: PromoProgramPlan): Wanted => ({
  draw: null,
  startAt: null,
  promoTypeId: plan.promoTypeId ?? '',
  externalId: plan.externalId,
  metaData: plan.metaData,
  caseId: null,
  isStarting: plan.status === 'active',
  terms: {
    startDay: plan.promoStartDate,
    endDay: plan.promoEndDate,
    durationDays: plan.promoDurationDays,
    graceDays: plan.promoGracePeriodDays,
    disqualifyOverdueDays: plan.disqualifyOverdueDays,
  },
});

export const madeDraft = (program: PromoDetails): FactDraft => ({ type: 'PromoProgramMade', body: program });

export function askedTerms(request: Omit<CreatePromoProgramRequest, 'promoTypeId' | 'status'>, startDay: Day | null): AskedTerms {
  return {
    startDay: startDay ?? orNull(dayOfText, request.promoStartDate),
    endDay: orNull(dayOfText, request.promoEndDate),
    durationDays: request.promoDurationDays ?? null,
    graceDays: request.promoGracePeriodDays ?? null,
    disqualifyOverdueDays: request.disqualifyOverdueDays ?? request.sacDisqualifyOverdueDays ?? null,
  };
}
