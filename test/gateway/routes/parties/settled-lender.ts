import type { Test } from 'tap';
import { dataOf, idOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

export type Data = Readonly<Record<string, unknown>>;

export const ACCOUNT_OF_INVESTOR = {
  instrumentType: 'bankAccount',
  accountNumber: '123456789',
  routingNumber: '021000021',
  accountType: 'checking',
  accountHolderType: 'business',
  accountHolderName: 'First Fund',
};

export interface SettledLender extends LoanOverHttp {
  readonly settlements: string;
  readonly investors: readonly string[];
  /** Orders a settlement and waits until its totals are there. */
  settle(investorId: string, body?: object): Promise<Data>;
  advance(): Promise<void>;
  pay(amount: number, effectiveDate: string, more?: object): Promise<string>;
  get(id: unknown): Promise<Data>;
}

/** A loan that two investors own: 60 % and 40 %. */
export async function openSettled(t: Test, product: object = {}, terms: object = SMALL): Promise<SettledLender> {
  const lender = await openLoanOverHttp(t, product, terms);
  const { ask, company, h, created } = lender;
  const investors: string[] = [];
  for (const legalName of ['Alpha', 'Beta']) {
    const investorId = idOf(await ask('POST', `/companies/${company}/investors`, { legalName, externalId: legalName.toLowerCase() }));
    await ask('POST', `/companies/${company}/investors/${investorId}/settlement-instruments`, { ...ACCOUNT_OF_INVESTOR, isExternal: true });
    investors.push(investorId);
  }
  const owners = investors.map((investorId, at) => ({ investorId, share: at === 0 ? 0.6 : 0.4 }));
  const loan = await created({
    externalId: 'owned',
    atOrigination: { ...terms, investors: owners },
  });
  await ask('POST', `${loan}/activate`, {});
  const settlements = `/companies/${company}/settlements`;
  const get = async (id: unknown): Promise<Data> => dataOf(await ask('GET', `${settlements}/${String(id)}`));
  const advance = async (): Promise<void> => {
    await h.engine.settled();
    for (let step = 0; step < 3; step += 1) await h.campaigns.settlementsAdvanced();
  };
  return {
    ...lender,
    loan,
    settlements,
    investors,
    get,
    advance,
    async settle(investorId, body = {}) {
      const made = await ask('POST', settlements, { investorId, ...body });
      if (made.status !== 201) throw new Error(made.text);
      await advance();
      return get(idOf(made));
    },
    pay: async (amount, effectiveDate, more = {}) => {
      const body = { type: 'oneTime', amount, isExternal: true, status: 'succeeded', effectiveDate, ...more };
      const made = await ask('POST', `${loan}/transactions`, body);
      if (made.status !== 201) throw new Error(made.text);
      return idOf(made);
    },
  };
}
