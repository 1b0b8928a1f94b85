import type { Day } from '../../calendar/index.js';
import { cents, type Cents, type Rate } from '../../money/index.js';
import type { RateTimeline } from '../../rates/index.js';
import { addParts } from './allocate.js';
import { expectedBalance } from './balance.js';
import { type Charge, type Installment, isOpen, noParts, type Parts, PARTS, type ScheduledLedger, sumOf } from './ledger.js';
import type { ChargePart, ScheduledKeeping } from './terms.js';

export interface ScheduledView {
  /** Counted from 1, in the order of due dates. */
  readonly number: number;
  readonly kind: Installment['kind'];
  readonly days: number;
  readonly dueDay: Day;
  readonly metDay: Day | null;
  readonly parts: Readonly<Parts>;
  readonly dueCents: Cents;
  readonly paidCents: Cents;
  readonly paidInAdvanceCents: Cents;
  readonly paidLateCents: Cents;
  readonly outstandingCents: Cents;
  /** Principal paid out by its due date, less the principal of the installments up to this one. */
  readonly principalBalanceCents: Cents;
  /** The same, less what was paid in advance for later installments by then. */
  readonly openBalanceCents: Cents;
}

export function installmentViews(ledger: ScheduledLedger): readonly ScheduledView[] {
  let asked = 0;
  return ledger.installments.map((installment, position) => {
    const { due, paid, dueDay } = installment;
    asked += due.principal - installment.revivedPrincipalCents;
    const paidOut = ledger.advances.reduce((sum, advance) => (advance.day <= dueDay ? sum + advance.amountCents : sum), 0);
    return {
      number: position + 1,
      kind: installment.kind,
      days: dueDay - installment.from,
      dueDay,
      metDay: installment.metDay,
      parts: due,
      dueCents: cents(sumOf(due)),
      paidCents: cents(sumOf(paid)),
      paidInAdvanceCents: cents(installment.paidInAdvanceCents),
      paidLateCents: cents(installment.paidLateCents),
      outstandingCents: cents(sumOf(due) - sumOf(paid)),
      principalBalanceCents: cents(paidOut - asked),
      openBalanceCents: cents(expectedBalance(ledger, dueDay)),
    };
  });
}

export interface ChargeView {
  readonly sequence: number;
  readonly part: ChargePart;
  readonly dueDay: Day;
  readonly dueCents: Cents;
  readonly paidCents: Cents;
}

/** Charges with what was paid of them, the oldest first. */
export function chargeViews(ledger: ScheduledLedger): readonly ChargeView[] {
  const charges = ledger.charges.filter(({ isRevived }) => isRevived !== true);
  const paid = paidOfCharges(ledger, charges);
  return charges.map(({ sequence, part, dueDay, amountCents }, position) => ({
    sequence,
    part,
    dueDay,
    dueCents: cents(amountCents),
    paidCents: cents(paid[position] ?? 0),
  }));
}

/** What was paid of each charge: the money for a part of an installment pays its charges in their order. */
export function paidOfCharges({ installments }: ScheduledLedger, charges: readonly Charge[]): readonly number[] {
  const before = new Map<string, number>();
  return charges.map(({ part, amountCents, installment }) => {
    const key = `${installments.indexOf(installment)} ${part}`;
    const beforeCents = before.get(key) ?? 0;
    before.set(key, beforeCents + amountCents);
    return Math.min(amountCents, Math.max(0, installment.paid[part] - beforeCents));
  });
}

/** Why settings contradict each other; null if they do not. */
export function conflictOf({ interest, principal, recalculation, excess, creditExcess, chargebackOrder }: ScheduledKeeping): string | null {
  if (recalculation.type === 'none') return null;
  if (interest.type === 'flat') return 'flat interest is never recalculated';
  if (recalculation.type === 'cumulative' && chargebackOrder !== null) return 'cumulative recalculation knows no order of charge-backs';
  if (principal.type !== 'level') return 'interest is recalculated within level installments alone';
  const isInOrder = excess === 'next' && creditExcess === 'next';
  return isInOrder ? null : 'where interest is recalculated, money above what is due meets the next installments';
}

/** Interest and charges of a closed loan that are not recorded as income yet; zero while the loan is open. */
export function incomeToRecord(ledger: ScheduledLedger): Parts {
  const parts = noParts();
  if (ledger.advances.length === 0 || ledger.installments.some(isOpen)) return parts;
  for (const { due } of ledger.installments) addParts(parts, due);
  for (const part of PARTS) parts[part] -= ledger.chargedBackParts[part] + ledger.recordedIncome[part];
  parts.principal = 0;
  return parts;
}

/** The rates of a timeline from a day on. */
export function ratesSince({ segments }: RateTimeline, day: Day): readonly { readonly from: Day; readonly annualRate: Rate }[] {
  return segments.filter(({ until }) => until > day).map(({ from, net }) => ({ from: from > day ? from : day, annualRate: net }));
}
