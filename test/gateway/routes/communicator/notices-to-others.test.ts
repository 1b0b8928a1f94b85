import { type Test, test } from 'tap';
import { ACCOUNT, EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { ask as askAt } from '../../harness.js';
import { idOf, listOf, servePortfolio } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

const BEN = {
  externalId: 'ben-1',
  name: { firstName: 'Benedict', lastName: 'Quimby' },
  dateOfBirth: '1982-01-09',
  identity: { identityType: 'SSN', value: '900-11-2244' },
};
const EMAIL_OF_BEN = { ...EMAIL, value: 'ben.quimby@example.com' };

interface Shared extends LoanOverHttp {
  /** Adds Ben to the loan; returns the path of that. */
  joined(fields?: object): Promise<string>;
  /** The messages to a borrower of a subject, oldest first, once all that is due was done. */
  noticesTo(person: string, subject?: string): Promise<readonly Record<string, unknown>[]>;
}

/** Ann's loan, and Ben, each with an e-mail address and a home, of a lender with the standard templates. */
async function openShared(t: Test): Promise<Shared> {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const { ask, h, company, loan } = lender;
  await ask('POST', '/people', BEN);
  for (const [person, email] of [
    ['ann-1', EMAIL],
    ['ben-1', EMAIL_OF_BEN],
  ] as const)
    for (const contact of [email, HOME]) await ask('POST', `/people/ext-${person}/contacts`, contact);
  return {
    ...lender,
    async joined(fields = {}) {
      const body = { personId: 'ext-ben-1', loanRelationType: 'coBorrower', startDate: '2026-03-02', receivesNotices: true, ...fields };
      return `${loan}/people/${idOf(await ask('POST', `${loan}/people`, body))}`;
    },
    async noticesTo(person, subject) {
      for (let round = 0; round < 2; round += 1) {
        await h.director.run();
        h.nowMs += 10_000; // written and sent in the first, arrived in the second
        await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
        await h.engine.settled();
      }
      const query = subject === undefined ? '' : `&subject=${subject}`;
      return listOf(await ask('GET', `/people/ext-${person}/interactions?limit=100${query}`)).toReversed();
    },
  };
}

const paid = (amount: number): object => ({ type: 'oneTime', isExternal: true, status: 'succeeded', amount });

test('a co-borrower who receives notices gets those of the loan, with the own name', async (t) => {
  const { ask, loan, joined, noticesTo } = await openShared(t);
  await joined();
  await ask('POST', `${loan}/transactions`, paid(25));
  t.match(await noticesTo('ben-1'), [
    {
      subject: 'paymentConfirmation',
      channel: 'email',
      status: 'succeeded',
      isExternal: false,
      loanId: loan.split('/').at(-1),
      content: { to: ['ben.quimby@example.com'], contentHtml: /Dear Benedict,.*\$25\.00 was made on March 2, 2026/s },
    },
  ]);
  t.equal((await noticesTo('ann-1', 'paymentConfirmation')).length, 1, 'the borrower gets it as well');
  t.equal((await noticesTo('ben-1')).length, 1, 'and each gets it once');
});

test('a co-borrower gets no notices of the loan without receivesNotices, and none before and after the days on it', async (t) => {
  const { ask, loan, joined, goTo, noticesTo } = await openShared(t);
  const joint = await joined({ receivesNotices: false, endDate: '2026-03-20' });
  await ask('POST', `${loan}/transactions`, paid(25));
  await ask('PUT', joint, { receivesNotices: true, startDate: '2026-03-10' });
  await ask('POST', `${loan}/transactions`, paid(26));
  t.same(await noticesTo('ben-1'), []);
  await goTo('2026-03-12');
  await ask('POST', `${loan}/freeze`, {});
  await ask('PUT', joint, { receivesNotices: false });
  await ask('POST', `${loan}/unfreeze`, { retroactivelyAccrueInterest: false, shiftDueDates: false });
  await ask('PUT', joint, { receivesNotices: true });
  await goTo('2026-03-22');
  await ask('POST', `${loan}/transactions`, paid(27));
  const subjects = (await noticesTo('ben-1')).map(({ subject }) => subject);
  t.same(
    subjects.filter((subject) => ['paymentConfirmation', 'loanFrozen', 'loanUnfrozen'].includes(String(subject))),
    ['loanFrozen'],
  );
});

test('no notice goes to a co-borrower of a muted loan, with sendNotice false, and for a preview', async (t) => {
  const { ask, loan, joined, noticesTo } = await openShared(t);
  await joined();
  await ask('POST', `${loan}/transactions`, { ...paid(25), sendNotice: false });
  await ask('POST', `${loan}/transactions`, { ...paid(25), previewMode: true });
  await ask('POST', `${loan}/transactions`, paid(26));
  await ask('PUT', loan, { muteLoanNotices: true });
  t.same(await noticesTo('ben-1'), [], 'muted before it was brought');
  await ask('POST', `${loan}/transactions`, paid(27));
  t.same(await noticesTo('ben-1'), []);
});

test('nothing of the borrower’s own account goes to others on the loan', async (t) => {
  const { ask, loan, joined, noticesTo } = await openShared(t);
  await joined();
  const account = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const paymentInstrumentId = String(listOf(account)[0]?.['id']);
  const scheduledDate = '2026-03-10';
  t.match(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 30, paymentInstrumentId, scheduledDate }), { status: 201 });
  const [own] = await noticesTo('ann-1', 'paymentScheduled');
  t.match(own, { content: { contentHtml: /account ending in 2233/ } });
  const [other] = await noticesTo('ben-1', 'paymentScheduled');
  t.match(other, { content: { contentHtml: /\$30\.00 is scheduled for March 10, 2026\./ } });
});

