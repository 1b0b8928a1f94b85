import { addDays, type Day, latest } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { activationOf } from '../context.js';
import { factsKnown } from '../ledger/running.js';
import type { LoanStatus } from '../machine.js';
import type { ScheduledWork } from '../catch-up.js';
import type { LoanState } from '../state.js';
import { NO_REASON } from '../applying.js';
import type { PromoProgramMoved } from './evolve.js';
import { effectiveEnd, isEarned, type PromoCancelReason, type PromoProgram } from './program.js';
import {
  isAnythingPaid,
  moneyCents,
  promoRateId,
  ratesFacts,
  reducedRate,
  unpaidCents,
  waivingRate,
  weigh,
  withdrawnRate,
} from './weigh.js';

/** 01:00, the nominal time of promo programs. */
const PROMO_SECONDS = 3_600;

/** Statuses of a loan in which a program can no longer be earned. */
const ENDINGS: ReadonlySet<LoanStatus> = new Set<LoanStatus>(['accelerated', 'chargedOff', 'canceled']);

interface Task {
  readonly type: 'start' | 'cancel' | 'weigh' | 'end';
  readonly day: Day;
  readonly program: PromoProgram;
  readonly reason: PromoCancelReason | null;
}

/** The daily work of programs: they are exercised, canceled because of days overdue, or expire. */
export const promoWork: ScheduledWork = {
  nextDay: (state) => earliestTask(state)?.day ?? null,
  *due(state, day, env) {
    for (let task = earliestTask(state); task !== null && task.day <= day; task = earliestTask(state)) {
      yield* perform(state, env, task, { day, seconds: PROMO_SECONDS });
    }
  },
};

function earliestTask(state: LoanState): Task | null {
  let next: Task | null = null;
  for (const program of state.promoPrograms) {
    if (program.status === 'canceled') continue;
    for (const task of [startTask(state, program), endTask(program), cancelTask(state, program), weighTask(state, program)]) {
      if (task !== null && (next === null || task.day < next.day)) next = task;
    }
  }
  return next;
}

const isOpen = ({ status }: PromoProgram): boolean => status === 'pending' || status === 'active';

function startTask(state: LoanState, program: PromoProgram): Task | null {
  const servicing = activationOf(state);
  if (servicing === null || program.status !== 'pending' || !program.isStarting) return null;
  return { type: 'start', day: servicing.summary.through, program, reason: null };
}

const endTask = (program: PromoProgram): Task | null =>
  isOpen(program) ? { type: 'end', day: addDays(effectiveEnd(program), 1), program, reason: null } : null;

function cancelTask(state: LoanState, program: PromoProgram): Task | null {
  const servicing = activationOf(state);
  if (servicing === null || !isOpen(program)) return null;
  const { status, through, overdueSince } = servicing.summary;
  const isDrawGone = program.draw !== null && state.draws[program.draw - 1]?.status === 'canceled';
  if (ENDINGS.has(status) || isDrawGone) return { type: 'cancel', day: through, program, reason: 'loanStatusChanged' };
  const { disqualifyOverdueDays } = program;
  if (program.status !== 'active' || status !== 'active' || disqualifyOverdueDays === null || overdueSince === null) return null;
  const day = latest(latest(addDays(overdueSince, disqualifyOverdueDays), program.startDay), through);
  return day > effectiveEnd(program) ? null : { type: 'cancel', day, program, reason: 'overdue' };
}

/**
 * The program must be evaluated because the money paid has changed since the last time. An exercised or expired program is evaluated again
 * when a payment of its time is recorded late or returned.
 */
function weighTask(state: LoanState, program: PromoProgram): Task | null {
  const activation = activationOf(state);
  if (activation === null || program.status === 'pending' || !isEarned(program)) return null;
  const money = moneyCents(state, program, weighedThrough(program));
  if (money === program.weighedCents) return null;
  // Less than the principal cannot have paid off the loan.
  const least = state.servicing?.contract.terms.principalCents;
  if (program.status !== 'exercised' && least !== undefined && money < least) return null;
  const { through } = activation.summary;
  // Payments on a line before the promotion do not count.
  return { type: 'weigh', day: state.line !== null && program.startDay > through ? program.startDay : through, program, reason: null };
}

const weighedThrough = (program: PromoProgram): Day => program.exercise?.throughDay ?? effectiveEnd(program);

