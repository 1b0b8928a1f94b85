import {
  advanceLine,
  applyLineFact,
  canApplyLine,
  cents,
  cloneLine,
  computeLine,
  type Day,
  lineDifferences,
  lineOwedCents,
  type LineFact,
  type LineSettings,
  type LineState,
  type LineTerms,
  must,
  NEVER,
  nextLineActionDay,
  type Since,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { loanTypeOf } from '../context.js';
import { Mover } from '../ledger/moving.js';
import { configurationAt } from '../ledger/settings.js';
import { overdueSince } from '../ledger/summary.js';
import type { LedgerSummary, LoanState } from '../state.js';
import { lineSettings } from './settings.js';
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
