import { cents, type Cents, type Day, type LimitChanged, must, ZERO } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, QueryContext, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { amount, centsOf, type DateText, dayOfText, orNull } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { effectiveNow, recordOf, requirePerson, requireProduct } from '../context.js';
import { limitOf } from '../draws/contract.js';
import { type Draw, drawIdOf, drawOf, requireDrawMove } from '../draws/draw.js';
import { aboutDraw } from '../draws/events.js';
import { drawViewOf } from '../draws/view.js';
import { loanEvent } from '../events.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import { applyLedgerFact, reasonWritten } from '../ledger/evolve.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import { loanView } from '../views/loan.js';
import { type LimitChange, lineOf } from './ledger.js';
import type { ChangeDrawLimitRequest, ChangeLineLimitRequest, CreditLimitReply } from './requests.js';

/** Applies the facts that only lines of credit have. */
export const APPLY_LINE: { readonly [Type in keyof LineFacts]: (applying: Applying, body: LineFacts[Type]) => void } = {
  CreditLimitChanged(applying, body) {
    const { state, env, emit } = applying;
    const line = must(state.line, `${state.id} has no line of credit`);
    const { draw, limitCents } = body.change;
    const ledger = lineOf(state, env);
    const oldCents = draw === null ? ledger.limitCents : (ledger.draws.find((known) => known.draw === draw)?.limitCents ?? null);
    const { effective } = applyLedgerFact(applying, reasonWritten(body));
    const { reason, sendNotice, caseId, isShare } = body;
    const set = { draw, limitCents: limitCents ?? cents(0), effectiveDay: effective.day, adverseActionReason: reason, sendNotice, caseId };
    line.limits = [...line.limits, isShare === undefined ? set : { ...set, isShare }];
    const limits = {
      oldLimit: oldCents === null ? null : amount(cents(oldCents)),
      newLimit: limitCents === null ? null : amount(limitCents),
      reason,
    };
    if (draw === null) emit?.(loanEvent(state, 'loan.credit.limit.changed', limits));
    else emit?.(aboutDraw(loanEvent(state, 'draw.credit.limit.changed', { drawId: drawIdOf(state, draw), ...limits }), state, draw));
  },
};

/** A changed limit of the line or of a draw. `reason` is that of the adverse action. */
interface CreditLimitChanged extends LedgerChanged {
  readonly change: LedgerChange<LimitChanged>;
  readonly sendNotice: boolean;
  /** Whether it follows from a new limit of the line, of which the draw has a share; missing in facts of earlier releases. */
  readonly isShare?: boolean;
}

export interface LineFacts {
  readonly CreditLimitChanged: CreditLimitChanged;
}

export interface CreditLimitQuery {
  readonly effectiveDate?: DateText;
}

/** `POST L/credit-limit`: in force at once, also if it is below what is owed. Limits of draws that are shares of it change, too. */
export const changeLineLimit: CommandSpec<LoanState, ChangeLineLimitRequest> = {
  kind: 'loan',
  type: 'line.changeLimit',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeLimit');
    const { state, env } = context;
    const limitCents = centsOf(request.creditLimitAmount);
    const reasons = [request.adverseActionReason, request.adverseReactionReason];
    const reason = reasons.find((text) => text != null && text.trim() !== '') ?? null;
    const { limitCents: beforeCents } = lineOf(state, env);
    const isOther = beforeCents !== limitCents;
    // A lower limit is an adverse action (12 CFR 1002.9); a higher one needs no reason.
    if (limitCents < beforeCents && reason === null)
      refuseProperty('adverseActionReason', 'the reason of the lower limit', '`adverseActionReason` is required for a lower limit.');
    const change = (draw: number | null, limit: Cents): FactDraft =>
      limitDraft(context, request, { draw, cents: limit, reason, isShare: draw !== null });
    const shares = state.draws.filter((draw) => draw.status === 'active' && hasShare(state, draw, cents(beforeCents)));
    return {
      facts: isOther
        ? [change(null, limitCents), ...shares.map((draw) => change(draw.draw, limitOf(draw.atOrigination, limitCents) ?? ZERO))]
        : [],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: loanView(after, env), sealedFor: recordOf(state).personId }),
    };
  },
};

