import { startOfDay } from '../calendar/index.js';
import { CHANNELS, isCollections } from '../communication/index.js';
import { isCounted } from './considered.js';
import { creditorsFirstDay } from './rules/debt.js';
import { isAnswerToCease } from './rules/said.js';
import type { PastContact, Situation } from './situation.js';

/*
 * How far back the rules look. Limits count what lies within their windows; beyond those a rule asks whether something was
 * ever said, what came last by a channel, or what came first about a debt. A borrower of twenty years has ten thousand
 * contacts, of which a verdict depends on some hundred: these. `test/engine/compliance/looking-back.test.ts` holds
 * verdicts on them equal to verdicts on all.
 */

/** The longest window of a limit, seed rules' and companies' own, in calendar days of the borrower's zone. */
export const WINDOW_DAYS = 30;

/** Instants within any window of a contact at the moment, wherever the borrower is. */
export const windowStart = (at: number): number => at - (WINDOW_DAYS + 2) * DAY_MS;

const DAY_MS = 86_400_000;

type Asked = Omit<PastContact, 'contactLabel' | 'isOfRepresentative' | 'isOfAttorney' | 'isReply' | 'askedFor'>;
type Test = (past: Asked) => boolean;

/** What rules ask for whenever it was. */
export const isLasting: Test = ({ theme, subject }) =>
  (theme !== null && LASTING_THEMES.has(theme)) || subject === 'timeBarredNotice' || isAnswerToCease(subject);

const LASTING_THEMES: ReadonlySet<NonNullable<PastContact['theme']>> = new Set([
  'inbOptOut',
  'opsCollLocateBorrower',
  'opsServicingTimeBarredNotice',
  'opsServicingDebtValidation',
] as const);

const isInbound: Test = ({ direction }) => direction === 'inbound';

/** Of each of these rules ask for the newest. */
export const NEWEST_ASKED: readonly Test[] = Object.keys(CHANNELS).flatMap((channel): readonly Test[] => [
  (past) => past.channel === channel && isInbound(past),
  (past) => past.channel === channel && isInbound(past) && past.theme !== 'inbOptOut',
  (past) => past.channel === channel && isCounted(past),
]);

/** Of these rules ask for the first about each debt, from its `firstAskedFrom` on. */
export const isCollecting: Test = (past) => isCounted(past) && (past.theme === null || isCollections(past.theme));

/** Whether what was said counts for a loan: what does not say counts for each. */
export const isAboutLoan = ({ loanIds }: Asked, loanId: string): boolean => loanIds.length === 0 || loanIds.includes(loanId);

/** The instants from which rules ask for the first contact about a debt; a collector's count whenever they were. */
export const firstAskedFrom = (loan: Situation['loans'][number], zone: string): readonly number[] => {
  const day = creditorsFirstDay(loan);
  return [-Infinity, ...(day === null ? [] : [startOfDay(zone, day)])];
};

/** Of a whole history, the newest first, what a verdict on a contact at the moment depends on. */
export function askedOf<Past extends Asked>(
  history: readonly Past[],
  at: number,
  loans: Situation['loans'],
  zone: string,
): readonly Past[] {
  const wanted = new Set<Past>();
  const add = (past: Past | undefined): void => {
    if (past !== undefined) wanted.add(past);
  };
  for (const past of history) if (past.startedAt >= windowStart(at) || isLasting(past)) wanted.add(past);
  for (const test of NEWEST_ASKED) add(history.find(test));
  for (const loan of loans)
    for (const from of firstAskedFrom(loan, zone))
      add(history.findLast((past) => past.startedAt >= from && isCollecting(past) && isAboutLoan(past, loan.id)));
  return history.filter((past) => wanted.has(past));
}
