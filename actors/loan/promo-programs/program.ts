import { setup } from 'xstate';
import { addDays, cents, type Cents, type Day, LAST_DAY, type Rate, ZERO } from '../../../engine/index.js';
import { companyOf, type KnownPromoType, type PromoDefaults, type PromoKind, promoTypeOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import { Chart, STAYS } from '../../statechart.js';
import { dateText, dayOfText, type MetaData, orNull } from '../../wire.js';
import { recordOf, servicingOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { drawStart } from '../draws/rates.js';
import type { PromoProgramPlan } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import type { CreatePromoProgramRequest } from './requests.js';
import { weigh } from './weigh.js';

/** Every status of a promo program. */
const PROMO_STATUSES = ['pending', 'active', 'exercised', 'canceled', 'expired'] as const;

export type PromoStatus = (typeof PROMO_STATUSES)[number];

/**
 * The life of a promo program. It is exercised when it is earned and expires when its time is over, both by themselves; money
 * that is recorded late, or comes back, may change that. `weigh` notes money that has not. A transition without a target leaves it as it
 * is.
 */
export const promoMachine = setup({
  types: { events: {} as { readonly type: PromoMove } },
}).createMachine({
  id: 'promoProgram',
  initial: 'pending',
  states: {
    pending: { on: { activate: 'active', cancel: 'canceled', expire: 'expired', change: STAYS } },
    active: { on: { exercise: 'exercised', expire: 'expired', cancel: 'canceled', weigh: STAYS, change: STAYS } },
    exercised: { on: { withdraw: 'active', weigh: STAYS } },
    canceled: { on: { reactivate: 'active' } },
    expired: { on: { exercise: 'exercised', weigh: STAYS } },
  },
});

/** What may happen to a program, in the words of the statechart. */
export type PromoMove = 'activate' | 'exercise' | 'expire' | 'cancel' | 'reactivate' | 'weigh' | 'withdraw' | 'change';

export const promoChart = new Chart<PromoStatus, PromoMove>(promoMachine);

const mayMove = (status: PromoStatus, move: PromoMove): boolean => promoChart.allows(status, move);

/** The status after a move that the status allows. */
export const statusAfter = (status: PromoStatus, move: PromoMove): PromoStatus => promoChart.after(status, move);

const statusesFor = (move: PromoMove): readonly PromoStatus[] => promoChart.statesFor(move);

/** What a borrower may earn, or gets for a while, on a loan. */
export interface PromoProgram extends PromoDetails {
  readonly status: PromoStatus;
  /** The rate that it has brought into the loan; null before. */
  readonly rateId: string | null;
  /** Money that had come in when it was last weighed whether the program is earned. */
  readonly weighedCents: number;
  readonly exercise: Exercise | null;
  /** What was waived when it was exercised. */
  readonly waivedCents: Cents | null;
  readonly cancelReason: PromoCancelReason | null;
  readonly canceledBy: Agent | null;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly activatedAt: number | null;
  readonly reactivatedAt: number | null;
  readonly canceledAt: number | null;
  readonly exercisedAt: number | null;
}

/** What a program was exercised on. */
export interface Exercise {
  /** The day through which it was paid. */
  readonly throughDay: Day;
  /** How many facts the ledger had then: what is bought afterwards is none of the program's. */
  readonly knownFacts: number;
}

export interface PromoDetails extends PromoTerms {
  readonly id: string;
  /** The number of the draw of a line that it is for; null: the whole loan or line. */
  readonly draw: number | null;
  /** Milliseconds, where a line's program says when it starts. */
  readonly startAt: number | null;
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly caseId: string | null;
  readonly promoTypeId: string;
  /** The type as it was when the program was made. */
  readonly promoType: PromoKind;
  readonly displayName: string;
  readonly description: string | null;
  /** Of a reduced rate: what is taken off. */
  readonly promoRate: Rate | null;
  /** Made together with the loan: it starts as soon as the loan is active. */
  readonly isStarting: boolean;
  /** Reserved for the rate that it brings. */
  readonly rateCounter: number;
}

export interface PromoTerms {
  readonly startDay: Day;
  /** Inclusive, without grace. */
  readonly endDay: Day;
  readonly graceDays: number;
  /** Days overdue that cancel it; null: none do. */
  readonly disqualifyOverdueDays: number | null;
}

export type PromoCancelReason = 'adminError' | 'borrowerRequest' | 'overdue' | 'loanStatusChanged';

/** The last day on which the program can be earned. */
export const effectiveEnd = ({ endDay, graceDays }: PromoTerms): Day => addDays(endDay, graceDays);

/** Whether interest comes back when the loan is paid in time. */
export const isEarned = ({ promoType }: Pick<PromoDetails, 'promoType'>): boolean => promoType !== 'reducedRate';

/** The days of a program as they are asked for; null is not said. */
export interface AskedTerms {
  readonly startDay: Day | null;
  readonly endDay: Day | null;
  readonly durationDays: number | null;
  readonly graceDays: number | null;
  readonly disqualifyOverdueDays: number | null;
}

/** First and last day on which a promotion may begin. */
export interface LoanLife {
  readonly activation: Day;
  readonly lastDue: Day;
}

/** 400 for an end and a duration at once, or for neither where the type has none; 422 outside of the loan's life. */
export function promoTerms(asked: AskedTerms, defaults: PromoDefaults, { activation, lastDue }: LoanLife): PromoTerms {
  if (asked.endDay !== null && asked.durationDays !== null)
    refuseProperty(
      'promoDurationDays',
      'promoEndDate or promoDurationDays, not both',
      'Provide exactly one of `promoEndDate` and `promoDurationDays`.',
    );
  const startDay = asked.startDay ?? activation;
  if (startDay < activation || startDay > lastDue) {
    refuse('ruleViolation', '`promoStartDate` is outside of the life of the loan.', {
      errors: [
        {
          path: 'promoStartDate',
          expected: `a day from ${dateText(activation)} to ${dateText(lastDue)}`,
          message: 'is outside of the life of the loan',
        },
      ],
    });
  }
  const endDay = asked.endDay ?? endBy(startDay, asked.durationDays ?? defaults.promoDurationDays);
  if (endDay <= startDay)
    refuseProperty('promoEndDate', `after ${dateText(startDay)}`, '`promoEndDate` must be after the start of the promotion.');
  return {
    startDay,
    endDay,
    graceDays: asked.graceDays ?? defaults.promoGracePeriodDays ?? 0,
    disqualifyOverdueDays: asked.disqualifyOverdueDays ?? defaults.disqualifyOverdueDays,
  };
}

function endBy(startDay: Day, durationDays: number | null): Day {
  if (durationDays === null)
    return refuseProperty(
      'promoEndDate',
      'promoEndDate or promoDurationDays',
      'Provide exactly one of `promoEndDate` and `promoDurationDays`.',
    );
  return addDays(startDay, durationDays);
}

/** The program of a loan or line (null), or of one draw, that an AnyId names; 404 when it has none. */
export function promoProgramOf(state: LoanState, anyId: string | undefined, draw: number | null): PromoProgram {
  const isAsked = ({ id, externalId }: PromoProgram): boolean => id === anyId || (externalId !== null && `ext-${externalId}` === anyId);
  const known = state.promoPrograms.find((program) => program.draw === draw && isAsked(program));
  return known ?? refuse('notFound', `The loan ${state.id} has no promo program ${anyId ?? ''}.`);
}

/** 409 that names the status and the ones in which the move is legal. */
export function requirePromoMove({ id, status }: PromoProgram, move: PromoMove): void {
  if (mayMove(status, move)) return;
  const expected = statusesFor(move).join(' or ');
  refuse('invalidState', `The promo program ${id} is ${status}; it must be ${expected}.`, {
    errors: [{ path: 'status', expected, message: `the program is ${status}` }],
  });
}

/** 422 for a type that the loan's product does not offer. */
function promoTypeAsked(state: LoanState, env: DecideEnv, anyId: string): KnownPromoType {
  const known = promoTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, anyId);
  if (known !== undefined && known.status === 'active') return known;
  return refuse('ruleViolation', `The loan type has no active promo type ${anyId}.`, {
    errors: [{ path: 'promoTypeId', expected: 'an active promo type of the loan type', message: 'there is no such promo type' }],
  });
}

/** 409 when another same-as-cash program of the loan, or of the draw, waits or runs. */
export function requireOnlyOne(state: LoanState, { id, draw, promoType }: Pick<PromoProgram, 'id' | 'draw' | 'promoType'>): void {
  if (promoType !== 'sameAsCash') return;
  const other = state.promoPrograms.find(
    (known) =>
      known.id !== id &&
      known.draw === draw &&
      known.promoType === 'sameAsCash' &&
      (known.status === 'pending' || known.status === 'active'),
  );
  if (other === undefined) return;
  refuse('activePlanExists', `The promo program ${other.id} is ${other.status}. A loan can have one same-as-cash program at a time.`, {
    errors: [{ path: 'promoTypeId', expected: 'no other same-as-cash program', message: `${other.id} is ${other.status}` }],
  });
}

/** 409 when another program of the company has the external id. */
export function checkProgramExternalId(env: DecideEnv, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'promoProgram', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another promo program.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** Of a line there is no last due date; a draw's programs begin with it. */
export function lifeOf(state: LoanState, draw: Draw | null): LoanLife {
  if (state.line !== null)
    return { activation: draw === null ? state.line.contract.terms.activation : drawStart(state, draw), lastDue: addDays(LAST_DAY, -1) };
  const { contract, summary } = servicingOf(state);
  return { activation: contract.terms.activation, lastDue: summary.endDay ?? contract.endDate };
}

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

/**
 * What who pays all that is owed on a day need not pay, since that earns the promotions that run.
 * `draw`: on this draw of a line alone. Null where no promotion can be earned by it.
 */
export function sparedByPromos(state: LoanState, env: EvolveEnv, day: Day, draw: number | null = null): Cents | null {
  const running = state.promoPrograms.filter((program) => isRunning(program, day) && (draw === null || program.draw === draw));
  if (running.length === 0) return null;
  // Of programs over the same balances only the best counts.
  const bestOf = new Map<number | null, number>();
  for (const program of running) {
    const { owedCents, remainingCents } = weigh(state, env, program, { day, seconds: LAST_SECOND }, day);
    bestOf.set(program.draw, Math.max(bestOf.get(program.draw) ?? 0, owedCents - remainingCents));
  }
  let spared: number = ZERO;
  for (const best of bestOf.values()) spared += best;
  return cents(spared);
}

const LAST_SECOND = 86_399;

const isRunning = (program: PromoProgram, day: Day): boolean =>
  program.status === 'active' && isEarned(program) && day <= effectiveEnd(program);
