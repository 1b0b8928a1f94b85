import { readDeclineReason } from '../commands/references.js';
import { formatCents, type PurchaseKind } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { LoanState } from '../state.js';
import { refundableCents } from './bounds.js';
import { findPurchase } from './find.js';
import { isCounted, isHeld } from './machine.js';
import { type PurchaseRecord, raisesBalance } from './purchase.js';
import type { CreatePurchaseRequest } from './requests.js';

interface Asked {
  readonly kind: PurchaseKind;
  readonly status: NonNullable<CreatePurchaseRequest['status']>;
}

/** 400 with every fault that the body shows by itself. */
export function checkBody(request: CreatePurchaseRequest, { kind, status }: Asked): void {
  const errors: Fault[] = [];
  const fault = (path: string, expected: string, message: string): void => void errors.push({ path, expected, message });
  if (kind === 'refund' && request.originalPurchaseId == null) fault('originalPurchaseId', 'the purchase that is refunded', 'missing');
  if (raisesBalance(kind) && request.originalPurchaseId != null) fault('originalPurchaseId', 'null', `a ${kind} purchase refunds none`);
  if (readDeclineReason(request.declineReason) !== null && status !== 'declined')
    fault('declineReason', 'null', `the purchase is ${status}`);
  if (request.authorizationPurchaseId != null) {
    if (!raisesBalance(kind)) fault('authorizationPurchaseId', 'null', `a ${kind} is not authorized before`);
    else if (status !== 'settled' && status !== 'pending') fault('authorizationPurchaseId', 'null', `the purchase is ${status}`);
  }
  if (errors.length > 0) refuse('validationError', 'The purchase has faults.', { errors });
}

/** The authorization that a settlement releases: of the same draw, and still holding credit. */
export function authorizationOf(state: LoanState, anyId: string | null | undefined, draw: number): PurchaseRecord | null {
  if (anyId == null) return null;
  const found = findPurchase(state, anyId);
  if (found?.draw !== draw) return refuseReference('authorizationPurchaseId', 'a purchase of the draw');
  if (isHeld(found.status) && raisesBalance(found.kind)) return found;
  return refuse('invalidState', `The purchase ${found.id} is ${found.status}: it holds no credit that could be released.`, {
    errors: [
      { path: 'authorizationPurchaseId', expected: 'an authorized or pending purchase', message: `the purchase is ${found.status}` },
    ],
  });
}

/** The purchase that a refund is of: of the same draw, settled, and not refunded yet by so much. */
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
  return refuse('invalidState', `The purchase ${found.id} is ${found.status}; only a settled one is refunded.`, {
    errors: [{ path: 'originalPurchaseId', expected: 'a settled purchase', message: `the purchase is ${found.status}` }],
  });
}

/** 422 above what of the purchase is not refunded yet; `but` is a refund that is changed. */
export function requireRefundable(state: LoanState, original: PurchaseRecord | null, amountCents: number, but?: string): void {
  if (original === null) return;
  const refundable = refundableCents(state, original, but);
  if (amountCents <= refundable) return;
  refuse('amountExceedsEligible', `At most ${formatCents(refundable)} of the purchase ${original.id} can be refunded.`, {
    errors: [{ path: 'amount', expected: `at most ${formatCents(refundable)}`, message: 'is above what is left to refund' }],
  });
}

const refuseReference = (path: string, expected: string): never =>
  refuse('ruleViolation', `The body names no such purchase: ${expected}.`, {
    errors: [{ path, expected, message: 'there is no such purchase' }],
  });
