import { cents, type LimitChanged, must } from '../../../engine/index.js';
import { amount } from '../../wire.js';
import { aboutDraw } from '../draws/events.js';
import { drawIdOf } from '../draws/find.js';
import { loanEvent } from '../events.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import { applyLedgerFact, reasonWritten } from '../ledger/evolve.js';
import type { Applying } from '../tell.js';
import { lineOf } from './ledger.js';

/** Applies the facts that only lines of credit have. */
export const APPLY_LINE: { readonly [Type in keyof LineFacts]: (applying: Applying, body: LineFacts[Type]) => void } = {
  CreditLimitChanged(applying, body) {
    const { state, env, emit } = applying;
    const line = must(state.line, `${state.id} has no line of credit`);
    const { draw, limitCents } = body.change;
    const ledger = lineOf(state, env);
    const oldCents = draw === null ? ledger.limitCents : (ledger.draws.find((known) => known.draw === draw)?.limitCents ?? null);
    const { effective } = applyLedgerFact(applying, reasonWritten(body));
    const { reason, sendNotice, caseId } = body;
    const set = { draw, limitCents: limitCents ?? cents(0), effectiveDay: effective.day, adverseActionReason: reason, sendNotice, caseId };
    line.limits = [...line.limits, set];
    const limits = {
      oldLimit: oldCents === null ? null : amount(cents(oldCents)),
      newLimit: limitCents === null ? null : amount(limitCents),
      reason,
    };
    if (draw === null) emit?.(loanEvent(state, 'loan.credit.limit.changed', limits));
    else emit?.(aboutDraw(loanEvent(state, 'draw.credit.limit.changed', { drawId: drawIdOf(state, draw), ...limits }), state, draw));
  },
};

/** Another limit of the line or of a draw; `reason` is the adverse action's. */
export interface CreditLimitChanged extends LedgerChanged {
  readonly change: LedgerChange<LimitChanged>;
  readonly sendNotice: boolean;
}

export interface LineFacts {
  readonly CreditLimitChanged: CreditLimitChanged;
}