function perform(state: LoanState, env: DecideEnv, { type, program, reason }: Task, now: EffectiveTime): readonly FactDraft[] {
  switch (type) {
    case 'start':
      return startDrafts(state, env, program, { move: 'activate', now, caseId: null });
    case 'cancel':
      return cancelDrafts(state, env, program, { reason, now, caseId: null });
    case 'weigh':
      return reweigh(state, env, program, now) ?? [moveDraft(state, program, 'weigh', now.day)];
    case 'end': {
      const isRunning = program.status === 'active' && isEarned(program);
      const found = isRunning ? earned(state, env, program, now, effectiveEnd(program)) : null;
      return found ?? [moveDraft(state, program, 'expire', now.day)];
    }
  }
}

/** The facts of a program after the money paid has changed; null if its status stays. */
function reweigh(state: LoanState, env: DecideEnv, program: PromoProgram, now: EffectiveTime): readonly FactDraft[] | null {
  if (program.exercise === null) return earned(state, env, program, now, program.status === 'active' ? now.day : effectiveEnd(program));
  if (unpaidCents(state, env, program, program.exercise) === 0) return null;
  const moved = moveDraft(state, program, 'withdraw', now.day, { weighedCents: moneyCents(state, program, effectiveEnd(program)) });
  return [
    moved,
    ...ratesFacts(state, env, program, withdrawnRate(state, env, program), now, { caseId: null, reason: 'promo program withdrawn' }),
  ];
}

/** The facts of an earned program; null while something is left to pay, or if nothing was paid at all. */
function earned(state: LoanState, env: DecideEnv, program: PromoProgram, now: EffectiveTime, through: Day): readonly FactDraft[] | null {
  const { remainingCents, deferredCents } = weigh(state, env, program, now, through);
  if (remainingCents > 0 || !isAnythingPaid(state, env, program, through)) return null;
  const moved = moveDraft(state, program, 'exercise', now.day, {
    rateId: promoRateId(state, env, program),
    waivedCents: deferredCents,
    weighedCents: moneyCents(state, program, through),
    exercise: { throughDay: through, knownFacts: factsKnown(state) },
  });
  const why = { caseId: null, reason: 'promo program exercised' };
  return [moved, ...ratesFacts(state, env, program, waivingRate(state, env, program, through), now, why)];
}

export interface Start {
  readonly move: 'activate' | 'reactivate';
  readonly now: EffectiveTime;
  readonly caseId: string | null;
}

/** The facts of a program that starts: a reduced rate also adds its promo rate. */
export function startDrafts(state: LoanState, env: DecideEnv, program: PromoProgram, { move, now, caseId }: Start): readonly FactDraft[] {
  if (isEarned(program)) return [moveDraft(state, program, move, now.day, { caseId })];
  const moved = moveDraft(state, program, move, now.day, { caseId, rateId: promoRateId(state, env, program) });
  return [moved, ...ratesFacts(state, env, program, reducedRate(state, env, program, program, null), now, { caseId, reason: null })];
}

interface Cancellation {
  readonly reason: PromoCancelReason | null;
  readonly now: EffectiveTime;
  readonly caseId: string | null;
}

/** The facts of a program that is canceled: a reduced rate also ends its promo rate. */
export function cancelDrafts(
  state: LoanState,
  env: DecideEnv,
  program: PromoProgram,
  { reason, now, caseId }: Cancellation,
): readonly FactDraft[] {
  const moved = moveDraft(state, program, 'cancel', now.day, { cancelReason: reason, caseId });
  const hasRate = program.status === 'active' && !isEarned(program) && activationOf(state)?.summary.status !== 'canceled';
  if (!hasRate || now.day > program.endDay) return [moved];
  return [moved, ...ratesFacts(state, env, program, reducedRate(state, env, program, program, now.day), now, NO_REASON)];
}

function moveDraft(
  state: LoanState,
  program: PromoProgram,
  move: PromoProgramMoved['move'],
  day: Day,
  details: Partial<PromoProgramMoved> = {},
): FactDraft {
  const body: PromoProgramMoved = {
    programId: program.id,
    move,
    day,
    rateId: null,
    weighedCents: move === 'weigh' || move === 'expire' ? moneyCents(state, program, weighedThrough(program)) : program.weighedCents,
    exercise: null,
    waivedCents: null,
    cancelReason: null,
    caseId: null,
    ...details,
  };
  return { type: 'PromoProgramMoved', body };
}
