import { type Cents, greatest, least } from '../../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../runtime/actor.js';
import type { FactDraft } from '../../../runtime/fact.js';
import { centsOf } from '../../../wire.js';
import { effectiveNow, recordOf } from '../../context.js';
import type { ScheduledFeeChangedBody } from '../facts.js';
import type { ChangeFeeRequest } from '../requests.js';
import type { LoanState } from '../../state.js';
import { feeReplies } from '../view.js';
import { type NamedFee, namedFee } from '../find.js';
import { beginAction, finished, ledgerFact } from '../../commands/order.js';

/** `PUT L/fees/{feeId}`: another amount from the charge on, clipped by the fee type's bounds; the loan is replayed with it. */
export const changeFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeFeeRequest>(context, 'cancelFee');
    const named = namedFee(context);
    const id = named.type === 'byHand' ? named.fee.id : named.id;
    const amountCents = clipped(feeTypeIn(context, named.fee.feeTypeId), centsOf(request.feeAmount));
    if (amountCents === 0) refuse('feeNotCharged', 'The fee would come to nothing: cancel it instead.');
    const { env } = context;
    return {
      facts: amountCents === named.fee.amountCents ? [] : [change(context, request, named, amountCents)],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: feeReplies(after, env).find((fee) => fee.id === id) ?? null }),
    };
  },
};

function change(context: CommandContext<LoanState>, request: ChangeFeeRequest, named: NamedFee, amountCents: Cents): FactDraft {
  const { state, env } = context;
  if (named.type === 'byHand' && named.fee.scheduled !== null) {
    const body: ScheduledFeeChangedBody = { feeId: named.fee.id, amountCents, caseId: request.caseId ?? null };
    return { type: 'ScheduledFeeChanged', body };
  }
  const fee = named.type === 'byHand' ? ({ type: 'charged', fee: named.fee.fee } as const) : named.reference;
  return ledgerFact(context, request, { change: { type: 'feeChanged', fee, amountCents }, effective: effectiveNow(env, state) });
}

const feeTypeIn = ({ state, env }: CommandContext<LoanState>, id: string): FeeType | undefined =>
  feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, id);

function clipped(feeType: FeeType | undefined, asked: Cents): Cents {
  const raised = feeType?.minAmount == null ? asked : greatest(feeType.minAmount, asked);
  return feeType?.maxAmount == null ? raised : least(feeType.maxAmount, raised);
}
