import { must, latest } from '../../../../engine/index.js';
import type { CommandSpec, EvolveEnv } from '../../../kernel/actor.js';
import { amount, dateText } from '../../../wire.js';
import { obligationId } from '../../derived-ids.js';
import { type AnyLedgerFact, balancesIn, obligationsIn, recordedWith, runningOf } from '../../ledger/running.js';
import type { LoanState } from '../../state.js';
import type { NewTransaction } from '../new-record.js';
import { paymentDraft, nextPaymentNumber } from '../moves.js';
import type { PaymentQuery, CreateTransactionRequest } from '../requests.js';
import { allocationIn, type ComputedLedger, rowsOfPayment } from '../update-fields.js';
import type { ResultingBalancesView, TouchedObligationView, TransactionPreviewView } from '../view-types.js';
import { transactionView } from '../view.js';
import { factsOfNew, type Made, newTransaction, moneyStatusAfter } from './create.js';

/** `POST L/transactions/preview`: how a payment would be allocated, and the balances after it. */
export const previewTransaction: CommandSpec<LoanState, CreateTransactionRequest, PaymentQuery> = {
  kind: 'loan',
  type: 'transaction.preview',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const made = newTransaction(context, context.body);
    const { transaction } = made;
    const payment = nextPaymentNumber(state);
    const ledger = made.move === 'fail' ? null : ledgerWith(state, env, made, payment);
    return {
      facts: factsOfNew(state, made),
      preview: true,
      reply: (after) => {
        const record = must(after.transactions.get(transaction.id), 'the previewed transaction');
        const shown = ledger ?? { state: runningOf(state, env), allocations: [] };
        const data: TransactionPreviewView = {
          transaction: transactionView(after, env, record),
          allocation: allocationIn(state, env, { ledger: shown, transactionId: transaction.id, payment }),
          balances: balancesView(shown, transaction),
          obligations: touched(state, env, shown, payment),
        };
        return { data };
      },
    };
  },
};

/** The ledger with the payment, through the payment's day. */
function ledgerWith(state: LoanState, env: EvolveEnv, { transaction, move, recording }: Made, payment: number): ComputedLedger {
  const { change, recordedDay } = paymentDraft(state, transaction, payment, moneyStatusAfter(move), recording).body;
  const fact = { ...change, effective: transaction.effective, sequence: payment, recordedDay } as AnyLedgerFact;
  const through = latest(runningOf(state, env).day, transaction.effective.day);
  return recordedWith(state, env, through, fact);
}

function balancesView({ state: ledger }: ComputedLedger, { effective }: NewTransaction): ResultingBalancesView {
  const { outstanding, due, overdue, chargedOff, paid } = balancesIn(ledger);
  return {
    effectiveDate: dateText(effective.day),
    loanStatus: ledger.status,
    outstandingTotalAmount: amount(outstanding.totalCents),
    outstandingPrincipalAmount: amount(outstanding.principalCents),
    outstandingInterestAmount: amount(outstanding.interestCents),
    outstandingFeesAmount: amount(outstanding.feesCents),
    dueTotalAmount: amount(due.totalCents),
    overdueTotalAmount: amount(overdue.totalCents),
    chargedOffTotalAmount: amount(chargedOff.totalCents),
    reimbursementAmount: amount(paid.reimbursementCents),
  };
}

function touched(state: LoanState, env: EvolveEnv, ledger: ComputedLedger, payment: number): readonly TouchedObligationView[] {
  const ordinals = new Set(rowsOfPayment(ledger, payment).map((row) => row.obligation));
  return obligationsIn(ledger.state)
    .filter((obligation) => ordinals.has(obligation.ordinal))
    .map((obligation) => ({
      obligationId: obligationId(env, state, obligation.ordinal),
      dueDate: dateText(obligation.dueDay),
      obligationAmount: amount(obligation.obligationCents),
      fulfilledAmount: amount(obligation.fulfilledCents),
      remainingAmount: amount(obligation.remainingCents),
      isFulfilled: obligation.isFulfilled,
    }));
}
