import { test } from 'tap';
import { TYPE_FIELDS } from '../../../../actors/company/index.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import type { HttpAnswer } from '../../harness.js';

interface Items {
  readonly [name: string]: string;
}

/** By name, as the workflow shows them. */
const itemsOf = (answer: HttpAnswer): Items =>
  Object.fromEntries(
    (dataOf(answer)['steps'] as readonly { readonly items: readonly { readonly id: string; readonly name: string }[] }[]).flatMap(
      ({ items }) => items.map(({ id, name }) => [name, id] as const),
    ),
  );

const STEPS = [
  {
    name: 'Check',
    items: [
      { name: 'read', kind: 'checkbox' },
      { name: 'sure', kind: 'choice', options: ['yes', 'no'] },
      { name: 'remark', kind: 'text', required: false },
    ],
  },
  {
    name: 'Enter',
    items: [
      { name: 'filed', kind: 'caseField', fieldName: 'courtCaseFiledDate' },
      { name: 'why', kind: 'note' },
      { name: 'end', kind: 'setOutcome' },
    ],
  },
  {
    name: 'Chapter 7',
    onCondition: [{ fieldName: 'courtCaseChapter', dataType: 'string', value: 'chapter7' }],
    items: [{ name: 'sell', kind: 'checkbox' }],
  },
];

/** A case whose type has the workflow, in processing. */
async function openCase({ ask }: HttpLender): Promise<{ readonly path: string; readonly caseId: string; readonly personId: string }> {
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Bankruptcy', status: 'active', steps: STEPS }));
  await ask('POST', '/case-types', { caseType: 'bankruptcy', name: 'Bankruptcy', workflowTypeId, status: 'active' });
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'bankruptcy', status: 'processing' }));
  return { path: `/people/${personId}/cases/${caseId}`, caseId, personId };
}

test('a case is worked through the items of its workflow', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const { path, caseId } = await openCase(lender);
  const begun = await ask('GET', `${path}/workflow`);
  t.match(begun, {
    status: 200,
    json: {
      data: {
        object: 'workflow',
        status: 'notStarted',
        caseId,
        version: 1,
        steps: [{ name: 'Check', status: 'pending' }, { name: 'Enter' }],
      },
    },
  });
  t.equal((dataOf(begun)['steps'] as unknown[]).length, 2, 'a step is hidden while its condition does not hold');
  t.match(await ask('GET', path), { json: { data: { workflowId: idOf(begun) } } });
  const items = itemsOf(begun);
  const put = (name: string, body: object): Promise<HttpAnswer> => ask('PUT', `${path}/workflow/items/${items[name]}`, body);

  t.match(await put('read', { status: 'completed' }), {
    json: { data: { status: 'inProgress', steps: [{ items: [{ status: 'completed', value: true, completedBy: { userType: 'api' } }] }] } },
  });
  t.match(await put('sure', { status: 'completed', value: 'maybe' }), { status: 400, json: { errors: [{ path: 'value' }] } });
  t.match(
    await put('sure', { status: 'skipped' }),
    { status: 400, json: { errors: [{ path: 'status' }] } },
    'what is required is not skipped',
  );
  t.match(await put('sure', { status: 'completed', value: 'yes' }), { json: { data: { steps: [{ status: 'completed' }] } } });
  t.match(await put('remark', { status: 'skipped' }), { status: 200 });
  t.match(await put('filed', { status: 'completed', value: 'soon' }), { status: 400 }, 'the field says what it takes');
  t.match(await put('filed', { status: 'completed', value: '2026-02-01' }), { status: 200 });
  t.match(await ask('GET', path), { json: { data: { courtCaseFiledDate: '2026-02-01' } } });
  t.match(await put('why', { status: 'completed', value: 'lost the job' }), { status: 200 });
  t.same(
    listOf(await ask('GET', `${path}/notes`)).map(({ content }) => content),
    ['lost the job'],
  );

  t.match(
    await ask('PUT', path, { status: 'completed', outcome: 'resolved' }),
    { status: 409, json: { errorType: 'invalidState' } },
    'something is still to be done',
  );
  t.match(await put('end', { status: 'completed', value: 'resolved' }), {
    json: { data: { status: 'completed', proposedOutcome: 'resolved' } },
  });
  t.match(await put('end', { status: 'pending' }), { json: { data: { status: 'inProgress', proposedOutcome: null } } });
  t.match(await put('end', { status: 'completed', value: 'denied' }), { json: { data: { status: 'completed' } } });
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'denied' }), { status: 200 });
});

test('a step is included when its condition holds; a workflow ends and resumes with its case', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const { path } = await openCase(lender);
  await ask('PUT', path, { courtCaseChapter: 'chapter7' });
  const shown = await ask('GET', `${path}/workflow`);
  t.same(
    (dataOf(shown)['steps'] as readonly { readonly name: string }[]).map(({ name }) => name),
    ['Check', 'Enter', 'Chapter 7'],
  );
  await ask('PUT', path, { status: 'canceled' });
  t.match(await ask('GET', `${path}/workflow`), { json: { data: { status: 'canceled' } } });
  t.match(await ask('PUT', `${path}/workflow/items/${itemsOf(shown)['read']}`, { status: 'completed' }), { status: 409 });
  await ask('PUT', path, { status: 'reopened' });
  t.match(await ask('GET', `${path}/workflow`), { json: { data: { status: 'inProgress' } } });
  t.match(
    await ask('PUT', path, { status: 'completed', outcome: 'resolved', force: true }),
    { status: 200 },
    'who may do everything forces it',
  );
});

