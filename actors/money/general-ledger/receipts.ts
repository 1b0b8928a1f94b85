import { generalLedger } from '../../../engine/index.js';
import { companyOf, generalLedgerSettingsOn } from '../../company/index.js';
import { ALL_ROWS, type QueryEnv, type QueryOf, type QuerySpec } from '../../kernel/actor.js';
import { SYSTEM_AGENT } from '../../kernel/fact.js';
import type { AccountingAsOf, AccountingEntriesOfLoan, AccountingItemsOfLoan } from '../../loan/index.js';
import { BANK_STATEMENT, type BankStatementState, type ReceiptMove } from '../bank-statements/statement.js';
import { type BatchState, LEDGER_BATCH } from './batch.js';
import { BASES, type Entry, isOfLoan } from './entries.js';
import { entriesOfLoans, itemsOfLoans, type Asking, type Span, type Walk } from './loans.js';

/*
 * Money that a bank has brought and that no loan has yet. It belongs to the statement that shows it, and is in the books of the company
 * beside those of its loans: unapplied cash from the day on which it became known until something explains it.
 */

type Account = generalLedger.Account;

interface ReceiptFact {
  readonly recordedDay: ReceiptMove['recordedDay'];
  readonly cause: generalLedger.Cause;
  readonly item: generalLedger.CourseItem;
}

const CURRENCY = 'USD';
const UNAPPLIED: Account = { role: 'unappliedCash' };

function factsOf({ id, fundingInstrumentId, receipts }: BankStatementState): readonly ReceiptFact[] {
  const bank: Account = { role: 'bank', dimensions: { fundingAccount: fundingInstrumentId } };
  return receipts.map(({ type, entry, amountCents, day, recordedDay, recordedAt }, at) => {
    const isOpened = type === 'opened';
    const cause: generalLedger.Cause = {
      factId: `${id}-${entry}-${at + 1}`,
      factType: isOpened ? 'receiptUnidentified' : 'receiptIdentified',
      recordedAt,
      actor: `${SYSTEM_AGENT.type}:${SYSTEM_AGENT.id}`,
    };
    const [from, to] = isOpened ? [UNAPPLIED, bank] : [bank, UNAPPLIED];
    const rule = isOpened ? 'unidentifiedReceipt' : 'receiptIdentified';
    const event = { type: 'moved', amount: amountCents, from, to, rule } as const;
    // A bank may date an entry ahead.
    const effective = day > recordedDay ? recordedDay : day;
    return { recordedDay, cause, item: { cause, day: effective, isDaily: false, meets: `${id}-${entry}`, event } };
  });
}

function booked(env: QueryEnv, state: BankStatementState, keeping: generalLedger.Keeping): generalLedger.BookedFacts<ReceiptFact> {
  return {
    book: `${env.tenant.company}/${env.tenant.mode}`,
    basis: keeping.basis,
    loanId: state.id,
    facts: factsOf(state),
    causeOf: ({ cause }) => cause,
    dayCause: (day) => ({ factId: `day-${day}`, factType: 'dayClosed', recordedAt: 0 }),
    areTermsSame: () => true,
    isCausal: true,
    believe: (facts, through) =>
      generalLedger.believedOf(
        facts.map(({ item }) => item).filter(({ day }) => day <= through),
        keeping,
        { drawIdOf: String, through },
      ),
  };
}

const withCurrency = (lines: Entry['lines']): Entry['lines'] =>
  lines.map((line) => ({ ...line, dimensions: { currency: CURRENCY, ...line.dimensions } }));

/** Statements with receipts, the newest first. */
const statementsOf = (env: QueryEnv): readonly BankStatementState[] =>
  env
    .listAll(BANK_STATEMENT, { limit: ALL_ROWS, matches: ({ fields }) => fields['hasReceipts'] === true })
    .rows.flatMap(({ id }) => env.stateOf<BankStatementState>(BANK_STATEMENT, id) ?? []);

function entriesOf(env: QueryEnv, { bases, from, through }: Span): readonly AccountingEntriesOfLoan[] {
  const company = companyOf(env, env.tenant);
  return statementsOf(env).flatMap((state) => {
    const days = [...new Set(state.receipts.map(({ recordedDay }) => recordedDay))].filter((day) => day >= from && day <= through);
    const entries = days
      .sort((a, b) => a - b)
      .flatMap((day) => {
        const settings = generalLedgerSettingsOn(company, day);
        return BASES.filter((basis) => bases.includes(basis) && settings.bases.includes(basis)).flatMap((basis) =>
          generalLedger.entriesOn(booked(env, state, { basis, settings }), day),
        );
      })
      .map((entry) => ({ ...entry, lines: withCurrency(entry.lines) }));
    return entries.length === 0 ? [] : [{ id: state.id, entries, next: null, isBehind: false }];
  });
}

function itemsOf(env: QueryEnv, { basis, through, knownOn }: AccountingAsOf): readonly AccountingItemsOfLoan[] {
  const settings = generalLedgerSettingsOn(companyOf(env, env.tenant), knownOn);
  if (!settings.bases.includes(basis)) return [];
  return statementsOf(env).map((state) => {
    const facts = factsOf(state).filter((fact) => fact.recordedDay <= knownOn && fact.item.day <= through);
    const items = facts.flatMap(({ recordedDay, item }) =>
      generalLedger
        .believedOf([item], { basis, settings }, { drawIdOf: String, through })
        .map(({ factId, meets = factId, rule, effectiveDate, lines }) => ({
          factId,
          meets,
          rule,
          effectiveDate,
          recordedDay,
          lines: withCurrency(lines),
        })),
    );
    return { id: state.id, loanTypeId: '', items };
  });
}

/** What the books ask of bank statements. The service's own: no route leads here. */
export const receiptQueries: readonly QuerySpec<BatchState>[] = [
  {
    kind: LEDGER_BATCH,
    type: 'generalLedger.receipts',
    on: 'company',
    read: ({ env, query }: QueryOf<Span>): readonly AccountingEntriesOfLoan[] => entriesOf(env, query),
  },
  {
    kind: LEDGER_BATCH,
    type: 'generalLedger.receiptItems',
    on: 'company',
    read: ({ env, query }: QueryOf<AccountingAsOf>): readonly AccountingItemsOfLoan[] => itemsOf(env, query),
  },
];

/** The entries of all loans, and behind them those of money without a loan. */
export async function* entriesOfLedger(calls: Asking, span: Span, walk: Walk = {}): AsyncGenerator<AccountingEntriesOfLoan> {
  if (walk.after === undefined || isOfLoan(walk.after)) yield* entriesOfLoans(calls, span, walk);
  if (walk.goesOn?.() !== false) yield* await receiptEntries(calls, span);
}

/** The entries of money without a loan. */
export const receiptEntries = (calls: Asking, span: Span): Promise<readonly AccountingEntriesOfLoan[]> =>
  calls.query<readonly AccountingEntriesOfLoan[]>('generalLedger.receipts', null, span);

/** What the books hold of each loan, and behind them of money without a loan. */
export async function* itemsOfLedger(calls: Asking, asOf: AccountingAsOf): AsyncGenerator<AccountingItemsOfLoan> {
  yield* itemsOfLoans(calls, asOf);
  yield* await calls.query<readonly AccountingItemsOfLoan[]>('generalLedger.receiptItems', null, asOf);
}
