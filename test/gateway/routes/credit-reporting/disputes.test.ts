import { type Test, test } from 'tap';
import { openCreditOfLine } from './lines-over-http.js';
import { dataOf, idOf, openCredit } from './credit-over-http.js';

interface Disputes {
  readonly opened: (caseType: string, more?: object) => Promise<string>;
  readonly put: (path: string, body: object) => Promise<void>;
  /** The compliance condition code of the file of a day. */
  readonly codeOn: (date: string) => Promise<unknown>;
  readonly dueOf: (path: string) => Promise<unknown>;
}

async function openDisputes(t: Test): Promise<Disputes> {
  const { ask, goTo, madeFile, accountsOf } = await openCredit(t);
  return {
    async opened(caseType, more = {}) {
      const made = await ask('POST', '/people/ext-ann-1/cases', { caseType, ...more });
      if (made.status >= 300) throw new Error(made.text);
      return `/people/ext-ann-1/cases/${idOf(made)}`;
    },
    async put(path, body) {
      const changed = await ask('PUT', path, body);
      if (changed.status !== 200) throw new Error(changed.text);
    },
    async codeOn(date) {
      await goTo(date);
      const [account] = await accountsOf(await madeFile());
      return account?.base.complianceConditionCode;
    },
    dueOf: async (path) => dataOf(await ask('GET', path))['responseDueDate'] ?? null,
  };
}

for (const caseType of ['creditBureauDispute', 'disputeOfDebt']) {
  test(`while a case of ${caseType} is open the loan is reported as disputed, and its end is reported once`, async (t) => {
    const { opened, put, codeOn } = await openDisputes(t);
    t.equal(await codeOn('2026-04-01'), null);
    const path = await opened(caseType);
    t.equal(await codeOn('2026-05-01'), 'XB');
    t.equal(await codeOn('2026-06-01'), 'XB');
    await put(path, { status: 'processing' });
    await put(path, { status: 'completed', outcome: 'denied' });
    t.equal(await codeOn('2026-07-01'), 'XH');
    t.equal(await codeOn('2026-08-01'), null, 'the code on file stays');
  });
}

test('a dispute that was canceled is taken off the file, unless another one was investigated', async (t) => {
  const { opened, put, codeOn } = await openDisputes(t);
  const first = await opened('creditBureauDispute');
  t.equal(await codeOn('2026-04-01'), 'XB');
  await put(first, { status: 'canceled' });
  t.equal(await codeOn('2026-05-01'), 'XR');
  t.equal(await codeOn('2026-06-01'), null);
  const second = await opened('creditBureauDispute');
  t.equal(await codeOn('2026-07-01'), 'XB');
  await put(second, { status: 'processing' });
  await put(second, { status: 'completed', outcome: 'approved' });
  t.equal(await codeOn('2026-08-01'), 'XH');
});

test('a dispute through a credit agency is to be answered in thirty days from when the agency received it', async (t) => {
  const { opened, put, dueOf } = await openDisputes(t);
  const known = await opened('creditBureauDispute', { receivedDate: '2026-03-01' });
  t.equal(await dueOf(known), '2026-03-31');
  await put(known, { receivedDate: '2026-02-28' });
  t.equal(await dueOf(known), '2026-03-30', 'it follows');
  await put(known, { responseDueDate: '2026-04-14' });
  await put(known, { receivedDate: '2026-03-01', controlNumber: '17' });
  t.equal(await dueOf(known), '2026-04-14', 'the consumer has added information');
  const unknown = await opened('creditBureauDispute');
  t.equal(await dueOf(unknown), '2026-04-01', 'from the opening');
  await put(unknown, { receivedDate: '2026-02-20' });
  t.equal(await dueOf(unknown), '2026-03-22');
  t.equal(await dueOf(await opened('creditBureauDispute', { responseDueDate: null })), null);
  t.equal(await dueOf(await opened('creditBureauDispute', { receivedDate: '2026-03-01', responseDueDate: '2026-03-20' })), '2026-03-20');
  t.equal(await dueOf(await opened('generic')), null);
});

test('while a purchase is disputed its line is reported with XF, and the decision is reported once', async (t) => {
  const { ask, purchase, sentOn, failures } = await openCreditOfLine(t);
  t.match(await sentOn('2026-04-01'), { complianceConditionCode: null });
  const dispute = `${purchase}/disputes/${idOf(await ask('POST', `${purchase}/disputes`, { disputedAmount: 400 }))}`;
  t.match(await sentOn('2026-05-01'), { complianceConditionCode: 'XF' });
  t.match(await ask('PUT', dispute, { status: 'submitted' }), { status: 200 });
  t.match(await sentOn('2026-06-01'), { complianceConditionCode: 'XF' });
  t.match(await ask('PUT', dispute, { status: 'won' }), { status: 200 });
  t.match(await sentOn('2026-07-01'), { complianceConditionCode: 'XH' });
  t.match(await sentOn('2026-08-01'), { complianceConditionCode: null }, 'the code on file stays');
  t.same(failures, []);
});

test('a withdrawn dispute of a purchase is taken off the file, and a dispute of the debt comes first', async (t) => {
  const { ask, purchase, sentOn } = await openCreditOfLine(t);
  const dispute = `${purchase}/disputes/${idOf(await ask('POST', `${purchase}/disputes`, { disputedAmount: 400 }))}`;
  const ofDebt = `/people/ext-ann-1/cases/${idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'disputeOfDebt' }))}`;
  t.match(await sentOn('2026-04-01'), { complianceConditionCode: 'XB' });
  await ask('PUT', ofDebt, { status: 'processing' });
  t.match(await ask('PUT', ofDebt, { status: 'completed', outcome: 'denied' }), { status: 200 });
  t.match(await sentOn('2026-05-01'), { complianceConditionCode: 'XF' }, 'the purchase is disputed still');
  t.match(await ask('POST', `${dispute}/cancel`, {}), { status: 200 });
  t.match(await sentOn('2026-06-01'), { complianceConditionCode: 'XR' });
});
