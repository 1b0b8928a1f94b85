import { addDays, dayOf, type Situation } from '../../../engine/index.js';
import { at, call, consents, loan, overdueLoan, phone, plan, type Row, situation } from './situations.js';

/** What the national list said of a number, so many days before the contacts of these rows. */
const listed = (isListed: boolean, daysAgo: number): Partial<NonNullable<Situation['contact']>> => ({
  doNotCall: { isOnInternal: false, national: { isListed, checkedOn: addDays(dayOf(2026, 6, 2), -daysAgo) } },
});

const ON_INTERNAL = { doNotCall: { isOnInternal: true, national: null } };

const sale = plan({ theme: 'marketing', loanIds: [] });
const ended = (...day: Parameters<typeof dayOf>): Situation['loans'][number] =>
  loan({ status: 'paidOff', isOwed: false, lastTransactionOn: dayOf(...day) });
const applied = (...day: Parameters<typeof dayOf>): Situation['loans'][number] =>
  loan({ status: 'declined', originatedOn: null, appliedOn: dayOf(...day) });
const inquiry = (day: string): Situation['history'][number] =>
  call(at(day), { direction: 'inbound', channel: 'email', subject: 'marketingMessage', theme: 'inbGeneral' });

const called = (contact: Partial<NonNullable<Situation['contact']>>, changes: object = {}): Situation =>
  situation({ loans: [], contact: phone(undefined, contact), ...changes });

/** What do-not-call lists refuse to a call that sells, and the relationships that allow it; as in the table of all rules. */
// biome-ignore format: a table, one row a rule
export const ROWS_OF_LISTS: readonly Row[] = [
  ['US-DNC', 'a call that sells, and the number was never looked up', sale, called({}), true],
  ['US-DNC', 'looked up 31 days ago', sale, called(listed(false, 31)), false],
  ['US-DNC', 'looked up 32 days ago', sale, called(listed(false, 32)), true],
  ['US-DNC', 'on the national list', sale, called(listed(true, 1)), true],
  ['US-DNC', 'on it, and agreed in writing', sale, called(listed(true, 1), { consents: consents('autodialedMarketing') }), false],
  ['US-DNC', 'on it, and a loan is owed', sale, called(listed(true, 1), { loans: [loan()] }), false],
  ['US-DNC', 'a loan is owed, and the company was asked for no calls', sale, called(ON_INTERNAL, { loans: [loan()] }), true],
  ['US-DNC', 'on it, and a loan ended eighteen months ago', sale, called(listed(true, 1), { loans: [ended(2024, 12, 2)] }), false],
  ['US-DNC', 'on it, and a loan ended a day before that', sale, called(listed(true, 1), { loans: [ended(2024, 12, 1)] }), true],
  ['US-DNC', 'a loan ended, and the company was asked for no calls', sale, called(ON_INTERNAL, { loans: [ended(2025, 8, 2)] }), true],
  ['US-DNC', 'a loan of which the borrower was an authorized user ended', sale,
   called(listed(true, 1), { loans: [{ ...ended(2025, 8, 2), isLiable: false }] }), true],
  ['US-DNC', 'never looked up, and an application of three months ago', sale, called({}, { loans: [applied(2026, 3, 2)] }), false],
  ['US-DNC', 'an application of a day before that', sale, called({}, { loans: [applied(2026, 3, 1)] }), true],
  ['US-DNC', 'an inquiry of three months', sale, called(listed(true, 1), { history: [inquiry('2026-03-10')] }), false],
  ['US-DNC', 'an older inquiry', sale, called(listed(true, 1), { history: [inquiry('2026-02-20')] }), true],
  ['US-DNC', 'the same number, to collect', plan(), called(ON_INTERNAL, { loans: [overdueLoan()] }), false],
];
