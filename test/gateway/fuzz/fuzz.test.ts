import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { actorModules, ERRORS } from '../../../actors/index.js';
import { type CompanyState, usersOf } from '../../../actors/company/index.js';
import { must } from '../../../engine/index.js';
import { hashOfKey, RESOURCE_ROUTES } from '../../../gateway/index.js';
import { Harness } from '../../actors/harness.js';
import { loanBody } from '../../actors/loan/setting.js';
import { ask, type HttpAnswer } from '../harness.js';
import { servePortfolio } from '../routes/http-lender.js';
import { lineBody } from '../routes/line-over-http.js';
import { Random } from './random.js';
import { requestTo } from './requests.js';
import { templatesFor } from './templates.js';
import { NAME } from '../../people.js';
import { SEED } from '../../seed.js';

const REQUESTS = Number(process.env['TENOR_FUZZ_REQUESTS'] ?? 20_000);
const AT_ONCE = 32;
/** Ids that are kept for later requests; the first (`FIRST_IDS`) belong to the newest borrower. */
const KEPT_IDS = 400;
const FIRST_IDS = 4;
/** Requests after which the current loan has most likely ended. */
const RENEWED_EVERY = 250;

/** Matches a refusal that names a type of the source. */
const TYPE_NAME = /"expected":"[^"]*(?:Array<|Partial<|Omit<|__type|\bundefined\b|[a-z](?:Request|Body|Query)\b)/;

/** Requests that are not sent: they would delete the caller's key or the data of the test mode. */
const SPARED = /^(DELETE \/api\/(test-clocks|people)\/[^/]*\/?$|(PUT|DELETE) \/api\/keys\/)/;

test('no request of any kind makes the service fail or stop', async (t) => {
  t.comment(`seed ${SEED}`);
  const h = await Harness.open(() => actorModules());
  h.deliver();
  t.teardown(() => h.close());
  await h.makeCompany();
  const key = `test_${randomBytes(32).toString('base64url')}`;
  const company = must(h.engine.stateOf<CompanyState>({ company: h.company, mode: 'test' }, 'company', h.company), 'the company');
  await h.data(
    'apiKey.create',
    h.company,
    { userId: must([...usersOf(company).keys()][0], 'its user'), hash: hashOfKey(key) },
    { permissions: ['*'] },
  );
  const { gateway, failures } = await servePortfolio(t, h);
  const send = (method: string, path: string, body?: object): Promise<HttpAnswer> =>
    ask(gateway.port, `/api${path}`, { method, key, ...(body ? { body } : {}) });
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await send('POST', path, body);
    t.ok(answer.status < 300, `POST ${path}: ${answer.text.slice(0, 300)}`);
    return String((answer.json['data'] as { id?: string } | undefined)?.id);
  };

  /** A new borrower with an active loan. Their ids become the first. */
  const newLoan = async (): Promise<string[]> => {
    const personId = await made('/people', { name: NAME });
    const loanTypeId = await made(`/companies/${h.company}/loan-types`, { type: 'installment', name: 'Personal loan' });
    const loanId = await made(`/people/${personId}/loans`, loanBody(loanTypeId));
    await made(`/people/${personId}/loans/${loanId}/activate`, {});
    return [h.company, personId, loanTypeId, loanId];
  };
  /** A new line of credit with a draw, a purchase and a dispute: the ids in the paths of lines. */
  const newLine = async (): Promise<Readonly<Record<string, string>>> => {
    const personId = await made('/people', { name: NAME });
    const loanTypeId = await made(`/companies/${h.company}/loan-types`, {
      type: 'lineOfCredit',
      name: 'Card',
      freezeAllowedForLineOfCredit: true,
    });
    const loanId = await made(`/people/${personId}/loans`, lineBody(loanTypeId));
    const path = `/people/${personId}/loans/${loanId}`;
    await made(`${path}/activate`, {});
    const drawId = await made(`${path}/draws`, { status: 'originated' });
    const purchaseId = await made(`${path}/draws/${drawId}/purchases`, { amount: 120 });
    const purchaseDisputeId = await made(`${path}/draws/${drawId}/purchases/${purchaseId}/disputes`, { amount: 20 });
    return { personId, loanId, drawId, purchaseId, purchaseDisputeId };
  };
  const ids = await newLoan();
  let line = await newLine();

  const templates = templatesFor(() => must(ids[2], 'a loan type'));
  const random = new Random(SEED);
  const statuses = new Map<number, number>();
  const bad: string[] = [];
  let sent = 0;

  async function one(): Promise<void> {
    const route = random.pick(RESOURCE_ROUTES);
    const oddness = random.pick([0, 0.02, 0.1, 0.4]);
    const { path, question } = requestTo(route, { random, oddness, ids, line }, templates);
    if (SPARED.test(`${question.method} ${path}`)) return;
    const answer = await ask(gateway.port, path, { key, ...question });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const isKnown =
      answer.status < 400 ||
      answer.status === 431 ||
      (String(answer.json['errorType']) in ERRORS && answer.json['statusCode'] === answer.status);
    if (answer.status >= 500 || !isKnown || TYPE_NAME.test(answer.text))
      bad.push(
        `${question.method} ${path} ${JSON.stringify(question.body)?.slice(0, 2_000)} -> ${answer.status} ${answer.text.slice(0, 300)}`,
      );
    const id = (answer.json['data'] as { id?: unknown } | null | undefined)?.id;
    if (typeof id === 'string' && answer.status < 300) {
      if (ids.length < KEPT_IDS) ids.push(id);
      else ids[FIRST_IDS + random.below(KEPT_IDS - FIRST_IDS)] = id;
    }
  }

  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < REQUESTS && bad.length < 10) {
        sent += 1;
        if (sent % RENEWED_EVERY === 0) {
          ids.splice(0, FIRST_IDS, ...(await newLoan()));
          line = await newLine();
        }
        await one();
      }
    }),
  );

  t.strictSame(bad, [], 'no reply says that the service failed, and every refusal is of a known type');
  t.strictSame(failures, []);
  t.strictSame(h.reports, []);
  t.comment(
    `statuses ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
  );
  t.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > REQUESTS / 10, 'a good part of them got through');
  t.equal((await send('GET', '/people')).status, 200);
  t.equal((await send('POST', '/people', { name: NAME })).status, 200);
});