test('a workflow is started by hand, and listed', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const workflowTypeId = idOf(
    await ask('POST', '/workflow-types', {
      name: 'Plain',
      status: 'active',
      steps: [{ name: 'One', items: [{ name: 'a', kind: 'checkbox' }] }],
    }),
  );
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const path = `/people/${personId}/cases/${idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }))}`;
  t.match(await ask('GET', `${path}/workflow`), { status: 404 });
  t.match(await ask('POST', `${path}/workflow`, { workflowTypeId: 'WT-AAAA-AAAA' }), {
    status: 400,
    json: { errors: [{ path: 'workflowTypeId' }] },
  });
  const started = await ask('POST', `${path}/workflow`, { workflowTypeId });
  t.match(started, { status: 200, json: { data: { workflowTypeId, status: 'notStarted', name: 'Plain' } } });
  t.match(await ask('POST', `${path}/workflow`, { workflowTypeId }), { status: 409 });
  t.match(await ask('GET', `/workflows?status=notStarted&workflowTypeId=${workflowTypeId}`), {
    json: { total: 1, data: [{ id: idOf(started) }] },
  });
  t.match(await ask('GET', '/workflows?status=completed'), { json: { total: 0 } });
  t.match(await ask('GET', `/workflows/${idOf(started)}`), { status: 200, json: { data: { name: 'Plain' } } });
});

test('a document completes an item if it is the borrower’s and of the type that the item asks for', async (t) => {
  const { ask, h } = await openHttpLender(t);
  const kinds = ['court', 'any', 'old'].map((name) => ({
    name,
    kind: 'document',
    ...(name === 'court' ? { documentType: 'evidence' } : {}),
  }));
  const body = { name: 'Papers', status: 'active', steps: [{ name: 'Collect', items: kinds }] };
  const unknown = { ...body, steps: [{ name: 'Collect', items: [{ name: 'court', kind: 'document', documentType: 'payslip' }] }] };
  t.match(await ask('POST', '/workflow-types', unknown), { status: 400, json: { errors: [{ path: 'steps[0].items[0].documentType' }] } });
  // What earlier releases stored: any text, which asked for nothing.
  const steps = [{ name: 'Collect', items: kinds.map((kind) => (kind.name === 'old' ? { ...kind, documentType: 'payslip' } : kind)) }];
  const { id: workflowTypeId } = await h.data('workflowType.create', h.company, { ...body, steps });
  await ask('POST', '/case-types', { caseType: 'generic', name: 'Papers', workflowTypeId, status: 'active' });
  const person = async (firstName: string): Promise<string> =>
    `/people/${idOf(await ask('POST', '/people', { name: { firstName, lastName: 'Green' } }))}`;
  const [ada, bob] = [await person('Ada'), await person('Bob')];
  const document = async (of: string, type: string, externalId: string): Promise<string> =>
    String((await ask('POST', `${of}/documents`, { type, externalId, fileName: 'paper.pdf' })).json['id']);
  const evidence = await document(ada, 'evidence', 'order');
  const other = await document(ada, 'other', 'letter');
  const bobs = await document(bob, 'evidence', 'bobs');
  const path = `${ada}/cases/${idOf(await ask('POST', `${ada}/cases`, { caseType: 'generic', status: 'processing' }))}`;
  const items = itemsOf(await ask('GET', `${path}/workflow`));
  const put = (name: string, value: string): Promise<HttpAnswer> =>
    ask('PUT', `${path}/workflow/items/${items[name]}`, { status: 'completed', value });
  for (const value of ['DD-AAAA-AAAA', bobs, 'paper.pdf'])
    t.match(await put('any', value), { status: 400, json: { errors: [{ path: 'value', expected: 'a document of the borrower' }] } }, value);
  t.match(await put('court', other), { status: 400, json: { errors: [{ path: 'value', expected: 'a document of the type evidence' }] } });
  t.match(await put('court', 'ext-order'), { status: 200 });
  t.match(await put('any', other), { status: 200 });
  t.match(await put('old', other), {
    status: 200,
    json: { data: { steps: [{ items: [{ value: evidence }, { value: other }, { value: other }] }] } },
  });
});

/** Kinds of fields that only the case itself can set. */
const LISTS: ReadonlySet<string> = new Set(['loanIds', 'purchaseIds', 'object']);

