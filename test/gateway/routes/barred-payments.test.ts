import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { LIMITS } from '../../../actors/kernel/limits.js';
import { ACCOUNT } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, signedDocument } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

const ANN = '/people/ext-ann-1';
const CORA = '/people/ext-cora';

interface Shared extends LoanOverHttp {
  /** Cora on Ann's loan. */
  readonly cora: string;
  enroll(person: string): Promise<void>;
  schedule(person: string): Promise<void>;
  openCase(body: object, person?: string): Promise<string>;
  /** Status and reason of the newest plan, and of the payment that was scheduled beside it. */
  outcome(): Promise<readonly (readonly unknown[])[]>;
}

/** Over a cluster a loan knows a person of another unit for two seconds: `TENOR_TEST_CLUSTER=1 npm test -- barred-payments`. */
const othersRead = async (): Promise<void> => pause(process.env['TENOR_TEST_CLUSTER'] === '1' ? LIMITS.remoteMs + 100 : 0);

/** Ann's loan, due on the 15th from 2026-03-15, with Cora on it. Both have a bank account. */
async function openShared(t: Test, loanRelationType = 'coBorrower'): Promise<Shared> {
  const lender = await openLoanOverHttp(t);
  const { ask, loan } = lender;
  await ask('POST', '/people', { name: { firstName: 'Cora', lastName: 'Quimby' }, externalId: 'cora' });
  const cora = `${loan}/people/${idOf(await ask('POST', `${loan}/people`, { personId: 'ext-cora', loanRelationType }))}`;
  const accounts = new Map<string, string>();
  for (const person of [ANN, CORA]) {
    const made = await ask('POST', `${person}/payment-instruments?force=true`, { ...ACCOUNT, verified: true });
    accounts.set(person, String(listOf(made)[0]?.['id']));
  }
  const scheduled: string[] = [];
  const reasonOf = ({ status, cancelReason }: Readonly<Record<string, unknown>>): readonly unknown[] => [status, cancelReason ?? null];
  return {
    ...lender,
    cora,
    goTo: async (date) => {
      await othersRead();
      await lender.goTo(date);
    },
    enroll: async (person) => {
      await othersRead();
      const terms = { paymentInstrumentId: accounts.get(person), agreementDocumentId: await signedDocument(ask, person) };
      t.match(await ask('POST', `${loan}/autopay`, terms), { status: 200 });
    },
    schedule: async (person) => {
      const payment = { type: 'oneTime', amount: 25, paymentInstrumentId: accounts.get(person), scheduledDate: '2026-03-10' };
      scheduled.push(`${loan}/transactions/${idOf(await ask('POST', `${loan.replace(ANN, person)}/transactions`, payment))}`);
    },
    openCase: async (body, person = CORA) => {
      const made = await ask('POST', `${person}/cases`, body);
      t.match(made, { status: 200 });
      return `${person}/cases/${idOf(made)}`;
    },
    outcome: async () => {
      const present = await ask('GET', `${loan}/autopay`);
      const plan = present.status === 200 ? dataOf(present) : listOf(await ask('GET', `${loan}/autopay/history`))[0];
      const payments = await Promise.all(scheduled.map(async (path) => dataOf(await ask('GET', path))));
      return [plan ?? {}, ...payments].map(reasonOf);
    },
  };
}

const PAID = [
  ['active', null],
  ['succeeded', null],
];
const BANKRUPT = [
  ['canceled', 'bankruptcy'],
  ['canceled', 'bankruptcy'],
];
const DECEASED = [
  ['canceled', 'deceased'],
  ['canceled', 'borrowerDeceased'],
];

