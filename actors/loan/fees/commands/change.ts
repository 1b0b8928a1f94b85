import type { Cents } from '../../../../engine/index.js';
import { companyOf, feeTypeOf } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf } from '../../../wire.js';
import { effectiveNow, recordOf, todayOf } from '../../context.js';
import type { ScheduledFeeChangedBody } from '../facts.js';
import type { ChangeFeeRequest } from '../requests.js';
import { feesIn, runningOn } from '../../ledger/running.js';
import type { LoanState } from '../../state.js';
import { feeReplies } from '../view.js';
import { type NamedFee, namedFee } from '../find.js';
import { feeCents } from '../quote.js';
import { beginAction, finished, ledgerFact } from '../../commands/order.js';

/** `PUT L/fees/{feeId}`: another amount from the charge on, clipped like one that is charged by hand; the loan is replayed with it. */
export const changeFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeFeeRequest>(context, 'cancelFee');
    const named = namedFee(context);
    const id = named.type === 'byHand' ? named.fee.id : named.id;
    const amountCents = clipped(context, named, centsOf(request.feeAmount));
    if (amountCents === 0) refuse('feeNotCharged', 'The fee would come to nothing: cancel it instead.');
    const { env } = context;
    return {
      facts: amountCents === knownCents(context, named) ? [] : [change(context, request, named, amountCents)],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: feeReplies(after, env).find((fee) => fee.id === id) ?? null }),
    };
  },
};

/** As it is now: what a fee by hand has kept is the amount of its charge. */
function knownCents({ state, env }: CommandContext<LoanState>, named: NamedFee): Cents {
  if (named.type === 'late' || named.fee.scheduled !== null) return named.fee.amountCents as Cents;
  const booked = feesIn(runningOn(state, env, todayOf(env, state))).find(({ fee }) => fee === named.fee.fee);
  return (booked?.amountCents ?? named.fee.amountCents) as Cents;
}

function change(context: CommandContext<LoanState>, request: ChangeFeeRequest, named: NamedFee, amountCents: Cents): FactDraft {
  const { state, env } = context;
  if (named.type === 'byHand' && named.fee.scheduled !== null) {
    const body: ScheduledFeeChangedBody = { feeId: named.fee.id, amountCents, caseId: request.caseId ?? null };
    return { type: 'ScheduledFeeChanged', body };
  }
  return ledgerFact(context, request, {
    change: { type: 'feeChanged', fee: referenceOf(named), amountCents },
    effective: effectiveNow(env, state),
  });
}

const referenceOf = (named: NamedFee) => (named.type === 'byHand' ? ({ type: 'charged', fee: named.fee.fee } as const) : named.reference);

/** By the bounds of its type, the rule of the borrower's state and the caps (loan-terms 6.3). */
function clipped({ state, env }: CommandContext<LoanState>, named: NamedFee, asked: Cents): Cents {
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, named.fee.feeTypeId);
  if (feeType === undefined) return asked;
  const draw = named.type === 'byHand' ? state.draws.find(({ draw: number }) => number === named.fee.draw) : undefined;
  return feeCents(state, runningOn(state, env, todayOf(env, state)), {
    feeType,
    amountCents: asked,
    but: referenceOf(named),
    ...(draw === undefined ? {} : { ofDraw: draw.atOrigination }),
  });
}
