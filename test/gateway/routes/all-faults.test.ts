import { test } from 'tap';
import { ACCOUNT, HOME, PHONE } from '../../actors/borrower/lender.js';
import { idOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

const webhook = (webhookUrl: string, eventType: string): object => ({
  webhookType: 'direct',
  eventTypes: [eventType],
  webhookDirectDetails: { webhookUrl },
});

const NOBODY = { name: { firstName: 'Bea', lastName: 'Lopez' }, businessDetails: { businessName: 'Green LLC' } };

const OWNERS = { owningEmployeeId: 'EE-AAAA-AAAA', owningTeamId: 'TM-AAAA-AAAA' };

const NO_TYPES = {
  loanTypeId: 'LT-AAAA-AAAA',
  workflowTypeId: 'WT-AAAA-AAAA',
  customFieldSchemas: [{ name: 'Since', fieldName: 'since', dataType: 'date', default: 'x' }],
};

const TASK = { taskType: 'reviewCaseInstructions' };

const BY_PROVIDER = [{ authType: 'openIdConnect', authValueType: 'email', value: 'a@b.example' }];

test('one reply names the faults that the schema finds and those that the body shows besides', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const person = loan.slice(0, loan.indexOf('/loans'));
  const badZip = { ...HOME, address: { ...('address' in HOME ? HOME.address : {}), postalCode: '1' } };
  for (const [path, body, named] of [
    ['/webhooks', webhook('http://10.0.0.1/', 'x'), ['eventTypes[0]', 'webhookDirectDetails.webhookUrl']],
    ['/webhooks', { ...webhook('http://10.0.0.1/', 'x'), urll: 1 }, ['eventTypes[0]', 'urll', 'webhookDirectDetails.webhookUrl']],
    [
      '/people',
      { ...NOBODY, dateOfBirth: '2090-01-01', identity: { identityType: 'SSN', value: '1' } },
      ['businessDetails', 'dateOfBirth', 'identity.value'],
    ],
    ['/people', { borrowerType: 'business', name: NOBODY.name, dateOfBirth: '1990-01-01' }, ['businessDetails', 'dateOfBirth', 'name']],
    ['/roles', { alias: '', permissions: ['nope'] }, ['alias', 'permissions[0]']],
    [`${person}/contacts`, { contactType: 'phone', value: 'x', label: 'nope' }, ['label', 'value']],
    [`${person}/contacts`, { ...badZip, foo: 1 }, ['address.postalCode', 'foo']],
    [`${person}/contacts?validate=false`, { ...badZip, foo: 1 }, ['foo']],
    [
      `${person}/legal-representatives`,
      { email: 'x', phone: '1', address: badZip.address, caseIds: ['CS-AAAA-AAAA', 'ext-none'] },
      ['address.postalCode', 'caseIds[0]', 'caseIds[1]', 'email', 'phone'],
    ],
    [
      `${loan}/transactions`,
      { type: 'oneTime', isExternal: true, amount: 5, status: 'failed', scheduledDate: '2026-01-01' },
      ['failureReason', 'scheduledDate'],
    ],
    [
      `${person}/identities`,
      { identityType: 'SSN', value: '1', issueDate: '2026-01-01', expirationDate: '2020-01-01' },
      ['expirationDate', 'value'],
    ],
    [`${person}/payment-instruments`, { ...ACCOUNT, routingNumber: '021000022', accountNumber: 'x' }, ['accountNumber', 'routingNumber']],
    [`${person}/payment-instruments?force=true`, { ...ACCOUNT, routingNumber: '021000022', accountNumber: 'x' }, ['accountNumber']],
    [
      `${person}/cases`,
      { caseType: 'bankruptcy', dutyStartDate: '2026-01-01', customFields: { a: 1 }, ...OWNERS, loanIds: ['LN-AAAA-AAAA'] },
      ['customFields.a', 'dutyStartDate', 'loanIds[0]', 'owningEmployeeId', 'owningTeamId'],
    ],
    ['/notification-types', { name: 'x', caseTypeIds: ['CT-AAAA-AAAA'] }, ['caseTypeIds[0]', 'channel', 'onStatus', 'templateId', 'theme']],
    ['/do-not-interact-types', { name: 'x' }, ['channel', 'onStatus', 'theme']],
    ['/case-types', { name: 'x', ...NO_TYPES }, ['caseType', 'customFieldSchemas[0].default', 'loanTypeId', 'workflowTypeId']],
    [
      '/case-types',
      { caseType: 'deceased', ...NO_TYPES, smartReviews: { config: { keyDates: { a: 1 } } } },
      ['customFieldSchemas[0].default', 'loanTypeId', 'smartReviews.config.keyDates.a', 'workflowTypeId'],
    ],
    [`${person}/contacts`, { ...badZip, value: 'x', caseId: 'CS-AAAA-AAAA' }, ['address.postalCode', 'caseId', 'value']],
    [`${person}/contacts`, { ...badZip, contactType: 'phone', value: 'x', label: 'nope' }, ['address', 'label', 'value']],
    ['/keys', { userId: 'UR-AAAA-AAAA', whitelistedIPs: ['x'] }, ['userId', 'whitelistedIPs[0]']],
    [
      '/keys',
      { userId: 'UR-AAAA-AAAA', whitelistedIPs: ['x', '::1/129'], description: '' },
      ['description', 'whitelistedIPs[0]', 'whitelistedIPs[1]'],
    ],
    [`${person}/user`, { userName: '', auths: BY_PROVIDER, password: 'short' }, ['password', 'userName']],
    ['/users', { type: 'agent', userName: '', auths: BY_PROVIDER, password: 'short' }, ['password', 'userName']],
    [
      '/users',
      { type: 'borrower', userName: 'mia', auths: BY_PROVIDER, password: 'short', roleIds: ['RO-AAAA-AAAA', 'RO-BBBB-BBBB'] },
      ['password', 'roleIds[0]', 'roleIds[1]', 'type'],
    ],
    ['/verification-types', { expirationInSecs: 0, enabledQuestionIds: [] }, ['expirationInSecs', 'questionSelectionCriteria']],
  ] as const) {
    const { status, json } = await ask('POST', path, body);
    const paths = (json['errors'] as readonly { readonly path: string }[]).map((fault) => fault.path);
    t.same([status, [...new Set(paths)].sort()], [400, named], JSON.stringify(body));
  }
});

