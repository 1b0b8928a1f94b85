import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { effectiveNow } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { NewTransaction, TransactionCreated } from '../evolve.js';
import { refuseCharged } from '../find.js';
import { voidDraft } from '../ledger-facts.js';
import { moveDraft, settlementTermsOn } from '../moves.js';
import { someDetails } from '../details.js';
import { isCredit, type TransactionRecord } from '../record.js';
import { refuseGoneBack } from '../reimbursement.js';
import type { ReverseTransactionRequest } from '../requests.js';
import { feesUndone } from '../return-fee.js';
import { settlementOf } from '../settlement.js';
import { beginMove, decided } from './decision.js';

/**
 * `POST L/transactions/{transactionId}/reverse`: the money goes back by a new, linked transaction, and the ledger is as if
 * the reversed one had not been.
 */
export const reverseTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.reverse',
  place: { on: 'target' },
  decide(context) {
    const { request, record } = beginMove<ReverseTransactionRequest>(context, 'reverse');
    if (record.isExternal) {
      refuse('invalidState', 'An external transaction is not reversed: set its status to failed instead.', {
        errors: [{ path: 'isExternal', expected: 'false', message: 'the service did not move this money' }],
      });
    }
    refuseCharged(context.state, record);
    const facts = reversal(context, record, request.caseId ?? null);
    refuseGoneBack(context.state, context.env, facts);
    return decided(context, request, record.id, facts);
  },
};

function reversal({ state, env }: CommandContext<LoanState>, record: TransactionRecord, caseId: string | null): readonly FactDraft[] {
  const at = effectiveNow(env, state);
  const id = env.newId('TX');
  const created: TransactionCreated = { move: isCredit(record) ? 'succeed' : 'initiate', transaction: moneyBack(record), caseId };
  const facts: FactDraft[] = [
    moveDraft(record, 'reverse', { payment: null, reversedByTransactionId: id }, caseId),
    { type: 'TransactionCreated', body: created },
  ];
  const recording = { at, today: at.day, caseId };
  if (record.payment !== null) facts.push(voidDraft(record.payment, recording));
  facts.push(...feesUndone(state, env, record.id, recording));
  return facts;

  function moneyBack(original: TransactionRecord): NewTransaction {
    const { instrument } = original;
    return {
      id,
      transactionType: 'reversal',
      isExternal: false,
      scheduledCents: original.scheduledCents,
      actualCents: original.actualCents,
      instrument,
      currency: original.currency,
      serviceCredit: null,
      payment: null,
      effective: at,
      originalEffectiveDay: at.day,
      scheduledDay: at.day,
      settlement: instrument === null ? null : settlementOf(at.day, instrument.instrumentType, settlementTermsOn(state, env, at.day)),
      hold: null,
      toldDueOn: null,
      reimbursement: null,
      returnFeeCounter: null,
      createdWhile: original.createdWhile,
      parentTransactionId: original.id,
      reversedTransactionId: original.id,
      ...someDetails({ caseId }),
    };
  }
}
