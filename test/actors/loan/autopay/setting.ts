import { type Data, itemsOf } from '../../harness.js';
import { lineBody } from '../setting.js';
import { openPaySetting, type PaySetting } from '../transactions/setting.js';

/** A loan of 10,000.00 over 36 months, due on the 15th from 2024-02-15, and its autopay. */
export interface AutopaySetting extends PaySetting {
  create(body?: object): Promise<Data>;
  plan(): Promise<Data>;
  cancel(query?: object): Promise<Data>;
  update(body: object): Promise<Data>;
  refused(body: object): Promise<{ readonly statusCode: number }>;
  /** The payments of these statuses. */
  payments(...status: readonly string[]): Promise<readonly Data[]>;
  onPayment(action: 'reschedulePayment' | 'cancelPayment', id: string, body?: object): Promise<Data>;
  history(): Promise<readonly Data[]>;
  /** The transactions that plans have made, oldest first. */
  made(): Promise<readonly Data[]>;
  autopayEvents(): Promise<readonly { readonly eventType: string; readonly data: Readonly<Record<string, unknown>> }[]>;
}

const EVERY = ['booked', 'processing', 'paid', 'canceled', 'failed'];

export const agreed = (body: object = {}): object => ({
  paymentInstrumentId: 'PT-CHEC-KING',
  agreementDocumentId: 'DD-SIGN-EDXX',
  ...body,
});

export const openAutopay = async (loanType: object = {}, body: { readonly atOrigination?: object } = {}): Promise<AutopaySetting> =>
  withAutopay(await openPaySetting(loanType, body));

/** A line with one draw, and its autopay: of the first month the statement is of 2024-01-25, due on 02-15. */
export interface LineAutopaySetting extends AutopaySetting {
  buy(amount: number, body?: object): Promise<Data>;
}

export async function openLineAutopay(product: object = {}, body: { readonly atOrigination?: object } = {}): Promise<LineAutopaySetting> {
  const s = await openPaySetting({ type: 'lineOfCredit', name: 'Card', ...product }, body, undefined, lineBody);
  const params = { personId: s.personId };
  const { id: drawId } = await s.h.data('draw.create', s.loanId, { status: 'originated' }, { params });
  await s.h.data('draw.activate', s.loanId, {}, { params: { ...params, drawId } });
  return {
    ...withAutopay(s),
    buy: (amount, bought = {}) => s.h.data('purchase.create', s.loanId, { amount, ...bought }, { params: { ...params, drawId } }),
  };
}

function withAutopay(s: PaySetting): AutopaySetting {
  const params = { personId: s.personId };
  const ask = { permissions: ['*'], params };
  return {
    ...s,
    create: (asked = {}) => s.h.data('autopay.create', s.loanId, agreed(asked), ask),
    plan: () => s.h.query('autopay.get', s.loanId, {}, { params }),
    cancel: (query = {}) => s.h.data('autopay.cancel', s.loanId, {}, { ...ask, query }),
    update: (asked) => s.h.data('autopay.update', s.loanId, asked, ask),
    refused: (asked) => s.h.refusal('autopay.create', s.loanId, agreed(asked), ask),
    payments: async (...status) =>
      itemsOf(
        await s.h.query('autopay.expectedPayments', s.loanId, { status: status.length === 0 ? EVERY : status, limit: 100 }, { params }),
      ),
    onPayment: (action, autopayPaymentId, asked = {}) =>
      s.h.data(`autopay.${action}`, s.loanId, asked, { ...ask, params: { ...params, autopayPaymentId } }),
    history: async () => itemsOf(await s.h.query('autopay.history', s.loanId, {}, { params })),
    made: async () =>
      itemsOf(await s.h.query('transaction.list', s.loanId, { limit: 100 }, { params }))
        .filter(({ autopayPlanId }) => autopayPlanId !== null)
        .reverse(),
    autopayEvents: async () => (await s.events()).filter(({ eventType }) => eventType.startsWith('autopay.')),
  };
}
