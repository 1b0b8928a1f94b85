import { test } from 'tap';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { bareId, DESCRIPTORS } from '../make-template.js';

const ITEMS = [
  { name: 'Read the notice', kind: 'checkbox' },
  { name: 'How sure?', kind: 'choice', options: ['sure', 'unsure'] },
  { name: 'Filed on', kind: 'caseField', fieldName: 'courtCaseFiledDate', required: false },
];

test('a workflow type has steps with items, each with its id, in their order', async (t) => {
  const { ask } = await openHttpLender(t);
  const made = await ask('POST', '/workflow-types', {
    name: 'Bankruptcy',
    status: 'active',
    steps: [
      { name: 'Decide', displayOrder: 2, items: [{ name: 'Outcome', kind: 'setOutcome' }] },
      { name: 'Check', displayOrder: 1, items: ITEMS },
    ],
  });
  t.match(made, { status: 200, json: { data: { object: 'workflowType', status: 'active', version: 1 } } });
  const steps = dataOf(made)['steps'] as readonly {
    readonly id: string;
    readonly name: string;
    readonly items: readonly { readonly id: string }[];
  }[];
  t.match(steps, [
    {
      name: 'Check',
      required: true,
      onCondition: [],
      items: [{ kind: 'checkbox', displayOrder: 0 }, { options: ['sure', 'unsure'] }, { fieldName: 'courtCaseFiledDate', required: false }],
    },
    { name: 'Decide' },
  ]);
  t.ok(steps.every(({ id, items }) => id.startsWith('ST-') && items.every((item) => item.id.startsWith('IT-'))));

  const [check] = steps;
  const changed = await ask('PUT', `/workflow-types/${idOf(made)}`, {
    steps: [{ id: check?.id, name: 'Check twice', items: [{ id: check?.items[0]?.id, ...ITEMS[0] }] }],
  });
  t.match(changed, {
    json: { data: { version: 2, status: 'draft', steps: [{ id: check?.id, name: 'Check twice', items: [{ id: check?.items[0]?.id }] }] } },
  });
  t.match(await ask('GET', `/workflow-types/${idOf(made)}`), {
    json: { data: { version: 1, steps: [{ name: 'Check' }, { name: 'Decide' }] } },
  });
  t.match(await ask('DELETE', `/workflow-types/${idOf(made)}`), { status: 200 });
  t.match(await ask('GET', '/workflow-types?status=draft'), { json: { total: 0 } });
  t.equal(listOf(await ask('GET', '/workflow-types')).length, 1);
});

test('an item must have the fields of its kind and no others', async (t) => {
  const { ask } = await openHttpLender(t);
  const refused = async (item: object, path: string): Promise<void> => {
    const answer = await ask('POST', '/workflow-types', { steps: [{ name: 'Step', items: [{ name: 'Item', ...item }] }] });
    t.match(answer, { status: 400, json: { errors: [{ path: `steps[0].items[0].${path}` }] } }, JSON.stringify(item));
  };
  await refused({ kind: 'choice' }, 'options');
  await refused({ kind: 'checkbox', options: ['a'] }, 'options');
  await refused({ kind: 'caseField' }, 'fieldName');
  await refused({ kind: 'sendMessage' }, 'subject');
  await refused({ kind: 'text', templateId: 'TD-AAAA-AAAA' }, 'templateId');
  await refused({ kind: 'dance' }, 'kind');
  t.match(
    await ask('POST', '/workflow-types', {
      steps: [{ name: 'Step', onCondition: [{ fieldName: 'amount', dataType: 'integer', value: 'x' }] }],
    }),
    {
      status: 400,
      json: { errors: [{ path: 'steps[0].onCondition[0].value' }] },
    },
  );
});

test('a case type names the workflow of its cases', async (t) => {
  const { ask } = await openHttpLender(t);
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Plain' }));
  t.match(await ask('POST', '/case-types', { caseType: 'generic', workflowTypeId }), { status: 200, json: { data: { workflowTypeId } } });
});

test('an item sends only a message that exists, and says which of its fields is wrong', async (t) => {
  const { ask } = await openHttpLender(t);
  const described = async (body: object): Promise<string> => bareId(await ask('POST', DESCRIPTORS, body));
  const make = (item: object) =>
    ask('POST', '/workflow-types', { steps: [{ name: 'Step', items: [{ name: 'Item', kind: 'sendMessage', ...item }] }] });
  const refused = async (item: object, path: string): Promise<void> => {
    t.match(await make(item), { status: 400, json: { errors: [{ path: `steps[0].items[0].${path}` }] } }, JSON.stringify(item));
  };
  const letter = await described({ subject: 'complaintAcknowledgement', channel: 'mail' });
  const version = bareId(await ask('POST', `${DESCRIPTORS}/${letter}/versions`, { contentHtmlTemplate: '<p>Thank you.</p>' }));
  const free = await described({ subject: 'custom1', channel: 'email' });
  await refused({ templateId: 'TD-NONE-NONE' }, 'templateId');
  await refused({ templateId: await described({ subject: 'letterHeader', channel: 'mail' }) }, 'templateId');
  await refused({ templateId: await described({ subject: 'autopayAgreement', channel: 'gui' }) }, 'templateId');
  await refused({ templateId: letter, subject: 'paymentFailed' }, 'templateId');
  await refused({ templateId: free }, 'templateId');
  await refused({ subject: 'custom1' }, 'subject');
  await refused({ subject: 'noSuchSubject' }, 'subject');
  await refused({ subject: 'failedSettlementService' }, 'subject');
  for (const item of [
    { templateId: letter },
    { templateId: version },
    { templateId: letter, subject: 'complaintAcknowledgement' },
    { subject: 'complaintAcknowledgement' },
  ])
    t.match(await make(item), { status: 200, json: { data: { steps: [{ items: [item] }] } } });
  t.match(await make({ subject: 'locStatementGenerated' }), {
    json: { data: { steps: [{ items: [{ subject: 'statementGenerated' }] }] } },
  });
});
