import { type Test, test } from 'tap';
import { ACCOUNT, EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { idOf, listOf, signedDocument } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';
import { bareList } from '../make-template.js';

const ANN = '/people/ext-ann-1';
const REMINDER = 'paymentDueDateReminder';
/** Five days before the first due date, on which the standard reminder of it goes out. */
const DAY = '2026-03-10';

interface Previewed extends LoanOverHttp {
  /** What a preview of a subject says of the loan on a day. */
  preview(subject: string, date: string): Promise<Record<string, unknown>>;
  /** The channels by which messages of a subject went to Ann, or why one did not. */
  went(subject: string): Promise<readonly unknown[]>;
  change(subject: string, fields: object): Promise<void>;
}

/** Ann's loan of 12 payments of 109.14, the first due on 2026-03-15, of a lender with the standard templates and reminders. */
async function openPreviewed(t: Test, contacts: readonly object[] = [EMAIL, HOME]): Promise<Previewed> {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const { ask, company } = lender;
  for (const contact of contacts) await ask('POST', `${ANN}/contacts`, contact);
  const path = `/companies/${company}/repayment-engine/notifications`;
  const pathOf = async (subject: string): Promise<string> =>
    `${path}/${String(listOf(await ask('GET', `${path}?subject=${subject}`))[0]?.['id'])}`;
  return {
    ...lender,
    preview: async (subject, date) => listOf(await ask('POST', `${await pathOf(subject)}/preview?date=${date}`))[0] ?? {},
    went: async (subject) =>
      listOf(await ask('GET', `${ANN}/interactions?limit=100&subject=${subject}`)).map(({ channel, status, statusDetails }) =>
        status === 'failed' ? statusDetails : channel,
      ),
    async change(subject, fields) {
      await ask('PUT', await pathOf(subject), fields);
    },
  };
}

/** What stands against the reminder, and what the preview says then. */
const AGAINST: readonly (readonly [
  name: string,
  reason: RegExp,
  set: (lender: Previewed) => Promise<unknown>,
  contacts?: readonly object[],
])[] = [
  ['a muted loan', /^Notices of the loan are muted\.$/, ({ ask, loan }) => ask('PUT', loan, { muteLoanNotices: true })],
  [
    'a loan that an agency services',
    /^A collection agency has the loan/,
    ({ ask, loan }) => ask('PUT', loan, { servicedBy: 'debtCollectionAgency' }),
  ],
  ['no e-mail address', /^By e-mail: the borrower has no usable contact\.$/, async () => undefined, [HOME]],
  [
    'a withdrawn consent',
    /^By e-mail: the borrower does not consent to electronic communication\.$/,
    ({ ask }) => ask('PUT', `${ANN}/consents`, [{ name: 'electronicComms', status: 'revoked', source: 'borrower' }]),
  ],
  [
    'a disabled template',
    /^No template for the channels of the notification is enabled and active\.$/,
    async ({ ask }) => {
      for (const { id } of bareList(await ask('GET', `/communicator/templatedescriptors?subject=${REMINDER}&channel=email`)))
        await ask('PUT', `/communicator/templatedescriptors/${String(id)}`, { enabled: false });
    },
  ],
  [
    'a borrower who wants no reminders while current',
    /^The borrower is current and wants no reminders then\.$/,
    ({ ask }) => ask('PUT', ANN, { commPreferences: { sendRemindersWhenCurrent: false } }),
  ],
  ['an inactive notification', /^The notification is inactive\.$/, ({ change }) => change(REMINDER, { status: 'inactive' })],
];

for (const [name, reason, set, contacts] of AGAINST)
  test(`a preview says that ${name} keeps a reminder back, and none goes out`, async (t) => {
    const lender = await openPreviewed(t, contacts);
    await set(lender);
    t.match(await lender.preview(REMINDER, DAY), { isHit: false, reason, channels: [] });
    t.same(await lender.went(REMINDER), [], 'the preview records nothing');
    await lender.goTo('2026-03-11');
    t.same(
      (await lender.went(REMINDER)).filter((way) => way !== 'blockedByComplianceGuard'),
      [],
    );
  });

test('a preview names the channels by which a reminder will go', async (t) => {
  const { preview, change, goTo, went } = await openPreviewed(t);
  await change(REMINDER, { channels: ['email', 'text'] });
  t.match(await preview(REMINDER, DAY), { isHit: true, reason: null, channels: ['email'] });
  await goTo('2026-03-10');
  t.match(await preview(REMINDER, DAY), { isHit: false, reason: 'It was sent today already.' });
  t.same(await went(REMINDER), ['email']);
});

test('a preview of a later day judges the loan as it will be then', async (t) => {
  const { preview } = await openPreviewed(t);
  t.match(await preview(REMINDER, '2026-04-10'), { isHit: true }, 'of the second due date');
  t.match(await preview(REMINDER, '2026-04-09'), { isHit: false, reason: 'It falls on 2026-04-10.' });
  t.match(await preview('loanOverdueFirstNotice', '2026-03-17'), { isHit: true }, 'of a due date that is still to come');
  t.match(await preview('loanOverdueFirstNotice', '2026-03-16'), { isHit: false, reason: 'It falls on 2026-03-17.' });
  t.match(await preview('loanOverdueFirstNotice', '2026-03-14'), { isHit: false, reason: 'Nothing is overdue.' });
  t.match(await preview('loginFirstPaymentReminder', '2026-04-08'), { isHit: false, reason: 'The first due date has passed.' });
  t.match(await preview(REMINDER, '2027-03-02'), { isHit: false, reason: 'No payment is to come.' }, 'after the last due date');
});

test('a preview looks at most a year ahead', async (t) => {
  const { ask, company } = await openPreviewed(t);
  const path = `/companies/${company}/repayment-engine/notifications`;
  const [{ id } = {}] = listOf(await ask('GET', `${path}?subject=${REMINDER}`));
  t.match(await ask('POST', `${path}/${String(id)}/preview?date=2027-03-10`), {
    status: 400,
    json: { errors: [{ path: 'date', expected: 'at most 366 days ahead' }] },
  });
});

test('a preview supposes that scheduled and automatic payments are made', async (t) => {
  const { ask, loan, preview } = await openPreviewed(t);
  const account = await ask('POST', `${ANN}/payment-instruments?force=true`, { ...ACCOUNT, verified: true });
  const paymentInstrumentId = String(listOf(account)[0]?.['id']);
  const scheduled = { type: 'oneTime', amount: 109.14, paymentInstrumentId, scheduledDate: '2026-03-12', sendNotice: false };
  const payment = idOf(await ask('POST', `${loan}/transactions`, scheduled));
  t.match(await preview('loanOverdueFirstNotice', '2026-03-17'), { isHit: false, reason: 'Nothing is overdue.' });
  await ask('POST', `${loan}/transactions/${payment}/cancel`, {});
  t.match(await preview('loanOverdueFirstNotice', '2026-03-17'), { isHit: true });
  t.match(await ask('POST', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: await signedDocument(ask) }), { status: 200 });
  t.match(await preview('loanOverdueFirstNotice', '2026-03-17'), { isHit: false, reason: 'Nothing is overdue.' });
  t.match(await preview('autopayPaymentReminder', '2026-04-12'), { isHit: true });
});
