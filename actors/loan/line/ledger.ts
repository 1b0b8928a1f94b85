import {
  accruedOfCents,
  advanceLine,
  applyLineFact,
  arrangeLineSince,
  canApplyLine,
  cents,
  type Cents,
  cloneLine,
  computeLine,
  type Day,
  type DrawOrder,
  drawOwedCents,
  type LineBalances,
  lineBalancesOf,
  lineDifferences,
  type LineFact,
  lineOverdueOf,
  lineOwedCents,
  linePayoffOf,
  lineScheduleOf,
  type LineScheduleRow,
  type LineSettings,
  type LineState,
  type LineTerms,
  must,
  NEVER,
  nextLineActionDay,
  type Payoff,
  type Rate,
  rateOn,
  type Since,
  ZERO,
} from '../../../engine/index.js';
import type { LoanType, LoanTypeSettings, MultiWaterfallRule } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, orNull, rateValue, unrounded } from '../../wire.js';
import { livePlan } from '../autopay/plan.js';
import { loanTypeOf, recordOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { comingFeesOf } from '../fees/coming.js';
import { lateFeesAt } from '../fees/late.js';
import type { FactList } from '../ledger/fact-list.js';
import { overdueSince } from '../ledger/installment.js';
import { Mover } from '../ledger/moving.js';
import { configurationAt, ledgerSettingsOn, type SettingsSources, timelineBySources } from '../ledger/settings.js';
import { indexOf, isScraOn, rateRowsOf, timelineOf } from '../rates/rows.js';
import type { LedgerSummary, LoanState, Servicing, StoredFact } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { NO_FEE } from '../views/origination.js';
import type { ActivationView, CurrentView, ScheduleRowReply } from '../views/types.js';
import { daysOfSchedule, type ScheduleDays } from './schedule.js';

/** The servicing of a line of credit since its activation, as `Servicing` is an installment loan's. */
export interface LineServicing extends Omit<Servicing, 'contract' | 'facts' | 'ledger'> {
  readonly contract: LineContract;
  /** In the order of recording; a fact's sequence is its position, from 1. Only ever added to. */
  readonly facts: FactList<StoredLineFact>;
  /** Changes of the limits of the line and its draws, in the order of recording. */
  limits: readonly LimitChange[];
  /** Moved forward in place by the engine. Null while it is not in memory: it is computed from the facts. */
  ledger: LineState | null;
}

/** A limit that was set by a command. */
export interface LimitChange {
  /** Null: the limit is the line's. */
  readonly draw: number | null;
  readonly limitCents: Cents;
  /** Whether it is the share of a new limit of the line; missing in changes of earlier releases. */
  readonly isShare?: boolean;
  readonly effectiveDay: Day;
  readonly adverseActionReason: string | null;
  readonly sendNotice: boolean;
  readonly caseId: string | null;
}

/** The terms of every computation, without the product's settings, which are a timeline of their own. */
export interface LineContract {
  readonly terms: Omit<LineTerms, 'settings'>;
  readonly aprNominal: Rate;
  readonly aprEffective: Rate;
}

export type StoredLineFact = StoredFact<LineFact>;

const lineIn = (state: LoanState): LineServicing => must(state.line, `${state.id} has no line of credit`);

/**
 * The terms of the line with its product's settings as known now, or at a moment. The settings stand in front of the rest, see
 * docs/decisions/copies-with-more.md.
 */
export const lineTermsOf = (state: LoanState, env: EvolveEnv, knownAt: number | null = null): LineTerms => ({
  settings: settingsOf(state, env, knownAt),
  ...lineIn(state).contract.terms,
});

function settingsOf(state: LoanState, env: EvolveEnv, knownAt: number | null = null): readonly Since<LineSettings>[] {
  const { loanType, sources } = configurationAt(loanTypeOf(env, state), lineIn(state), knownAt);
  return lineSettings(loanType, sources);
}

/** The running ledger, computed from its facts if it is not in memory, or if its product's settings have a newer version. */
export function lineOf(state: LoanState, env: EvolveEnv): LineState {
  const line = lineIn(state);
  const settings = settingsOf(state, env);
  if (line.ledger === null || line.ledger.terms.settings !== settings) {
    line.ledger = computeLine({ settings, ...line.contract.terms }, lineFactsOf(line), line.summary.through);
  }
  return line.ledger;
}

export const lineFactsOf = (line: LineServicing): readonly LineFact[] => line.facts.all().map((stored) => stored.fact);

/** Moves the ledgers of lines of credit. */
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
  arrangeSince: arrangeLineSince,
  canApply: canApplyLine,
  apply: applyLineFact,
  isSlow: () => false,
  differences: lineDifferences,
});

