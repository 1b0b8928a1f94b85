import { type Cents, cents, formatCents, type SeededDraw, ZERO } from '../../../engine/index.js';
import { companyOf, loanTypeVersions, settingsAt } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { centsOf } from '../../wire.js';
import { beginAction, ledgerFact, orderReply } from '../commands/order.js';
import { activationOf, effectiveNow, recordOf, requireCase, requirePerson } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import type { FeeCanceledBody, ScheduledFeeCanceledBody } from '../fees/evolve.js';
import type { ChangeOriginationFeeRequest } from '../fees/types.js';
import { lineOf, lineRows } from '../line/ledger.js';
import type { PurchaseStatus } from '../purchases/posting.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import type { ActivationReply } from '../views/types.js';
import { requireNewDraws } from './change.js';
import { drawContractOf } from './contract.js';
import { type Draw, drawOf, requireDrawMove, requireOpenDraw } from './draw.js';
import type { DrawActivated, DrawCanceled, DrawClosed } from './evolve.js';
import type { CancelDrawRequest, CloseDrawRequest, ForceQuery } from './types.js';
import { rowsAtBeginning } from './rate-rows.js';
import { drawAmountsValidation, drawRatesValidation, drawViewOf } from './view.js';

/** `POST D/cancel`: an active draw must have no purchases; `force` also cancels open authorizations. */
export const cancelDraw: CommandSpec<LoanState, CancelDrawRequest, ForceQuery> = {
  kind: 'loan',
  type: 'draw.cancel',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body: request } = context;
    requirePerson(state, command.params['personId'], env);
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'cancel');
    requireCase(env, state, command, request.caseId);
    const { force = false } = command.query ?? {};
    refusePurchases(state, draw, force ? LEDGER_STATUSES : [...LEDGER_STATUSES, ...OPEN_STATUSES]);
    refuseMigrated(state, draw);
    const effective = effectiveNow(env, state);
    const drawFeeCents = drawFeeIn(state, env, draw);
    const body: DrawCanceled = {
      drawId: draw.id,
      change: draw.status === 'active' ? { type: 'drawCanceled', draw: draw.draw } : null,
      drawFeeCents,
      cancellationReason: request.cancellationReason ?? null,
      isFreeingExternalIds: true,
      recordedDay: effective.day,
      caseId: request.caseId ?? null,
    };
    return {
      facts: [...feesWaived(state, draw, { drawFeeCents, effective, caseId: body.caseId }), { type: 'DrawCanceled', body, effective }],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

/** The draw fee as it is now; zero for a draw that was not activated. */
function drawFeeIn(state: LoanState, env: EvolveEnv, draw: Draw): Cents {
  if (draw.status !== 'active') return ZERO;
  const { drawFeesCents } = lineOf(state, env).orders;
  return cents(drawFeesCents.get(draw.draw) ?? draw.atOrigination.drawFeeCents);
}

interface Waiving {
  readonly drawFeeCents: Cents;
  readonly effective: EffectiveTime;
  readonly caseId: string | null;
}

/** Waives the fees of a draw that is canceled, so that money that paid them is applied again. */
function feesWaived(state: LoanState, draw: Draw, { drawFeeCents, effective, caseId }: Waiving): readonly FactDraft[] {
  const reason = 'the draw is canceled';
  const recordedDay = effective.day;
  const dynamic = (activationOf(state)?.fees ?? [])
    .filter((fee) => fee.draw === draw.draw && fee.canceledAt === null)
    .map(({ id: feeId, fee, scheduled }): FactDraft => {
      if (scheduled !== null) return { type: 'ScheduledFeeCanceled', body: { feeId, reason, caseId } satisfies ScheduledFeeCanceledBody };
      const change = { type: 'feeCanceled', fee: { type: 'charged', fee } } as const;
      return { type: 'FeeCanceled', body: { change, feeId, recordedDay, caseId, reason } satisfies FeeCanceledBody, effective };
    });
  if (drawFeeCents === 0) return dynamic;
  const change = { type: 'drawFeeChanged', draw: draw.draw, amountCents: ZERO } as const;
  return [...dynamic, { type: 'LedgerChanged', body: { change, recordedDay, caseId, reason: null } satisfies LedgerChanged, effective }];
}

/** Statuses of purchases that are in the ledger, and of those that only hold credit. */
const LEDGER_STATUSES: readonly PurchaseStatus[] = ['settled', 'disputed'];
const OPEN_STATUSES: readonly PurchaseStatus[] = ['authorized', 'pending'];

function refusePurchases({ purchases }: LoanState, { draw }: Draw, statuses: readonly PurchaseStatus[]): void {
  const found = purchases.all().find((purchase) => purchase.draw === draw && statuses.includes(purchase.status));
  if (found === undefined) return;
  const message = `the purchase ${found.id} is ${found.status}`;
  refuse('invalidState', `The draw has active purchases: ${message}.`, {
    errors: [{ path: 'purchases', expected: 'no active purchases', message }],
  });
}

/** Refuses a draw with purchases from before a migration: in the ledger they are principal at the cutoff, not purchases. */
function refuseMigrated({ line }: LoanState, { draw }: Draw): void {
  const isBought = (seeded: SeededDraw): boolean =>
    seeded.draw === draw && [seeded.nonDue, seeded.due, seeded.overdue].some(({ principalCents }) => principalCents > 0);
  if (line?.facts.all().some(({ fact }) => fact.type === 'lineSeeded' && fact.draws.some(isBought)) !== true) return;
  const message = 'it has principal from another system';
  refuse('invalidState', `The draw has active purchases: ${message}.`, {
    errors: [{ path: 'purchases', expected: 'no active purchases', message }],
  });
}

/** `POST D/close`: the draw takes no new purchases, and is paid off once it owes nothing. */
export const closeDraw: CommandSpec<LoanState, CloseDrawRequest> = {
  kind: 'loan',
  type: 'draw.close',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body: request } = context;
    requirePerson(state, command.params['personId'], env);
    const draw = drawOf(state, command.params['drawId']);
    if (draw.status === 'pending' || draw.status === 'originated') return cancelUnused(context, draw);
    requireDrawMove(context, draw, 'close');
    requireOpenDraw(draw);
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
      reply: (after) => orderReply(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

/** Cancels a draw that was never activated instead of closing it. */
function cancelUnused(context: CommandContext<LoanState, CloseDrawRequest>, draw: Draw): Decision<LoanState> {
  const { state, env, command, body: request } = context;
  requireCase(env, state, command, request.caseId);
  const effective = effectiveNow(env, state);
  const body: DrawCanceled = {
    drawId: draw.id,
    change: null,
    cancellationReason: null,
    isFreeingExternalIds: true,
    recordedDay: effective.day,
    caseId: request.caseId ?? null,
  };
  return {
    facts: [{ type: 'DrawCanceled', body, effective }],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
  };
}

/** `PUT D/fees/draw`: at most the amount at creation. The line is replayed from the draw's activation. */
export const changeDrawFee: CommandSpec<LoanState, ChangeOriginationFeeRequest> = {
  kind: 'loan',
  type: 'drawFee.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'cancelFee');
    const { state, env, command } = context;
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'manageFees');
    const mostCents = draw.atOrigination.drawFeeCents;
    const amountCents = request.feeAmount == null ? ZERO : centsOf(request.feeAmount);
    if (amountCents > mostCents) {
      refuse('ruleViolation', `The draw fee can be at most ${formatCents(mostCents)}, its amount when the draw was created.`, {
        errors: [{ path: 'feeAmount', expected: `at most ${formatCents(mostCents)}`, message: 'is above the fee at creation' }],
      });
    }
    const known = lineOf(state, env).orders.drawFeesCents.get(draw.draw) ?? mostCents;
    const change = { type: 'drawFeeChanged', draw: draw.draw, amountCents } as const;
    return {
      facts: amountCents === known ? [] : [ledgerFact(context, request, { change, effective: effectiveNow(env, state) })],
      preview: request.previewMode === true,
      reply: () => orderReply(context, request, { data: null, status: 204 }),
    };
  },
};

