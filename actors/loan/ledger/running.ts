import {
  arrange,
  arrangeLine,
  arrangeLineSince,
  arrangeSince,
  type Balances,
  balancesOf,
  canApply,
  canApplyLine,
  type Cents,
  cents,
  computeLedger,
  computeLine,
  type Day,
  type FeeState,
  type LedgerFact,
  type LedgerState,
  lineBalancesOf,
  lineDigest,
  type LineFact,
  lineObligationsOf,
  NO_COMING_FEES,
  type LineObligationView,
  lineOverdueOf,
  linePeriodsOf,
  type LineState,
  must,
  obligationsOf,
  type ObligationView,
  overdueOf,
  type OverdueView,
  periodsOf,
  type PeriodView,
  type RecordedLedger,
  type RecordedLine,
  recordLedger,
  recordLine,
  recordLineNext,
  recordLineSince,
  recordNext,
  recordSince,
  stateDigest,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf } from '../context.js';
import { factsOf, installment, ledgerOf, summaryOf, termsOf } from './installment.js';
import { lineFactsOf, lineOf, lineOfCredit, type LineServicing, lineSummaryOf, lineTermsOf } from '../line/ledger.js';
import type { Moved } from './moving.js';
import type { LedgerSummary, LoanState, StoredFact } from '../state.js';

/** Functions for ledgers of either product: each one distinguishes the two products. */
export type RunningLedger = LedgerState | LineState;

export const isLine = (ledger: RunningLedger): ledger is LineState => 'draws' in ledger;

export type AnyLedgerFact = LedgerFact | LineFact;

/** All facts of the loan's ledger, in the order of recording. */
export const storedFacts = (state: LoanState): readonly StoredFact<AnyLedgerFact>[] => activationOf(state)?.facts.all() ?? [];

/** The facts that were recorded after the first `count`. */
export const factsBehind = (state: LoanState, count: number): readonly StoredFact<AnyLedgerFact>[] =>
  activationOf(state)?.facts.from(count) ?? [];

/** The fact recorded last that passes. */
export const lastFact = (state: LoanState, passes: (fact: AnyLedgerFact) => boolean): AnyLedgerFact | undefined =>
  activationOf(state)?.facts.findLast((stored: StoredFact<AnyLedgerFact>) => passes(stored.fact))?.fact;

/** The number of facts. */
export const factsKnown = (state: LoanState): number => activationOf(state)?.facts.length ?? 0;

/** A fact by its sequence. */
export const storedFact = (state: LoanState, sequence: number): StoredFact<AnyLedgerFact> | undefined =>
  activationOf(state)?.facts.at(sequence - 1);

/** The ledger that moves with each fact. It is computed if it is not in memory, and stays there. */
export const runningOf = (state: LoanState, env: EvolveEnv): RunningLedger =>
  state.line === null ? ledgerOf(state, env) : lineOf(state, env);

/** The ledger after a move, when it is known to be in memory. */
export const ledgerInMemory = (state: LoanState): RunningLedger =>
  must(state.line === null ? state.servicing?.ledger : state.line.ledger, 'a ledger that moved is in memory');

export const moveThrough = (state: LoanState, env: EvolveEnv, day: Day): Moved =>
  state.line === null ? installment.moveThrough(state, env, day) : lineOfCredit.moveThrough(state, env, day);

/*
 * The facts of a loan are all of its own product: each command that records one knows the product, and refuses what it does not have. So a
 * fact is of the product that the loan shows, which the compiler cannot follow from the loan to its fact.
 */

/** A fact of a loan that is no line of credit. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the loan's own product
const ofInstallment = (fact: AnyLedgerFact): LedgerFact => fact as LedgerFact;

/** A fact of a line of credit. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the loan's own product
const ofLine = (fact: AnyLedgerFact): LineFact => fact as LineFact;

const factsWith = (state: LoanState, more: readonly AnyLedgerFact[]): readonly LedgerFact[] => [
  ...factsOf(must(state.servicing, `${state.id} has no ledger`)),
  ...more.map(ofInstallment),
];

const lineFactsWith = (line: LineServicing, more: readonly AnyLedgerFact[]): readonly LineFact[] => [
  ...lineFactsOf(line),
  ...more.map(ofLine),
];

/** Applies a fact of the loan's own product. */
export const moveBy = (state: LoanState, env: EvolveEnv, fact: AnyLedgerFact): Moved =>
  state.line === null ? installment.moveBy(state, env, ofInstallment(fact)) : lineOfCredit.moveBy(state, env, ofLine(fact));

/** Computes everything again, after the sources of its settings have changed. */
export const moveAgain = (state: LoanState, env: EvolveEnv, before: RunningLedger): Moved =>
  isLine(before) ? lineOfCredit.moveAgain(state, env, before) : installment.moveAgain(state, env, before);

/** The net differences of the ledger since `before`. */
export const movedSince = (state: LoanState, env: EvolveEnv, before: RunningLedger, last: AnyLedgerFact): Moved =>
  isLine(before)
    ? lineOfCredit.movedSince(state, env, before, ofLine(last))
    : installment.movedSince(state, env, before, ofInstallment(last));

