import { type Test, test } from 'tap';
import { readFile } from '../../../../engine/metro2/index.js';
import { HOME, PHONE } from '../../../actors/borrower/lender.js';
import { type LineOverHttp, openLineOverHttp } from '../line-over-http.js';
import { dataOf, EQUIFAX, idOf, listOf, openCredit, REPORTER } from './credit-over-http.js';

interface CreditOfLine extends LineOverHttp {
  /** A line that is reported. */
  readonly of: string;
  /** Status and comment of its record in the file that is made on a day; undefined: it is not in the file. */
  sentOn(date: string): Promise<object | undefined>;
}

async function openCreditOfLine(t: Test): Promise<CreditOfLine> {
  const lender = await openLineOverHttp(t);
  const { ask, company, loanTypeId, h } = lender;
  const agencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, EQUIFAX));
  const keys = { ...REPORTER, metro2PortfolioType: 'C', metro2AccountType: '15', creditAgencyIds: [agencyId] };
  t.match(await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, keys), { status: 200 });
  for (const contact of [HOME, PHONE]) await ask('POST', '/people/ext-ann-1/contacts', contact);
  const files = `/companies/${company}/credit-reporting/files`;
  return {
    ...lender,
    of: await lender.active(),
    async sentOn(date) {
      await lender.goTo(date);
      await h.campaigns.settled();
      const [file] = listOf(await ask('GET', files));
      t.match(file, { held: [] });
      const [account] = readFile((await ask('GET', `${files}/${String(file?.['id'])}/content`)).text).accounts;
      return account && { status: account.base.accountStatus, comment: account.base.specialComment };
    },
  };
}

const CLOSED = { closeReason: 'inactivity', closeReasonDescription: 'It was not used for a year.' };

test('a line that was closed for inactivity is reported so', async (t) => {
  const { ask, of, sentOn } = await openCreditOfLine(t);
  t.strictSame(await sentOn('2026-04-01'), { status: '11', comment: null });
  t.match(await ask('POST', `${of}/close`, CLOSED), { status: 200 });
  t.strictSame(await sentOn('2026-05-01'), { status: '13', comment: 'CI' });
  t.equal(await sentOn('2026-06-01'), undefined);
});

test('a line that was closed for inactivity and is still owed has the comment until it is paid', async (t) => {
  const { ask, of, draw, goTo, sentOn } = await openCreditOfLine(t);
  const path = await draw({}, of);
  const bought = await ask('POST', `${path}/purchases`, { amount: 1_000, status: 'settled', purchaseDate: '2026-03-02' });
  t.equal(bought.status, 200, bought.text);
  t.strictSame(await sentOn('2026-04-01'), { status: '11', comment: null });
  t.match(await ask('POST', `${of}/close`, CLOSED), { status: 200 });
  t.match(await sentOn('2026-05-01'), { comment: 'CI' });
  await goTo('2026-05-03');
  const paid = await ask('POST', `${of}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1_100 });
  t.equal(paid.status, 201, paid.text);
  t.strictSame(await sentOn('2026-06-01'), { status: '13', comment: 'CI' });
});

test('a line that was closed for another reason has no comment', async (t) => {
  const { ask, of, sentOn } = await openCreditOfLine(t);
  t.match(await ask('POST', `${of}/close`, { ...CLOSED, closeReason: 'borrowerRequest' }), { status: 200 });
  t.strictSame(await sentOn('2026-04-01'), { status: '13', comment: null });
});

test('a loan is settled for less only by a credit that counts: not by one that was reversed', async (t) => {
  for (const isReversed of [false, true]) {
    const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
    const serviceCreditDetails = { type: 'settlementOfDebt', sponsor: 'lender', reason: 'settlement' };
    const credit = await ask('POST', `${loan}/transactions`, { type: 'serviceCredit', amount: 300, serviceCreditDetails });
    t.equal(credit.status, 201, credit.text);
    await goTo('2026-03-05');
    if (isReversed) t.match(await ask('POST', `${loan}/transactions/${idOf(credit)}/reverse`, {}), { status: 200 });
    const { outstandingBalances } = dataOf(await ask('GET', `${loan}/balances?isRounded=true`)) as {
      readonly outstandingBalances: { readonly outstandingTotalAmount: number };
    };
    const amount = outstandingBalances.outstandingTotalAmount;
    await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded' });
    t.match(dataOf(await ask('GET', loan)), { status: 'paidOff' });
    await goTo('2026-04-01');
    const [account] = await accountsOf(await madeFile());
    t.match(account?.base, { accountStatus: '13', specialComment: isReversed ? null : 'AU' });
  }
});
