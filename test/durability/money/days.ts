import { addDays, type Day, formatDay, isBusinessDay, weekday } from '../../../engine/index.js';
import { listOf, TAPE_DAYS } from './lender.js';
import type { MoneyWalk } from './walk.js';

/** The next business day. */
export function nextDay(day: Day): Day {
  const next = addDays(day, 1);
  return isBusinessDay(next) ? next : nextDay(next);
}

/** What the bank has given and was not read, and files that are not sent yet. */
export async function underWay({ ask, lender, mail }: Pick<MoneyWalk, 'ask' | 'lender' | 'mail'>): Promise<readonly unknown[]> {
  const files = await listOf(ask, '/ach-files');
  const read = new Set(files.map(({ sha256 }) => sha256));
  const settlements = await listOf(ask, `/companies/${lender.company}/settlements?status=pending`);
  const tapes = await listOf(ask, `/companies/${lender.company}/loan-tapes/${lender.tape}/files`);
  const reports = await listOf(ask, `/companies/${lender.company}/credit-reporting/files`);
  return [
    ...files.filter(({ status }) => status === 'created'),
    ...mail.inbox().filter(({ sha256 }) => !read.has(sha256)),
    ...settlements.filter(({ isComputed }) => isComputed !== true),
    ...[...tapes, ...reports].filter(({ status }) => status !== 'succeeded' && status !== 'failed'),
  ];
}

/** What is due on a day and is not there: the settlement of the day before, and the newest tape. */
export async function notMade({ ask, lender }: Pick<MoneyWalk, 'ask' | 'lender'>, day: Day): Promise<readonly unknown[]> {
  const [settlement] = await listOf(ask, `/companies/${lender.company}/settlements?investorId=${lender.investors.beta}`);
  const [tape] = await listOf(ask, `/companies/${lender.company}/loan-tapes/${lender.tape}/files`);
  const isSettled = settlement?.['periodEndDate'] === formatDay(addDays(day, -1)) && settlement['status'] === 'succeeded';
  const isSent = String(tape?.['reportDate']) >= formatDay(lastTapeDay(day)) && tape?.['status'] === 'succeeded';
  return isSettled && isSent ? [] : [settlement ?? 'a settlement', tape ?? 'a tape'];
}

const lastTapeDay = (day: Day): Day => (TAPE_DAYS.includes(weekday(day)) ? day : lastTapeDay(addDays(day, -1)));
