import { type Data, itemsOf } from '../../harness.js';
import { lineBody } from '../setting.js';
import { external, openPaySetting } from '../transactions/setting.js';

const SAME_AS_CASH = { promoType: 'sameAsCash', defaults: { promoDurationDays: 60 } };

export type PromoLine = Awaited<ReturnType<typeof openPromoLine>>;

/** A line at 18 % with two draws, its first day 2024-01-15, and the promo programs of draws (null: of the line). */
export async function openPromoLine(product: object = {}) {
  const s = await openPaySetting({ type: 'lineOfCredit', name: 'Card', ...product }, {}, undefined, lineBody);
  const { h, loanId, personId, loanTypeId } = s;
  const draws: string[] = [];
  for (let made = 0; made < 2; made += 1) {
    const { id: drawId } = await h.data('draw.create', loanId, { status: 'originated' }, { params: { personId } });
    await h.data('draw.activate', loanId, {}, { params: { personId, drawId } });
    draws.push(drawId);
  }
  const names = (draw: number | null): Readonly<Record<string, string>> =>
    draw === null ? { personId } : { personId, drawId: draws[draw] ?? '' };
  const ask = (command: string, body: object = {}, draw: number | null = 0, promoProgramId = ''): Promise<Data> =>
    h.data(`promoProgram.${command}`, loanId, body, { permissions: ['*'], params: { ...names(draw), promoProgramId } });
  return {
    ...s,
    drawIds: draws,
    ask,
    /** Newest first. */
    payments: async () => itemsOf(await h.query('transaction.list', loanId, { limit: 100 }, { params: { personId } })),
    promoType: (body: object = {}) =>
      h.data('promoType.create', h.company, { displayName: 'No interest', ...SAME_AS_CASH, ...body }, { params: { loanTypeId } }),
    program: (id: string, draw: number | null = 0) =>
      h.query('promoProgram.get', loanId, {}, { params: { ...names(draw), promoProgramId: id } }),
    buy: (amount: number, draw = 0, body: object = {}) => h.data('purchase.create', loanId, { amount, ...body }, { params: names(draw) }),
    payTo: (draw: number, amount: number, body: object = {}) =>
      s.post(external({ amount, drawId: draws[draw], status: 'succeeded', ...body })),
    owed: async (draw: number) =>
      ((await h.query('draw.get', loanId, {}, { params: names(draw) }))['current'] as { readonly balanceAmount: number }).balanceAmount,
    rates: (draw: number) => h.query('loan.rates', loanId, {}, { params: names(draw) }),
    emitted: async () =>
      (await s.events())
        .filter(({ eventType }) => eventType.startsWith('loan.promoprogram.'))
        .map(({ eventType, data }) => `${eventType.slice(18)} ${String(data['status'])}`),
  };
}
