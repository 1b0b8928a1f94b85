import { type Day, FIRST_DAY, type LateFeeTerms, type LedgerSettings, must, type Since } from '../../engine/index.js';
import { type CompanyState, type LoanType, type LoanTypeSettings, loanTypeVersions, type SettingsVersion } from '../company/index.js';
import { lateFeesAt, type LateFeeTimeline } from './late-fees.js';

/**
 * The product's settings as the ledger reads them: the loan type's versions, each from its day, joined with the
 * late fees that the loan has taken over. Versions only ever begin on days to come, so that reading the newest
 * timeline changes no day that is past.
 */
export function ledgerSettings(company: CompanyState, loanType: LoanType, lateFees: LateFeeTimeline): readonly Since<LedgerSettings>[] {
  const byFees = cache.get(loanType) ?? new WeakMap<LateFeeTimeline, readonly Since<LedgerSettings>[]>();
  const known = byFees.get(lateFees);
  if (known !== undefined) return known;
  const made = join(loanTypeVersions(company, loanType.id), lateFees);
  cache.set(loanType, byFees.set(lateFees, made));
  return made;
}

/** Loan types and lists of fees are replaced, never changed: their identity is their version. */
const cache = new WeakMap<LoanType, WeakMap<LateFeeTimeline, readonly Since<LedgerSettings>[]>>();

function join(versions: readonly SettingsVersion[], lateFees: LateFeeTimeline): readonly Since<LedgerSettings>[] {
  const starts = new Set<Day>([FIRST_DAY]);
  for (const version of versions.slice(1)) starts.add(version.from);
  for (const taken of lateFees.slice(1)) starts.add(taken.from);
  return [...starts]
    .sort((a, b) => a - b)
    .map((from) => ({ from, value: settingsOn(settingsAt(versions, from), lateFeesAt(lateFees, from)) }));
}

/** The version in force on a day; before the first one, the first. */
export function settingsAt(versions: readonly SettingsVersion[], day: Day): LoanTypeSettings {
  const version = versions.findLast((candidate) => candidate.from <= day) ?? versions[0];
  return must(version, 'a loan type has settings').value;
}

function settingsOn(settings: LoanTypeSettings, lateFees: readonly LateFeeTerms[]): LedgerSettings {
  return {
    isAccruingOnOverdue: settings.interest.accrueOnOverdue,
    capitalization: settings.interest.capitalization,
    isPrepaymentEnabled: settings.payments.enablePrepayments,
    paymentWaterfall: settings.paymentWaterfall,
    creditWaterfall: settings.creditWaterfall,
    acceleratedWaterfall: settings.acceleratedWaterfall,
    chargedOffWaterfall: settings.chargedOffWaterfall,
    overdueToleranceCents: settings.delinquency.overdueToleranceAmount,
    accelerationDueWithin: settings.accelerationDueWithin,
    chargeOffDueWithin: settings.chargeOffDueWithin,
    lateFees,
    lateFeePyramiding: settings.lateFee.pyramidingProtection,
  };
}
