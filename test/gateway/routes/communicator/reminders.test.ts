import { type Test, test } from 'tap';
import { ACCOUNT, ANN, EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { loanBody } from '../../../actors/loan/setting.js';
import type { HttpAnswer } from '../../harness.js';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

interface Reminded extends LoanOverHttp {
  readonly path: string;
  /** The subjects of all that was sent to the borrower, oldest first. */
  subjects(): Promise<readonly string[]>;
  reminder(subject: string): Promise<Record<string, unknown>>;
}

/** A loan of 12 payments, the first of 109.14 due on 2026-03-15, of a lender with the standard templates and reminders. */
async function openReminded(t: Test): Promise<Reminded> {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const { ask, company } = lender;
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('POST', '/people/ext-ann-1/contacts', HOME);
  const path = `/companies/${company}/repayment-engine/notifications`;
  return {
    ...lender,
    path,
    subjects: async () =>
      listOf(await ask('GET', '/people/ext-ann-1/interactions?limit=100'))
        .toReversed()
        .map(({ subject }) => String(subject))
        .filter((subject) => !subject.startsWith('statement')),
    reminder: async (subject) => listOf(await ask('GET', `${path}?subject=${subject}`))[0] ?? {},
  };
}

test('a new loan type has its reminders, in calendar days from the day that each counts from', async (t) => {
  const { ask, path, loanTypeId } = await openReminded(t);
  const rows = listOf(await ask('GET', `${path}?limit=100&sortBy=day&productId=${loanTypeId}`));
  t.equal(rows.length, 14);
  t.match(rows[0], {
    subject: 'cardExpiresReminder',
    trigger: 'cardExpiration',
    day: -30,
    dayType: 'calendar',
    status: 'active',
    channels: ['email'],
  });
  t.match(rows.at(-1), { subject: 'loanOverdueSixthNotice', day: 45 });
});

test('a borrower is reminded before a due date, and of what is overdue after it', async (t) => {
  const { goTo, subjects, ask } = await openReminded(t);
  await goTo('2026-03-05');
  t.same(await subjects(), ['autopayEnableReminder']);
  await goTo('2026-03-09');
  t.same(await subjects(), ['autopayEnableReminder', 'loginFirstPaymentReminder']);
  await goTo('2026-03-10');
  t.same((await subjects()).slice(2), ['paymentDueDateReminder']);
  const [reminder] = listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=paymentDueDateReminder'));
  t.match(reminder, { channel: 'email', content: { contentHtml: /\$109\.14 is due on March 15, 2026/ } });
  await goTo('2026-03-17');
  t.same((await subjects()).slice(3), ['loanOverdueFirstNotice']);
  await goTo('2026-03-22');
  t.same((await subjects()).slice(4), ['loanOverdueSecondNotice']);
});

test('who has paid is not reminded', async (t) => {
  const { ask, loan, goTo, subjects } = await openReminded(t);
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 109.14, isExternal: true, status: 'succeeded', sendNotice: false });
  await goTo('2026-03-20');
  t.same(
    (await subjects()).filter((subject) => subject !== 'loginFirstPaymentReminder'),
    [],
  );
  await goTo('2026-04-10');
  const reminders = listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=paymentDueDateReminder'));
  t.match(reminders, [{ content: { contentHtml: /\$109\.14 is due on April 15, 2026/ } }], 'of the next installment, once');
  t.equal(reminders.length, 1);
});

test('an inactive notification, and one without a template, sends nothing', async (t) => {
  const { ask, path, goTo, subjects, reminder } = await openReminded(t);
  const { id } = await reminder('paymentDueDateReminder');
  t.match(dataOf(await ask('PUT', `${path}/${String(id)}`, { status: 'inactive' })), { status: 'inactive' });
  await goTo('2026-03-11');
  t.notOk((await subjects()).includes('paymentDueDateReminder'));
});

test('business days count by the company’s calendar', async (t) => {
  const { ask, path, goTo, subjects, reminder } = await openReminded(t);
  const { id } = await reminder('paymentDueDateReminder');
  await ask('PUT', `${path}/${String(id)}`, { day: -2, dayType: 'business' });
  await goTo('2026-03-11'); // 2026-03-15 is a Sunday: two business days before it is Thursday the 12th
  t.notOk((await subjects()).includes('paymentDueDateReminder'));
  await goTo('2026-03-12');
  t.ok((await subjects()).includes('paymentDueDateReminder'));
});

test('a preview names the loans that a day would reach, and why not the others', async (t) => {
  const { ask, path, reminder, created } = await openReminded(t);
  await created();
  const { id } = await reminder('paymentDueDateReminder');
  const hits = async (date: string): Promise<unknown> => listOf(await ask('POST', `${path}/${String(id)}/preview?date=${date}`));
  t.match(await hits('2026-03-10'), [{ isHit: true, reason: null, channels: ['email'] }]);
  t.match(await hits('2026-03-11'), [{ isHit: false, reason: 'It falls on 2026-03-10.', channels: [] }]);
  t.match(await ask('POST', `${path}/${String(id)}/preview?date=2026-03-01`), { status: 400 });
  t.match(await ask('POST', `${path}/RE-AAAA-AAAA/preview`), { status: 404 });
});

