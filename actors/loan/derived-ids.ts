import { ACCELERATION_ORDINAL, assert } from '../../engine/index.js';
import type { EvolveEnv } from '../kernel/actor.js';
import type { Draw } from './draws/draw.js';
import { MAX_LATE_FEE_TYPES } from './fees/late.js';
import type { LoanState } from './state.js';
import { activationOf, recordOf } from './context.js';

/**
 * Ids of what a replay derives again: periods, obligations and late fees keep theirs because each has its own
 * ordinal in the block of counters that the loan reserved when it was made.
 *
 *     counter   0 ..  1636   the period or obligation, or the first late-fee type's fee for the obligation
 *               1637 × k     the same for the late-fee type number k, up to the fourth
 *               6548 .. 8184 the fees that come round by themselves, in their order
 *               8185, 8186   dynamic and service fees that a migrated line owed at its cutoff
 *               8190         the origination fee
 *               8191         the one obligation that an acceleration makes of everything
 */
export const RESERVED_IDS = 8_192;
const ORDINALS = Math.floor((RESERVED_IDS - 2) / (MAX_LATE_FEE_TYPES + 1));

/** Fees of a loan that come with its periods and years. */
export const MAX_RECURRING_FEES = ORDINALS;

export const periodId = (env: EvolveEnv, state: LoanState, ordinal: number): string => idOf(env, state, 'PE', offsetOf(ordinal));

export const obligationId = (env: EvolveEnv, state: LoanState, ordinal: number): string => idOf(env, state, 'OB', offsetOf(ordinal));

export function lateFeeId(env: EvolveEnv, state: LoanState, feeTypeId: string, obligation: number): string {
  const position = activationOf(state)?.sources.lateFeeTypes.indexOf(feeTypeId) ?? -1;
  assert(position >= 0 && position < MAX_LATE_FEE_TYPES, `the late fee type ${feeTypeId} was never taken over by ${state.id}`);
  return idOf(env, state, 'LF', position * ORDINALS + offsetOf(obligation));
}

/** The statement that the loan makes by itself after so many of them. */
export const statementId = (env: EvolveEnv, state: LoanState, made: number): string => idOf(env, state, 'SM', offsetOf(made));

/** Its document. */
export const statementDocumentId = (env: EvolveEnv, state: LoanState, made: number): string => idOf(env, state, 'DD', offsetOf(made));

export const recurringFeeId = (env: EvolveEnv, state: LoanState, made: number): string =>
  idOf(env, state, 'LF', MAX_LATE_FEE_TYPES * ORDINALS + offsetOf(made));

export const originationFeeId = (env: EvolveEnv, state: LoanState): string => idOf(env, state, 'LF', RESERVED_IDS - 2);

/** Of the fee that comes with a draw; null where the draw has reserved no ids. */
export const drawFeeId = (env: EvolveEnv, state: LoanState, { idBase }: Pick<Draw, 'idBase'>): string | null =>
  idBase === undefined ? null : env.derivedId('LF', state.id, idBase);

/** Of the fees that a migrated line, or one of its draws, owed at the cutoff; null where the draw has reserved no ids. */
export function seededFeeId(
  env: EvolveEnv,
  state: LoanState,
  draw: Pick<Draw, 'idBase'> | null,
  kind: 'dynamicFee' | 'serviceFee',
): string | null {
  const place = kind === 'dynamicFee' ? 0 : 1;
  if (draw === null) return idOf(env, state, 'LF', RESERVED_IDS - 7 + place);
  return draw.idBase === undefined ? null : env.derivedId('LF', state.id, draw.idBase + 1 + place);
}

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
