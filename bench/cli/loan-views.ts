import {
  balancesAsOf,
  type ChangedLine,
  compareLedgers,
  compareLines,
  ledgerLines,
  type LedgerRange,
  loanView,
  toJsonText,
} from '../../actors/index.js';
import type { Day } from '../../engine/index.js';
import { isSame } from '../backup/compare-served.js';
import type { FoundLoan } from './find-loan.js';
import { balanceTable, ledgerTable, loanTable } from './loan-tables.js';

/** What is asked of a loan. Moments are on the company's clock; null means all that is known. */
export interface LoanQuestion {
  readonly day: Day | null;
  readonly knownAt: number | null;
  /** Of `diff`: the later moment; null means now. */
  readonly knownAtLater: number | null;
}

export interface LoanAnswer {
  /** For `--json`. */
  readonly json: string;
  readonly text: string;
  /** Something is not as it should be. */
  readonly isFinding: boolean;
}

/** `tenor loan show`: the loan as the interface answers it, and its balances. */
export function show({ state, scope }: FoundLoan, question: LoanQuestion): LoanAnswer {
  const loan = loanView(state, scope);
  const balances = balancesAsOf(state, scope, rangeOf(state, question.day, question.knownAt));
  return {
    json: toJsonText({ loan, balances }),
    text: `${loanTable(loan)}${balances === null ? '' : `\n\n${balanceTable(balances)}`}`,
    isFinding: false,
  };
}

/** `tenor loan ledger`: every change of its balances, with the fact, the rule and the buckets behind it. */
export function ledger({ state, scope }: FoundLoan, { day, knownAt }: LoanQuestion): LoanAnswer {
  const lines = ledgerLines(state, scope, rangeOf(state, day, knownAt));
  return {
    json: toJsonText(lines),
    text: lines.length === 0 ? 'The loan has no ledger yet.' : ledgerTable(lines.map((line) => ({ mark: '', line }))),
    isFinding: false,
  };
}

/** `tenor loan replay`: the running ledger beside one that is computed from all facts at once. A difference is a finding. */
export function replay({ state, scope }: FoundLoan): LoanAnswer {
  const comparison = compareLedgers(state, scope);
  const isAlike = comparison === null || isSame(comparison.running, comparison.recomputed);
  const digests = comparison === null ? '' : `  running     ${comparison.running.digest}\n  recomputed  ${comparison.recomputed.digest}\n`;
  const verdict =
    comparison === null
      ? 'The loan has no ledger yet.'
      : isAlike
        ? 'Both ledgers are the same.'
        : 'The ledgers differ: the loan must not be served.';
  return { json: JSON.stringify({ ...comparison, isSame: isAlike }), text: `${digests}${verdict}`, isFinding: !isAlike };
}

/** `tenor loan as-of`: the balances at the end of a day, as they were known at a moment. */
export function asOf({ state, scope }: FoundLoan, { day, knownAt }: LoanQuestion): LoanAnswer {
  const balances = balancesAsOf(state, scope, rangeOf(state, day, knownAt));
  return { json: toJsonText(balances), text: balances === null ? 'The loan was not active.' : balanceTable(balances), isFinding: false };
}

/** `tenor loan diff`: what the ledger has come to say otherwise between two moments. */
export function diff({ state, scope }: FoundLoan, { day, knownAt, knownAtLater }: LoanQuestion): LoanAnswer {
  const [before, after] = [knownAt, knownAtLater].map((moment) => ledgerLines(state, scope, rangeOf(state, day, moment)));
  const changed: readonly ChangedLine[] = compareLines(before ?? [], after ?? []);
  const text =
    changed.length === 0
      ? 'The ledgers are the same.'
      : ledgerTable(changed.map(({ in: where, line }) => ({ mark: where === 'before' ? '-' : '+', line })));
  return { json: toJsonText(changed), text, isFinding: false };
}

/** By default through the loan's last finished day. */
function rangeOf(state: FoundLoan['state'], day: Day | null, knownAt: number | null): LedgerRange {
  return { through: day ?? (state.servicing ?? state.line)?.summary.through ?? (0 as Day), knownAt };
}
