import { ACCELERATION_ORDINAL, assert } from '../../engine/index.js';
import type { EvolveEnv } from '../kernel/actor.js';
import type { Draw } from './draws/draw.js';
import { MAX_LATE_FEE_TYPES } from './fees/late.js';
import type { LoanState } from './state.js';
import { activationOf, recordOf } from './context.js';

/**
 * Ids of objects that a replay derives again. Periods, obligations and late fees keep their ids because each has an ordinal of its own in
 * the block of counters that the loan reserves when it is created.
 *
 *     counter   0 ..  1636   the period or obligation, or the first late-fee type's fee for the obligation
 *               1637 × k     the same for the late-fee type number k, up to the fourth
 *               6548 .. 8184 recurring fees, in their order
 *               8185, 8186   dynamic and service fees that a migrated line owed at its cutoff
 *               8190         the origination fee
 *               8191         the single obligation for the whole balance after an acceleration
 */
export const RESERVED_IDS = 8_192;
const ORDINALS = Math.floor((RESERVED_IDS - 2) / (MAX_LATE_FEE_TYPES + 1));

/** Recurring fees of a loan, by period and by year. */
export const MAX_RECURRING_FEES = ORDINALS;

export const periodId = (env: EvolveEnv, state: LoanState, ordinal: number): string => idOf(env, state, 'PE', offsetOf(ordinal));

export const obligationId = (env: EvolveEnv, state: LoanState, ordinal: number): string => idOf(env, state, 'OB', offsetOf(ordinal));

export function lateFeeId(env: EvolveEnv, state: LoanState, feeTypeId: string, obligation: number): string {
  const position = activationOf(state)?.sources.lateFeeTypes.indexOf(feeTypeId) ?? -1;
  assert(position >= 0 && position < MAX_LATE_FEE_TYPES, `the late fee type ${feeTypeId} was never taken over by ${state.id}`);
  return idOf(env, state, 'LF', position * ORDINALS + offsetOf(obligation));
}

/** The id of the next statement that the loan makes, after `made` of them. */
export const statementId = (env: EvolveEnv, state: LoanState, made: number): string => idOf(env, state, 'SM', offsetOf(made));

/** Its document. */
export const statementDocumentId = (env: EvolveEnv, state: LoanState, made: number): string => idOf(env, state, 'DD', offsetOf(made));

export const recurringFeeId = (env: EvolveEnv, state: LoanState, made: number): string =>
  idOf(env, state, 'LF', MAX_LATE_FEE_TYPES * ORDINALS + offsetOf(made));

export const originationFeeId = (env: EvolveEnv, state: LoanState): string => idOf(env, state, 'LF', RESERVED_IDS - 2);

/** The id of a draw's fee; null if the draw has reserved no ids. */
export const drawFeeId = (env: EvolveEnv, state: LoanState, { idBase }: Pick<Draw, 'idBase'>): string | null =>
  idBase === undefined ? null : env.derivedId('LF', state.id, idBase);

/** The id of a fee that a migrated line, or one of its draws, owed at the cutoff; null if the draw has reserved no ids. */
export function seededFeeId(
  env: EvolveEnv,
  state: LoanState,
  draw: Pick<Draw, 'idBase'> | null,
  kind: 'dynamicFee' | 'serviceFee',
): string | null {
  const offset = kind === 'dynamicFee' ? 0 : 1;
  if (draw === null) return idOf(env, state, 'LF', RESERVED_IDS - 7 + offset);
  return draw.idBase === undefined ? null : env.derivedId('LF', state.id, draw.idBase + 1 + offset);
}

/** Owners that the loan was made with, in their order. */
export const ownerId = (env: EvolveEnv, state: LoanState, index: number): string => idOf(env, state, 'IA', offsetOf(index));

/** Interest rates in their order, then promo rates. */
export const rateId = (env: EvolveEnv, state: LoanState, index: number): string => idOf(env, state, 'RA', offsetOf(index));

/** Caps that origination set, in their order. */
export const rateCapId = (env: EvolveEnv, state: LoanState, index: number): string => idOf(env, state, 'RC', offsetOf(index));

function offsetOf(ordinal: number): number {
  if (ordinal === ACCELERATION_ORDINAL) return RESERVED_IDS - 1;
  assert(ordinal >= 0 && ordinal < ORDINALS, `the ordinal ${ordinal} lies outside of the reserved ids`);
  return ordinal;
}

function idOf(env: EvolveEnv, state: LoanState, prefix: string, offset: number): string {
  return env.derivedId(prefix, state.id, recordOf(state).idBase + offset);
}
