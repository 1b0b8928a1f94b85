import type { Role } from './chart.js';
import type { Basis } from './entry.js';
import { credit, debit, type Posted } from './lines.js';
import type { NonaccrualAfter } from './nonaccrual.js';
import type { GeneralLedgerSettings } from './settings.js';

/** Fees of one kind in a split. */
export interface FeePart {
  readonly kind: string;
  readonly amount: number;
}

/** What an amount has paid, lowered or raised, as the loan's ledger has split it. Absent: nothing. */
export interface Parts {
  readonly principal?: number;
  readonly interest?: number;
  readonly fees?: readonly FeePart[];
  /** Above everything owed: the borrower's. */
  readonly credit?: number;
  readonly chargedOffPrincipal?: number;
  readonly chargedOffInterest?: number;
  readonly chargedOffFees?: number;
}

/** The general ledger for which a rule posts. */
export interface Keeping {
  readonly basis: Basis;
  readonly settings: GeneralLedgerSettings;
  /** As the settings of each day said; absent: as those above say. */
  readonly nonaccrualAfter?: NonaccrualAfter | null;
}

export const feesOf = ({ fees = [] }: Parts): number => fees.reduce((sum, { amount }) => sum + amount, 0);

const chargedOffOf = ({ chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0 }: Parts): number =>
  chargedOffPrincipal + chargedOffInterest + chargedOffFees;

/** A late fee that is income only when it is paid has no receivable. */
export const isIncomeWhenPaid = ({ basis, settings }: Keeping, kind: string): boolean =>
  basis === 'cash' || (kind === 'late' && settings.lateFeeRecognition === 'whenPaid');

/** The credits of what money has paid: receivables, or income on cash basis. */
export function paidParts(keeping: Keeping, parts: Parts, isNonaccrual = false): readonly Posted[] {
  const { principal = 0, interest = 0, fees = [], credit: over = 0 } = parts;
  return [
    credit('principalReceivable', principal),
    credit(paidInterestRole(keeping, isNonaccrual), interest),
    ...fees.map(({ kind, amount }) => credit(isIncomeWhenPaid(keeping, kind) ? 'feeIncome' : 'feesReceivable', amount, { feeKind: kind })),
    credit('borrowerCredit', over),
    ...recovered(keeping, parts),
  ];
}

function paidInterestRole({ basis, settings }: Keeping, isNonaccrual: boolean): Role {
  if (isNonaccrual) return settings.nonaccrualPayments === 'costRecovery' ? 'costRecoveryContra' : 'interestIncome';
  return basis === 'cash' ? 'interestIncome' : 'interestReceivable';
}

function recovered(
  { settings }: Keeping,
  { chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0 }: Parts,
): readonly Posted[] {
  return [
    credit(settings.recoveredPrincipal, chargedOffPrincipal),
    credit(settings.recoveredInterest, chargedOffInterest),
    credit(settings.recoveredFees, chargedOffFees, settings.recoveredFees === 'feeIncome' ? { feeKind: 'recovered' } : undefined),
  ];
}

/** On cash basis nobody has recognized interest and fees that were not paid: only principal counts. */
export function recognizedParts({ basis }: Keeping, parts: Parts): Parts {
  if (basis === 'accrual') return parts;
  const { principal, credit: over, chargedOffPrincipal } = parts;
  return {
    ...(principal === undefined ? {} : { principal }),
    ...(over === undefined ? {} : { credit: over }),
    ...(chargedOffPrincipal === undefined ? {} : { chargedOffPrincipal }),
  };
}

/** The receivables that a credit lowers; of a charged-off loan it counts as a recovery. */
export function creditedParts(keeping: Keeping, parts: Parts): readonly Posted[] {
  const { principal = 0, interest = 0, fees = [], credit: over = 0 } = parts;
  return [
    credit('principalReceivable', principal),
    credit('interestReceivable', interest),
    ...fees.map(({ kind, amount }) => credit(isIncomeWhenPaid(keeping, kind) ? 'feeIncome' : 'feesReceivable', amount, { feeKind: kind })),
    credit('borrowerCredit', over),
    credit('recoveries', chargedOffOf(parts)),
  ];
}

/** Where losses of a charge-off go, by component. */
export function lossRoles(
  { settings }: Keeping,
  isFraud: boolean,
): Readonly<Record<'principal' | 'interest' | 'priorYearInterest' | 'fees', Role>> {
  const loss: Role = isFraud ? 'chargeOffLossFraud' : 'chargeOffLoss';
  const roleOf = (to: 'reverseIncome' | 'loss' | 'allowance', reversal: Role): Role =>
    to === 'allowance' ? 'allowance' : to === 'loss' ? loss : reversal;
  return {
    principal: settings.chargeOffPrincipal === 'allowance' ? 'allowance' : loss,
    interest: roleOf(settings.chargeOffInterest, 'interestIncomeReversal'),
    priorYearInterest: roleOf(settings.chargeOffPriorYearInterest, 'interestIncomeReversal'),
    fees: roleOf(settings.chargeOffFees, 'feeIncomeReversal'),
  };
}

/** Money that was returned after a charge-off: the loss grows instead of receivables. */
export function lossParts(keeping: Keeping, parts: Parts): readonly Posted[] {
  const roles = lossRoles(keeping, false);
  const { chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0 } = parts;
  if (keeping.basis === 'cash') {
    return [
      debit(roles.principal, chargedOffPrincipal),
      debit('interestIncome', chargedOffInterest),
      debit('feeIncome', chargedOffFees, { feeKind: 'recovered' }),
    ];
  }
  return [debit(roles.principal, chargedOffPrincipal), debit(roles.interest, chargedOffInterest), debit(roles.fees, chargedOffFees)];
}