/** The summary of the running ledger for lists and agendas. */
export const summarize = (ledger: RunningLedger): LedgerSummary => (isLine(ledger) ? lineSummaryOf(ledger) : summaryOf(ledger));

export function digestOf(state: LoanState): string {
  const { line } = state;
  return line === null
    ? stateDigest(must(state.servicing?.ledger, 'a ledger that caught up is in memory'))
    : lineDigest(must(line.ledger, 'a ledger that caught up is in memory'));
}

/** Digest and summary of a ledger that is computed from all facts at once, through the day of the running one. */
export function recompute(state: LoanState, env: EvolveEnv): { readonly digest: string; readonly summary: LedgerSummary } {
  if (state.line === null) {
    const { terms, day } = ledgerOf(state, env);
    const computed = computeLedger(terms, factsOf(must(state.servicing, `${state.id} has no ledger`)), day);
    return { digest: stateDigest(computed), summary: summaryOf(computed) };
  }
  const { terms, day } = lineOf(state, env);
  const computed = computeLine(terms, lineFactsOf(state.line), day);
  return { digest: lineDigest(computed), summary: lineSummaryOf(computed) };
}

/** All fees of a ledger; for a line also those of its draws. */
export const feesIn = (ledger: RunningLedger): readonly FeeState[] =>
  isLine(ledger) ? [...ledger.fees, ...ledger.draws.flatMap(({ fees }) => fees)] : ledger.fees;

/** The ledger through a day, computed without some of the loan's facts. */
export function computedWithout(state: LoanState, env: EvolveEnv, day: Day, isOut: (fact: AnyLedgerFact) => boolean): RunningLedger {
  const { line } = state;
  if (line !== null)
    return computeLine(
      lineTermsOf(state, env),
      lineFactsOf(line).filter((fact) => !isOut(fact)),
      day,
    );
  return computeLedger(
    termsOf(state, env),
    factsOf(must(state.servicing, `${state.id} has no ledger`)).filter((fact) => !isOut(fact)),
    day,
  );
}

/** The ledger through a day, computed with additional facts. */
export function computedWith(state: LoanState, env: EvolveEnv, day: Day, more: readonly AnyLedgerFact[]): RunningLedger {
  const { line } = state;
  if (line !== null) return computeLine(lineTermsOf(state, env), lineFactsWith(line, more), day);
  return computeLedger(termsOf(state, env), factsWith(state, more), day);
}

/** The ledger through a day, from the facts that were known at a moment; null: from all facts. */
export function computedThrough(state: LoanState, env: EvolveEnv, day: Day, knownAt: number | null = null): RunningLedger {
  const isKnown = ({ recordedAt }: { readonly recordedAt: number }): boolean => knownAt === null || recordedAt <= knownAt;
  const { line } = state;
  if (line !== null)
    return computeLine(
      lineTermsOf(state, env, knownAt),
      line.facts
        .all()
        .filter(isKnown)
        .map(({ fact }) => fact),
      day,
    );
  const { facts } = must(state.servicing, `${state.id} has no ledger`);
  return computeLedger(
    termsOf(state, env, knownAt),
    facts
      .all()
      .filter(isKnown)
      .map(({ fact }) => fact),
    day,
  );
}

/** The ledger through a day, from the first facts in the order of recording, under the settings as they were known at a moment. */
export function computedFromFirst(
  state: LoanState,
  env: EvolveEnv,
  { day, count, knownAt }: { readonly day: Day; readonly count: number; readonly knownAt: number },
): RunningLedger {
  if (state.line !== null) return computeLine(lineTermsOf(state, env, knownAt), lineFactsOf(state.line).slice(0, count), day);
  const facts = factsOf(must(state.servicing, `${state.id} has no ledger`));
  return computeLedger(termsOf(state, env, knownAt), facts.slice(0, count), day);
}

/** A copy of the running ledger, moved forward to a day. */
export const runningOn = (state: LoanState, env: EvolveEnv, day: Day): RunningLedger =>
  state.line === null ? installment.runningOn(state, env, day) : lineOfCredit.runningOn(state, env, day);

/** The ledger on a day, only to read: the running one itself if it has reached the day, otherwise a copy. */
export const toReadOn = (state: LoanState, env: EvolveEnv, day: Day): RunningLedger =>
  state.line === null ? installment.toReadOn(state, env, day) : lineOfCredit.toReadOn(state, env, day);

export const balancesIn = (ledger: RunningLedger): Balances => (isLine(ledger) ? lineBalancesOf(ledger) : balancesOf(ledger));

export const periodsIn = (ledger: RunningLedger): readonly PeriodView[] => (isLine(ledger) ? linePeriodsOf(ledger) : periodsOf(ledger));

/** How far a loan is overdue, and what is due next: with the fees of coming days, if they are given. */
export const overdueIn = (ledger: RunningLedger, coming = NO_COMING_FEES): OverdueView =>
  isLine(ledger) ? lineOverdueOf(ledger, coming) : overdueOf(ledger, coming);

export type RecordedRunning = RecordedLedger | RecordedLine;

export const isLineRecord = (recorded: RecordedRunning): recorded is RecordedLine => isLine(recorded.state);