test('bodies of employees, merchants, messages, documents, escalations, owners and tasks name all that is wrong', async (t) => {
  const { ask, company, loan } = await openLoanOverHttp(t);
  const person = loan.slice(0, loan.indexOf('/loans'));
  const ofCase = `${person}/cases/${idOf(await ask('POST', `${person}/cases`, { caseType: 'generic' }))}`;
  for (const [path, body, named] of [
    [
      '/employees',
      { userId: 'UR-AAAA-AAAA', managerEmployeeId: 'EE-AAAA-AAAA', teams: ['TM-AAAA-AAAA'], investorIds: ['IV-AAAA-AAAA'] },
      ['investorIds[0]', 'managerEmployeeId', 'teams[0]', 'userId'],
    ],
    [
      `/companies/${company}/merchants`,
      { businessName: 'Sofa World', parentMerchantId: 'MT-AAAA-AAAA', reserveDays: 10, reserveNetsRefunds: true },
      ['parentMerchantId', 'reserveDays', 'reserveNetsRefunds'],
    ],
    [
      `/companies/${company}/sending-numbers`,
      { number: '+12025550143', numberType: 'shortCode', channels: ['text'], loanTypeIds: ['LT-AAAA-AAAA', 'LT-BBBB-BBBB'] },
      ['loanTypeIds[0]', 'loanTypeIds[1]', 'number'],
    ],
    [
      `/companies/${company}/repayment-engine/notifications`,
      { productId: 'LT-AAAA-AAAA', subject: 'cardExpiresReminder', trigger: 'loanOverdue', day: 1, changePercent: 5 },
      ['changePercent', 'productId', 'trigger'],
    ],
    [
      '/campaign-workers/contact-exporters',
      { columnSettings: [{ field: 'x' }], checkCompliance: { channel: 'text' }, fileNamePattern: '../x' },
      ['checkCompliance.subject', 'columnSettings[0].field', 'fileNamePattern'],
    ],
    [
      `${person}/documents`,
      { type: 'other', status: 'rejected', loanId: 'LN-AAAA-AAAA', caseId: 'CS-AAAA-AAAA' },
      ['caseId', 'loanId', 'rejectionReason'],
    ],
    [`${ofCase}/escalations`, { targetType: 'team', employeeId: 'EE-AAAA-AAAA', reason: 'x' }, ['employeeId', 'teamId']],
    [
      `/companies/${company}/loan-owner-changes`,
      { effectiveDate: '2026-03-02', dateEffective: '2026-03-03', investors: [{ investorId: 'IV-AAAA-AAAA', share: 1 }], query: {} },
      ['dateEffective', 'investors[0].investorId', 'query'],
    ],
    [`/companies/${company}/tasks`, { ...TASK, employeeId: 'EE-AAAA-AAAA', teamId: 'TM-AAAA-AAAA' }, ['employeeId', 'teamId']],
  ] as const) {
    const { status, json } = await ask('POST', path, body);
    const paths = ((json['errors'] ?? []) as readonly { readonly path: string }[]).map((fault) => fault.path);
    t.same([status, paths.sort()], [400, named], path);
  }
});

