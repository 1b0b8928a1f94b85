import type { SeededDraw } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import { finished } from '../../commands/order.js';
import { effectiveNow, recordOf, requireBody, requireCase, requirePerson } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { PurchaseStatus } from '../../purchases/purchase.js';
import type { Draw } from '../draw.js';
import type { DrawCanceled, DrawClosed } from '../evolve.js';
import { drawOf, requireDrawMove, requireOpenDraw } from '../find.js';
import type { CancelDrawRequest, CloseDrawRequest, ForceQuery } from '../types.js';
import { drawViewOf } from '../view.js';

/** `POST D/cancel`: an active draw only without purchases; `force` cancels open authorizations with it. */
export const cancelDraw: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'draw.cancel',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    requirePerson(state, command.params['personId'], env);
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'cancel');
    const request = requireBody<CancelDrawRequest>(context.body);
    requireCase(env, state, command, request.caseId);
    const { force = false } = (command.query ?? {}) as ForceQuery;
    refusePurchases(state, draw, force ? LEDGER_STATUSES : [...LEDGER_STATUSES, ...OPEN_STATUSES]);
    refuseMigrated(state, draw);
    const effective = effectiveNow(env, state);
    const body: DrawCanceled = {
      drawId: draw.id,
      change: draw.status === 'active' ? { type: 'drawCanceled', draw: draw.draw } : null,
      cancellationReason: request.cancellationReason ?? null,
      recordedDay: effective.day,
      caseId: request.caseId ?? null,
    };
    return {
      facts: [{ type: 'DrawCanceled', body, effective }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

/** Purchases that stand in the ledger, and those that only hold credit. */
const LEDGER_STATUSES: readonly PurchaseStatus[] = ['settled', 'disputed'];
const OPEN_STATUSES: readonly PurchaseStatus[] = ['authorized', 'pending'];

function refusePurchases({ purchases }: LoanState, { draw }: Draw, statuses: readonly PurchaseStatus[]): void {
  const found = purchases.all().find((purchase) => purchase.draw === draw && statuses.includes(purchase.status));
  if (found === undefined) return;
  const message = `the purchase ${found.id} is ${found.status}`;
  refuse('invalidState', `The draw has active purchases: ${message}.`, {
    errors: [{ path: 'purchases', expected: 'none that is active', message }],
  });
}

/** What was bought before a migration stands in the ledger, too: not as purchases, but as principal of the cutoff. */
function refuseMigrated({ line }: LoanState, { draw }: Draw): void {
  const isBought = (seeded: SeededDraw): boolean =>
    seeded.draw === draw && [seeded.nonDue, seeded.due, seeded.overdue].some(({ principalCents }) => principalCents > 0);
  if (line?.facts.all().some(({ fact }) => fact.type === 'lineSeeded' && fact.draws.some(isBought)) !== true) return;
  const message = 'it came with principal from another system';
  refuse('invalidState', `The draw has active purchases: ${message}.`, {
    errors: [{ path: 'purchases', expected: 'none that is active', message }],
  });
}

/** `POST D/close`: no new purchases; paid off once it owes nothing. */
export const closeDraw: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'draw.close',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    requirePerson(state, command.params['personId'], env);
    const draw = drawOf(state, command.params['drawId']);
    if (draw.status === 'pending' || draw.status === 'originated') return cancelUnused(context, draw);
    requireDrawMove(context, draw, 'close');
    requireOpenDraw(draw);
    const request = requireBody<CloseDrawRequest>(context.body);
    requireCase(env, state, command, request.caseId);
    const effective = effectiveNow(env, state);
    const body: DrawClosed = {
      drawId: draw.id,
      change: { type: 'drawClosed', draw: draw.draw },
      isRequestedByBorrower: request.closeRequestedByBorrower ?? false,
      recordedDay: effective.day,
      caseId: request.caseId ?? null,
      reason: null,
    };
    return {
      facts: [{ type: 'DrawClosed', body, effective }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

/** Closing a draw that was never activated cancels it. */
function cancelUnused(context: CommandContext<LoanState>, draw: Draw): Decision<LoanState> {
  const { state, env, command } = context;
  const request = requireBody<CloseDrawRequest>(context.body);
  requireCase(env, state, command, request.caseId);
  const effective = effectiveNow(env, state);
  const body: DrawCanceled = {
    drawId: draw.id,
    change: null,
    cancellationReason: null,
    recordedDay: effective.day,
    caseId: request.caseId ?? null,
  };
  return {
    facts: [{ type: 'DrawCanceled', body, effective }],
    preview: request.previewMode === true,
    reply: (after) => finished(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
  };
}
