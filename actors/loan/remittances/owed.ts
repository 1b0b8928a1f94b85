import { type Cents, cents, type Day, ownersOn, type PaymentState, splitByShares, ZERO } from '../../../engine/index.js';
import { isPaidBy, SETTLEMENT, type SettlementState } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, statusOf } from '../context.js';
import { runningOf } from '../ledger/running.js';
import { type LoanOwnership, ownershipOf } from '../owners/owners.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from '../transactions/record.js';
import type { Parts, RemittedLine } from './facts.js';

/** Whose part of which payments. */
export interface Asked {
  readonly investorId: string;
  /** The last effective day of payments. */
  readonly through: Day;
}

const NOTHING: Parts = { principalCents: ZERO, interestCents: ZERO, feesCents: ZERO, processingFeeCents: ZERO };
const COMPONENTS = ['principalCents', 'interestCents', 'feesCents', 'processingFeeCents'] as const;

/**
 * What is to be paid to an investor, by payment: its part of each payment by the ledger and the owners of now, without what settlements
 * have paid of it. Payments that have no difference have no line.
 */
export function linesToRemit(state: LoanState, env: EvolveEnv, asked: Asked): readonly RemittedLine[] {
  const owed = owedBy(state, env, asked);
  const paid = paidTo(state, env, asked.investorId);
  const lines: RemittedLine[] = [];
  for (const id of new Set([...owed.keys(), ...paid.keys()])) {
    const { effectiveDay, parts } = owed.get(id) ?? { effectiveDay: paid.get(id)?.effectiveDay ?? asked.through, parts: NOTHING };
    // A payment that was moved behind the period is settled by a later one, and what was paid of it comes back now.
    const difference = minus(parts, paid.get(id)?.parts ?? NOTHING);
    if (COMPONENTS.some((name) => difference[name] !== 0)) lines.push({ transactionId: id, effectiveDay, ...difference });
  }
  return lines;
}

interface OfPayment {
  readonly effectiveDay: Day;
  readonly parts: Parts;
}

/** The investor's part of each payment through a day. Payments of a canceled loan are owed back to the borrower, and to nobody else. */
function owedBy(state: LoanState, env: EvolveEnv, { investorId, through }: Asked): ReadonlyMap<string, OfPayment> {
  const found = new Map<string, OfPayment>();
  if (activationOf(state) === null || statusOf(state) === 'canceled') return found;
  const spans = ownershipOf(state, env);
  const counted = new Map<number, PaymentState>();
  for (const payment of runningOf(state, env).payments) counted.set(payment.transaction, payment);
  for (const record of state.transactions.among(({ firstDay }) => firstDay <= through)) {
    const payment = record.payment === null ? undefined : counted.get(record.payment);
    if (payment === undefined || payment.day > through || !isReceived(record)) continue;
    const parts = partOf(spans, investorId, { record, payment });
    if (parts !== null) found.set(record.id, { effectiveDay: payment.day, parts });
  }
  return found;
}

/** Money that has come in, and whose hold is over. While it is in dispute it is still there. */
const isReceived = ({ transactionType, status, hold }: TransactionRecord): boolean =>
  (transactionType === 'payment' || transactionType === 'downPayment') &&
  (status === 'succeeded' || status === 'inDispute') &&
  (hold === null || hold.isOver);

interface Received {
  readonly record: TransactionRecord;
  readonly payment: PaymentState;
}

/** Null for an investor that does not own a share on the effective day. Money that is paid over belongs to the borrower. */
function partOf(spans: readonly LoanOwnership[], investorId: string, { record, payment }: Received): Parts | null {
  const owners = ownersOn(spans, payment.day);
  const at = owners.findIndex((owner) => owner.investorId === investorId);
  if (at < 0) return null;
  const shares = owners.map(({ share }) => share);
  const part = (whole: number): Cents => splitByShares(cents(whole), shares)[at] ?? ZERO;
  const { chargedBack } = payment;
  return {
    principalCents: part(payment.principalCents - (chargedBack?.principalCents ?? 0)),
    interestCents: part(payment.interestCents - (chargedBack?.interestCents ?? 0)),
    feesCents: part(payment.feesCents - (chargedBack?.feesCents ?? 0)),
    processingFeeCents: part(record.processingFeeType === 'net' ? (record.processingFeeCents ?? 0) : 0),
  };
}

/** What settlements have paid to an investor, by payment. Those that have failed or were canceled have paid nothing. */
function paidTo({ parties }: LoanState, env: EvolveEnv, investorId: string): ReadonlyMap<string, OfPayment> {
  const found = new Map<string, OfPayment>();
  for (const remittance of parties.remittances) {
    if (remittance.investorId !== investorId || !isPaid(env, remittance.settlementId)) continue;
    for (const { transactionId, effectiveDay, ...parts } of remittance.lines) {
      const before = found.get(transactionId)?.parts ?? NOTHING;
      found.set(transactionId, { effectiveDay, parts: plus(before, parts) });
    }
  }
  return found;
}

/** Whether a settlement has paid, or still may. */
export function isPaid(env: EvolveEnv, settlementId: string): boolean {
  const settlement = env.read<SettlementState>(SETTLEMENT, settlementId);
  return settlement === undefined || isPaidBy(settlement.status);
}

const combined = (a: Parts, b: Parts, sign: 1 | -1): Parts => ({
  principalCents: cents(a.principalCents + sign * b.principalCents),
  interestCents: cents(a.interestCents + sign * b.interestCents),
  feesCents: cents(a.feesCents + sign * b.feesCents),
  processingFeeCents: cents(a.processingFeeCents + sign * b.processingFeeCents),
});

const plus = (a: Parts, b: Parts): Parts => combined(a, b, 1);
const minus = (a: Parts, b: Parts): Parts => combined(a, b, -1);
