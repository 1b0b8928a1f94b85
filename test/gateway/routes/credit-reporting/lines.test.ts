import { type Test, test } from 'tap';
import type { metro2 } from '../../../../engine/index.js';
import { readFile } from '../../../../engine/metro2/index.js';
import { HOME, PHONE } from '../../../actors/borrower/lender.js';
import { type LineOverHttp, openLineOverHttp } from '../line-over-http.js';
import { EQUIFAX, idOf, listOf, REPORTER } from './credit-over-http.js';

interface CreditOfLine extends LineOverHttp {
  /** A line with a purchase of 1000.00 that is reported. */
  readonly of: string;
  /** Its record in the file that is made on a day. */
  sentOn(date: string): Promise<metro2.Base | undefined>;
}

async function openCreditOfLine(t: Test, terms: object = {}): Promise<CreditOfLine> {
  const lender = await openLineOverHttp(t, {}, terms);
  const { ask, company, loanTypeId, h, active, draw } = lender;
  const agencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, EQUIFAX));
  const keys = { ...REPORTER, metro2PortfolioType: 'C', metro2AccountType: '15', creditAgencyIds: [agencyId] };
  t.match(await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, keys), { status: 200 });
  for (const contact of [HOME, PHONE]) await ask('POST', '/people/ext-ann-1/contacts', contact);
  const files = `/companies/${company}/credit-reporting/files`;
  const of = await active();
  t.match(await ask('POST', `${await draw({}, of)}/purchases`, { amount: 1_000 }), { status: 200 });
  return {
    ...lender,
    of,
    async sentOn(date) {
      await lender.goTo(date);
      await h.campaigns.settled();
      const [file] = listOf(await ask('GET', files));
      t.match(file, { held: [] });
      return readFile((await ask('GET', `${files}/${String(file?.['id'])}/content`)).text).accounts[0]?.base;
    },
  };
}

test('the highest balance of a line has the interest that has fallen due, also after it was paid', async (t) => {
  const { ask, of, goTo, sentOn, failures } = await openCreditOfLine(t);
  t.match(await sentOn('2026-04-01'), { currentBalance: 1_011, highestCredit: 1_011 });
  await goTo('2026-04-20');
  const paid = await ask('POST', `${of}/transactions`, { type: 'oneTime', amount: 500, isExternal: true, status: 'succeeded' });
  t.equal(paid.status, 201, paid.text);
  t.match(await sentOn('2026-05-01'), { currentBalance: 524, highestCredit: 1_011 });
  t.same(failures, []);
});

test('the scheduled payment of a weekly line is that of a month', async (t) => {
  const { ask, of, sentOn, failures } = await openCreditOfLine(t, { paymentFrequency: 'weekly', specificDays: ['friday'] });
  t.match(await sentOn('2026-04-01'), { termsFrequency: 'W', scheduledMonthlyPayment: 231 });
  t.ok(listOf(await ask('GET', `${of}/obligations`)));
  t.same(failures, []);
});
