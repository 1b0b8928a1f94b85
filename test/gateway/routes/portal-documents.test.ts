import { type Test, test } from 'tap';
import { EMAIL } from '../../actors/borrower/lender.js';
import type { HarnessOptions } from '../../actors/harness.js';
import type { HttpAnswer, HttpQuestion } from '../harness.js';
import { type HttpLender, idOf, listOf, openHttpLender } from './http-lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { NAME } from '../../people.js';

const USER = {
  userName: 'ann',
  auths: [{ authType: 'basic', authValueType: 'username', value: 'ann' }],
  password: 'correct horse battery',
};
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const FILE = { body: PDF, headers: { 'Content-Type': 'application/pdf' } } as HttpQuestion;

interface Portal {
  readonly lender: HttpLender;
  readonly person: string;
  readonly userId: string;
  /** Asks as the borrower. */
  as(method: string, path: string, body?: object, question?: HttpQuestion): Promise<HttpAnswer>;
}

async function openPortal(t: Test, options: HarnessOptions = {}): Promise<Portal> {
  const lender = await openHttpLender(t, undefined, options);
  const { ask } = lender;
  const person = `/people/${idOf(await ask('POST', '/people', { name: NAME }))}`;
  const userId = idOf(await ask('POST', `${person}/user`, USER));
  const key = String(
    (await ask('POST', '/auth/token?mode=test&userType=borrower', { username: USER.userName, password: USER.password }, { key: false }))
      .json['token'],
  );
  return { lender, person, userId, as: (method, path, body, question = {}) => ask(method, path, body, { ...question, key }) };
}

/** A bare reply is the object itself. */
const bareId = ({ json }: HttpAnswer): string => String(json['id']);

const ids = (answer: HttpAnswer): readonly string[] => (JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id);

test('a borrower hears by e-mail of a file that was not taken, once a day for each document', async (t) => {
  const { lender, person, as } = await openPortal(t, { company: { withTemplates: true } });
  const { ask, h, company } = lender;
  await ask('POST', `${person}/contacts`, EMAIL);
  const received = async (): Promise<readonly Record<string, unknown>[]> => {
    for (let round = 0; round < 2; round += 1) {
      h.nowMs += 10_000;
      await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
      await h.engine.settled();
    }
    return listOf(await ask('GET', `${person}/interactions?subject=documentUploadFailed`));
  };
  const own = `${person}/documents/${bareId(await as('POST', `${person}/documents`, { type: 'evidence' }))}/content`;
  const broken = { body: Buffer.from([0, 1, 2, 3]), headers: { 'Content-Type': 'application/pdf' } } as HttpQuestion;
  t.match(await ask('POST', own, undefined, broken), { status: 415 }, 'an agent sees the answer');
  t.same(await received(), []);
  t.match(await as('POST', own, undefined, broken), { status: 415 });
  t.match(await as('POST', own, undefined, broken), { status: 415 });
  t.match(await received(), [{ channel: 'email', status: 'succeeded', content: { contentHtml: /could not read the document/ } }]);
  t.match(await as('POST', own, undefined, FILE), { status: 200 });
  t.equal((await received()).length, 1);
});

test('a borrower uploads documents and sees only its own', async (t) => {
  const {
    lender: { ask, company, failures },
    person,
    userId,
    as,
  } = await openPortal(t);
  const theirs = bareId(await ask('POST', `${person}/documents`, { type: 'disclosure' }));
  await ask('POST', `${person}/documents/${theirs}/content`, undefined, FILE);
  const described = await as('POST', `${person}/documents`, { type: 'evidence', description: 'My payslip' });
  t.match(described, {
    status: 200,
    json: {
      status: 'draft',
      isHumanBorrowerUpload: false,
      createdBy: { id: userId, userType: 'borrower', descriptor: `Borrower ${userId}` },
    },
  });
  const own = `${person}/documents/${bareId(described)}`;
  t.match(await as('GET', own), { status: 200 }, 'what it has described it may fill');
  t.match(await as('POST', `${own}/content`, undefined, FILE), {
    status: 200,
    json: { isHumanBorrowerUpload: true, uploadedBy: { id: userId } },
  });
  t.match(await as('GET', `${own}/content`), { status: 200, text: /^%PDF/ });
  t.same(ids(await as('GET', `${person}/documents`)), [bareId(described)]);
  t.same(ids(await as('GET', `${person}/documents?uploadedBy=${userId}&includeArchived=true`)), [bareId(described)]);
  t.equal(ids(await ask('GET', `${person}/documents`)).length, 2);
  t.same(ids(await ask('GET', `${person}/documents?uploadedBy=borrower`)), [bareId(described)]);
  t.same(ids(await ask('GET', `${person}/documents?isHumanBorrowerUpload=false`)), [theirs]);

  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/content'],
    ['POST', '/content'],
  ] as const) {
    t.match(
      await as(method, `${person}/documents/${theirs}${path}`, undefined, method === 'POST' ? FILE : {}),
      { status: 404 },
      `${method} ${path}`,
    );
  }
  for (const beyond of [{ status: 'accepted' }, { sensitiveData: true }, { autogenerated: true }]) {
    t.match(await as('POST', `${person}/documents`, { type: 'evidence', ...beyond }), {
      status: 403,
      json: { permission: 'document:create' },
    });
  }
  t.match(await as('PUT', own, { status: 'accepted' }), { status: 403 });
  t.match(await as('DELETE', own), { status: 403 });
  t.match(await as('POST', `${own}/convert`), { status: 403 });

  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'Personal loan' }));
  const loanId = idOf(await ask('POST', `${person}/loans`, loanBody(loanTypeId)));
  await ask('POST', `${person}/documents`, { type: 'loanStatement', loanId });
  t.same(listOf(await as('GET', `${person}/loans/${loanId}/documents`)), []);
  t.same(failures, []);
});

test('an upload of a borrower for a case makes a task', async (t) => {
  const {
    lender: { ask, company },
    person,
    as,
  } = await openPortal(t);
  const caseId = idOf(await ask('POST', `${person}/cases`, { caseType: 'identityTheft' }));
  const tasks = async (): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `/companies/${company}/tasks?caseId=${caseId}`)).map(({ taskType, documentId }) => [taskType, documentId]);
  const byAgent = bareId(await ask('POST', `${person}/documents`, { type: 'caseDocument', caseId }));
  await ask('POST', `${person}/documents/${byAgent}/content`, undefined, FILE);
  t.same(await tasks(), []);
  const upload = async (about: object): Promise<string> => {
    const id = bareId(await as('POST', `${person}/documents`, { type: 'caseDocument', ...about }));
    await as('POST', `${person}/documents/${id}/content`, undefined, FILE);
    return id;
  };
  await upload({});
  t.same(await tasks(), []);
  const first = await upload({ caseId });
  t.same(await tasks(), [['reviewDocumentUpload', first]]);
  await upload({ caseId });
  t.same(await tasks(), [['reviewDocumentUpload', first]], 'one review for all of them');
  t.match(await as('GET', `${person}/cases/${caseId}/documents`), { status: 403 });
});
