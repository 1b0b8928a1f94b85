import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Draw } from '../draws/draw.js';
import { drawOf } from '../draws/find.js';
import type { LoanState } from '../state.js';
import type { PurchaseDispute, PurchaseRecord } from './purchase.js';

interface Named {
  readonly id: string;
  readonly externalId: string | null;
}

const isNamed = ({ id, externalId }: Named, anyId: string): boolean =>
  id === anyId || (externalId !== null && anyId === `ext-${externalId}`);

/** A purchase of the line, on any of its draws. */
export const findPurchase = (state: LoanState, anyId: string): PurchaseRecord | undefined => state.purchases.find(anyId);

type Params = Readonly<Record<string, string>>;

/** The purchase of a path, on the draw of the path; 404 when there is none. */
export function purchaseOf(state: LoanState, { drawId, purchaseId = '' }: Params): PurchaseRecord {
  const { draw, id } = drawOf(state, drawId);
  const purchase = findPurchase(state, purchaseId);
  return purchase?.draw === draw ? purchase : refuse('notFound', `The draw ${id} has no purchase ${purchaseId}.`);
}

/** The dispute of a path, over the purchase of the path. */
export function disputeOf(state: LoanState, params: Params): PurchaseDispute {
  const { purchase, id } = purchaseOf(state, params);
  const { purchaseDisputeId = '' } = params;
  const dispute = state.disputes.find((known) => known.purchase === purchase && isNamed(known, purchaseDisputeId));
  return dispute ?? refuse('notFound', `The purchase ${id} has no dispute ${purchaseDisputeId}.`);
}

/** 409 when another object of the kind has the external id. */
export function checkExternalId(env: DecideEnv, kind: 'purchase' | 'purchaseDispute', externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, kind, externalId) === undefined) return;
  const what = kind === 'purchase' ? 'purchase' : 'dispute';
  refuse('duplicate', `A ${what} with the external id ${externalId} exists.`, {
    errors: [{ path: 'externalId', expected: `an id that no other ${what} has`, message: 'taken' }],
  });
}

/** The number that the next purchase of a line has in its ledger facts. */
export const nextPurchaseNumber = ({ purchases }: LoanState): number => purchases.size + 1;

export const drawNumbered = (state: LoanState, draw: number): Draw =>
  must(
    state.draws.find((known) => known.draw === draw),
    `${state.id} has no draw ${draw}`,
  );

/** Where a dispute refunds and re-posts: on the purchase's draw, for a migration's history on the one that it belonged to. */
export function disputedDraw(state: LoanState, { draw, originalDrawId }: PurchaseRecord): Draw {
  if (originalDrawId === null) return drawNumbered(state, draw);
  return must(
    state.draws.find(({ id }) => id === originalDrawId),
    `${state.id} has no draw ${originalDrawId}`,
  );
}