for (const [relation, caseOfCora, payer, expected] of [
  ['coBorrower', { caseType: 'bankruptcy', courtCaseChapter: 'chapter7' }, CORA, BANKRUPT],
  ['coBorrower', { caseType: 'bankruptcy', courtCaseChapter: 'chapter7' }, ANN, PAID],
  ['coBorrower', { caseType: 'bankruptcy', courtCaseChapter: 'chapter13' }, ANN, BANKRUPT],
  ['coSigner', { caseType: 'bankruptcy', courtCaseChapter: 'chapter12' }, ANN, BANKRUPT],
  ['guarantor', { caseType: 'bankruptcy', courtCaseChapter: 'chapter13' }, ANN, PAID],
  ['guarantor', { caseType: 'bankruptcy', courtCaseChapter: 'chapter13' }, CORA, BANKRUPT],
  ['authorizedUser', { caseType: 'bankruptcy', courtCaseChapter: 'chapter13' }, ANN, PAID],
  ['authorizedUser', { caseType: 'bankruptcy', courtCaseChapter: 'chapter7' }, CORA, BANKRUPT],
  ['coBorrower', { caseType: 'deceased' }, CORA, DECEASED],
  ['coBorrower', { caseType: 'deceased' }, ANN, PAID],
  ['coBorrower', { caseType: 'militaryDuty' }, CORA, PAID],
] as const) {
  const name = Object.values(caseOfCora).join(' under ');
  const paidBy = payer === ANN ? 'the main borrower' : 'that person';
  test(`a case of a ${relation}, ${name}: payments of ${paidBy} ${String(expected[1]?.[0])}`, async (t) => {
    const { ask, loan, enroll, schedule, openCase, outcome, goTo, emitted, failures } = await openShared(t, relation);
    await enroll(payer);
    await schedule(payer);
    const caseId = (await openCase(caseOfCora)).split('/').at(-1);
    await goTo('2026-03-20');
    t.same(await outcome(), expected);
    if (expected !== PAID) {
      t.match(await ask('GET', `${loan}/transactions?status=initiated,pending,succeeded`), { json: { total: 0 } });
      t.match(await ask('GET', `/events?caseId=${caseId}&eventType=autopay.schedule.cancel`), { json: { count: 1 } });
      t.match(await emitted('autopay.schedule.cancel'), [{ cancelReason: expected[0]?.[1] }]);
    }
    t.same(failures, []);
  });
}

test('who agrees after the petition pays', async (t) => {
  const { enroll, schedule, openCase, outcome, goTo } = await openShared(t);
  await openCase({ caseType: 'bankruptcy', courtCaseFiledDate: '2026-02-20' });
  await enroll(CORA);
  await schedule(CORA);
  await goTo('2026-03-20');
  t.same(await outcome(), PAID);
});

test('who agrees after the case was opened pays', async (t) => {
  const { enroll, schedule, openCase, outcome, goTo } = await openShared(t);
  for (const caseType of ['bankruptcy', 'deceased']) await openCase({ caseType });
  await goTo('2026-03-03');
  await enroll(CORA);
  await schedule(CORA);
  await goTo('2026-03-20');
  t.same(await outcome(), PAID);
});

test('a case bars no payment before it is opened, after it was canceled, for another loan, or of a person who has left', async (t) => {
  const ways: readonly ((shared: Shared) => Promise<unknown>)[] = [
    async ({ ask, openCase }) => ask('PUT', await openCase({ caseType: 'bankruptcy' }), { status: 'canceled' }),
    async ({ ask, openCase }) => ask('DELETE', await openCase({ caseType: 'bankruptcy' })),
    async ({ active, ask, openCase }) => {
      const other = await active();
      await ask('POST', `${other}/people`, { personId: 'ext-cora', loanRelationType: 'coBorrower' });
      await openCase({ caseType: 'bankruptcy', loanIds: [other.split('/').at(-1)] });
    },
    async ({ ask, openCase, cora }) => {
      await openCase({ caseType: 'bankruptcy' });
      await ask('DELETE', cora);
    },
    async ({ ask, openCase, cora }) => {
      await openCase({ caseType: 'bankruptcy' });
      await ask('PUT', cora, { endDate: '2026-03-05' });
    },
    async ({ goTo, openCase }) => {
      await goTo('2026-03-17');
      await openCase({ caseType: 'bankruptcy' });
    },
  ];
  for (const way of ways) {
    const shared = await openShared(t);
    await shared.enroll(ANN);
    await shared.schedule(ANN);
    await way(shared);
    await shared.goTo('2026-03-20');
    t.same(await shared.outcome(), PAID);
    t.same(shared.failures, []);
  }
});

test('a payment of a plan that waits for a business day is canceled, and the plan ends with its next payment', async (t) => {
  const { ask, loan, enroll, openCase, outcome, goTo, failures } = await openShared(t);
  await enroll(CORA);
  await goTo('2026-03-15');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'scheduled' }], '2026-03-15 is a Sunday');
  await openCase({ caseType: 'bankruptcy', courtCaseFiledDate: '2026-03-14' });
  await goTo('2026-03-16');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'canceled', cancelReason: 'bankruptcy' }]);
  await goTo('2026-04-16');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), { length: 1 });
  t.same(await outcome(), [['canceled', 'bankruptcy']]);
  t.same(failures, []);
});
