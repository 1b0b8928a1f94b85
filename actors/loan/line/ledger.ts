import {
  advanceLine,
  addDays,
  applyLineFact,
  canApplyLine,
  cents,
  cloneLine,
  computeLine,
  type Day,
  lineDifferences,
  lineOwedCents,
  type LineFact,
  type LineHappening,
  type LineSettings,
  type LineState,
  type LineTerms,
  must,
  NEVER,
  nextLineActionDay,
  oldestOverdue,
  type Since,
} from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { loanTypeOf } from '../context.js';
import { withOrderedStatus } from '../net-happenings.js';
import type { Moved } from '../running.js';
import type { LedgerSummary, LoanState } from '../state.js';
import { lineSettings } from './settings.js';
import type { LineContract, LineServicing } from './state.js';

/** How a line's ledger wakes and moves: what `ledger.ts` is for installment loans. */

const lineIn = (state: LoanState): LineServicing => must(state.line, `${state.id} has no line of credit`);

/** The terms of the line with its product's settings as they are known now. */
export const lineTermsOf = (state: LoanState, env: EvolveEnv): LineTerms => ({ ...lineIn(state).contract.terms, settings: settingsOf(state, env) });

const settingsOf = (state: LoanState, env: EvolveEnv): readonly Since<LineSettings>[] =>
  lineSettings(companyOf(env, state.tenant), loanTypeOf(env, state), lineIn(state).sources);

/** The running ledger: woken from its facts when it was laid down, or when its product's settings have a newer version. */
export function lineOf(state: LoanState, env: EvolveEnv): LineState {
  const line = lineIn(state);
  const settings = settingsOf(state, env);
  if (line.ledger === null || line.ledger.terms.settings !== settings) {
    line.ledger = computeLine({ ...line.contract.terms, settings }, lineFactsOf(line), line.summary.through);
  }
  return line.ledger;
}

export const lineFactsOf = (line: LineServicing): readonly LineFact[] => line.facts.map((stored) => stored.fact);

/** A copy moved forward to a day, for readers; the line's own stays where it is. */
export function lineOn(state: LoanState, env: EvolveEnv, day: Day): LineState {
  const copy = cloneLine(lineOf(state, env));
  if (day > copy.day) advanceLine(copy, day);
  return copy;
}

/** The same for those who read at once and change nothing. */
export function lineToRead(state: LoanState, env: EvolveEnv, day: Day): LineState {
  const ledger = lineOf(state, env);
  return day > ledger.day ? lineOn(state, env, day) : ledger;
}

export function moveLineThrough(state: LoanState, env: EvolveEnv, day: Day): Moved {
  const ledger = lineOf(state, env);
  return { happenings: watched(ledger, () => advanceLine(ledger, day)), isReplay: false };
}

/** Takes in a fact: at the end it moves the running ledger, in the past everything is computed again. */
export function moveLineBy(state: LoanState, env: EvolveEnv, fact: LineFact): Moved {
  const line = lineIn(state);
  const ledger = lineOf(state, env);
  if (canApplyLine(ledger, fact)) return { happenings: watched(ledger, () => applyLineFact(ledger, fact)), isReplay: false };
  // The days up to a fact that is late but beyond what was computed have nothing but interest.
  if (fact.effective.day > ledger.day) advanceLine(ledger, fact.effective.day);
  const after = computeLine(ledger.terms, [...lineFactsOf(line), fact], ledger.day);
  line.ledger = after;
  return { happenings: withOrderedStatus(lineDifferences(ledger, after), fact), isReplay: true };
}

/** Computes all again, after what decides its settings has changed. */
export function moveLineAgain(state: LoanState, env: EvolveEnv, before: LineState): Moved {
  const line = lineIn(state);
  const after = computeLine(lineTermsOf(state, env), lineFactsOf(line), before.day);
  line.ledger = after;
  return { happenings: withOrderedStatus(lineDifferences(before, after), null), isReplay: true };
}

/** Starts the ledger at its activation; a past one is computed up to `through`, and tells only how it stands there. */
export function startLine(state: LoanState, env: EvolveEnv, through: Day): Moved {
  const line = lineIn(state);
  const terms = lineTermsOf(state, env);
  const happenings: LineHappening[] = [];
  const start = computeLine(terms, [], terms.activation, { happened: (happening) => happenings.push(happening) });
  start.watcher = null;
  line.ledger = start;
  if (through <= terms.activation) return { happenings, isReplay: false };
  const after = computeLine(terms, [], through);
  line.ledger = after;
  return { happenings: [...happenings, ...lineDifferences(start, after)], isReplay: true };
}

function watched(ledger: LineState, move: () => void): readonly LineHappening[] {
  const happenings: LineHappening[] = [];
  ledger.watcher = { happened: (happening) => happenings.push(happening) };
  move();
  ledger.watcher = null;
  return happenings;
}

/** What lists and agendas know of a line's ledger. */
export function lineSummaryOf(ledger: LineState): LedgerSummary {
  const next = nextLineActionDay(ledger);
  const running = ledger.status === 'active' ? (ledger.periods.at(-1) ?? null) : null;
  const oldest = ledger.isOverdue ? oldestOverdue(ledger) : undefined;
  return {
    status: ledger.status,
    through: ledger.day,
    nextDay: next === NEVER ? null : next,
    nextDueDay: openDueDay(ledger) ?? running?.dueDate ?? null,
    fallenDueDay: ledger.periods.at(-2)?.dueDate ?? null,
    comingDueDay: running?.dueDate ?? null,
    comingStatementDay: running?.statementDate ?? null,
    ...(running === null ? {} : { periodStartDay: running.startDate }),
    endDay: null,
    isOverdue: ledger.isOverdue,
    overdueSince: oldest === undefined ? null : addDays(oldest.dueDay, oldest.pausedDays),
    outstandingCents: cents(lineOwedCents(ledger)),
    chargeOffReason: ledger.chargeOffReason,
  };
}

/** Of what was stated and can still be paid in time. */
const openDueDay = ({ obligations, firstOpenObligation }: LineState): Day | null =>
  obligations.slice(firstOpenObligation).find(({ isFulfilled, isEnforced }) => !isFulfilled && !isEnforced)?.dueDay ?? null;

/** Before the first day is computed. */
export const firstLineSummary = ({ terms }: LineContract): LedgerSummary => ({
  status: 'active',
  through: terms.activation,
  nextDay: null,
  nextDueDay: null,
  fallenDueDay: null,
  comingDueDay: null,
  comingStatementDay: null,
  endDay: null,
  isOverdue: false,
  overdueSince: null,
  outstandingCents: cents(0),
  chargeOffReason: null,
});
