import type { Day } from '../calendar/index.js';
import { type Cents, cents } from '../money/index.js';
import type { BankStatement, StatementEntry, StatementFault, StatementReading } from './statement.js';

/** An entry on the day on which it counts. */
export interface AccountEntry extends StatementEntry {
  readonly day: Day;
}

/** All that a file has of one account. */
export interface AccountStatement {
  readonly fromDay: Day;
  readonly throughDay: Day;
  readonly openingCents: Cents | null;
  readonly closingCents: Cents | null;
  readonly availableCents: Cents | null;
  readonly entries: readonly AccountEntry[];
  readonly creditCents: Cents;
  readonly debitCents: Cents;
  readonly warnings: readonly StatementFault[];
}

/** Why a file is of no use for the account. */
export type AccountMismatch = 'noSuchAccount' | 'otherCurrency' | 'noDay';

const CURRENCY = 'USD';

/**
 * The statements of a file that are of an account, as one, oldest first. A file without account numbers is taken as that of the account.
 */
export function statementOfAccount({ statements, warnings }: StatementReading, accountNumber: string): AccountStatement | AccountMismatch {
  const own = statements.filter(({ account }) => account === null || isSameAccount(account, accountNumber));
  if (own.length === 0) return 'noSuchAccount';
  if (own.some(hasOtherCurrency)) return 'otherCurrency';
  const inOrder = own.toSorted((one, other) => (one.asOfDay ?? 0) - (other.asOfDay ?? 0));
  const entries = inOrder.flatMap((statement) => entriesOf(statement));
  if (entries.includes(null)) return 'noDay';
  const dated = entries.filter((each) => each !== null);
  const days = [...dated.map(({ day }) => day), ...inOrder.flatMap(({ asOfDay }) => asOfDay ?? [])];
  const [firstDay] = days;
  if (firstDay === undefined) return 'noDay';
  const gaps = inOrder.flatMap(({ openingCents, line }, at): readonly StatementFault[] => {
    const before = inOrder[at - 1]?.closingCents ?? null;
    return before === null || openingCents === null || before === openingCents ? [] : [{ code: 'balance-does-not-follow', line }];
  });
  const sumOf = (sign: number): Cents =>
    cents(dated.reduce((sum, { amountCents }) => (Math.sign(amountCents) === sign ? sum + Math.abs(amountCents) : sum), 0));
  return {
    fromDay: days.reduce((least, day) => (day < least ? day : least), firstDay),
    throughDay: days.reduce((most, day) => (day > most ? day : most), firstDay),
    openingCents: inOrder[0]?.openingCents ?? null,
    closingCents: inOrder.at(-1)?.closingCents ?? null,
    availableCents: inOrder.at(-1)?.availableCents ?? null,
    entries: dated,
    creditCents: sumOf(1),
    debitCents: sumOf(-1),
    warnings: [...warnings, ...gaps],
  };
}

const hasOtherCurrency = ({ currency, entries }: BankStatement): boolean =>
  (currency !== null && currency !== CURRENCY) || entries.some((entry) => entry.currency !== null && entry.currency !== CURRENCY);

const entriesOf = ({ entries, asOfDay }: BankStatement): readonly (AccountEntry | null)[] =>
  entries.map((entry) => {
    const day = entry.bookingDay ?? asOfDay ?? entry.valueDay;
    return day === null ? null : { ...entry, day };
  });

/** Banks write a number with leading zeros, behind that of the bank and a slash, or masked but for its last four digits. */
function isSameAccount(written: string, accountNumber: string): boolean {
  const own = (written.split('/').at(-1) ?? '').replaceAll(/[\s-]/g, '');
  const masked = /^[X*]+(\d{4})$/i.exec(own)?.[1];
  if (masked !== undefined) return accountNumber.endsWith(masked);
  const bare = (number: string): string => number.replace(/^0+/, '');
  return bare(own) === bare(accountNumber);
}
