import { type Test, test } from 'tap';
import { ACCOUNT, EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { ask as askAt } from '../../harness.js';
import { dataOf, idOf, listOf, servePortfolio, signedDocument } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';
import { bareList, DESCRIPTORS } from '../make-template.js';

interface Noticed extends LoanOverHttp {
  readonly person: string;
  /** The messages to the borrower of a subject, oldest first, once all that is due was done. */
  notices(subject?: string): Promise<readonly Record<string, unknown>[]>;
}

/** A borrower with an address at home and an e-mail address, of a lender with the standard templates. */
async function openNoticed(t: Test): Promise<Noticed> {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const { ask, h, company } = lender;
  const person = '/people/ext-ann-1';
  await ask('POST', `${person}/contacts`, EMAIL);
  await ask('POST', `${person}/contacts`, HOME);
  return {
    ...lender,
    person,
    async notices(subject) {
      for (let round = 0; round < 2; round += 1) {
        h.nowMs += 10_000; // written and sent in the first, arrived in the second
        await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
        await h.engine.settled();
      }
      const query = subject === undefined ? '' : `&subject=${subject}`;
      return listOf(await ask('GET', `${person}/interactions?limit=100${query}`)).toReversed();
    },
  };
}

const paid = (amount: number): object => ({ type: 'oneTime', isExternal: true, status: 'succeeded', amount });

test('a payment is confirmed by e-mail, from the template that comes with a new company', async (t) => {
  const { ask, loan, notices } = await openNoticed(t);
  await ask('POST', `${loan}/transactions`, paid(25));
  const [notice, ...others] = await notices('paymentConfirmation');
  t.match(notice, {
    channel: 'email',
    direction: 'outbound',
    theme: 'opsServicing',
    status: 'succeeded',
    statusDetails: 'emailDelivered',
    isExternal: false,
    isTransactional: true,
    templateVersionId: /^TV-/,
    loanId: loan.split('/').at(-1),
    content: {
      to: ['annabel.quimby@example.com'],
      subjectLine: 'We received your payment',
      contentHtml: /Dear Annabel,.*\$25\.00 was made on March 2, 2026/s,
    },
  });
  t.same(others, []);
});

test('a borrower without an e-mail address gets a letter, one without any contact gets nothing', async (t) => {
  const { ask, loan, person, notices } = await openNoticed(t);
  const email = listOf(await ask('GET', `${person}/contacts`)).find(({ contactType }) => contactType === 'email');
  await ask('DELETE', `${person}/contacts/${String(email?.['id'])}`);
  await ask('POST', `${loan}/transactions`, paid(25));
  t.match(await notices('paymentConfirmation'), [{ channel: 'mail', status: 'succeeded', content: { address: /12 Larkspur Lane/ } }]);
  const home = listOf(await ask('GET', `${person}/contacts`)).find(({ contactType }) => contactType === 'address');
  await ask('DELETE', `${person}/contacts/${String(home?.['id'])}`);
  await ask('POST', `${loan}/transactions`, paid(26));
  t.equal((await notices('paymentConfirmation')).length, 1);
});

test('who has withdrawn the consent to electronic communication gets letters', async (t) => {
  const { ask, loan, person, notices } = await openNoticed(t);
  await ask('PUT', `${person}/consents`, [{ name: 'electronicComms', status: 'revoked', source: 'borrower' }]);
  await ask('POST', `${loan}/transactions`, paid(25));
  t.match(await notices('paymentConfirmation'), [{ channel: 'mail' }]);
});

test('no notice goes out with sendNotice false, of a muted loan, and for a preview', async (t) => {
  const { ask, loan, notices } = await openNoticed(t);
  await ask('POST', `${loan}/transactions`, { ...paid(25), sendNotice: false });
  await ask('POST', `${loan}/transactions`, { ...paid(25), previewMode: true });
  await ask('PUT', loan, { muteLoanNotices: true });
  await ask('POST', `${loan}/transactions`, paid(27));
  t.same(await notices('paymentConfirmation'), []);
});

test('a payment that is dated back more than three days brings no notice, and a replay brings none again', async (t) => {
  const { ask, loan, goTo, notices } = await openNoticed(t);
  await goTo('2026-03-20');
  await ask('POST', `${loan}/transactions`, { ...paid(25), effectiveDate: '2026-03-10' });
  t.same(await notices('paymentConfirmation'), []);
  await ask('POST', `${loan}/transactions`, { ...paid(26), effectiveDate: '2026-03-18' });
  t.equal((await notices('paymentConfirmation')).length, 1);
  await ask('POST', `${loan}/replay`, {});
  t.equal((await notices('paymentConfirmation')).length, 1);
});

test('a borrower is notified of orders on a loan', async (t) => {
  const { ask, loan, created, notices } = await openNoticed(t);
  const second = await created();
  await ask('POST', `${second}/activate`, {});
  await ask('POST', `${loan}/freeze`, {});
  await ask('POST', `${loan}/unfreeze`, { retroactivelyAccrueInterest: false, shiftDueDates: false });
  await ask('POST', `${loan}/accelerate`, {});
  await ask('POST', `${second}/cancel?force=true`, { cancellationReason: 'duplicate' });
  t.same(
    (await notices()).map(({ subject }) => subject),
    ['loanDetails', 'loanFrozen', 'loanUnfrozen', 'loanAccelerated', 'loanCanceled'],
  );
});

test('what the service would send again on the same day is canceled, unless it answers an action', async (t) => {
  const { ask, loan, notices } = await openNoticed(t);
  await ask('POST', `${loan}/transactions`, paid(25));
  await ask('POST', `${loan}/transactions`, paid(26));
  t.equal((await notices('paymentConfirmation')).length, 2);
});

test('a notice that was planned before a restart goes out after it, once', async (t) => {
  const { h, ask, loan, person, keys, company } = await openNoticed(t);
  await ask('POST', `${loan}/transactions`, paid(25));
  await h.restart();
  const { gateway } = await servePortfolio(t, h);
  for (let round = 0; round < 3; round += 1) {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  }
  const path = `/api${person}/interactions?subject=paymentConfirmation`;
  t.match(listOf(await askAt(gateway.port, path, { key: keys.test })), [{ status: 'succeeded', content: { contentHtml: /\$25\.00/ } }]);
});

test('an account, a changed contact and a withdrawn consent bring a word to the borrower', async (t) => {
  const { ask, person, notices } = await openNoticed(t);
  await ask('PUT', `${person}/consents`, [{ name: 'electronicComms', status: 'consented' }]);
  const contacts = listOf(await ask('GET', `${person}/contacts`));
  const email = contacts.find(({ contactType }) => contactType === 'email');
  await ask('PUT', `${person}/contacts/${String(email?.['id'])}`, { value: 'annabel.new@example.com' });
  t.match(
    await notices('contactChanged'),
    [{ channel: 'mail', theme: 'opsAccountCredentials' }],
    'the changed address may be somebody else’s',
  );
  await ask('PUT', `${person}/contacts/${String(email?.['id'])}`, { label: 'work' });
  t.equal((await notices('contactChanged')).length, 1, 'a label is no news');
  await ask('PUT', `${person}/consents`, [{ name: 'electronicComms', status: 'revoked' }]);
  t.match(await notices('electronicConsentOptOut'), [{ channel: 'mail', theme: 'opsServicingPrivacy', status: 'succeeded' }]);
  await ask('PUT', `${person}/consents`, [{ name: 'electronicComms', status: 'revoked' }]);
  t.equal((await notices('electronicConsentOptOut')).length, 1);
  t.match(
    await ask('POST', `${person}/user`, {
      userName: 'ann@quimby.example',
      auths: [{ authType: 'basic', authValueType: 'email', value: 'ann@quimby.example' }],
      password: 'a long and unusual phrase',
    }),
    { status: 200 },
  );
  t.match(await notices('borrowerWelcome'), [{ status: 'succeeded' }]);
});

test('the agents that a case is escalated to get an e-mail, and the borrower does not', async (t) => {
  const { ask, person, notices } = await openNoticed(t);
  const caseId = idOf(await ask('POST', `${person}/cases`, { caseType: 'generic' }));
  const team = idOf(await ask('POST', '/teams', { name: 'Second line' }));
  for (const name of ['eve', 'sam']) {
    const auths = [{ authType: 'basic', authValueType: 'username', value: name }];
    const userId = idOf(await ask('POST', '/users', { type: 'agent', userName: name, auths }));
    await ask('POST', '/employees', { userId, firstName: name, email: `${name}@lender.example`, teams: [team] });
  }
  t.match(await ask('POST', `${person}/cases/${caseId}/escalations`, { targetType: 'team', teamId: team, reason: 'overdue' }), {
    status: 200,
  });
  t.match(await notices('caseEscalation'), [
    { theme: 'agentNotification', caseId, content: { to: ['eve@lender.example', 'sam@lender.example'] } },
  ]);
});

test('notices of automatic payments say their amounts and dates', async (t) => {
  const { ask, loan, person, notices } = await openNoticed(t);
  const SAID = '{{ paymentAmount | money }} of {{ paymentDate }}{% if newPaymentDate %} on {{ newPaymentDate }}{% endif %}';
  const subjects = ['autopayPaymentRescheduled', 'autopayPaymentCanceled', 'autopayPaymentMethodUpdated'] as const;
  for (const subject of subjects) {
    const [descriptor] = bareList(await ask('GET', `${DESCRIPTORS}?subject=${subject}&channel=email&language=en`));
    const version = `${DESCRIPTORS}/${String(descriptor?.['id'])}/versions/${String(descriptor?.['activeVersionId'])}`;
    t.match(await ask('PUT', version, { contentHtmlTemplate: `<p>${SAID}</p>` }), { status: 200 });
  }
  const accounts: string[] = [];
  for (const accountNumber of ['000111222233', '000111222244']) {
    const made = await ask('POST', `${person}/payment-instruments?force=true`, { ...ACCOUNT, accountNumber, verified: true });
    accounts.push(String(listOf(made)[0]?.['id']));
  }
  const [paymentInstrumentId, other] = accounts;
  const terms = { paymentInstrumentId, agreementDocumentId: await signedDocument(ask, person) };
  t.match(await ask('POST', `${loan}/autopay`, terms), { status: 200 });
  const [first, second] = dataOf(await ask('GET', `${loan}/autopay`))['schedule'] as readonly { readonly id: string }[];
  const payments = `${loan}/autopay/expected-payments`;
  t.match(await ask('POST', `${payments}/${String(first?.id)}/reschedule`, { date: '2026-03-10' }), { status: 200 });
  t.match(await ask('POST', `${payments}/${String(second?.id)}/cancel`, {}), { status: 200 });
  t.match(await ask('PUT', `${loan}/autopay`, { paymentInstrumentId: other }), { status: 200 });
  const said: unknown[] = [];
  for (const subject of subjects)
    for (const { content } of await notices(subject)) said.push([subject, (content as { readonly contentHtml: string }).contentHtml]);
  t.strictSame(said, [
    ['autopayPaymentRescheduled', '<p>$109.14 of 2026-03-15 on 2026-03-10</p>'],
    ['autopayPaymentCanceled', '<p>$109.14 of 2026-04-15</p>'],
    ['autopayPaymentMethodUpdated', '<p>$109.14 of 2026-03-10</p>'],
  ]);
});
