import { type Allocation, type Cents, type Day, ZERO } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText } from '../../wire.js';
import { obligationId } from '../derived-ids.js';
import { activationOf } from '../context.js';
import { drawIdOf } from '../draws/find.js';
import { recordedSince, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from './record.js';
import type { AllocationRowView, AllocationView } from './view-types.js';

/** The waterfall rows of a transaction, computed again from the loan's facts. */
export function allocationView(state: LoanState, env: EvolveEnv, record: TransactionRecord): AllocationView {
  if (record.payment === null || activationOf(state) === null) return { ...EMPTY, transactionId: record.id };
  const ledger = recordedSince(state, env, laterOf(runningOf(state, env).day, record.effective.day), record.payment);
  return allocationIn(state, env, { ledger, transactionId: record.id, payment: record.payment });
}

/** A ledger, and where the money of the payments went that are asked for. */
export interface ComputedLedger {
  readonly state: RunningLedger;
  readonly allocations: readonly Row[];
}

/** A computed ledger, and the payment in it. */
export interface PaymentIn {
  readonly ledger: ComputedLedger;
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
    rows: rowsOfPayment(ledger, payment).map((row): AllocationRowView => {
      const due =
        row.obligation === null ? undefined : ledger.state.obligations.find((obligation) => obligation.ordinal === row.obligation);
      return {
        bucket: row.bucket,
        obligationId: row.obligation === null ? null : obligationId(env, state, row.obligation),
        dueDate: due === undefined ? null : dateText(due.dueDay),
        drawId: row.draw === undefined ? null : drawIdOf(state, row.draw),
        amount: amount(row.amountCents as Cents),
      };
    }),
  };
}

type Row = Allocation & { readonly draw?: number | null };

/** Where the money of one payment went, in the waterfall's order. */
export function rowsOfPayment({ allocations }: ComputedLedger, payment: number): readonly Row[] {
  const rows: Row[] = [];
  for (const row of allocations) if (row.transaction === payment) rows.push(row);
  return rows;
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