/** Whether the limit of a draw is a share of the line's. A limit that was set on the draw itself is none any more. */
function hasShare(state: LoanState, { draw, atOrigination }: Draw, lineCents: Cents): boolean {
  if (atOrigination.creditLimitPercentage === null) return false;
  const set = state.line?.limits.findLast((known) => known.draw === draw);
  return set === undefined || (set.isShare ?? set.limitCents === limitOf(atOrigination, lineCents));
}

/** `POST D/credit-limit`. */
export const changeDrawLimit: CommandSpec<LoanState, ChangeDrawLimitRequest> = {
  kind: 'loan',
  type: 'draw.changeLimit',
  place: { on: 'target' },
  decide(context): Decision<LoanState> {
    const request = beginAction(context, 'changeLimit');
    const { state, env, command } = context;
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'changeLimit');
    const limitCents = centsOf(request.creditLimitAmount);
    return {
      facts: [limitDraft(context, request, { draw: draw.draw, cents: limitCents, reason: null, isShare: false })],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

interface NewLimit {
  readonly draw: number | null;
  readonly cents: Cents;
  readonly reason: string | null;
  readonly isShare: boolean;
}

function limitDraft(
  { state, env }: CommandContext<LoanState>,
  request: ChangeDrawLimitRequest,
  { draw, cents: limitCents, reason, isShare }: NewLimit,
): FactDraft {
  const effective = effectiveNow(env, state);
  const body: CreditLimitChanged = {
    change: { type: 'limitChanged', draw, limitCents },
    ...(draw === null ? {} : { isShare }),
    sendNotice: request.sendNotice ?? true,
    recordedDay: effective.day,
    caseId: request.caseId ?? null,
    reason,
  };
  return { type: 'CreditLimitChanged', body, effective };
}

/** `GET L/credit-limit` and `GET D/credit-limit`: the limit in force at the end of a day. */
export const limitQueries: readonly QuerySpec<LoanState>[] = [
  { kind: 'loan', type: 'line.limit', on: 'target', read: (context) => limitReply(context, null) },
  {
    kind: 'loan',
    type: 'draw.limit',
    on: 'target',
    read: (context) => limitReply(context, drawOf(context.state, context.request.params['drawId']).draw),
  },
];

function limitReply({ state, env, query, request }: QueryContext<LoanState>, draw: number | null): CreditLimitReply {
  requirePerson(state, request.params['personId'], env);
  requireProduct(state, 'lineOfCredit');
  const { effectiveDate } = (query ?? {}) as CreditLimitQuery;
  const day = effectiveDate === undefined ? env.today(recordOf(state).zone) : dayOfText(effectiveDate);
  const set = limitSetOn(state, draw, day);
  return {
    creditLimitAmount: orNull(amount, set?.limitCents ?? firstLimit(state, draw, day)),
    adverseActionReason: set?.adverseActionReason ?? null,
    sendNotice: set?.sendNotice ?? null,
    caseId: set?.caseId ?? null,
  };
}

const limitSetOn = (state: LoanState, draw: number | null, day: Day): LimitChange | undefined =>
  state.line?.limits.findLast((known) => known.draw === draw && known.effectiveDay <= day);

/** The limit on a day on which none had been set: that of origination, of which a share is one of the line's limit on the day. */
function firstLimit(state: LoanState, draw: number | null, day: Day): Cents | null {
  const { activation } = state.line?.contract.terms ?? {};
  if (activation !== undefined && day < activation) {
    refuse('ruleViolation', 'The line of credit had no limit on that day: it was not active.', {
      errors: [{ path: 'effectiveDate', expected: 'the day of activation or later', message: 'is before activation' }],
    });
  }
  const atOriginationCents = recordOf(state).atOrigination.credit?.limitCents ?? ZERO;
  if (draw === null) return atOriginationCents;
  const lineCents = limitSetOn(state, null, day)?.limitCents ?? atOriginationCents;
  const found = state.draws[draw - 1];
  return found === undefined ? null : orNull(cents, limitOf(found.atOrigination, lineCents));
}
