import { assert, type Cents, type Day } from '../../../../engine/index.js';
import type { FailureReason } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { effectiveNow } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { TransactionChanges } from '../evolve.js';
import { requireTransactionMove, transactionOf } from '../check.js';
import { paymentFailed } from '../returns.js';
import { moveDraft, settledDraft, updateDraft } from '../moves.js';
import { type CardSettlement, isPaidToBorrower, type Settlement, type TransactionRecord } from '../record.js';

/*
 * What the part that calls processors of cards says of a payment. No route leads here, and each may be said again:
 *
 *   initiated ─ authorized ─► pending ─ captured ─► succeeded       a refund: initiated ─ captured ─► succeeded
 *       └────── declined ────────┴────► failed
 */

/** The processor holds the money for the payment. */
export interface CardAuthorizedBody {
  readonly authorizationId: string;
  readonly avsResult: string | null;
}

/** The processor has moved the money: of a payment to the lender, of a refund to the borrower. */
export interface CardCapturedBody {
  /** The processor's own id of a refund. */
  readonly refundId?: string;
  /** Whose results of the processor have it. */
  readonly resultDay: Day;
}

/** The processor refuses it, or nobody could be asked. */
export interface CardDeclinedBody {
  readonly failureReason: FailureReason;
  /** As the processor has said it. */
  readonly code: string | null;
  readonly details: string | null;
}

/** The processor's results of a day have it. */
export interface CardReconciledBody {
  readonly processorId: string;
  /** Of the results. */
  readonly itemId: string;
  readonly amountCents: Cents;
  readonly feeCents: Cents;
  readonly resultDay: Day;
}

/** Whether the results and the ledger agree. */
export interface CardReconciledView {
  readonly outcome: 'matched' | 'amountMismatch' | 'notMoved';
  readonly expectedCents: Cents;
}

interface ByCard {
  readonly record: TransactionRecord;
  readonly settlement: Settlement;
  readonly card: CardSettlement;
}

function byCard({ state, command }: CommandContext<LoanState>): ByCard {
  assert(command.actor.type === 'system', 'processors are called by the service');
  const record = transactionOf(state, command.params['transactionId']);
  const { settlement } = record;
  if (settlement?.card === undefined) return refuse('invalidState', `No processor of cards moves the money of ${record.id}.`);
  return { record, settlement, card: settlement.card };
}

type Context<Body> = CommandContext<LoanState, Body>;

function ofProcessor<Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<LoanState, Body> {
  return {
    kind: 'loan',
    type,
    place: { on: 'target' },
    decide: (context): Decision<LoanState> => ({ facts: decide(context), reply: () => ({ data: undefined }) }),
  };
}

/** initiated ─► pending. Another authorization of the same payment is refused. */
const authorized = ofProcessor('transaction.cardAuthorized', (context: Context<CardAuthorizedBody>) => {
  const { record } = byCard(context);
  const { authorizationId, avsResult } = context.body;
  if (record.processorTransactionId === authorizationId) return [];
  requireTransactionMove(record, 'handOver');
  return [moveDraft(record, 'handOver', { processorTransactionId: authorizationId, ...(avsResult === null ? {} : { avsResult }) }, null)];
});

const captured = ofProcessor('transaction.cardCaptured', (context: Context<CardCapturedBody>) => {
  const { record, settlement, card } = byCard(context);
  const { refundId, resultDay } = context.body;
  if (card.resultDay !== null) return [];
  requireTransactionMove(record, 'succeed');
  const changes: TransactionChanges = {
    settlement: { ...settlement, card: { ...card, resultDay } },
    ...(refundId === undefined ? {} : { processorReversalId: refundId }),
  };
  return moved(context, record, changes);
});

function moved({ state, env }: CommandContext<LoanState>, record: TransactionRecord, changes: TransactionChanges): readonly FactDraft[] {
  const at = effectiveNow(env, state);
  const succeeded = moveDraft(record, 'succeed', changes, null);
  if (record.payment === null || isPaidToBorrower(record)) return [succeeded];
  return [succeeded, settledDraft(record.payment, { at, today: at.day, caseId: null })];
}

const declined = ofProcessor('transaction.cardDeclined', (context: Context<CardDeclinedBody>) => {
  const { state, env } = context;
  const { record } = byCard(context);
  const { failureReason, code, details } = context.body;
  if (record.status === 'failed') return [];
  requireTransactionMove(record, 'fail');
  const at = effectiveNow(env, state);
  return paymentFailed(state, env, {
    record,
    failure: { failureReason, achReturnCode: null },
    recording: { at, today: at.day, caseId: null },
    changes: { processorFailureReason: code, processorFailureDetails: details },
  });
});

/** A result whose payment is still under way shows that the processor has moved its money: the payment succeeds. */
const reconciled: CommandSpec<LoanState, CardReconciledBody> = {
  kind: 'loan',
  type: 'transaction.cardReconciled',
  place: { on: 'target' },
  decide(context): Decision<LoanState> {
    const { record, settlement, card } = byCard(context);
    const { processorId, itemId, amountCents, feeCents, resultDay } = context.body;
    if (card.processorId !== processorId) refuse('invalidState', `The processor ${processorId} does not move the money of ${record.id}.`);
    const expectedCents = record.actualCents ?? record.scheduledCents;
    const answer = (outcome: CardReconciledView['outcome'], facts: readonly FactDraft[]): Decision<LoanState> => ({
      facts,
      reply: () => ({ data: { outcome, expectedCents } satisfies CardReconciledView }),
    });
    if (record.status === 'failed' || record.status === 'scheduled' || record.status === 'canceled') return answer('notMoved', []);
    if (amountCents !== expectedCents) return answer('amountMismatch', []);
    if (record.processorReconciliationId === itemId) return answer('matched', []);
    const changes: TransactionChanges = {
      processorReconciliationId: itemId,
      settlement: { ...settlement, card: { ...card, resultDay: card.resultDay ?? resultDay } },
      ...(feeCents === 0 ? {} : { processingFeeCents: feeCents, processingFeeType: 'net' }),
    };
    const isUnderWay = record.status === 'initiated' || record.status === 'pending';
    return answer('matched', isUnderWay ? moved(context, record, changes) : [updateDraft(record, changes)]);
  },
};

export const cardProcessingCommands: readonly CommandSpec<LoanState>[] = [authorized, captured, declined, reconciled];
