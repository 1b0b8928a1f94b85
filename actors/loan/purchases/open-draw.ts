import type { PurchaseKind } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { loanTypeOf, recordOf, refuseStatus, requireMove, statusOf } from '../context.js';
import { type Draw, drawActivationTime, drawStatusOf, findDraw } from '../draws/draw.js';
import { drawActivation } from '../draws/status.js';
import type { LoanState } from '../state.js';
import type { PurchaseStatus } from './machine.js';
import { raisesBalance } from './posting.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** How a draw accepts a new purchase. */
export interface Opening {
  /** False for a migration's history, which the ledger does not count and limits do not bind. */
  readonly isCounted: boolean;
  /** The activation of the draw, before which no purchase counts. Null for a migration's history. */
  readonly activation: EffectiveTime | null;
  /** The facts of the draw's activation, if this is its first purchase. */
  readonly drafts: readonly FactDraft[];
  /** The draw of the line on which a migration's history was bought. */
  readonly originalDrawId: string | null;
}

interface Asked {
  readonly draw: Draw;
  readonly kind: PurchaseKind;
  readonly status: PurchaseStatus;
  readonly originalDrawId: string | null;
  /** It settles a purchase that was authorized before: a draw or line that was closed since then still accepts it. */
  readonly isAuthorized: boolean;
}

/** 409 unless line and draw accept the purchase. The first purchase activates an originated draw if the product says so. */
export function openDraw(
  context: Context,
  request: { readonly caseId?: string | null },
  { draw, kind, status, originalDrawId, isAuthorized }: Asked,
): Opening {
  const { state } = context;
  if (draw.drawType === 'static') return history(state, originalDrawId);
  if (originalDrawId !== null)
    refuseProperty('migration.originalDrawId', 'null', '`migration.originalDrawId` can only be set on a static draw of a migration.');
  if (status === 'declined') {
    requireMove(state, 'managePurchase');
    return { isCounted: true, activation: null, drafts: [], originalDrawId };
  }
  const isFirst = draw.status === 'originated' && isOpenedByPurchase(context);
  if (isAuthorized) requireSettling(context, draw);
  else requireTaking(context, draw, kind, isFirst);
  if (!isFirst) return { isCounted: true, activation: drawActivationTime(context.state, context.env, draw), drafts: [], originalDrawId };
  const activation = drawActivation(context, draw, request.caseId ?? null);
  return { isCounted: true, activation: activation.effective ?? null, drafts: [activation], originalDrawId };
}

/** 409 unless an authorized purchase can be settled. A draw or line that was closed since then still accepts it. */
export function requireSettling(context: Context, draw: Draw): void {
  if (draw.drawType !== 'static') requireServiced(context, draw, { mayBePaidOff: true });
}

function requireTaking(context: Context, draw: Draw, kind: PurchaseKind, isFirst: boolean): void {
  const { state } = context;
  if (isFirst) requireMove(state, 'purchase');
  else requireServiced(context, draw, { mayBePaidOff: !raisesBalance(kind) });
  if (!raisesBalance(kind)) return;
  const record = recordOf(state);
  if (record.isClosed) refuseClosed('The line is closed', 'isClosed');
  if (!record.newDrawsAllowed) refuseClosed('The line does not allow new draws and purchases', 'newDrawsAllowed');
  if (draw.isClosed) refuseClosed('The draw is closed', 'isClosed');
}

function refuseClosed(why: string, path: string): never {
  return refuse('invalidState', `${why}. Only refunds and cash back are accepted.`, {
    errors: [{ path, expected: 'an open line and draw', message: 'does not accept new purchases' }],
  });
}

/** 409 unless line and draw are active; refunds and purchases that were authorized are also taken after they are paid off. */
function requireServiced({ state, env }: Context, draw: Draw, { mayBePaidOff }: { readonly mayBePaidOff: boolean }): void {
  const status = statusOf(state);
  if (!(mayBePaidOff && status === 'paidOff')) {
    if (status !== 'active') refuseStatus(state, mayBePaidOff ? ['active', 'paidOff'] : ['active']);
  }
  const ofDraw = drawStatusOf(state, env, draw);
  if (ofDraw === 'active' || (mayBePaidOff && ofDraw === 'paidOff')) return;
  refuse('invalidState', `The draw ${draw.id} is ${ofDraw}; it must be active.`, {
    errors: [{ path: 'drawId', expected: 'an active draw', message: `the draw is ${ofDraw}` }],
  });
}

const isOpenedByPurchase = ({ state, env }: Context): boolean => currentSettings(loanTypeOf(env, state)).draws.autoActivateOnFirstPurchase;

function history(state: LoanState, originalDrawId: string | null): Opening {
  if (originalDrawId === null)
    return refuseProperty(
      'migration.originalDrawId',
      'the original draw of the purchase',
      '`migration.originalDrawId` is required on a static draw, which has only history.',
    );
  const original = findDraw(state, originalDrawId);
  if (original !== undefined && original.drawType !== 'static')
    return { isCounted: false, activation: null, drafts: [], originalDrawId: original.id };
  return refuse('ruleViolation', `The line has no draw ${originalDrawId}.`, {
    errors: [{ path: 'migration.originalDrawId', expected: 'another draw of the line', message: 'there is no such draw' }],
  });
}
