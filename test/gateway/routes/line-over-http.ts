import type { Test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, idOf, listOf, openHttpLender } from './http-lender.js';

type Data = Readonly<Record<string, unknown>>;

export interface LineOverHttp extends HttpLender {
  readonly loanTypeId: string;
  /** The path of a line that was activated on the first day. */
  readonly line: string;
  /** Creates another line of the same person. */
  created(body?: { readonly atOrigination?: object; readonly [field: string]: unknown }): Promise<HttpAnswer>;
  /** The path of another line that is active. */
  active(body?: { readonly atOrigination?: object; readonly [field: string]: unknown }): Promise<string>;
  /** The path of a draw of a line, active unless its body says otherwise. */
  draw(body?: object, of?: string): Promise<string>;
  goTo(date: string): Promise<void>;
  /** The data of a line's events of a type, oldest first. */
  emitted(eventType: string, of?: string): Promise<readonly Data[]>;
}

/** A person's line of 5,000.00 at 18 %, activated on 2026-03-02, due on the 15th. */
export async function openLineOverHttp(t: Test, product: object = {}, atOrigination: object = {}): Promise<LineOverHttp> {
  const lender = await openHttpLender(t);
  const { h } = lender;
  const goTo = async (date: string): Promise<void> => {
    h.nowMs = Date.parse(`${date}T17:00:00Z`);
    await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  const { id: loanTypeId } = await h.data('loanType.create', lender.company, { type: 'lineOfCredit', name: 'Card', ...product });
  await lender.ask('POST', '/people', ANN);
  const loans = '/people/ext-ann-1/loans';
  const created: LineOverHttp['created'] = (body = {}) =>
    lender.ask('POST', loans, lineBody(loanTypeId, { ...body, atOrigination: { ...atOrigination, ...body.atOrigination } }));
  const active: LineOverHttp['active'] = async (body = {}) => {
    const line = `${loans}/${idOf(await created(body))}`;
    await lender.ask('POST', `${line}/activate`, {});
    return line;
  };
  const line = await active();
  return {
    ...lender,
    loanTypeId,
    line,
    created,
    active,
    draw: async (body = {}, of = line) => {
      const draw = `${of}/draws/${idOf(await lender.ask('POST', `${of}/draws`, { status: 'originated', ...body }))}`;
      await lender.ask('POST', `${draw}/activate`, {});
      return draw;
    },
    goTo,
    emitted: async (eventType, of = line) => {
      const loanId = of.split('/')[4] ?? '';
      return listOf(await lender.ask('GET', `/events?loanId=${loanId}&eventType=${eventType}&order=asc&limit=100`)).map(
        ({ data }) => data as Data,
      );
    },
  };
}

export const lineBody = (
  loanTypeId: string,
  body: { readonly atOrigination?: object; readonly [field: string]: unknown } = {},
): object => ({
  type: 'lineOfCredit',
  loanTypeId,
  status: 'originated',
  servicedBy: 'creditor',
  newDrawsAllowed: true,
  ...body,
  atOrigination: {
    creditLimitAmount: 5_000,
    paymentFrequency: 'monthly',
    specificDays: [15],
    interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
    minPaymentCalculation: { percentageOfPrincipal: 0.05, minAmount: 25 },
    personAddress: { addressLine1: '1 Elm Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
    originationLicense: 'stateLicense',
    originatingCreditorName: 'Northwind Lending',
    ...body.atOrigination,
  },
});
