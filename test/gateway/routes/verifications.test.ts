import { test } from 'tap';
import { ANN, EMAIL, HOME, PHONE } from '../../actors/borrower/lender.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** The answers of Ann, not always spelled as in the records. */
const ANSWERS: Readonly<Record<string, string>> = {
  fullName: ' ANNABEL quimby ',
  dateOfBirth: 'May 17, 1984',
  ssnLast4: '2233',
  ssnFull: '900 11 2233',
  zipCode: '12207-1234'.slice(0, 5),
  streetAddress: '12 larkspur ln.',
  primaryEmail: 'annabel.quimby@EXAMPLE.com',
  primaryPhone: '202-555-0143',
};

interface Question {
  readonly id: string;
  readonly category: string;
}

const questionsOf = (data: Record<string, unknown>): readonly Question[] => data['questions'] as readonly Question[];

const answersTo = (data: Record<string, unknown>, changes: Readonly<Record<string, string>> = {}): object => ({
  answers: questionsOf(data).map(({ id }) => ({ questionId: id, answer: changes[id] ?? ANSWERS[id] ?? '?' })),
});

/** Ann with the data that most questions need. */
async function callAnn({ ask }: HttpLender): Promise<string> {
  const ann = idOf(await ask('POST', '/people', ANN));
  for (const contact of [HOME, EMAIL, PHONE]) await ask('POST', `/people/${ann}/contacts`, contact);
  return `/people/${ann}/verifications`;
}

/** A verification type with every question that Ann has data for. */
const ALL_OF_ANN = {
  enabledQuestionIds: Object.keys(ANSWERS),
  questionSelectionCriteria: [
    { exactMatchCount: 5, category: 'inBorrowerPortal' },
    { exactMatchCount: 3, category: 'notInBorrowerPortal' },
  ],
};

test('a borrower who answers all questions is verified for 15 minutes', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const path = await callAnn(lender);
  const type = idOf(await ask('POST', '/verification-types', ALL_OF_ANN));
  const started = await ask('POST', path, { verificationTypeId: type });
  t.match(started, {
    status: 200,
    json: {
      data: {
        id: /^VE-/,
        object: 'verification',
        status: 'started',
        agentUserId: lender.userId,
        agentName: 'api',
        verificationTypeId: type,
        maxAttempts: 3,
        attemptsRemaining: 3,
        attempts: [],
        expiresAt: '2026-03-02T15:15:00.000Z',
        isActive: false,
      },
    },
  });
  t.equal(questionsOf(dataOf(started)).length, 8);
  const done = await ask('POST', `${path}/${idOf(started)}/attempts`, answersTo(dataOf(started)));
  t.match(done, {
    status: 200,
    json: {
      data: { status: 'succeeded', isActive: true, attempts: [{ id: /^VA-/, isSuccess: true }], succeededAt: '2026-03-02T15:00:00.000Z' },
    },
  });
  t.match(await ask('GET', `${path}?activeOnly=true`), { json: { total: 1 } });
  h.nowMs += 15 * 60_000;
  t.match(await ask('GET', `${path}?activeOnly=true`), { json: { total: 0 } });
  t.match(await ask('GET', `${path}?status=succeeded&agentUserId=${lender.userId}`), { json: { total: 1, data: [{ isActive: false }] } });
  t.match(await ask('POST', `${path}/${idOf(started)}/attempts`, { answers: [] }), { status: 409, json: { errorType: 'invalidState' } });
});

test('wrong answers are counted without naming them, and the third ends the session', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = await callAnn(lender);
  const started = dataOf(await ask('POST', path, {}));
  t.same(
    questionsOf(started).map(({ category }) => category),
    ['inBorrowerPortal', 'inBorrowerPortal', 'notInBorrowerPortal'],
  );
  const [first] = questionsOf(started);
  const one = `${path}/${String(started['id'])}`;
  const wrong = await ask('POST', `${one}/attempts`, answersTo(started, { [String(first?.id)]: 'nobody knows' }));
  t.match(wrong, { status: 200, json: { data: { status: 'started', attemptsRemaining: 2, attempts: [{ isSuccess: false }] } } });
  t.same(Object.keys((dataOf(wrong)['attempts'] as object[])[0] ?? {}).sort(), ['createdAt', 'id', 'isSuccess']);
  t.match(await ask('POST', `${one}/attempts`, { answers: [] }), { json: { data: { attemptsRemaining: 1 } } });
  t.match(await ask('POST', `${one}/attempts`, { answers: [] }), { json: { data: { status: 'failed', attemptsRemaining: 0 } } });
  t.match(await ask('POST', `${one}/attempts`, answersTo(started)), { status: 409 });
  const everything = (await ask('GET', path)).text + (await ask('GET', one)).text + wrong.text;
  for (const secret of ['2233', '1984', 'Larkspur', '0143']) t.notOk(everything.includes(secret), `${secret} never leaves`);
});

