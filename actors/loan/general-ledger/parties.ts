import { type Day, dayAt, generalLedger } from '../../../engine/index.js';
import { SYSTEM_AGENT } from '../../kernel/fact.js';
import type { LoanState } from '../state.js';
import type { RecordedFact } from './booked.js';

/** What the lender keeps of the principal that it pays to a merchant. */
export function merchantDiscountOf({ id, merchantDiscount, servicing }: LoanState): generalLedger.MerchantDiscount | null {
  if (merchantDiscount === null || servicing === null) return null;
  const { amountCents, day, months } = merchantDiscount;
  const last = servicing.contract.terms.rows.at(-1)?.date ?? day;
  const earnedOn = months === null ? [] : generalLedger.earningDays(months === 0 ? { last } : { count: months }, day);
  const cause: generalLedger.Cause = { factId: `${id}-D1`, factType: 'merchantDiscountKept', recordedAt: servicing.recordedAt };
  return { cause, meets: `${id}-0`, amount: amountCents, day, earnedOn };
}

/** Commissions that agencies keep of what they have collected: the bank has got that much less. */
export const commissionsKept = ({ id, parties: { commissions = [] } }: Pick<LoanState, 'id' | 'parties'>): readonly RecordedFact[] =>
  commissions.map(({ amountCents, recordedDay, recordedAt }, at): RecordedFact => {
    const cause: generalLedger.Cause = {
      factId: `${id}-C${at + 1}`,
      factType: 'commissionChanged',
      recordedAt,
      actor: `${SYSTEM_AGENT.type}:${SYSTEM_AGENT.id}`,
    };
    const event = {
      type: 'moved',
      rule: 'agencyCommission',
      amount: amountCents,
      from: { role: 'bank' },
      to: { role: 'agencyCommissionExpense' },
    } as const;
    return { recordedDay, cause, fact: null, items: [{ cause, day: recordedDay, isDaily: false, event }] };
  });

/** The last day on which something other than the ledger has recorded a fact of the books; null: nothing has. */
export function lastOtherDay({ payouts, disputes, parties: { commissions = [], merchantReserve } }: LoanState, zone: string): Day | null {
  const won = disputes.flatMap(({ wonAt }) => (wonAt === null ? [] : [dayAt(zone, wonAt)]));
  const reserve = merchantReserve === undefined ? [] : [merchantReserve.held, ...merchantReserve.releases];
  const days = [...[...payouts, ...commissions, ...reserve].map(({ recordedDay }) => recordedDay), ...won];
  return days.reduce<Day | null>((last, day) => (last === null || day > last ? day : last), null);
}
