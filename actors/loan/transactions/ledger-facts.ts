import type { Cents, Day, EffectiveTime, LedgerFact, LineFact, TransactionKind } from '../../../engine/index.js';
import { must } from '../../../engine/index.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf } from '../context.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord, TransactionType } from './record.js';

/** When a ledger fact is recorded, and for whom. */
export interface Recording {
  readonly at: EffectiveTime;
  readonly today: Day;
  readonly caseId: string | null;
}

const KINDS: Readonly<Partial<Record<TransactionType, TransactionKind>>> = {
  payment: 'payment',
  downPayment: 'downPayment',
  serviceCredit: 'credit',
};

/** Of what the ledger needs to count a transaction. */
export type Counted = Pick<TransactionRecord, 'transactionType' | 'effective' | 'scheduledCents' | 'actualCents'> &
  Partial<Pick<TransactionRecord, 'enablePrepayments' | 'principalOnlyCents' | 'draw' | 'hold'>>;

/**
 * The number of a payment that the ledger counts next: the place of its fact. `ahead` ledger facts come before it
 * in the same batch.
 */
export const nextPaymentNumber = (state: LoanState, ahead = 0): number =>
  must(activationOf(state), `${state.id} has no ledger`).facts.length + 1 + ahead;

/** Money in processing counts, but pays no loan off. */
export type MoneyStanding = 'processing' | 'settled';

const NONE = {};

/** The money counts from its effective time; what goes back to the borrower is told, too. */
export function countDraft(
  state: LoanState,
  record: Counted,
  payment: number,
  standing: MoneyStanding,
  { today, caseId }: Recording,
): FactDraft {
  const { transactionType, enablePrepayments, principalOnlyCents, effective, scheduledCents, actualCents } = record;
  if (transactionType === 'reimbursement')
    return ledgerDraft(
      { type: 'reimbursed', transaction: payment, amountCents: actualCents ?? scheduledCents },
      { at: effective, today, caseId },
    );
  const kind = must(KINDS[transactionType], `the ledger does not count a ${transactionType}`);
  return ledgerDraft(
    {
      type: 'payment',
      transaction: payment,
      kind,
      amountCents: actualCents ?? scheduledCents,
      isPrepaymentEnabled: enablePrepayments ?? null,
      isProcessing: standing === 'processing',
      ...(principalOnlyCents == null ? NONE : { principalOnlyCents }),
      ...(state.line === null ? NONE : { draw: record.draw ?? null, holdUntil: record.hold?.endDay ?? null }),
    },
    { at: effective, today, caseId },
  );
}

/** The money no longer counts, as if it never had. */
export const voidDraft = (payment: number, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'paymentVoided', transaction: payment }, recording);

export const settledDraft = (payment: number, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'paymentSettled', transaction: payment }, recording);

export const movedDraft = (payment: number, newEffective: EffectiveTime, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'paymentMoved', transaction: payment, newEffective }, recording);

/** What the money had met is owed again from now on. */
export const chargedBackDraft = (
  back: { readonly chargeback: number; readonly payment: number; readonly amountCents: Cents },
  recording: Recording,
): FactDraft =>
  ledgerDraft(
    { type: 'paymentChargedBack', chargeback: back.chargeback, transaction: back.payment, amountCents: back.amountCents },
    recording,
  );

export const chargebackReversedDraft = (chargeback: number, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'chargebackReversed', chargeback }, recording);

function ledgerDraft(change: LedgerChange<LedgerFact | LineFact>, { at, today, caseId }: Recording): FactDraft {
  const body: LedgerChanged = { change, recordedDay: today, caseId, reason: null };
  return { type: 'LedgerChanged', body, effective: at };
}