test('an item writes a field of its case within the bounds that a change of the case has', async (t) => {
  const { ask } = await openHttpLender(t);
  const items = ['disputedAmount', 'noticeReceivedDate'].map((fieldName) => ({ name: fieldName, kind: 'caseField', fieldName }));
  const steps = [{ name: 'Enter', items }];
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Dispute', status: 'active', steps }));
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const cases = `/people/${personId}/cases`;
  const path = `${cases}/${idOf(await ask('POST', cases, { caseType: 'disputeOfDebt', status: 'processing' }))}`;
  const found = itemsOf(await ask('POST', `${path}/workflow`, { workflowTypeId }));
  const put = (name: string, value: unknown): Promise<HttpAnswer> =>
    ask('PUT', `${path}/workflow/items/${found[name]}`, { status: 'completed', value });
  const BOUNDS = {
    disputedAmount: { refused: [1e15, 1e20, 1e13, -1, 0.001], accepted: 9_999_999_999_999.99 },
    noticeReceivedDate: { refused: ['9999-12-31', '0001-01-01', '1899-12-31', '2026-02-30'], accepted: '2299-12-31' },
  };
  for (const [name, { refused, accepted }] of Object.entries(BOUNDS)) {
    for (const value of refused) t.match(await put(name, value), { status: 400 }, `${name} ${value}`);
    t.match(await put(name, accepted), { status: 200 });
    t.match(await ask('GET', path), { json: { data: { [name]: accepted } } });
    t.match(await ask('PUT', path, { [name]: accepted }), { status: 200 });
  }
});

/** Values that some kinds of fields take, and others do not. */
const PROBES = [
  ...[101, 1001].map((length) => 'x'.repeat(length)),
  `ext-${'x'.repeat(300)}`,
  ...['none', 'ext-none', '2026-02-30', '1899-12-31', -1, 101, 0.001, 1e15, true],
  ...['x'.repeat(100), 'x', '2026-02-01', 1],
];

test('an item takes the values that the field of its case takes, and no others', async (t) => {
  const { ask } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const cases = `/people/${personId}/cases`;
  for (const [caseType, fields] of Object.entries(TYPE_FIELDS)) {
    const own = Object.keys(fields).filter((name) => !LISTS.has(String(fields[name])));
    if (own.length === 0) continue;
    const steps = [{ name: 'Enter', items: own.map((fieldName) => ({ name: fieldName, kind: 'caseField', fieldName })) }];
    const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: caseType, status: 'active', steps }));
    const path = `${cases}/${idOf(await ask('POST', cases, { caseType, status: 'processing' }))}`;
    const found = itemsOf(await ask('POST', `${path}/workflow`, { workflowTypeId }));
    for (const name of own) {
      const taken = [];
      for (const value of PROBES) {
        const { status } = await ask('PUT', path, { [name]: value });
        if (status === 200) taken.push(value);
        if (status === 200) continue;
        const refused = await ask('PUT', `${path}/workflow/items/${found[name]}`, { status: 'completed', value });
        t.match(refused, { status, json: { errors: [{ path: 'value' }] } }, `${caseType}.${name} = ${String(value).slice(0, 20)}`);
      }
      const value = taken.at(-1);
      if (value === undefined) continue;
      t.match(await ask('PUT', `${path}/workflow/items/${found[name]}`, { status: 'completed', value }), { status: 200 });
    }
  }
});

test('lists of workflows leave out those of a deleted case', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const { path } = await openCase(lender);
  const workflowId = idOf(await ask('GET', `${path}/workflow`));
  t.match(await ask('GET', '/workflows'), { json: { total: 1, data: [{ id: workflowId }] } });
  t.match(await ask('DELETE', path), { status: 200 });
  t.match(await ask('GET', '/workflows'), { json: { total: 0, data: [] } });
  t.match(await ask('GET', `/workflows/${workflowId}`), { status: 404 });
});

test('conditions and items take both spellings of the day on which a legal action began', async (t) => {
  const { ask } = await openHttpLender(t);
  const fieldName = 'legalActionInitiatedDate';
  const caseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'legalAction', name: 'Claim', status: 'active' }));
  const onCondition = [{ fieldName, dataType: 'date', operator: 'isNotNull' }];
  const blocking = { name: 'Quiet', status: 'active', channel: 'mail', theme: 'all', onStatus: 'processing', caseTypeIds: [caseTypeId] };
  t.match(await ask('POST', '/do-not-interact-types', { ...blocking, onCondition }), { status: 200 });
  const steps = [{ name: 'Enter', items: [{ name: 'began', kind: 'caseField', fieldName }] }];
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Claim', status: 'active', steps }));
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const cases = `/people/${personId}/cases`;
  const path = `${cases}/${idOf(await ask('POST', cases, { caseTypeId }))}`;
  const { began } = itemsOf(await ask('POST', `${path}/workflow`, { workflowTypeId }));
  const moved = await ask('PUT', `${path}/workflow/items/${began}`, { status: 'completed', value: '2026-02-01' });
  t.match(moved, { status: 200, json: { data: { steps: [{ items: [{ value: '2026-02-01' }] }] } } });
  t.match(await ask('PUT', path, { status: 'processing' }), { json: { data: { legalActionIntiatedDate: '2026-02-01' } } });
  t.match(listOf(await ask('GET', `${path}/do-not-interacts`)), [{ channels: ['mail'], source: 'system' }]);
});
