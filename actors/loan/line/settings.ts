import type { DrawOrder, LineSettings, Since } from '../../../engine/index.js';
import type { LoanType, LoanTypeSettings, MultiWaterfallRule } from '../../company/index.js';
import { lateFeesAt } from '../fees/late.js';
import { ledgerSettingsOn, type SettingsSources, timelineBySources } from '../ledger/settings.js';

/** The product's settings as a line's ledger reads them. */
export function lineSettings(loanType: LoanType, sources: SettingsSources): readonly Since<LineSettings>[] {
  const bySources = cache.get(loanType) ?? new WeakMap<SettingsSources, readonly Since<LineSettings>[]>();
  const known = bySources.get(sources);
  if (known !== undefined) return known;
  const made = timelineBySources(loanType, sources, (settings, from, rules) => ({ ...settingsOn(settings, sources, from), rules }));
  cache.set(loanType, bySources.set(sources, made));
  return made;
}

/** Loan types and sources are replaced, never changed: their identity is their version. */
const cache = new WeakMap<LoanType, WeakMap<SettingsSources, readonly Since<LineSettings>[]>>();

function settingsOn(settings: LoanTypeSettings, { lateFees }: SettingsSources, from: Since<unknown>['from']): LineSettings {
  const { minPayment, multiWaterfall } = settings;
  return {
    ...ledgerSettingsOn(settings, lateFeesAt(lateFees, from)),
    areLineFeesFirst: areLineFeesFirst(multiWaterfall),
    drawOrder: multiWaterfall.flatMap((rule) => DRAW_ORDERS[rule] ?? []),
    minimumInterestChargeCents: settings.interest.minimumInterestCharge,
    isInterestInMinimum: minPayment.includeInterest,
    areFeesInMinimum: minPayment.includeFees,
    isOverLimitInMinimum: minPayment.includeOverLimit,
    isOverdueInMinimum: minPayment.includeOverdue,
    overLimitTolerance: settings.creditLimit.overLimitTolerancePercent,
    isRevolving: settings.structure.revolving,
  };
}

/** The directed draw comes first anyway (servicing-behaviour 10.5). */
const DRAW_ORDERS: Readonly<Partial<Record<MultiWaterfallRule, DrawOrder>>> = {
  overdueAmount: 'overdueAmount',
  dueAmount: 'dueAmount',
  highestEffectiveRate: 'highestRate',
  oldestDraw: 'oldest',
};

/** Line fees come before the draws when they stand before all that orders draws. */
function areLineFeesFirst(rules: readonly MultiWaterfallRule[]): boolean {
  const fees = rules.indexOf('lineFees');
  return fees >= 0 && rules.slice(0, fees).every((rule) => rule === 'directedDraw');
}
