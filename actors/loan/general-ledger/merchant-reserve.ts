import type { generalLedger } from '../../../engine/index.js';
import type { MerchantReserve } from '../payouts/merchant-reserve.js';
import type { LoanState } from '../state.js';
import type { RecordedFact } from './booked.js';
import { nameOf } from './details.js';

type Account = generalLedger.Account;

const OUT: Account = { role: 'clearingOutgoing' };
const RESERVE: Account = { role: 'merchantReserve' };

/** Less is paid out at activation; what is released is paid out later, but for what the merchant owes. */
export function merchantReserveFacts({ id, parties: { merchantReserve } }: Pick<LoanState, 'id' | 'parties'>): readonly RecordedFact[] {
  if (merchantReserve === undefined) return [];
  const { held, releases } = merchantReserve;
  const payout = `${id}-0`;
  const causeOf = (at: number, factType: string, { recordedAt, by }: MerchantReserve['held'] | MerchantReserve['releases'][number]) => ({
    factId: `${id}-M${at}`,
    factType,
    recordedAt,
    actor: nameOf(by),
  });
  const cause = causeOf(1, 'merchantReserveHeld', held);
  const event = { type: 'moved', rule: 'merchantReserveHeld', amount: held.amountCents, from: RESERVE, to: OUT } as const;
  return [
    { recordedDay: held.recordedDay, cause, fact: null, items: [{ cause, day: held.day, isDaily: false, meets: payout, event }] },
    ...releases.map((release, at): RecordedFact => {
      const { amountCents, nettedCents, recordedDay, caseId } = release;
      const of: generalLedger.Cause = {
        ...causeOf(at + 2, 'merchantReserveReleased', release),
        ...(caseId === null ? {} : { caseId }),
      };
      const common = { cause: of, day: recordedDay, isDaily: false } as const;
      const paidOut = amountCents - nettedCents;
      return {
        recordedDay,
        cause: of,
        fact: null,
        items: [
          ...(nettedCents === 0
            ? []
            : [
                {
                  ...common,
                  event: {
                    type: 'moved',
                    rule: 'merchantReserveNetted',
                    amount: nettedCents,
                    from: { role: 'merchantReceivable' },
                    to: RESERVE,
                  } as const,
                },
              ]),
          ...(paidOut === 0
            ? []
            : [
                {
                  ...common,
                  meets: payout,
                  event: { type: 'moved', rule: 'merchantReserveReleased', amount: paidOut, from: OUT, to: RESERVE } as const,
                },
              ]),
        ],
      };
    }),
  ];
}
