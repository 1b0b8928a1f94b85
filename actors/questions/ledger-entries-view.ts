import { activationOf, type LedgerLine, ledgerLines, recordOf } from '../loan/index.js';
import { dayOfText, millisecondsOf, orNull } from '../wire.js';
import type { LoanItem } from './subjects.js';
import { type Cell, view } from './view.js';

interface MovementItem {
  readonly loanId: string;
  readonly line: LedgerLine;
  /** Null of an entry that moves nothing. */
  readonly movement: LedgerLine['movements'][number] | null;
}

/** Of a company. Its tables must leave room for those of other views: all are in the memory of one process. */
const MOST_ENTRIES = 2_000_000;

function movementsOf({ state, env }: LoanItem): readonly MovementItem[] {
  if (activationOf(state) === null) return [];
  const lines = ledgerLines(state, env, { through: env.today(recordOf(state).zone), knownAt: null });
  return lines.flatMap((line): MovementItem[] => {
    const { movements } = line;
    if (movements.length === 0) return [{ loanId: state.id, line, movement: null }];
    return movements.map((movement) => ({ loanId: state.id, line, movement }));
  });
}

const ofFact =
  <Of>(read: (fact: NonNullable<LedgerLine['fact']>) => Of) =>
  ({ line }: MovementItem): Of | null =>
    orNull(read, line.fact);

export const ledgerEntries = view<LoanItem, MovementItem>({
  name: 'v_ledger_entries',
  meaning:
    'Entries of the ledgers of loans through today, one row for each bucket that an entry moves, as all facts that are known make them: ' +
    'after a replay they are those of the replay. The amounts of a loan add up to its balance, each rounded to ten decimals.',
  kind: 'loan',
  mostRows: MOST_ENTRIES,
  items: movementsOf,
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ loanId }) => loanId },
    {
      name: 'entry',
      type: 'INTEGER',
      meaning: 'The number of the entry in the ledger, from 1; a replay may change it',
      of: ({ line }) => line.line,
    },
    { name: 'draw_id', type: 'VARCHAR', meaning: 'Of a line of credit: the draw', of: ({ movement }) => movement?.drawId ?? null },
    { name: 'effective_date', type: 'DATE', meaning: 'The day from which it counts', of: ({ line }) => dayOfText(line.effectiveDate) },
    { name: 'effective_time', type: 'VARCHAR', meaning: 'The time of that day, `HH:MM:SS`', of: ({ line }) => line.effectiveTime },
    {
      name: 'entry_type',
      type: 'VARCHAR',
      meaning: '`payment`, `interestAccrual`, `movedToDue` and so on',
      of: ({ line }) => line.entryType,
    },
    {
      name: 'bucket',
      type: 'VARCHAR',
      meaning: '`nonDue`, `due`, `overdue` or `chargedOff`; null, as what follows, of an entry that moves nothing',
      of: ({ movement }) => movement?.bucket ?? null,
    },
    {
      name: 'component',
      type: 'VARCHAR',
      meaning: '`principal`, `interest`, `lateFees` and so on',
      of: ({ movement }) => movement?.component ?? null,
    },
    {
      name: 'amount',
      type: 'EXACT',
      meaning: 'What is added to the bucket; below zero: by what it falls',
      of: ({ movement }): Cell => movement?.amount ?? null,
    },
    {
      name: 'balance_after',
      type: 'EXACT',
      meaning: 'The balance of the loan after the whole entry, with what is charged off',
      of: ({ line }): Cell => line.balanceAfter,
    },
    {
      name: 'fact_number',
      type: 'INTEGER',
      meaning: 'The fact behind the entry, from 1; null, as what follows, of the daily work',
      of: ofFact(({ number }) => number),
    },
    { name: 'fact_type', type: 'VARCHAR', meaning: 'Its type', of: ofFact(({ type }) => type) },
    { name: 'recorded_at', type: 'TIMESTAMP', meaning: 'When it was recorded', of: ofFact(({ recordedAt }) => millisecondsOf(recordedAt)) },
    {
      name: 'actor_type',
      type: 'VARCHAR',
      meaning: 'Who recorded it: `api`, `agent`, `borrower` or `system`',
      of: ofFact(({ by }) => by.userType),
    },
    { name: 'case_id', type: 'VARCHAR', meaning: 'The case', of: ofFact(({ caseId }) => caseId) },
    { name: 'transaction_id', type: 'VARCHAR', meaning: 'The transaction', of: ofFact(({ transactionId }) => transactionId) },
    {
      name: 'superseded_by',
      type: 'INTEGER',
      meaning: 'The later fact that canceled or moved its effect',
      of: ofFact(({ supersededBy }) => supersededBy),
    },
  ],
});