test('a co-borrower is reminded in the morning, and not of what was paid since', async (t) => {
  const { ask, loan, h, joined, goTo, noticesTo } = await openShared(t);
  await joined();
  await goTo('2026-03-10');
  await h.director.run();
  t.match(await noticesTo('ben-1'), [
    { subject: 'paymentDueDateReminder', content: { contentHtml: /\$109\.14 is due on March 15, 2026/ } },
  ]);
  h.nowMs = Date.parse('2026-03-17T08:30:00Z'); // before nine in the morning of the west coast
  await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
  await h.engine.settled();
  await ask('POST', `${loan}/transactions`, { ...paid(109.14), sendNotice: false });
  await goTo('2026-03-17');
  t.same(await noticesTo('ben-1', 'loanOverdueFirstNotice'), []);
});

test('a co-borrower gets a reminder by the channels of its configuration', async (t) => {
  const { ask, company, joined, goTo, noticesTo } = await openShared(t);
  await joined();
  const path = `/companies/${company}/repayment-engine/notifications`;
  const [{ id } = {}] = listOf(await ask('GET', `${path}?subject=paymentDueDateReminder`));
  await ask('PUT', `${path}/${String(id)}`, { channels: ['mail'] });
  await goTo('2026-03-10');
  for (const person of ['ann-1', 'ben-1']) {
    const reminders = await noticesTo(person, 'paymentDueDateReminder');
    t.same(
      reminders.map(({ channel }) => channel),
      ['mail'],
      person,
    );
  }
});

test('each borrower of a loan gets its statements by the channels that they have chosen', async (t) => {
  const { ask, joined, goTo, noticesTo } = await openShared(t);
  await joined();
  const consent = [{ name: 'electronicComms', status: 'consented', source: 'borrower', medium: 'eSign' }];
  for (const person of ['ann-1', 'ben-1']) await ask('PUT', `/people/ext-${person}/consents`, consent);
  await ask('PUT', '/people/ext-ann-1', { commPreferences: { statementDeliveryChannels: ['email'] } });
  await ask('PUT', '/people/ext-ben-1', { commPreferences: { statementDeliveryChannels: ['mail'] } });
  await goTo('2026-03-17');
  const channelsOf = async (person: string): Promise<unknown> => [
    ...new Set((await noticesTo(person, 'statementGenerated')).map(({ channel }) => channel)),
  ];
  t.same(await channelsOf('ann-1'), ['email']);
  t.same(await channelsOf('ben-1'), ['mail']);
  await ask('PUT', '/people/ext-ben-1', { commPreferences: { statementDeliveryChannels: [] } });
  await ask('PUT', '/people/ext-ann-1', { commPreferences: { statementDeliveryChannels: ['mail'] } });
  await goTo('2026-04-17');
  t.same(await channelsOf('ben-1'), ['mail', 'email'], 'what the main borrower has chosen is not for others');
});

test('a notice for a co-borrower that was recorded before a restart goes out after it, once', async (t) => {
  const { ask, loan, h, joined, company, keys } = await openShared(t);
  await joined();
  await ask('POST', `${loan}/transactions`, paid(25));
  await h.restart();
  h.deliver();
  const { gateway } = await servePortfolio(t, h);
  const tenant = { company, mode: 'test' } as const;
  for (let round = 0; round < 3; round += 1) {
    await h.director.run();
    h.nowMs += 10_000;
    await h.engine.sweeper.advance(tenant, h.nowMs);
    await h.engine.settled();
  }
  t.match(listOf(await askAt(gateway.port, '/api/people/ext-ben-1/interactions', { key: keys.test })), [
    { subject: 'paymentConfirmation', status: 'succeeded' },
  ]);
});

test('who has proven by a code that an address is theirs takes it over: the other borrower gets a notice by another contact', async (t) => {
  const { ask, sent, noticesTo } = await openShared(t);
  const taken = await ask('POST', '/people/ext-ben-1/contacts', { ...EMAIL, label: 'work', status: 'additional' });
  t.same(await noticesTo('ann-1', 'contactTakeover'), [], 'a contact that was only recorded proves nothing');
  await ask('POST', `/people/ext-ben-1/contacts/${idOf(taken)}/confirmation-codes`);
  const code = sent.at(-1)?.code ?? '';
  t.match(await ask('PUT', `/people/ext-ben-1/contacts/${idOf(taken)}?confirmationCode=${code}`, {}), { status: 200 });
  t.match(await noticesTo('ann-1', 'contactTakeover'), [
    { channel: 'mail', theme: 'opsAccountCredentials', status: 'succeeded', content: { contentHtml: /is now used by another account/ } },
  ]);
  t.same(await noticesTo('ben-1', 'contactTakeover'), []);
});
