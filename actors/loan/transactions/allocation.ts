import { allocationOf, type Cents, type Day, recordLedger, type RecordedLedger, ZERO } from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { amount, dateText } from '../../wire.js';
import { obligationId } from '../derived-ids.js';
import { factsOf, ledgerOf, termsOf } from '../ledger.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from './record.js';
import type { AllocationRowView, AllocationView } from './view-types.js';

/** The waterfall rows of a transaction, computed again from the loan's facts. */
export function allocationView(state: LoanState, env: EvolveEnv, record: TransactionRecord): AllocationView {
  const { servicing } = state;
  if (record.payment === null || servicing === null) return { ...EMPTY, transactionId: record.id };
  const ledger = recordLedger(termsOf(state, env), factsOf(servicing), laterOf(ledgerOf(state, env).day, record.effective.day));
  return allocationIn(state, env, { ledger, transactionId: record.id, payment: record.payment });
}

/** A computed ledger, and the payment in it. */
export interface PaymentIn {
  readonly ledger: RecordedLedger;
  readonly transactionId: string;
  readonly payment: number;
}

export function allocationIn(state: LoanState, env: EvolveEnv, { ledger, transactionId, payment }: PaymentIn): AllocationView {
  const sums = ledger.state.payments.find((candidate) => candidate.transaction === payment);
  if (sums === undefined) return { ...EMPTY, transactionId };
  return {
    transactionId,
    appliedAmount: amount(sums.amountCents as Cents),
    principalAmount: amount(sums.principalCents as Cents),
    interestAmount: amount(sums.interestCents as Cents),
    feesAmount: amount(sums.feesCents as Cents),
    overAmount: amount(sums.overCents as Cents),
    rows: allocationOf(ledger, payment).map((row): AllocationRowView => {
      const due = row.obligation === null ? undefined : ledger.state.obligations.find((obligation) => obligation.ordinal === row.obligation);
      return {
        bucket: row.bucket,
        obligationId: row.obligation === null ? null : obligationId(env, state, row.obligation),
        dueDate: due === undefined ? null : dateText(due.dueDay),
        drawId: null,
        amount: amount(row.amountCents as Cents),
      };
    }),
  };
}

const EMPTY = {
  appliedAmount: amount(ZERO),
  principalAmount: amount(ZERO),
  interestAmount: amount(ZERO),
  feesAmount: amount(ZERO),
  overAmount: amount(ZERO),
  rows: [],
};

const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);
