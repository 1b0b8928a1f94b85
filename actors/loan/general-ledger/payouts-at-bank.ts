import type { generalLedger } from '../../../engine/index.js';
import type { PayoutMove } from '../payouts/facts.js';
import type { LoanState } from '../state.js';
import type { RecordedFact } from './booked.js';
import { nameOf } from './details.js';

type Account = generalLedger.Account;

const BANK: Account = { role: 'bank' };
const OUT: Account = { role: 'clearingOutgoing' };

/** Money that was sent leaves the clearing account when the bank has paid it, and is there again when it comes back. */
export const payoutsAtBank = ({ id, payouts }: Pick<LoanState, 'id' | 'payouts'>): readonly RecordedFact[] =>
  payouts.map(({ type, payout, amountCents, day, recordedDay, recordedAt, by, caseId }, at): RecordedFact => {
    const cause: generalLedger.Cause = {
      factId: factIdOf(id, at),
      factType: type === 'booked' ? 'payoutBooked' : 'payoutReturned',
      recordedAt,
      actor: nameOf(by),
      ...(caseId === null ? {} : { caseId }),
    };
    const event: generalLedger.AccountingEvent =
      type === 'booked'
        ? { type: 'moved', rule: 'payoutSettledAtBank', amount: amountCents, from: BANK, to: OUT }
        : { type: 'moved', rule: 'payoutReturned', amount: amountCents, from: OUT, to: BANK };
    return { recordedDay, cause, fact: null, items: [{ cause, day, isDaily: false, meets: `${id}-${payout}`, event }] };
  });

const factIdOf = (loanId: string, at: number): string => `${loanId}-P${at + 1}`;

/** What the bank said in the fact of an entry; undefined if the entry has another fact. */
export const payoutOfFact = ({ id, payouts }: Pick<LoanState, 'id' | 'payouts'>, factId: string): PayoutMove | undefined =>
  payouts.find((_, at) => factIdOf(id, at) === factId);
