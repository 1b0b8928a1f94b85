import { type Day, generalLedger } from '../../../engine/index.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { bookedLoan } from './booked.js';

/** Of a loan's general ledger, by the business day of its zone. Days are whole days since 1970. */
export interface LoanEntriesQuery {
  readonly day: Day;
  /** Absent: every basis of the settings. */
  readonly basis?: generalLedger.Basis;
  /** Absent: the defaults. */
  readonly settings?: generalLedger.GeneralLedgerSettings;
}

export interface LoanEntriesReply {
  readonly entries: readonly generalLedger.Entry[];
}

export interface LoanBalancesQuery {
  /** The last effective day that counts. */
  readonly day: Day;
  /** With what was recorded until the close of this day; absent: `day`. A later one shows what would have been booked in time. */
  readonly knownOn?: Day;
  readonly basis: generalLedger.Basis;
  readonly settings?: generalLedger.GeneralLedgerSettings;
}

export interface LoanBalancesReply {
  readonly balances: readonly generalLedger.RoleBalance[];
}

const DEFAULTS = generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS;

/** What a loan posts on an accounting day: nothing before its activation. */
function entriesOfLoan(
  { state, env }: Pick<QueryContext<LoanState>, 'state' | 'env'>,
  { day, basis, settings = DEFAULTS }: LoanEntriesQuery,
): readonly generalLedger.Entry[] {
  const bases = basis === undefined ? settings.bases : [basis];
  return bases.flatMap((one) => {
    const loan = bookedLoan(state, env, { basis: one, settings });
    return loan === null ? [] : generalLedger.entriesOn(loan, day);
  });
}

const entries: QuerySpec<LoanState, LoanEntriesQuery> = {
  kind: 'loan',
  type: 'loan.generalLedgerEntries',
  on: 'target',
  read: (context): LoanEntriesReply => ({ entries: entriesOfLoan(context, context.query) }),
};

const balances: QuerySpec<LoanState, LoanBalancesQuery> = {
  kind: 'loan',
  type: 'loan.generalLedgerBalances',
  on: 'target',
  read({ state, env, query }): LoanBalancesReply {
    const { day, knownOn = day, basis, settings = DEFAULTS } = query;
    const loan = bookedLoan(state, env, { basis, settings });
    if (loan === null) return { balances: [] };
    return { balances: generalLedger.believedBalances(generalLedger.believedOn(loan, day, knownOn), day) };
  },
};

export const generalLedgerQueries: readonly QuerySpec<LoanState>[] = [entries, balances];