/** The summary of a line's ledger for lists and agendas. */
export function lineSummaryOf(ledger: LineState): LedgerSummary {
  const next = nextLineActionDay(ledger);
  // The periods of a frozen line continue, with statements that ask for nothing.
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

/** The due date of the oldest statement that can still be paid in time. */
const openDueDay = ({ obligations, firstOpenObligation }: LineState): Day | null =>
  obligations.slice(firstOpenObligation).find(({ isFulfilled, isEnforced }) => !isFulfilled && !isEnforced)?.dueDay ?? null;

/** The product's settings for a line's ledger. */
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

/** A draw that the payment is directed to always comes first. */
const DRAW_ORDERS: Readonly<Partial<Record<MultiWaterfallRule, DrawOrder>>> = {
  overdueAmount: 'overdueAmount',
  dueAmount: 'dueAmount',
  highestEffectiveRate: 'highestRate',
  oldestDraw: 'oldest',
};

/** Whether line fees come before the draws: before every rule that orders draws. */
function areLineFeesFirst(rules: readonly MultiWaterfallRule[]): boolean {
  const fees = rules.indexOf('lineFees');
  return fees >= 0 && rules.slice(0, fees).every((rule) => rule === 'directedDraw');
}

/** The schedule of a line or of one of its draws: rows of past statements, and the expected next one. */
export function lineRows(state: LoanState, env: ViewEnv, draw: number | null = null): readonly ScheduleRowReply[] {
  const ledger = lineOfCredit.toReadOn(state, env, env.today(recordOf(state).zone));
  if (draw !== null && !ledger.draws.some((known) => known.draw === draw)) return [];
  return lineScheduleOf(ledger, draw, comingFeesOf(state, env, ledger.day)).map((row) => rowReply(row, state, env));
}

/** A row of the schedule. A statement fixes its amount, so the original amount is the amount. */
export const rowReply = (row: LineScheduleRow, state: LoanState, env: ViewEnv): ScheduleRowReply => ({
  date: dateText(row.date),
  periodId: periodId(env, state, row.ordinal),
  paymentType: 'periodicPayment',
  status: row.status,
  amount: amount(row.amountCents),
  originalAmount: amount(row.amountCents),
  principalAmount: amount(row.principalCents),
  interestAmount: amount(row.interestCents),
  interestBeforeDiscountAmount: amount(row.interestCents),
  unroundedPrincipalAmount: unrounded(accruedOfCents(row.principalCents)),
  unroundedInterestAmount: unrounded(accruedOfCents(row.interestCents)),
  unroundedInterestBeforeDiscountAmount: unrounded(accruedOfCents(row.interestCents)),
  isDeferred: false,
  isForcedAmount: false,
  dynamicFeeDetails: NO_FEE,
});

/** The frequency of a line's dates and their days, as of now. */
export const lineDaysOf = (state: LoanState, env: ViewEnv): ScheduleDays => daysOfSchedule(lineOf(state, env).schedule);

/** The current state of a line; before its activation by its terms. */
export function currentLineView(state: LoanState, env: ViewEnv): Omit<CurrentView, 'merchantDiscount' | 'merchantReserve'> {
  const { atOrigination: terms, zone } = recordOf(state);
  const today = env.today(zone);
  const ledger = state.line && lineOfCredit.toReadOn(state, env, today);
  const overdue = ledger && lineOverdueOf(ledger, comingFeesOf(state, env, today));
  const isAsking = ledger?.status === 'active' || ledger?.status === 'frozen';
  const stated = isAsking ? ledger.obligations.at(-1) : undefined;
  const days = state.line === null ? terms : lineDaysOf(state, env);
  return {
    autopayEnabled: livePlan(state) !== null,
    creditLimitAmount: orNull(amount, ledger === null ? terms.credit?.limitCents : cents(ledger.limitCents)),
    activePaymentPlanId: null,
    isScraActive: isScraOn(state, env, today),
    paymentFrequency: days.paymentFrequency,
    specificDays: days.specificDays,
    periodicPayment: orNull(amount, stated === undefined ? null : cents(stated.amountCents)),
    nextDueDate: orNull(dateText, overdue?.nextDueDate),
    nextDueAmount: orNull(amount, overdue?.nextDueCents),
    isOverdue: overdue?.isOverdue ?? false,
    daysOverdue: overdue?.daysOverdue ?? 0,
    overdueAmount: amount(overdue?.overdueCents ?? ZERO),
    duration: null,
    interestRate: ledger && rateValue(rateOfLine(state, env, today)),
  };
}

/** The last due date of a closed line whose draws are all amortized. A line with minimum payments has no such date. */
export function lineEndDay(state: LoanState, env: ViewEnv): Day | null {
  if (state.line === null || !recordOf(state).isClosed) return null;
  const { draws, obligations } = lineOfCredit.toReadOn(state, env, env.today(recordOf(state).zone));
  const owing = draws.filter((draw) => drawOwedCents(draw) > 0);
  if (!owing.every(({ isAmortized }) => isAmortized)) return null;
  const days = owing.flatMap(({ rows }) => rows.map(({ dueDate }) => dueDate));
  return days.reduce<Day | null>((last, day) => (last === null || day > last ? day : last), obligations.at(-1)?.dueDay ?? null);
}

/** The activation of a line, which has neither an amount nor an end date. */
export const lineActivationView = ({ terms, aprNominal, aprEffective }: LineContract): ActivationView => ({
  startDate: dateText(terms.activation),
  endDate: null,
  duration: null,
  principalAmount: null,
  amountFinanced: null,
  periodicPaymentAmount: null,
  totalInterestAmount: null,
  aprNominal: rateValue(aprNominal),
  aprEffective: rateValue(aprEffective),
  expectedPayments: [],
});

function rateOfLine(state: LoanState, env: ViewEnv, today: Day): ReturnType<typeof rateOn>['net'] {
  const activation = state.line?.contract.terms.activation ?? today;
  return rateOn(timelineOf(rateRowsOf(state, env), indexOf(state, env), activation), today).net;
}

/** Balances of a line, or of one of its draws; zero before the draw's activation. */
export function lineBalancesOfDraw(ledger: LineState, draw: number | null): LineBalances {
  const isKnown = draw === null || ledger.draws.some((known) => known.draw === draw);
  return isKnown ? lineBalancesOf(ledger, draw) : lineBalancesOf({ ...ledger, draws: [], fees: [], payments: [] });
}

/**
 * Calls `see` with the ledger at the end of each of the days, which rise. It is moved forward where no fact is effective since the day
 * before, and computed again otherwise.
 */
export function lineByDay(state: LoanState, env: EvolveEnv, days: readonly Day[], see: (ledger: LineState) => void): void {
  const terms = lineTermsOf(state, env);
  const facts = lineFactsOf(must(state.line, `${state.id} has no line of credit`));
  const busy = facts.flatMap(daysOf);
  let ledger: LineState | null = null;
  for (const day of days) {
    const since = ledger?.day;
    if (ledger === null || since === undefined || busy.some((each) => since < each && each <= day)) ledger = computeLine(terms, facts, day);
    else advanceLine(ledger, day);
    see(ledger);
  }
}

const daysOf = (fact: LineFact): readonly Day[] => [fact.effective.day, ...(fact.type === 'paymentMoved' ? [fact.newEffective.day] : [])];

/** The payoff of a line, or of one of its draws, on a day; zero for a draw that was never activated. */
export function linePayoff(
  state: LoanState,
  env: EvolveEnv,
  { today, day, draw }: { readonly today: Day; readonly day: Day; readonly draw: number | null },
): Payoff {
  const ledger = lineOfCredit.runningOn(state, env, today);
  const isKnown = draw === null || ledger.draws.some((known) => known.draw === draw);
  return isKnown ? linePayoffOf(ledger, day, draw) : linePayoffOf({ ...ledger, draws: [], fees: [], payments: [] }, day);
}
