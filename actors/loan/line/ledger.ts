import {
  advanceLine,
  applyLineFact,
  canApplyLine,
  cents,
  cloneLine,
  computeLine,
  type Day,
  type DrawOrder,
  lineDifferences,
  type LineFact,
  lineOwedCents,
  type LineSettings,
  type LineState,
  type LineTerms,
  must,
  NEVER,
  nextLineActionDay,
  type Since,
} from '../../../engine/index.js';
import type { LoanType, LoanTypeSettings, MultiWaterfallRule } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { loanTypeOf } from '../context.js';
import { lateFeesAt } from '../fees/late.js';
import { Mover } from '../ledger/moving.js';
import { configurationAt, ledgerSettingsOn, type SettingsSources, timelineBySources } from '../ledger/settings.js';
import { overdueSince } from '../ledger/summary.js';
import type { LedgerSummary, LoanState } from '../state.js';
import type { LineServicing } from './state.js';

/** How a line's ledger wakes and moves: what `ledger.ts` is for installment loans. */

const lineIn = (state: LoanState): LineServicing => must(state.line, `${state.id} has no line of credit`);

/** The terms of the line with its product's settings as they are known now, or were at a moment. */
export const lineTermsOf = (state: LoanState, env: EvolveEnv, knownAt: number | null = null): LineTerms => ({
  ...lineIn(state).contract.terms,
  settings: settingsOf(state, env, knownAt),
});

function settingsOf(state: LoanState, env: EvolveEnv, knownAt: number | null = null): readonly Since<LineSettings>[] {
  const { loanType, sources } = configurationAt(loanTypeOf(env, state), lineIn(state), knownAt);
  return lineSettings(loanType, sources);
}

/** The running ledger: woken from its facts when it was laid down, or when its product's settings have a newer version. */
export function lineOf(state: LoanState, env: EvolveEnv): LineState {
  const line = lineIn(state);
  const settings = settingsOf(state, env);
  if (line.ledger === null || line.ledger.terms.settings !== settings) {
    line.ledger = computeLine({ ...line.contract.terms, settings }, lineFactsOf(line), line.summary.through);
  }
  return line.ledger;
}

export const lineFactsOf = (line: LineServicing): readonly LineFact[] => line.facts.all().map((stored) => stored.fact);

/** How the ledger of lines of credit moves. */
export const lineOfCredit = new Mover<LineState, LineTerms, LineFact>({
  termsOf: lineTermsOf,
  factsOf: (state) => lineFactsOf(lineIn(state)),
  storedOf: (state) => lineIn(state).facts,
  ledgerOf: lineOf,
  keep: (state, ledger) => {
    lineIn(state).ledger = ledger;
  },
  listen: (ledger, listener) => {
    ledger.watcher = listener;
  },
  compute: computeLine,
  clone: cloneLine,
  advance: advanceLine,
  canApply: canApplyLine,
  apply: applyLineFact,
  isSlow: () => false,
  differences: lineDifferences,
});

/** What lists and agendas know of a line's ledger. */
export function lineSummaryOf(ledger: LineState): LedgerSummary {
  const next = nextLineActionDay(ledger);
  // A frozen line's periods go on, and have statements that ask for nothing.
  const running = ledger.status === 'active' || ledger.status === 'frozen' ? (ledger.periods.at(-1) ?? null) : null;
  return {
    status: ledger.status,
    through: ledger.day,
    nextDay: next === NEVER ? null : next,
    nextDueDay: openDueDay(ledger) ?? (ledger.status === 'active' ? (running?.dueDate ?? null) : null),
    fallenDueDay: ledger.periods.at(-2)?.dueDate ?? null,
    comingDueDay: running?.dueDate ?? null,
    comingStatementDay: running?.statementDate ?? null,
    ...(running === null ? {} : { periodStartDay: running.startDate }),
    endDay: null,
    isOverdue: ledger.isOverdue,
    overdueSince: overdueSince(ledger),
    outstandingCents: cents(lineOwedCents(ledger)),
    chargeOffReason: ledger.chargeOffReason,
  };
}

/** Of what was stated and can still be paid in time. */
const openDueDay = ({ obligations, firstOpenObligation }: LineState): Day | null =>
  obligations.slice(firstOpenObligation).find(({ isFulfilled, isEnforced }) => !isFulfilled && !isEnforced)?.dueDay ?? null;

/** The product's settings as a line's ledger reads them. */
function lineSettings(loanType: LoanType, sources: SettingsSources): readonly Since<LineSettings>[] {
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

/** The directed draw comes first anyway. */
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
