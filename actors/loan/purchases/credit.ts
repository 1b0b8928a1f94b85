import {
  shareOfCents,
  cents,
  type Cents,
  type Credit,
  formatCents,
  greatest,
  type PurchaseKind,
  type Rate,
  takenCents,
  ZERO,
} from '../../../engine/index.js';
import { type CreditLimitSettings, currentSettings } from '../../company/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import { dayOfText, secondsOf, type TimeOfDay } from '../../wire.js';
import { readDeclineReason } from '../commands/references.js';
import { effectiveNow, END_OF_DAY_SECONDS, FIRST_USER_SECONDS, loanTypeOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { ShownBalances } from '../views/balances.js';
import { isCounted, isHeld, refundableCents } from './machine.js';
import { findPurchase, type PurchaseRecord, type PurchaseStatus, raisesBalance } from './posting.js';
import type { CreatePurchaseRequest } from './requests.js';

export type OpenToBuyLogic = CreditLimitSettings['openToBuyLogic'];

/** Statuses in which purchases that are not settled hold credit, by the product's logic. */
const HOLDING: Readonly<Record<OpenToBuyLogic, ReadonlySet<PurchaseStatus>>> = {
  limitMinusBalance: new Set(),
  limitMinusBalanceMinusPending: new Set(['pending']),
  limitMinusBalanceMinusAuthorized: new Set(['authorized', 'pending']),
};

type Holding = Pick<PurchaseRecord, 'kind' | 'status' | 'amountCents'>;

/** Credit that is held for purchases that are not settled. */
export function heldCents(logic: OpenToBuyLogic, purchases: readonly Holding[]): Cents {
  const holding = HOLDING[logic];
  let held = 0;
  for (const { kind, status, amountCents } of purchases) if (holding.has(status) && raisesBalance(kind)) held += amountCents;
  return cents(held);
}

/** The limit of the line or of a draw, and what is used of it. */
export interface Limit {
  readonly of: 'line' | 'draw';
  readonly limitCents: Cents;
  /** The limit minus what the ledger counts against it. Below zero if it is exceeded. */
  readonly availableCents: Cents;
  readonly heldCents: Cents;
}

/** The credit that is open for purchases; below zero if the limit is exceeded. */
export const openToBuyCents = ({ availableCents, heldCents: held }: Limit): Cents => cents(availableCents - held);

/** The highest amount of a purchase: the open credit, plus the share of the limit by which it may be exceeded. */
export const roomCents = (limit: Limit, tolerance: Rate): Cents =>
  cents(Math.max(0, openToBuyCents(limit) + toleratedCents(limit.limitCents, tolerance)));

/** The share of a limit by which it may be exceeded, in whole cents. */
function toleratedCents(limitCents: Cents, tolerance: Rate): number {
  return shareOfCents(limitCents, tolerance, 'down');
}

/** The first limit, the line's before the draw's, that the amount would exceed. */
export function exceededLimit(limits: readonly Limit[], tolerance: Rate, amountCents: Cents): Limit | undefined {
  return limits.find((limit) => amountCents > roomCents(limit, tolerance));
}

interface Reading {
  readonly state: LoanState;
  readonly env: EvolveEnv;
}

/**
 * The current balances of a line, or of the draw `of` it, with the credit that purchases hold before they are settled. The ledger has no
 * authorizations, so past days are shown without them.
 */
export function withHolds(shown: ShownBalances, { state, env }: Reading, of: string | null = null): ShownBalances {
  if (state.line === null) return shown;
  const logic = currentSettings(loanTypeOf(env, state)).creditLimit.openToBuyLogic;
  const held = state.purchases.held();
  const less = (balances: ShownBalances, purchases: readonly PurchaseRecord[]): ShownBalances => ({
    ...balances,
    credit: balances.credit && lessHeld(balances.credit, heldCents(logic, purchases)),
  });
  const purchasesOf = (drawId: string): readonly PurchaseRecord[] => {
    const number = state.draws.find(({ id }) => id === drawId)?.draw;
    return held.filter(({ draw }) => draw === number);
  };
  if (of !== null) return less(shown, purchasesOf(of));
  const draws = shown.draws.map(({ drawId, shown: own }) => ({ drawId, shown: less(own, purchasesOf(drawId)) }));
  return { ...less(shown, held), draws };
}

function lessHeld(credit: Credit, byPurchases: Cents): Credit {
  const held: Credit = { ...credit, heldCents: cents(credit.heldCents + byPurchases) };
  return { ...held, availableCents: greatest(ZERO, cents(held.limitCents - takenCents(held))) };
}

interface Timed {
  readonly purchaseDate?: string | null;
  readonly purchaseTimeOfDay?: TimeOfDay | null;
}

/**
 * When a purchase is made: now, or on a past day, at its end if no time is given. 422 for a time in the future or before the draw's
 * activation, if there is one: a migration's history has none.
 */
export function purchaseTime({ state, env }: CommandContext<LoanState>, timed: Timed, activation: EffectiveTime | null): EffectiveTime {
  const now = effectiveNow(env, state);
  const day = timed.purchaseDate == null ? now.day : dayOfText(timed.purchaseDate);
  const fault =
    day > now.day ? 'is after today' : activation !== null && day < activation.day ? 'is before the activation of the draw' : null;
  if (fault !== null) {
    refuse('ruleViolation', `\`purchaseDate\` ${fault}.`, {
      errors: [{ path: 'purchaseDate', expected: 'a day from the activation of the draw to today', message: fault }],
    });
  }
  const isToday = day === now.day;
  if (timed.purchaseTimeOfDay == null) return isToday ? now : { day, seconds: END_OF_DAY_SECONDS };
  const seconds = secondsOf(timed.purchaseTimeOfDay);
  if (seconds < FIRST_USER_SECONDS)
    return refuseProperty(
      'purchaseTimeOfDay',
      '02:00:00 or later',
      'The time must be 02:00:00 or later: daily processing runs before that.',
    );
  return { day, seconds: isToday ? Math.min(seconds, now.seconds) : seconds };
}

/** An authorized purchase counts from the moment it is settled: before, it only holds credit. */
export const settleTime = ({ state, env }: CommandContext<LoanState>): EffectiveTime => effectiveNow(env, state);

interface Asked {
  readonly kind: PurchaseKind;
  readonly status: NonNullable<CreatePurchaseRequest['status']>;
}

/** 400 with every fault that the body shows by itself. */
export function checkBody(request: CreatePurchaseRequest, { kind, status }: Asked): void {
  const errors: Fault[] = [];
  const fault = (path: string, expected: string, message: string): void => void errors.push({ path, expected, message });
  if (kind === 'refund' && request.originalPurchaseId == null) fault('originalPurchaseId', 'the purchase that is refunded', 'is missing');
  if (raisesBalance(kind) && request.originalPurchaseId != null)
    fault('originalPurchaseId', 'null', `cannot be set on a purchase of kind ${kind}`);
  if (readDeclineReason(request.declineReason) !== null && status !== 'declined')
    fault('declineReason', 'null', `the purchase is ${status}`);
  if (request.authorizationPurchaseId != null) {
    if (!raisesBalance(kind)) fault('authorizationPurchaseId', 'null', `cannot be set on a purchase of kind ${kind}`);
    else if (status !== 'settled' && status !== 'pending') fault('authorizationPurchaseId', 'null', `the purchase is ${status}`);
  }
  if (errors.length > 0) refuse('validationError', 'The purchase is not valid: see `errors`.', { errors });
}

/**
 * The authorization that a settlement releases: it must be on the same draw and still hold credit. One that an issuer reports may
 * follow others of the same authorization, or its end.
 */
export function authorizationOf(
  state: LoanState,
  anyId: string | null | undefined,
  draw: number,
  from: 'caller' | 'issuer',
): PurchaseRecord | null {
  if (anyId == null) return null;
  const found = findPurchase(state, anyId);
  if (found?.draw !== draw) return refuseReference('authorizationPurchaseId', 'a purchase of the draw');
  const isReleasable = isHeld(found.status) || (from === 'issuer' && found.status === 'canceled');
  if (isReleasable && raisesBalance(found.kind)) return found;
  return refuse('invalidState', `The purchase ${found.id} is ${found.status} and holds no credit that can be released.`, {
    errors: [
      { path: 'authorizationPurchaseId', expected: 'an authorized or pending purchase', message: `the purchase is ${found.status}` },
    ],
  });
}

/** The purchase that is refunded: it must be on the same draw, settled, and not refunded by more than the rest. */
export function originalOf(
  state: LoanState,
  request: Pick<CreatePurchaseRequest, 'originalPurchaseId'>,
  draw: number,
): PurchaseRecord | null {
  const { originalPurchaseId: anyId } = request;
  if (anyId == null) return null;
  const found = findPurchase(state, anyId);
  if (found?.draw !== draw || !raisesBalance(found.kind))
    return refuseReference('originalPurchaseId', 'a purchase of the draw that raised its balance');
  if (isCounted(found.status)) return found;
  return refuse('invalidState', `The purchase ${found.id} is ${found.status}. Only a settled purchase can be refunded.`, {
    errors: [{ path: 'originalPurchaseId', expected: 'a settled purchase', message: `the purchase is ${found.status}` }],
  });
}

/** 422 above the part of the purchase that is not refunded yet. `but` is a refund whose amount changes. */
export function requireRefundable(state: LoanState, original: PurchaseRecord | null, amountCents: number, but?: string): void {
  if (original === null) return;
  const refundable = refundableCents(state, original, but);
  if (amountCents <= refundable) return;
  refuse('amountExceedsEligible', `At most ${formatCents(refundable)} of the purchase ${original.id} can be refunded.`, {
    errors: [{ path: 'amount', expected: `at most ${formatCents(refundable)}`, message: 'is above the amount that is left to refund' }],
  });
}

export const refuseReference = (path: string, expected: string): never =>
  refuse('ruleViolation', `\`${path}\` must be ${expected}.`, {
    errors: [{ path, expected, message: 'there is no such purchase' }],
  });
