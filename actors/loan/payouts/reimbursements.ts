import { type Cents, type Day, must, ZERO } from '../../../engine/index.js';
import type { CommandContext, DecideEnv } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';
import { activationOf, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { TransactionFacts } from '../transactions/evolve.js';
import { movedCents } from '../transactions/record.js';
import type { PayoutFacts } from './facts.js';
import { bookedOf } from './payouts.js';

/** Facts with which a reimbursement may have arrived, or come back. */
export const REIMBURSEMENT_FACTS = ['TransactionCreated', 'TransactionMoved'] as const satisfies readonly (keyof TransactionFacts)[];

/** A reimbursement that has arrived was paid by the bank; what the bank has paid of one that fails comes back. */
export const reimbursementsAtBank = ({ state, env }: CommandContext<LoanState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  bankMovesOf(state, facts, () => todayOf(env, state));

/** The same of what a closed day brings: it is recorded on that day, however late it is caught up. */
export const dailyReimbursementAtBank = (state: LoanState, fact: FactDraft, env: DecideEnv): readonly FactDraft[] =>
  bankMovesOf(state, [fact], () => activationOf(state)?.summary.through ?? todayOf(env, state));

function bankMovesOf(state: LoanState, facts: readonly FactDraft[], dayOf: () => Day): readonly FactDraft[] {
  const made = bodiesOf<TransactionFacts, 'TransactionCreated'>(facts, 'TransactionCreated').flatMap(
    ({ move, transaction, caseId }): readonly FactDraft[] => {
      const { transactionType, payment } = transaction;
      if (move !== 'succeed' || transactionType !== 'reimbursement' || payment === null) return [];
      return [bankMove('PayoutBooked', payment, movedCents(transaction), { day: dayOf(), caseId })];
    },
  );
  const moved = bodiesOf<TransactionFacts, 'TransactionMoved'>(facts, 'TransactionMoved').flatMap(
    ({ move, transactionId, changes, caseId }): readonly FactDraft[] => {
      if (move !== 'succeed' && move !== 'fail') return [];
      const record = must(state.transactions.get(transactionId), 'a transaction that moves');
      if (record.transactionType !== 'reimbursement') return [];
      const number = record.payment ?? changes.payment ?? null;
      if (number === null) return [];
      const paidCents = bookedOf(state, number);
      if (move === 'fail') return paidCents > ZERO ? [bankMove('PayoutReturned', number, paidCents, { day: dayOf(), caseId })] : [];
      const amountCents = movedCents({ ...record, ...changes });
      // A bank statement may have had it before.
      return paidCents > ZERO ? [] : [bankMove('PayoutBooked', changes.payment ?? number, amountCents, { day: dayOf(), caseId })];
    },
  );
  return [...made, ...moved];
}

function bankMove(
  type: keyof PayoutFacts,
  payout: number,
  amountCents: Cents,
  { day, caseId }: { readonly day: Day; readonly caseId: string | null },
): FactDraft {
  const body: PayoutFacts['PayoutBooked'] = { payout, amountCents, day, recordedDay: day, statement: null, caseId };
  return { type, body };
}
