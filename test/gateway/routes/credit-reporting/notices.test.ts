import { type Test, test } from 'tap';
import { HOME } from '../../../actors/borrower/lender.js';
import { listOf } from '../http-lender.js';
import { type CreditOverHttp, openCredit } from './credit-over-http.js';

const BEN = {
  externalId: 'ben-1',
  name: { firstName: 'Benedict', lastName: 'Quimby' },
  dateOfBirth: '1982-01-09',
  identity: { identityType: 'SSN', value: '900-11-2244' },
};

interface Noticed extends CreditOverHttp {
  /** Makes the file of a month, and returns subjects and channels of what a borrower hears of the reports, oldest first. */
  sentBy(date: string, person?: string): Promise<readonly string[]>;
}

/** The loan of a lender with the standard templates, reported to one agency. */
async function openNoticed(t: Test): Promise<Noticed> {
  const lender = await openCredit(t, {}, { company: { withTemplates: true } });
  const { ask, h, company, goTo, madeFile, loan } = lender;
  return {
    ...lender,
    async sentBy(date, person = 'ann-1') {
      await goTo(date);
      await madeFile();
      for (let round = 0; round < 2; round += 1) {
        await h.director.run();
        h.nowMs += 10_000;
        await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
        await h.engine.settled();
      }
      const all = listOf(await ask('GET', `/people/ext-${person}/interactions?limit=100&loanId=${loan.split('/').at(-1)}`)).toReversed();
      return all
        .filter(({ subject }) => String(subject).startsWith('credit'))
        .map(({ subject, channel, status }) => `${String(subject)} ${String(channel)} ${String(status)}`);
    },
  };
}

const FIRST = 'creditPositiveInfoReported mail succeeded';
const NEGATIVE = 'creditNegativeInfoReported mail succeeded';

test('a borrower hears of the first report of a loan, and once of the first with negative information', async (t) => {
  const { ask, loan, sentBy } = await openNoticed(t);
  t.same(await sentBy('2026-04-01'), [FIRST]);
  t.same(await sentBy('2026-05-01'), [FIRST, NEGATIVE], 'the payment of March 15 is more than thirty days overdue');
  t.same(await sentBy('2026-06-01'), [FIRST, NEGATIVE], 'later reports about the same account need no further notice');
  const query = `loanId=${loan.split('/').at(-1)}&subject=creditNegativeInfoReported`;
  t.match(listOf(await ask('GET', `/people/ext-ann-1/interactions?${query}`)), [
    {
      theme: 'opsServicing',
      isTransactional: false,
      content: { contentHtml: /may be reflected in your credit report.*We report to: Equifax\./s },
    },
  ]);
});

test('everybody who owes on the loan hears of negative information, and nobody else', async (t) => {
  const { ask, loan, sentBy } = await openNoticed(t);
  await ask('POST', '/people', BEN);
  await ask('POST', '/people/ext-ben-1/contacts', HOME);
  await ask('POST', '/people', { ...BEN, externalId: 'cleo-1', identity: { identityType: 'SSN', value: '900-11-2255' } });
  await ask('POST', '/people/ext-cleo-1/contacts', HOME);
  const startDate = '2026-03-02';
  await ask('POST', `${loan}/people`, { personId: 'ext-ben-1', loanRelationType: 'coSigner', startDate });
  await ask('POST', `${loan}/people`, { personId: 'ext-cleo-1', loanRelationType: 'authorizedUser', startDate });
  await sentBy('2026-04-01');
  t.same(await sentBy('2026-05-01', 'ben-1'), [FIRST, NEGATIVE], 'whatever receivesNotices says');
  t.same(await sentBy('2026-05-02', 'cleo-1'), []);
});

test('a muted loan brings no notice of its reports', async (t) => {
  const { ask, loan, sentBy } = await openNoticed(t);
  await ask('PUT', loan, { muteLoanNotices: true });
  t.same(await sentBy('2026-04-01'), []);
});
