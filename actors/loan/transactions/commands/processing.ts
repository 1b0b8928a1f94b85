import { addBusinessDays, assert, type Cents, type Day, must } from '../../../../engine/index.js';
import type { FailureReason } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { effectiveNow } from '../../context.js';
import type { LoanState } from '../../state.js';
import { requireTransactionMove, transactionOf } from '../check.js';
import { paymentFailed } from '../returns.js';
import { moveDraft, settlementTermsOn } from '../moves.js';

/*
 * What the part that makes ACH files says of a payment. No route leads here.
 */

/** The file that has the payment was uploaded. */
export interface TransactionFiled {
  readonly achFileId: string;
  /** The trace number of its entry. */
  readonly trace: string;
  /** On which the bank settles it. */
  readonly effectiveEntryDay: Day;
  readonly isSameDay: boolean;
  readonly feeCents: Cents;
  readonly feeType: 'gross' | 'net';
}

/** The payment cannot be put into a file. */
export interface TransactionUnsendable {
  readonly failureReason: FailureReason;
  readonly details: string;
}

const nothing = (facts: readonly FactDraft[]): Decision<LoanState> => ({ facts, reply: () => ({ data: undefined }) });

type Context<Body> = CommandContext<LoanState, Body>;

function onOwnPayment<Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<LoanState, Body> {
  return {
    kind: 'loan',
    type,
    place: { on: 'target' },
    decide(context) {
      assert(context.command.actor.type === 'system', 'files are made by the service');
      return nothing(decide(context));
    },
  };
}

/** initiated ─► pending. A second report of the same entry changes nothing; one of another entry is refused. */
export const fileTransaction = onOwnPayment('transaction.filed', ({ state, env, command, body }: Context<TransactionFiled>) => {
  const { achFileId, trace, effectiveEntryDay, isSameDay, feeCents, feeType } = body;
  const record = transactionOf(state, command.params['transactionId']);
  if (record.processorTransactionId === trace && record.settlement?.ach?.fileId === achFileId) return [];
  const settlement = record.settlement ?? refuse('invalidState', 'The service does not move the money of this transaction.');
  const ach = settlement.ach ?? refuse('invalidState', 'The transaction is moved without files.');
  if (ach.fileId !== null) refuse('invalidState', `The transaction is in the file ${ach.fileId}.`);
  requireTransactionMove(record, 'handOver');
  const { settleDays, businessDays } = settlementTermsOn(state, env, effectiveNow(env, state).day);
  const changes = {
    processorTransactionId: trace,
    settlement: {
      ...settlement,
      settleDay: addBusinessDays(effectiveEntryDay, settleDays.ach, businessDays),
      ach: { ...ach, fileId: achFileId, isSameDay, entryDay: effectiveEntryDay },
    },
    ...(feeCents === 0 ? {} : { processingFeeCents: feeCents, processingFeeType: feeType }),
  };
  return [moveDraft(record, 'handOver', changes, null)];
});

/** The account is gone, inactive, or no longer readable: the payment has failed, as if a bank had returned it. */
export const refuseUnsendable = onOwnPayment('transaction.unsendable', ({ state, env, command, body }: Context<TransactionUnsendable>) => {
  const { failureReason, details } = body;
  const record = transactionOf(state, command.params['transactionId']);
  if (record.status === 'failed') return [];
  if (record.settlement?.ach?.fileId !== null) refuse('invalidState', 'The transaction waits for no file.');
  requireTransactionMove(record, 'fail');
  const at = effectiveNow(env, state);
  return paymentFailed(state, env, {
    record: must(record, 'a transaction'),
    failure: { failureReason, achReturnCode: null },
    recording: { at, today: at.day, caseId: null },
    changes: { processorFailureDetails: details },
  });
});