test('what cannot be reminded of is refused with every fault', async (t) => {
  const { ask, path, loanTypeId } = await openReminded(t);
  const body = { productId: loanTypeId, subject: 'loanOverdueFirstNotice', trigger: 'loanOverdue', day: 3 };
  const created = await ask('POST', path, { ...body, minOverdueAmount: 25 });
  t.match(created, { status: 200, json: { data: { id: /^RE-/, minOverdueAmount: 25, changePercent: 0 } } });
  t.match(await ask('POST', path, { ...body, trigger: 'expectedPayment' }), {
    status: 400,
    json: { errors: [{ path: 'trigger', expected: 'loanOverdue' }] },
  });
  t.match(await ask('POST', path, { ...body, productId: 'LT-AAAA-AAAA' }), { status: 400 });
  t.match(await ask('POST', path, { ...body, channels: ['fax'] }), { status: 400 });
  t.match(await ask('DELETE', `${path}/${idOf(created)}`), { status: 200 });
  t.match(await ask('GET', `${path}/${idOf(created)}`), { status: 404 });
});

test('each borrower gets the yearly privacy notice on January 15, whatever loans there are', async (t) => {
  const { active, goTo, subjects } = await openReminded(t);
  await active();
  await goTo('2027-01-15');
  t.same(
    (await subjects()).filter((subject) => subject === 'annualPrivacyPolicyNotice'),
    ['annualPrivacyPolicyNotice'],
  );
});

test('reminders begin again on the day of a test clock that has set time back', async (t) => {
  const { ask, company, h } = await openHttpLender(t, undefined, { company: { withTemplates: true } });
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  h.nowMs = Date.parse('2026-03-05T17:00:00Z');
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs); // its reminders were ordered through March 5
  await h.engine.settled();
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: '2024-03-02' }));
  await ask('POST', '/people', ANN);
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  const loan = idOf(await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, { atOrigination: SMALL })));
  await ask('POST', `/people/ext-ann-1/loans/${loan}/activate`, {});
  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2024-03-11' });
  t.match(listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=paymentDueDateReminder')), [
    { sendAt: '2024-03-10T16:00:00.000Z' },
  ]);
});

/** The first instrument of a reply. */
const instrumentIn = (answer: HttpAnswer): string => String(listOf(answer)[0]?.['id']);

test('each scheduled payment is reminded of, also when two lie a day apart', async (t) => {
  const { ask, loan, goTo } = await openReminded(t);
  const paymentInstrumentId = instrumentIn(
    await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true }),
  );
  for (const scheduledDate of ['2026-03-11', '2026-03-10']) {
    const payment = { type: 'oneTime', amount: 20, paymentInstrumentId, scheduledDate, sendNotice: false };
    t.match(await ask('POST', `${loan}/transactions`, payment), { status: 201 });
  }
  for (const date of ['2026-03-08', '2026-03-09', '2026-03-10']) await goTo(date);
  const reminders = listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=futurepayPaymentDueReminder'));
  t.match(
    reminders.toReversed().map(({ content }) => content),
    [{ contentHtml: /March 10, 2026/ }, { contentHtml: /March 11, 2026/ }],
  );
  t.equal(reminders.length, 2);
});

test('a card that has expired does not keep back the reminder of another card', async (t) => {
  const { ask, goTo } = await openReminded(t);
  for (const [cardNumber, expirationMonth] of [
    ['4111111111111111', 3],
    ['5555555555554444', 5],
  ] as const) {
    const card = { instrumentType: 'card', isExternal: true, cardType: 'debit', accountHolderName: 'Ann Quimby', cardNumber };
    await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...card, expirationMonth, expirationYear: 2026 });
  }
  for (const date of ['2026-04-15', '2026-04-30', '2026-05-01', '2026-05-02']) await goTo(date);
  const reminders = listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=cardExpiresReminder'));
  t.match(reminders, [{ content: { contentHtml: /4444/ } }]);
  t.equal(reminders.length, 1);
});

/** The days on which Ann was invited to enrol in autopay, while each payment is made in time. */
async function invitations({ ask, loan, goTo }: Reminded): Promise<readonly string[]> {
  for (const date of ['2026-03-05', '2026-03-14', '2026-04-05', '2026-04-14', '2026-05-05']) {
    await goTo(date);
    if (!date.endsWith('14')) continue;
    const payment = { type: 'oneTime', amount: 109.14, isExternal: true, status: 'succeeded', sendNotice: false };
    await ask('POST', `${loan}/transactions`, payment);
  }
  const sent = listOf(await ask('GET', '/people/ext-ann-1/interactions?limit=100&subject=autopayEnableReminder'));
  return sent.map(({ startedAt }) => String(startedAt).slice(0, 10)).toReversed();
}

test('the invitation to enrol in autopay comes in the first period, or in each if the lender says so', async (t) => {
  t.same(await invitations(await openReminded(t)), ['2026-03-05']);
  const each = await openReminded(t);
  const { id, trigger } = await each.reminder('autopayEnableReminder');
  t.equal(trigger, 'autopayFirstPayment');
  t.match(await each.ask('PUT', `${each.path}/${String(id)}`, { trigger: 'expectedPayment' }), { status: 200 });
  t.same(await invitations(each), ['2026-03-05', '2026-04-05', '2026-05-05']);
});
