import {
  addDays,
  advanceTo,
  applyFact,
  arrangeSince,
  canApply,
  cents,
  type Cents,
  cloneState,
  comingPeriod,
  computeLedger,
  type Day,
  differences,
  lastFallenDue,
  type LedgerFact,
  type LedgerSettings,
  type LedgerState,
  type LedgerTerms,
  type LineState,
  must,
  NEVER,
  nextActionDay,
  nextDueDay,
  oldestOverdue,
  owedCents,
  type Since,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { loanTypeOf } from '../context.js';
import type { LedgerSummary, LoanState, Servicing } from '../state.js';
import { Mover } from './moving.js';
import { configurationAt, ledgerSettings } from './settings.js';

/** The summary of either product before the first day is computed. */
export const summaryAtActivation = (activation: Day, endDay: Day | null, outstandingCents: Cents): LedgerSummary => ({
  status: 'active',
  through: activation,
  nextDay: null,
  nextDueDay: null,
  fallenDueDay: null,
  comingDueDay: null,
  comingStatementDay: null,
  endDay,
  isOverdue: false,
  overdueSince: null,
  outstandingCents,
  chargeOffReason: null,
});

/**
 * The day from which days overdue count: the due date of the oldest overdue obligation, plus the days on which counting was paused. Null
 * while the loan is current.
 */
export function overdueSince(ledger: LedgerState | LineState): Day | null {
  const oldest = ledger.isOverdue ? oldestOverdue(ledger) : undefined;
  return oldest === undefined ? null : addDays(oldest.dueDay, oldest.pausedDays);
}

/**
 * The terms of the loan with its product's settings as known now, or at a moment. The settings stand in front of the rest, see
 * docs/decisions/copies-with-more.md.
 */
export function termsOf(state: LoanState, env: EvolveEnv, knownAt: number | null = null): LedgerTerms {
  const { contract } = must(state.servicing, `${state.id} has no ledger`);
  return { settings: settingsOf(state, env, knownAt), ...contract.terms };
}

function settingsOf(state: LoanState, env: EvolveEnv, knownAt: number | null = null): readonly Since<LedgerSettings>[] {
  const { loanType, sources } = configurationAt(loanTypeOf(env, state), must(state.servicing, `${state.id} has no ledger`), knownAt);
  return ledgerSettings(loanType, sources);
}

/**
 * The running ledger. It is computed from its facts if it is not in memory, or if its product's settings have a newer version: both give
 * the same ledger for all days that are done.
 */
export function ledgerOf(state: LoanState, env: EvolveEnv): LedgerState {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const { contract } = servicing;
  const settings = settingsOf(state, env);
  if (servicing.ledger === null || servicing.ledger.terms.settings !== settings) {
    servicing.ledger = computeLedger({ settings, ...contract.terms }, factsOf(servicing), servicing.summary.through);
  }
  return servicing.ledger;
}

export const factsOf = (servicing: Servicing): readonly LedgerFact[] => servicing.facts.all().map((stored) => stored.fact);

/** Moves the ledgers of installment loans. */
export const installment = new Mover<LedgerState, LedgerTerms, LedgerFact>({
  termsOf,
  factsOf: (state) => factsOf(must(state.servicing, `${state.id} has no ledger`)),
  storedOf: (state) => must(state.servicing, `${state.id} has no ledger`).facts,
  ledgerOf,
  keep: (state, ledger) => {
    must(state.servicing, `${state.id} has no ledger`).ledger = ledger;
  },
  listen: (ledger, listener) => {
    ledger.watcher = listener;
  },
  compute: computeLedger,
  clone: cloneState,
  advance: advanceTo,
  arrangeSince,
  canApply,
  apply: applyFact,
  isSlow: ({ terms }) => terms.keeping !== undefined, // scheduled interest computes all rows again on each due date
  differences,
});

/** The summary of a ledger for lists and agendas. It is made after every move, so it projects nothing except what was paid ahead. */
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
    overdueSince: overdueSince(ledger),
    chargeOffReason: ledger.chargeOffReason,
    outstandingCents: cents(owedCents(ledger)),
  };
}