/** The ledger through a day with the record of its events, and one more fact if given. */
export const recordedThrough = (state: LoanState, env: EvolveEnv, day: Day, more: readonly AnyLedgerFact[] = []): RecordedRunning =>
  state.line === null
    ? recordLedger(termsOf(state, env), factsWith(state, more), day)
    : recordLine(lineTermsOf(state, env), lineFactsWith(state.line, more), day);

/** The ledger with one more fact, and the record of what that fact does. Computes everything only if the fact is not the newest. */
export function recordedWith(state: LoanState, env: EvolveEnv, day: Day, fact: AnyLedgerFact): RecordedRunning {
  const running = runningOf(state, env);
  if (isLine(running)) {
    const next = ofLine(fact);
    return canApplyLine(running, next) ? recordLineNext(running, next, day) : recordedThrough(state, env, day, [fact]);
  }
  const next = ofInstallment(fact);
  return canApply(running, next) ? recordNext(running, next, day) : recordedThrough(state, env, day, [fact]);
}

/** The ledger through a day, and the record from a payment on: computed from a checkpoint before the payment, if there is one. */
export function recordedSince(state: LoanState, env: EvolveEnv, day: Day, payment: number): RecordedRunning {
  const isBefore = ({ payments }: RunningLedger): boolean => ![...payments].some(({ transaction }) => transaction === payment);
  const recorded =
    state.line === null
      ? installment.fromCheckpoint(state, env, (ledger, since) => (isBefore(ledger) ? recordSince(ledger, since, day) : null))
      : lineOfCredit.fromCheckpoint(state, env, (ledger, since) => (isBefore(ledger) ? recordLineSince(ledger, since, day) : null));
  return recorded ?? recordedThrough(state, env, day);
}

/** The record of the first facts alone. */
export const recordedFirst = (state: LoanState, env: EvolveEnv, count: number, day: Day): RecordedRunning =>
  state.line === null
    ? recordLedger(ledgerOf(state, env).terms, factsWith(state, []).slice(0, count), day)
    : recordLine(lineOf(state, env).terms, lineFactsOf(state.line).slice(0, count), day);

/** The record that later facts add to a ledger from before all of them; null if one of them changes what is before them. */
export const recordedFrom = (ledger: RunningLedger, later: readonly AnyLedgerFact[], day: Day): RecordedRunning | null =>
  isLine(ledger) ? recordLineSince(ledger, later.map(ofLine), day) : recordSince(ledger, later.map(ofInstallment), day);

/** The day of the last of some facts that takes effect; null if none does. */
export const lastAppliedDay = (ledger: RunningLedger, facts: readonly AnyLedgerFact[]): Day | null =>
  (isLine(ledger) ? arrangeLine(facts.map(ofLine)) : arrange(facts.map(ofInstallment))).facts.at(-1)?.effective.day ?? null;

/** Whether later facts change nothing that is before them. */
export const changeNoPast = (ledger: RunningLedger, later: readonly AnyLedgerFact[]): boolean =>
  (isLine(ledger) ? arrangeLineSince(later.map(ofLine)) : arrangeSince(later.map(ofInstallment))) !== null;

/** The running ledger with one more fact, simulated on a copy. */
export const simulatedWith = (state: LoanState, env: EvolveEnv, fact: AnyLedgerFact): RunningLedger =>
  state.line === null ? installment.simulated(state, env, ofInstallment(fact)) : lineOfCredit.simulated(state, env, ofLine(fact));

/** The obligations of a ledger; of a line those of one of its draws, if a draw is given. */
export const obligationsIn = (
  ledger: RunningLedger,
  draw: number | null = null,
  coming = NO_COMING_FEES,
): readonly (ObligationView | LineObligationView)[] =>
  isLine(ledger) ? lineObligationsOf(ledger, draw, coming) : obligationsOf(ledger, coming);

/** The loan with the daily work done up to today: a copy if any work was pending. */
export function upToDate(state: LoanState, env: EvolveEnv & { today(zone: string): Day }): LoanState {
  const { record } = state;
  const activation = activationOf(state);
  if (record === null || activation === null) return state;
  const today = env.today(record.zone);
  if (activation.summary.nextDay === null || activation.summary.nextDay > today) return state;
  return withLedger(state, runningOn(state, env, today));
}

/** A copy of the loan with another ledger. */
export function withLedger(state: LoanState, ledger: RunningLedger): LoanState {
  const { servicing, line } = state;
  return isLine(ledger)
    ? { ...state, line: line && { ...line, ledger, summary: lineSummaryOf(ledger) } }
    : { ...state, servicing: servicing && { ...servicing, ledger, summary: summaryOf(ledger) } };
}

/** All principal that is not charged off. */
export function principalOf(ledger: RunningLedger): Cents {
  if (!isLine(ledger)) return cents(ledger.nonDuePrincipalCents + ledger.duePrincipalCents + ledger.overduePrincipalCents);
  let total = 0;
  for (const { balances } of ledger.draws)
    total += balances.nonDuePrincipalCents + balances.duePrincipalCents + balances.overduePrincipalCents;
  return cents(total);
}
