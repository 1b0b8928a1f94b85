import type { Test } from 'tap';
import type { metro2 } from '../../../../engine/index.js';
import { readFile } from '../../../../engine/metro2/index.js';
import { HOME, PHONE } from '../../../actors/borrower/lender.js';
import { type LineOverHttp, openLineOverHttp } from '../line-over-http.js';
import { EQUIFAX, idOf, listOf, REPORTER } from './credit-over-http.js';

export interface CreditOfLine extends LineOverHttp {
  /** A line with a purchase of 1000.00 that is reported. */
  readonly of: string;
  readonly purchase: string;
  /** Its record in the file that is made on a day. */
  sentOn(date: string): Promise<metro2.Base | undefined>;
}

/** A line with a purchase, reported as revolving credit. */
export async function openCreditOfLine(t: Test, terms: object = {}): Promise<CreditOfLine> {
  const lender = await openLineOverHttp(t, {}, terms);
  const { ask, company, loanTypeId, h, active, draw } = lender;
  const agencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, EQUIFAX));
  const keys = { ...REPORTER, metro2PortfolioType: 'C', metro2AccountType: '15', creditAgencyIds: [agencyId] };
  t.match(await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, keys), { status: 200 });
  for (const contact of [HOME, PHONE]) await ask('POST', '/people/ext-ann-1/contacts', contact);
  const files = `/companies/${company}/credit-reporting/files`;
  const of = await active();
  const purchases = `${await draw({}, of)}/purchases`;
  const purchase = `${purchases}/${idOf(await ask('POST', purchases, { amount: 1_000 }))}`;
  return {
    ...lender,
    of,
    purchase,
    async sentOn(date) {
      await lender.goTo(date);
      await h.campaigns.settled();
      const [file] = listOf(await ask('GET', files));
      t.match(file, { held: [] });
      return readFile((await ask('GET', `${files}/${String(file?.['id'])}/content`)).text).accounts[0]?.base;
    },
  };
}
