import { cents, type Cents, type ExpectedMoney, formatCents, formatDay, must, ZERO } from '../../../engine/index.js';
import type { Difference } from '../reconciliation/index.js';
import { type BankEntry, type EntryResult, type MatchTarget, NO_TARGET } from './entries.js';
import type { BankStatementState, ComparedBalance } from './statement.js';

/** Differences that one matching records one by one. */
const MAX_NOTED = 1_000;

/** What a matching came to. */
export interface MatchOutcome {
  readonly results: readonly EntryResult[];
  readonly missing: readonly ExpectedMoney[];
  /** Due by the end of the statement, and not booked. */
  readonly inTransit: readonly ExpectedMoney[];
  readonly targets: ReadonlyMap<string, MatchTarget>;
}

/** What has no home, another amount, or has not come, and was not recorded before. */
export function differencesOf(
  state: BankStatementState,
  entries: readonly BankEntry[],
  { results, missing, targets }: MatchOutcome,
  notedKeys: ReadonlySet<string>,
): Difference[] {
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  const made = results.flatMap((result): readonly Difference[] => {
    const entry = must(byNumber.get(result.number), 'a result is of an entry');
    const when = `on ${formatDay(entry.day)} (line ${entry.line} of the statement ${state.id})`;
    // Taken back by a person: found a second time.
    const key = state.byHand[result.number] === null ? `${state.id}/${result.number}/unmatched` : `${state.id}/${result.number}`;
    const common = { key, actualCents: entry.amountCents, ...targetOf(result.target) };
    const booked = `The bank has booked ${formatCents(entry.amountCents)} ${when}`;
    switch (result.status) {
      case 'unexpected':
        return [
          { ...common, kind: 'missingInLedger', expectedCents: null, description: `${booked}, and nothing of that amount is expected.` },
        ];
      case 'differentAmount': {
        const expectedCents = result.expectedCents ?? ZERO;
        const description = `${booked}, and ${formatCents(expectedCents)} is expected.`;
        return [{ ...common, kind: 'amountMismatch', expectedCents, description }];
      }
      case 'matched':
      case 'duplicate':
        return [];
    }
  });
  const absent = missing.map(({ key, amountCents, dueDay }): Difference => {
    const description = `${formatCents(amountCents)} was due on ${formatDay(dueDay)}, and the bank has not booked it.`;
    const target = targetOf(targets.get(key) ?? NO_TARGET);
    return { key: missingKey(key), kind: 'missingAtBank', ...target, expectedCents: amountCents, actualCents: null, description };
  });
  const furtherKey = `${state.id}/further`;
  const fresh = [...made, ...absent].filter(({ key }) => !notedKeys.has(key));
  if (notedKeys.has(furtherKey)) return [];
  if (fresh.length <= MAX_NOTED) return fresh;
  const description = `The statement ${state.id} has ${fresh.length - MAX_NOTED} further differences: see its entries.`;
  const rest: Difference = { ...NOTHING, key: furtherKey, kind: 'missingInLedger', description };
  return [...fresh.slice(0, MAX_NOTED), rest];
}

export function unexplainedDifference({ id, closingCents }: BankStatementState, unexplainedCents: Cents): Difference {
  const actualCents = closingCents ?? ZERO;
  return {
    key: `${id}/balance`,
    kind: 'amountMismatch',
    ...targetOf(NO_TARGET),
    expectedCents: cents(actualCents - unexplainedCents),
    actualCents,
    description: `The closing balance of the statement ${id} is not the balance before and the entries since.`,
  };
}

/** Keys of differences that a matching explains, and how. */
export function explainedBy(
  state: BankStatementState,
  { results }: Pick<MatchOutcome, 'results'>,
  { unexplainedCents }: ComparedBalance,
): ReadonlyMap<string, string> {
  const explained = new Map<string, string>();
  if (unexplainedCents === 0) explained.set(`${state.id}/balance`, 'Explained by a statement that came later.');
  for (const { number, status, key, by } of results) {
    const how = `Matched by ${by ?? 'reference'}.`;
    if (status === 'matched') for (const suffix of ['', '/unmatched']) explained.set(`${state.id}/${number}${suffix}`, how);
    if (key !== null && status === 'matched')
      explained.set(missingKey(key), `Booked by the bank: entry ${number} of the statement ${state.id}.`);
  }
  return explained;
}

const missingKey = (key: string): string => `expected/${key}`;

const targetOf = ({ achFileId, transactionId, loanId, personId, trace }: EntryResult['target']) => ({
  achFileId,
  transactionId,
  loanId,
  personId,
  trace,
});

const NOTHING = { ...targetOf(NO_TARGET), expectedCents: null, actualCents: null };
