import { type Test, test } from 'tap';
import { EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { listOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

const ANN = '/people/ext-ann-1';
const PRIVACY = 'annualPrivacyPolicyNotice';

interface Noticed extends LoanOverHttp {
  /** Noon of January 16. The days before it are closed one by one, so that few messages fall on each. */
  goPastPrivacyDay(): Promise<void>;
  /** How the messages of a subject went to Ann. */
  noticesOf(subject: string): Promise<readonly { readonly channel: unknown; readonly status: unknown }[]>;
}

/** Ann's loan, of a lender with the standard templates. */
async function openNoticed(t: Test): Promise<Noticed> {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  for (const contact of [EMAIL, HOME]) await lender.ask('POST', `${ANN}/contacts`, contact);
  return {
    ...lender,
    async goPastPrivacyDay() {
      for (const date of ['2027-01-10', '2027-01-14', '2027-01-15', '2027-01-16']) await lender.goTo(date);
    },
    noticesOf: async (subject) =>
      listOf(await lender.ask('GET', `${ANN}/interactions?limit=100&subject=${subject}`)).map(({ channel, status }) => ({
        channel,
        status,
      })),
  };
}

const paid = (amount: number): object => ({ type: 'oneTime', isExternal: true, status: 'succeeded', amount });

test('a muted loan brings no reminder and no notice of its own, and still the yearly privacy notice', async (t) => {
  const { ask, loan, goTo, goPastPrivacyDay, noticesOf } = await openNoticed(t);
  await ask('PUT', loan, { muteLoanNotices: true });
  await ask('POST', `${loan}/transactions`, paid(25));
  await goTo('2026-03-11');
  for (const subject of ['paymentConfirmation', 'paymentDueDateReminder']) t.same(await noticesOf(subject), []);
  await goPastPrivacyDay();
  t.same(await noticesOf(PRIVACY), [{ channel: 'mail', status: 'succeeded' }]);
});

test('a frozen loan brings the yearly privacy notice', async (t) => {
  const { ask, loan, goPastPrivacyDay, noticesOf } = await openNoticed(t);
  t.match(await ask('POST', `${loan}/freeze`, {}), { status: 200 });
  await goPastPrivacyDay();
  t.same(await noticesOf(PRIVACY), [{ channel: 'mail', status: 'succeeded' }]);
});

test('of several loans, the first one that can brings the privacy notice, once', async (t) => {
  for (const change of [{ muteLoanNotices: true }, { servicedBy: 'debtCollectionAgency' }]) {
    const { ask, loan, active, goPastPrivacyDay, noticesOf } = await openNoticed(t);
    const [first = loan] = [loan, await active()].toSorted();
    t.match(await ask('PUT', first, change), { status: 200 });
    await goPastPrivacyDay();
    t.same(await noticesOf(PRIVACY), [{ channel: 'mail', status: 'succeeded' }], JSON.stringify(change));
  }
});

test('no privacy notice goes out for a loan that an agency services, and none for one that is paid off', async (t) => {
  const agency = await openNoticed(t);
  await agency.ask('PUT', agency.loan, { servicedBy: 'debtCollectionAgency' });
  await agency.goPastPrivacyDay();
  t.same(await agency.noticesOf(PRIVACY), []);
  const settled = await openNoticed(t);
  t.match(await settled.ask('POST', `${settled.loan}/transactions`, paid(1300)), { status: 201 });
  t.match(await settled.ask('GET', settled.loan), { json: { data: { status: 'paidOff' } } });
  await settled.goPastPrivacyDay();
  t.same(await settled.noticesOf(PRIVACY), []);
});