test('sessions expire, are canceled, and are replaced by a new one of the same agent', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const path = await callAnn(lender);
  const type = idOf(await ask('POST', '/verification-types', { maxSessionsRecentPast: 10, expirationInSecs: 60 }));
  const first = idOf(await ask('POST', path, { verificationTypeId: type }));
  const second = idOf(await ask('POST', path, { verificationTypeId: type }));
  t.match(await ask('GET', `${path}/${first}`), { json: { data: { status: 'canceled' } } });
  h.nowMs += 60_000;
  t.match(await ask('GET', `${path}/${second}`), { json: { data: { status: 'expired' } } });
  t.match(await ask('POST', `${path}/${second}/cancel`, {}), { status: 409 });
  const third = idOf(await ask('POST', path, { verificationTypeId: type }));
  t.match(await ask('POST', `${path}/${third}/cancel`, {}), { status: 200, json: { data: { status: 'canceled' } } });
  t.same(
    listOf(await ask('GET', path)).map(({ status }) => status),
    ['canceled', 'expired', 'canceled'],
  );
});

test('verifications are throttled, and a dry run says so beforehand', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const path = await callAnn(lender);
  t.match(await ask('POST', `${path}?dryRun=true`, {}), { status: 204, text: '' });
  t.match(await ask('GET', path), { json: { total: 0 } });
  await ask('POST', path, {});
  h.nowMs += 600_000;
  await ask('POST', path, {});
  for (const query of ['', '?dryRun=true']) {
    t.match(await ask('POST', `${path}${query}`, {}), {
      status: 429,
      headers: { 'retry-after': '3000' },
      json: { errorType: 'verificationThrottled', nextVerificationOkAt: '2026-03-02T16:00:00.000Z' },
    });
  }
  h.nowMs += 3_000_000;
  t.match(await ask('POST', path, {}), { status: 200 });
});

test('a borrower with too few data cannot be verified', async (t) => {
  const { ask } = await openHttpLender(t);
  const bob = idOf(await ask('POST', '/people', { name: { firstName: 'Bob', lastName: 'Ash' } }));
  for (const query of ['', '?dryRun=true']) {
    t.match(await ask('POST', `/people/${bob}/verifications${query}`, {}), { status: 422, json: { errorType: 'verificationNotPossible' } });
  }
  t.match(await ask('POST', `/people/${bob}/verifications`, { verificationTypeId: 'VT-NONE-NONE' }), {
    status: 400,
    json: { errors: [{ path: 'verificationTypeId' }] },
  });
});

test('questions about the loan are answered from the loan', async (t) => {
  const { ask } = await openLoanOverHttp(t);
  const asked = { loanAmount: '$1,200', nextDueDate: '3/15/2026', originationDate: '2026-03-02' };
  const type = idOf(
    await ask('POST', '/verification-types', {
      enabledQuestionIds: Object.keys(asked),
      questionSelectionCriteria: [{ exactMatchCount: 3, category: 'inBorrowerPortal' }],
    }),
  );
  const path = '/people/ext-ann-1/verifications';
  const started = idOf(await ask('POST', path, { verificationTypeId: type }));
  const answers = Object.entries(asked).map(([questionId, answer]) => ({ questionId, answer }));
  t.match(await ask('POST', `${path}/${started}/attempts`, { answers }), { json: { data: { status: 'succeeded' } } });
});

test('verification types are declared, checked, and the default one stays', async (t) => {
  const { ask, company } = await openHttpLender(t);
  t.match(await ask('GET', '/verification-questions'), {
    status: 200,
    json: { count: 16, data: [{ id: 'fullName', text: String, memo: String, category: 'inBorrowerPortal' }] },
  });
  const made = await ask('POST', '/verification-types', { name: 'Phone' });
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^VT-/,
        name: 'Phone',
        expirationInSecs: 900,
        maxSessionsRecentPast: 2,
        recentPastSecs: 3600,
        maxAttemptsPerSession: 3,
        enabledQuestionIds: null,
        questionSelectionCriteria: [
          { exactMatchCount: 2, category: 'inBorrowerPortal' },
          { exactMatchCount: 1, category: 'notInBorrowerPortal' },
        ],
      },
    },
  });
  const id = idOf(made);
  t.match(await ask('PUT', `/verification-types/${id}`, { maxAttemptsPerSession: 5 }), {
    json: { data: { name: 'Phone', maxAttemptsPerSession: 5 } },
  });
  t.match(await ask('POST', '/verification-types', { enabledQuestionIds: ['zipCode'] }), {
    status: 400,
    json: { errors: [{ path: 'questionSelectionCriteria' }] },
  });
  t.match(await ask('POST', '/verification-types', { questionSelectionCriteria: [] }), { status: 400 });
  t.match(await ask('POST', '/verification-types', { enabledQuestionIds: ['shoeSize'] }), {
    status: 400,
    json: { errors: [{ path: 'enabledQuestionIds[0]' }] },
  });
  const config = (crmDefaultTypeId: string | null): object => ({ config: { borrowerVerification: { crmDefaultTypeId } } });
  t.match(await ask('PUT', `/companies/${company}`, config('VT-NONE-NONE')), { status: 400 });
  t.match(await ask('PUT', `/companies/${company}`, config(id)), {
    status: 200,
    json: { data: { config: { borrowerVerification: { crmDefaultTypeId: id } } } },
  });
  t.match(await ask('DELETE', `/verification-types/${id}`), { status: 409 });
  await ask('PUT', `/companies/${company}`, config(null));
  t.match(await ask('DELETE', `/verification-types/${id}`), { status: 200 });
  t.match(await ask('GET', `/verification-types/${id}`), { status: 404 });
});