test('a change of consents names all that is wrong with it', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const consents = `${loan.slice(0, loan.indexOf('/loans'))}/consents`;
  const wrong = { name: 'autodialedColl', status: 'consented', documentId: 'ext-none' };
  const { status, json } = await ask('PUT', consents, [wrong, wrong]);
  const paths = (json['errors'] as readonly { readonly path: string }[]).map(({ path }) => path);
  t.same([status, paths.sort()], [400, ['[0].documentId', '[1].documentId', '[1].name']]);
});

test('a change of a case names all that is wrong with it', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const cases = `${loan.slice(0, loan.indexOf('/loans'))}/cases`;
  const made = await ask('POST', cases, { caseType: 'bankruptcy' });
  const changed = await ask('PUT', `${cases}/${idOf(made)}`, { ...OWNERS, dutyStartDate: '2026-01-01', customFields: { a: 1 } });
  t.match(changed, { status: 400, json: { errorType: 'validationError' } });
  const paths = (changed.json['errors'] as readonly { readonly path: string }[]).map(({ path }) => path);
  t.same(paths.sort(), ['customFields.a', 'dutyStartDate', 'owningEmployeeId', 'owningTeamId']);
});

test('a change of a contact, key or case type names all that is wrong with it', async (t) => {
  const { ask, loan, userId } = await openLoanOverHttp(t);
  const contacts = `${loan.slice(0, loan.indexOf('/loans'))}/contacts`;
  const pathsOf = async (path: string, body: object): Promise<unknown> => {
    const { status, json } = await ask('PUT', path, body);
    return [status, (json['errors'] as readonly { readonly path: string }[]).map((fault) => fault.path).sort()];
  };
  const address = { ...('address' in HOME ? HOME.address : {}), postalCode: '1' };
  const phone = idOf(await ask('POST', contacts, PHONE));
  const wrong = { value: 'x', address, caseId: 'CS-AAAA-AAAA' };
  t.same(await pathsOf(`${contacts}/${phone}`, wrong), [400, ['address', 'caseId', 'value']]);
  const home = idOf(await ask('POST', contacts, HOME));
  t.same(await pathsOf(`${contacts}/${home}`, wrong), [400, ['address.postalCode', 'caseId', 'value']]);
  const { json } = await ask('POST', '/keys', { userId });
  t.same(await pathsOf(`/keys/${String(json['id'])}`, { whitelistedIPs: ['x'], description: '' }), [
    400,
    ['description', 'whitelistedIPs[0]'],
  ]);
  const caseType = idOf(await ask('POST', '/case-types', { caseType: 'generic' }));
  t.same(await pathsOf(`/case-types/${caseType}`, { caseType: 'deceased', ...NO_TYPES }), [
    400,
    ['caseType', 'customFieldSchemas[0].default', 'loanTypeId', 'workflowTypeId'],
  ]);
});
