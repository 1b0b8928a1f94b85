import { setup } from 'xstate';
import { addDays, cents, type Cents, type Day, LAST_DAY, type Rate, ZERO } from '../../../engine/index.js';
import { companyOf, type KnownPromoType, type PromoDefaults, type PromoKind, promoTypeOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import { dateText, dayOfText, type MetaData, orNull } from '../../wire.js';
import { recordOf, servicingOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { drawStart } from '../draws/rate-rows.js';
import type { PromoProgramPlan } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import type { CreatePromoProgramRequest } from './requests.js';
import { weigh } from './weigh.js';

/** Every status of a promo program. */
const PROMO_STATUSES = ['pending', 'active', 'exercised', 'canceled', 'expired'] as const;

export type PromoStatus = (typeof PROMO_STATUSES)[number];

/**
 * The statuses of a promo program. The daily work exercises it when it is earned and expires it when its time is over; a payment that is
 * recorded late or returned may change that. `weigh` notes an evaluation that changed nothing. A transition without a target does not
 * change the status.
 */
export const promoMachine = setup({
  types: moves<PromoMove>(),
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

/** The moves of a program, named as in its statechart. */
export type PromoMove = 'activate' | 'exercise' | 'expire' | 'cancel' | 'reactivate' | 'weigh' | 'withdraw' | 'change';

export const promoChart = new Chart<PromoStatus, PromoMove>(promoMachine);

const mayMove = (status: PromoStatus, move: PromoMove): boolean => promoChart.allows(status, move);

/** The status after a move that the status allows. */
export const statusAfter = (status: PromoStatus, move: PromoMove): PromoStatus => promoChart.after(status, move);

const statusesFor = (move: PromoMove): readonly PromoStatus[] => promoChart.statesFor(move);

/** A promotion on a loan: same-as-cash or deferred interest, which the borrower may earn, or a reduced rate for a time. */
export interface PromoProgram extends PromoDetails {
  readonly status: PromoStatus;
  /** The promo rate that it has added to the loan; null before. */
  readonly rateId: string | null;
  /** The money paid when the program was last evaluated. */
  readonly weighedCents: number;
  readonly exercise: Exercise | null;
  /** The interest that was waived when it was exercised. */
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

/** The basis on which a program was exercised. */
export interface Exercise {
  /** The day through which payments counted. */
  readonly throughDay: Day;
  /** The number of the ledger's facts then: later purchases are not part of the program. */
  readonly knownFacts: number;
}

export interface PromoDetails extends PromoTerms {
  readonly id: string;
  /** The number of the draw of a line that it is for; null: the whole loan or line. */
  readonly draw: number | null;
  /** The start time that a line's program names, in milliseconds. */
  readonly startAt: number | null;
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly caseId: string | null;
  readonly promoTypeId: string;
  /** The type as it was when the program was made. */
  readonly promoType: PromoKind;
  readonly displayName: string;
  readonly description: string | null;
  /** For a reduced rate: by how much the rate is reduced. */
  readonly promoRate: Rate | null;
  /** Created with the loan: it starts as soon as the loan is active. */
  readonly isStarting: boolean;
  /** Counter of the id that is reserved for its promo rate. */
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

/** Whether interest is waived if the loan is paid in time. */
export const isEarned = ({ promoType }: Pick<PromoDetails, 'promoType'>): boolean => promoType !== 'reducedRate';

/** The days of a program in a request; null if absent. */
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

/** The terms of a program; 400 for both an end and a duration, or for neither if the type has none; 422 outside of the loan's life. */
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

/** The program of a loan or line (`draw` is null), or of one draw, that an id names; 404 if there is no such program. */
export function promoProgramOf(state: LoanState, anyId: string | undefined, draw: number | null): PromoProgram {
  const isAsked = ({ id, externalId }: PromoProgram): boolean => id === anyId || (externalId !== null && `ext-${externalId}` === anyId);
  const known = state.promoPrograms.find((program) => program.draw === draw && isAsked(program));
  return known ?? refuse('notFound', `The loan ${state.id} has no promo program ${anyId ?? ''}.`);
}

/** 409 unless the status allows the move. The error names the statuses that do. */
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

/** 409 if another same-as-cash program of the loan, or of the draw, is pending or active. */
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

/** The days in which a promotion may begin. A line has no last due date; programs of a draw begin at its activation or later. */
export function lifeOf(state: LoanState, draw: Draw | null): LoanLife {
  if (state.line !== null) {
    const { activation } = state.line.contract.terms;
    const begun = draw === null ? activation : drawStart(state, draw);
    // A draw that came from another system began before the ledger of its line.
    return { activation: begun > activation ? begun : activation, lastDue: addDays(LAST_DAY, -1) };
  }
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

/** Creates the programs of the loan's origination when it is activated. */
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
 * The interest that a borrower saves by paying everything owed on a day, because that earns the active promotions. `draw`: only of this
 * draw of a line. Null if no promotion can be earned.
 */
export function sparedByPromos(state: LoanState, env: EvolveEnv, day: Day, draw: number | null = null): Cents | null {
  const running = state.promoPrograms.filter((program) => isRunning(program, day) && (draw === null || program.draw === draw));
  if (running.length === 0) return null;
  // If several programs cover the same balances, only the best one counts.
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
