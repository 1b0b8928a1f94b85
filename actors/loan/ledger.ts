import {
  addDays,
  advanceTo,
  applyFact,
  canApply,
  cents,
  cloneState,
  comingPeriod,
  computeLedger,
  type Day,
  type Happening,
  lastFallenDue,
  type LedgerFact,
  type LedgerSettings,
  type LedgerState,
  type LedgerTerms,
  type LedgerWatcher,
  must,
  NEVER,
  nextActionDay,
  nextDueDay,
  oldestOverdue,
  owedCents,
  type Since,
} from '../../engine/index.js';
import type { EvolveEnv } from '../runtime/actor.js';
import { companyOf } from '../company/index.js';
import { loanTypeOf } from './context.js';
import { ledgerSettings } from './ledger-settings.js';
import { netHappenings } from './net-happenings.js';
import type { Moved } from './running.js';
import type { Contract, LedgerSummary, LoanState, Servicing } from './state.js';

/** The terms of the loan with its product's settings as they are known now. */
export function termsOf(state: LoanState, env: EvolveEnv): LedgerTerms {
  const { contract } = must(state.servicing, `${state.id} has no ledger`);
  return { ...contract.terms, settings: settingsOf(state, env) };
}

function settingsOf(state: LoanState, env: EvolveEnv): readonly Since<LedgerSettings>[] {
  const { sources } = must(state.servicing, `${state.id} has no ledger`);
  return ledgerSettings(companyOf(env, state.tenant), loanTypeOf(env, state), sources);
}

/**
 * The running ledger: woken from its facts when it was laid down, or when its product's settings have a newer
 * version. Both give the same ledger for all days that are done.
 */
export function ledgerOf(state: LoanState, env: EvolveEnv): LedgerState {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const { contract } = servicing;
  const settings = settingsOf(state, env);
  if (servicing.ledger === null || servicing.ledger.terms.settings !== settings) {
    servicing.ledger = computeLedger({ ...contract.terms, settings }, factsOf(servicing), servicing.summary.through);
  }
  return servicing.ledger;
}

export const factsOf = (servicing: Servicing): readonly LedgerFact[] => servicing.facts.map((stored) => stored.fact);

/** A copy of the ledger moved forward to a day, for readers; the loan's own stays where it is. */
export function ledgerOn(state: LoanState, env: EvolveEnv, day: Day): LedgerState {
  const copy = cloneState(ledgerOf(state, env));
  if (day > copy.day) advanceTo(copy, day);
  return copy;
}

/** The same for those who read at once and change nothing: the loan's own ledger where it stands on the day. */
export function ledgerToRead(state: LoanState, env: EvolveEnv, day: Day): LedgerState {
  const ledger = ledgerOf(state, env);
  return day > ledger.day ? ledgerOn(state, env, day) : ledger;
}

/** The ledger as it was at the end of an earlier day, as it is known now. */
export function ledgerAsOf(state: LoanState, env: EvolveEnv, day: Day, facts: readonly LedgerFact[]): LedgerState {
  return computeLedger(termsOf(state, env), facts, day);
}

/** Runs the daily work up to a day. */
export function moveLedgerThrough(state: LoanState, env: EvolveEnv, day: Day): Moved {
  const ledger = ledgerOf(state, env);
  return { happenings: watched(ledger, () => advanceTo(ledger, day)), isReplay: false };
}

/** Takes in a fact: at the end it moves the running ledger, in the past everything is computed again. */
export function moveLedgerBy(state: LoanState, env: EvolveEnv, fact: LedgerFact): Moved {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const ledger = ledgerOf(state, env);
  if (canApply(ledger, fact)) return { happenings: watched(ledger, () => applyFact(ledger, fact)), isReplay: false };
  // The days up to a fact that is late but beyond what was computed have nothing but interest.
  if (fact.effective.day > ledger.day) advanceTo(ledger, fact.effective.day);
  const after = computeLedger(ledger.terms, [...factsOf(servicing), fact], ledger.day);
  servicing.ledger = after;
  return { happenings: netHappenings(ledger, after, fact), isReplay: true };
}

/** Computes all again, after what decides its settings has changed. */
export function moveLedgerAgain(state: LoanState, env: EvolveEnv, before: LedgerState): Moved {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const after = computeLedger(termsOf(state, env), factsOf(servicing), before.day);
  servicing.ledger = after;
  return { happenings: netHappenings(before, after), isReplay: true };
}

/** Starts the ledger at its activation; a past one is computed up to `through`, and tells only how it stands there. */
export function startServicing(state: LoanState, env: EvolveEnv, through: Day): Moved {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const terms = termsOf(state, env);
  const happenings: Happening[] = [];
  const start = computeLedger(terms, [], terms.activation, collector(happenings));
  start.watcher = null;
  servicing.ledger = start;
  if (through <= terms.activation) return { happenings, isReplay: false };
  const after = computeLedger(terms, [], through);
  servicing.ledger = after;
  return { happenings: [...happenings, ...netHappenings(start, after)], isReplay: true };
}

function watched(ledger: LedgerState, move: () => void): readonly Happening[] {
  const happenings: Happening[] = [];
  ledger.watcher = collector(happenings);
  move();
  ledger.watcher = null;
  return happenings;
}

const collector = (happenings: Happening[]): LedgerWatcher => ({ happened: (happening) => happenings.push(happening) });

/** What lists and agendas know of a ledger. Made after every move, so that it projects nothing but what was paid ahead. */
export function summaryOf(ledger: LedgerState): LedgerSummary {
  const next = nextActionDay(ledger);
  const coming = comingPeriod(ledger);
  return {
    status: ledger.status,
    through: ledger.day,
    nextDay: next === NEVER ? null : next,
    nextDueDay: nextDueDay(ledger),
    fallenDueDay: lastFallenDue(ledger)?.dueDay ?? null,
    comingDueDay: coming?.dueDay ?? null,
    comingStatementDay: coming?.statementDay ?? null,
    endDay: ledger.rows.at(-1)?.date ?? null,
    isOverdue: ledger.isOverdue,
    overdueSince: ledger.isOverdue ? overdueSince(ledger) : null,
    chargeOffReason: ledger.chargeOffReason,
    outstandingCents: cents(owedCents(ledger)),
  };
}

function overdueSince(ledger: LedgerState): Day | null {
  const oldest = oldestOverdue(ledger);
  return oldest === undefined ? null : addDays(oldest.dueDay, oldest.pausedDays);
}

/** Before the first day is computed. */
export const firstSummary = ({ terms, endDate }: Contract): LedgerSummary => ({
  status: 'active',
  through: terms.activation,
  nextDay: null,
  nextDueDay: null,
  fallenDueDay: null,
  comingDueDay: null,
  comingStatementDay: null,
  endDay: endDate,
  isOverdue: false,
  overdueSince: null,
  outstandingCents: terms.principalCents,
  chargeOffReason: null,
});