/** `POST D/activate`: the draw takes purchases from now on; its line must be active. */
export const activateDraw: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'draw.activate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'purchase');
    const { env, state, command } = context;
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'activate');
    requireNewDraws(state);
    return {
      facts: [drawActivation(context, draw, request.caseId ?? null)],
      preview: request.previewMode === true,
      reply: (after) => {
        const activated = drawOf(after, draw.id);
        const data: ActivationReply = {
          schedule: lineRows(after, env, activated.draw),
          ratesValidation: drawRatesValidation(after, env, activated),
          amountsValidation: drawAmountsValidation(activated),
        };
        return orderReply(context, request, { data });
      },
    };
  },
};

/** The fact that a draw is active from now on, under the product's current settings. */
export function drawActivation(
  { state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>,
  draw: Draw,
  caseId: string | null,
): FactDraft {
  const effective = effectiveNow(env, state);
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), recordOf(state).loanTypeId), effective.day);
  const change = drawContractOf(state, env, draw, settings, effective.day);
  const rates = draw.rates === null ? {} : { rates: rowsAtBeginning(state, env, draw, effective.day) };
  const body: DrawActivated = { drawId: draw.id, change, ...rates, recordedDay: effective.day, caseId, reason: null };
  return { type: 'DrawActivated', body, effective };
}
