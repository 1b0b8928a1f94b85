import { type Cents, formatCents, sum, cents, ZERO } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { dayOfText, secondsOf, type TimeOfDay } from '../../wire.js';
import { ledgerFact } from '../commands/order.js';
import { effectiveNow, END_OF_DAY_SECONDS, FIRST_USER_SECONDS, loanTypeOf, recordOf, requireMove, todayOf } from '../context.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { nextPaymentNumber } from '../transactions/moves.js';
import { type AdvanceMove, type AdvanceMoved, type AdvanceStatus, type LoanAdvance, mayMove, type NewAdvance } from './advance.js';

/** 409 for a loan that takes no further advances: its product allows only one, or the loan is closed. */
export function requireAdvances({ state, env }: CommandContext<LoanState>): void {
  if (loanTypeOf(env, state).versions.at(-1)?.settings.structure.allowMultipleAdvances !== true) {
    refuse('invalidState', 'The loan type does not allow multiple advances.');
  }
  if (recordOf(state).isClosed) refuse('invalidState', 'The loan is closed to further advances.');
}

/**
 * 422 if the advances would exceed `amountFinanced`: what activation paid out, all advances that are not canceled, and `addedCents`.
 * Advances for which `but` is true do not count.
 */
export function requireRoom(
  { state }: CommandContext<LoanState>,
  addedCents: Cents,
  but: (advance: LoanAdvance) => boolean = () => false,
): void {
  const { amountFinancedCents } = recordOf(state).atOrigination;
  const counted = state.advances.filter((advance) => !but(advance) && countsBeside(state, advance));
  const activationCents = state.servicing?.contract.terms.principalCents ?? 0;
  const roomCents = cents(amountFinancedCents - activationCents - sum(counted.map(({ amountCents }) => amountCents)));
  if (addedCents <= roomCents) return;
  refuse('amountExceedsEligible', 'All advances together would exceed the financed amount.', {
    errors: [
      {
        path: 'amount',
        expected: `at most ${formatCents(roomCents < 0 ? ZERO : roomCents)}`,
        message: 'is above the amount that is left to advance',
      },
    ],
  });
}

/** Advances that activation paid out are not counted again: they are part of its principal. */
const countsBeside = (state: LoanState, { status, number }: LoanAdvance): boolean =>
  status !== 'canceled' && !(state.servicing !== null && status === 'settled' && number === null);

interface Dated {
  readonly status: AdvanceStatus;
  readonly advanceDate?: string | null;
  readonly advanceTimeOfDay?: TimeOfDay | null;
}

/** The day of an advance: after today if it is scheduled, otherwise today or earlier. */
export function advanceTime({ state, env }: CommandContext<LoanState>, dated: Dated): Pick<NewAdvance, 'day' | 'seconds'> {
  const today = todayOf(env, state);
  const day = dated.advanceDate == null ? today : dayOfText(dated.advanceDate);
  const activation = state.servicing?.contract.terms.activation ?? null;
  const isScheduled = dated.status === 'scheduled';
  const fault =
    isScheduled && day <= today
      ? 'must be a future date for a scheduled advance'
      : !isScheduled && day > today
        ? 'is after today'
        : activation !== null && day < activation
          ? 'is before activation'
          : null;
  if (fault !== null) {
    refuse('ruleViolation', `\`advanceDate\` ${fault}.`, {
      errors: [{ path: 'advanceDate', expected: isScheduled ? 'a day after today' : 'a day from activation to today', message: fault }],
    });
  }
  return { day, seconds: dated.advanceTimeOfDay == null ? null : Math.max(FIRST_USER_SECONDS, secondsOf(dated.advanceTimeOfDay)) };
}

/** When a settled advance raises principal: at its own time, or now if that is still to come. */
export function settleTime(
  { state, env }: CommandContext<LoanState>,
  { day, seconds }: Pick<NewAdvance, 'day' | 'seconds'>,
): EffectiveTime {
  const now = effectiveNow(env, state);
  if (day > now.day) return now;
  if (day === now.day) return { day, seconds: Math.min(seconds ?? now.seconds, now.seconds) };
  return { day, seconds: seconds ?? END_OF_DAY_SECONDS };
}

/** The ledger fact of an advance that is paid out. */
export const payOutDraft = (context: CommandContext<LoanState>, request: Pick<ActionRequest, 'caseId'>, advance: PaidOut): FactDraft =>
  ledgerFact(context, request, {
    change: { type: 'advance', advance: advance.number, amountCents: advance.amountCents, reamortization: 'sameEndDate' },
    effective: advance.at,
  });

interface PaidOut {
  readonly number: number;
  readonly amountCents: Cents;
  readonly at: EffectiveTime;
}

/** The facts of a status change of an advance: its own, and the ledger's. */
export function moveDrafts(
  context: CommandContext<LoanState>,
  request: Pick<ActionRequest, 'caseId'>,
  advance: LoanAdvance,
  status: AdvanceStatus,
): readonly FactDraft[] {
  const { state, env } = context;
  const body: AdvanceMoved = { advanceId: advance.id, status, number: advance.number, day: advance.day };
  if (status === 'settled') {
    requireMove(state, 'advance');
    const number = nextPaymentNumber(state);
    const at = settleTime(context, advance);
    const settled: AdvanceMoved = { ...body, number, day: at.day };
    return [{ type: 'AdvanceMoved', body: settled }, payOutDraft(context, request, { number, amountCents: advance.amountCents, at })];
  }
  const moved: FactDraft = { type: 'AdvanceMoved', body };
  if (advance.status !== 'settled') return [moved];
  if (advance.number === null) refuse('invalidState', 'An advance that was paid out at activation can only be canceled with the loan.');
  const change = { type: 'advanceCanceled', advance: advance.number } as const;
  return [moved, ledgerFact(context, request, { change, effective: effectiveNow(env, state) })];
}

export function advanceOf(state: LoanState, anyId: string | undefined): LoanAdvance {
  const known = state.advances.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));
  return known ?? refuse('notFound', `The loan ${state.id} has no advance ${anyId ?? ''}.`);
}

/** 409 that names the status. */
export function requireAdvanceMove({ id, status }: LoanAdvance, move: AdvanceMove): void {
  if (mayMove(status, move)) return;
  refuse('invalidState', `The advance ${id} is ${status}.`, {
    errors: [{ path: 'status', expected: 'an earlier status', message: `the advance is ${status}` }],
  });
}

/** 409 when another advance of the company has the external id. */
export function checkAdvanceExternalId({ env }: CommandContext<LoanState>, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'advance', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another advance.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}
