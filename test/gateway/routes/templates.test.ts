import { test } from 'tap';
import { idOf, openHttpLender } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';
import { bareId, bareList, DESCRIPTORS, makeTemplate } from './make-template.js';

const MAIL = { subjectLineTemplate: 'Loan {{ loan.displayId }}', contentHtmlTemplate: '<p>Dear {{ person.name.firstName }}</p>' };

test('a descriptor names the use of a template and is unique', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  const made = await ask('POST', DESCRIPTORS, {
    subject: 'paymentFailed',
    channel: 'email',
    name: 'Failed payment',
    sensitive: true,
    legallyRequired: true,
  });
  t.match(made, {
    status: 200,
    json: {
      id: /^TD-/,
      object: 'templateDescriptor',
      companyId: lender.company,
      subject: 'paymentFailed',
      channel: 'email',
      language: 'en',
      productId: null,
      activeVersionId: null,
      sensitive: true,
      legallyRequired: true,
      enabled: true,
      name: 'Failed payment',
      updatedAt: null,
      deletedAt: null,
    },
  });
  t.notOk('wasActivated' in made.json);
  t.match(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email' }), {
    status: 409,
    json: { errorType: 'duplicate' },
  });
  for (const other of [{ language: 'es' }, { productId: loanTypeId }, { channel: 'text' }, { channel: null }]) {
    t.match(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email', ...other }), { status: 200, json: other });
  }
  t.match(await ask('POST', DESCRIPTORS, { subject: 'locStatementGenerated', channel: 'email' }), {
    status: 200,
    json: { subject: 'statementGenerated' },
  });
  t.match(await ask('POST', DESCRIPTORS, { subject: 'letterHeader', channel: null }), { status: 200, json: { subject: 'letterHeader' } });
  t.match(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email', productId: 'LT-AAAA-AAAA' }), { status: 404 });
  for (const wrong of [
    { subject: 'failedSettlementService', channel: 'email' },
    { subject: 'No Subject', channel: 'email' },
    { subject: 'a', channel: 'pigeon' },
    { subject: 'paymentFailed' },
    { subject: 'paymentFailed', channel: 'mail', language: 'eng' },
  ]) {
    t.match(await ask('POST', DESCRIPTORS, wrong), { status: 400, json: { errorType: 'validationError' } }, JSON.stringify(wrong));
  }
});

test('descriptors are filtered by their use and listed page by page', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const ids: string[] = [];
  for (const descriptor of [
    { subject: 'paymentFailed', channel: 'email' },
    { subject: 'paymentFailed', channel: 'text', enabled: false },
    { subject: 'refundScheduled', channel: 'email', language: 'es' },
  ]) {
    ids.push(bareId(await ask('POST', DESCRIPTORS, descriptor)));
  }
  const [first, second, third] = ids;
  const listed = async (query: string): Promise<readonly unknown[]> =>
    bareList(await ask('GET', `${DESCRIPTORS}?${query}`)).map(({ id }) => id);
  t.same(await listed(''), [third, second, first]);
  t.same(await listed('subject=paymentFailed'), [second, first]);
  t.same(await listed('channel=email'), [third, first]);
  t.same(await listed('enabled=false'), [second]);
  t.same(await listed('language=es'), [third]);
  t.same(await listed(`companyId=${lender.company}`), [third, second, first]);
  t.same(await listed('companyId=CP-AAAA-AAAA'), []);
  t.same(await listed('productId=LT-AAAA-AAAA'), []);
  t.same(await listed(`limit=1&startingAfter=${third ?? ''}`), [second]);
});

test('a version is a draft until it is activated, and retired when another one is', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const id = bareId(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email' }));
  const path = `${DESCRIPTORS}/${id}`;
  const made = await ask('POST', `${path}/versions`, { ...MAIL, description: 'first' });
  t.match(made, {
    status: 200,
    json: {
      id: /^TV-/,
      object: 'templateVersion',
      descriptorId: id,
      status: 'draft',
      ...MAIL,
      contentTextTemplate: null,
      description: 'first',
      createdBy: { userType: 'api' },
      activatedAt: null,
    },
  });
  const first = bareId(made);
  t.match(await ask('POST', `${path}/versions/${first}/activate`), {
    status: 200,
    json: { id, object: 'templateDescriptor', activeVersionId: first },
  });
  t.match(await ask('POST', `${path}/versions/${first}/activate`), { status: 200, json: { activeVersionId: first } }, 'again');
  const second = bareId(await ask('POST', `${path}/versions`, MAIL));
  t.match(await ask('PUT', path, { activeVersionId: second }), { status: 200, json: { activeVersionId: second } });
  t.match(await ask('GET', `${path}/versions/${first}`), { json: { status: 'retired', activatedAt: /^\d{4}-/ } });
  t.match(await ask('GET', `${path}/versions/${second}`), { json: { status: 'active', activatedAt: /^\d{4}-/ } });
  t.match(bareList(await ask('GET', `${path}/versions?status=retired`)), [{ id: first }]);
  t.same(
    bareList(await ask('GET', `${path}/versions`)).map((version) => version['id']),
    [second, first],
  );
  t.same(
    bareList(await ask('GET', `/communicator/templateversions?status=active&descriptorId=${id}`)).map((version) => version['id']),
    [second],
  );
  t.same(bareList(await ask('GET', '/communicator/templateversions?descriptorId=TD-AAAA-AAAA')), []);
  t.match(await ask('PUT', path, { activeVersionId: null }), { json: { activeVersionId: null } });
  t.match(await ask('GET', `${path}/versions/${second}`), { json: { status: 'retired' } });
  t.match(await ask('POST', `${path}/versions/TV-AAAA-AAAA/activate`), { status: 404 });
  t.match(await ask('PUT', path, { activeVersionId: 'TV-AAAA-AAAA' }), { status: 404 });
  t.match(await ask('GET', `${DESCRIPTORS}/TD-AAAA-AAAA/versions`), { status: 404 });
});

/** Versions that cannot be activated, by channel, and the field that each lacks. */
const NEEDS: readonly (readonly [channel: string | null, content: object, lacking: readonly string[]])[] = [
  ['email', { contentHtmlTemplate: 'a' }, ['subjectLineTemplate']],
  ['email', { subjectLineTemplate: 'a', contentTextTemplate: 'b' }, ['contentHtmlTemplate']],
  ['text', { contentHtmlTemplate: 'a' }, ['contentTextTemplate']],
  ['voice', { contentHtmlTemplate: 'a' }, ['contentTextTemplate']],
  ['chat', { contentHtmlTemplate: 'a' }, ['contentTextTemplate']],
  ['mail', { contentTextTemplate: 'a' }, ['contentHtmlTemplate']],
  ['gui', { contentTextTemplate: 'a' }, ['contentHtmlTemplate']],
  ['document', { contentTextTemplate: 'a' }, ['contentHtmlTemplate']],
  [null, { subjectLineTemplate: 'a' }, ['contentHtmlTemplate']],
];

test('a version becomes active with what its channel needs, and keeps it', async (t) => {
  const { ask } = await openHttpLender(t);
  for (const [index, [channel, content, lacking]] of NEEDS.entries()) {
    const path = `${DESCRIPTORS}/${bareId(await ask('POST', DESCRIPTORS, { subject: `custom${index + 1}`, channel }))}`;
    const version = `${path}/versions/${bareId(await ask('POST', `${path}/versions`, content))}`;
    t.match(
      await ask('POST', `${version}/activate`),
      { status: 422, json: { errors: lacking.map((part) => ({ path: part })) } },
      `${channel}`,
    );
    const filled = Object.fromEntries(lacking.map((part) => [part, 'x']));
    t.match(await ask('PUT', version, filled), { status: 200, json: { ...content, ...filled } });
    t.match(await ask('POST', `${version}/activate`), { status: 200 }, `${channel}`);
    t.match(
      await ask('PUT', version, { contentHtmlTemplate: null, contentTextTemplate: null }),
      { status: 422 },
      `${channel}: stays complete`,
    );
    t.match(await ask('PUT', version, { ...filled, description: 'changed at once' }), {
      status: 200,
      json: { status: 'active', description: 'changed at once' },
    });
  }
});

test('the use of a template is fixed from its first activation on', async (t) => {
  const { ask } = await openHttpLender(t);
  const id = bareId(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email' }));
  t.match(await ask('PUT', `${DESCRIPTORS}/${id}`, { subject: 'refundScheduled', language: 'es' }), {
    status: 200,
    json: { subject: 'refundScheduled', language: 'es', channel: 'email' },
  });
  const { path } = await makeTemplate({ ask }, { subject: 'paymentFailed', channel: 'email' }, MAIL);
  await ask('PUT', path, { activeVersionId: null });
  t.match(await ask('PUT', path, { subject: 'refundScheduled', channel: 'mail' }), {
    status: 409,
    json: { errors: [{ path: 'subject' }, { path: 'channel' }] },
  });
  t.match(await ask('PUT', path, { subject: 'paymentFailed', enabled: false, name: 'off', sensitive: true }), {
    status: 200,
    json: { enabled: false, name: 'off', sensitive: true },
  });
});

test('templates that were in use cannot be deleted', async (t) => {
  const { ask } = await openHttpLender(t);
  const used = await makeTemplate({ ask }, { subject: 'paymentFailed', channel: 'email' }, MAIL);
  t.match(await ask('DELETE', `${used.path}/versions/${used.versionId}`), { status: 409 });
  const draft = bareId(await ask('POST', `${used.path}/versions`, MAIL));
  t.match(await ask('DELETE', `${used.path}/versions/${draft}`), { status: 200 });
  t.match(await ask('GET', `${used.path}/versions/${draft}`), { status: 404 });
  await ask('PUT', used.path, { activeVersionId: null });
  t.match(await ask('DELETE', `${used.path}/versions/${used.versionId}`), { status: 409 });
  t.match(await ask('DELETE', used.path), { status: 409 });
});

test('templates that types of casework name cannot be deleted', async (t) => {
  const { ask } = await openHttpLender(t);
  const used = await makeTemplate({ ask }, { subject: 'paymentFailed', channel: 'email' }, MAIL);
  const unused = bareId(await ask('POST', DESCRIPTORS, { subject: 'complaintAcknowledgement', channel: 'mail' }));
  const version = bareId(await ask('POST', `${DESCRIPTORS}/${unused}/versions`, MAIL));
  const other = bareId(await ask('POST', `${DESCRIPTORS}/${unused}/versions`, MAIL));
  const typeId = idOf(
    await ask('POST', '/notification-types', {
      name: 'Notice',
      channel: 'mail',
      theme: 'opsServicing',
      templateId: unused,
      onStatus: 'processing',
    }),
  );
  t.match(await ask('DELETE', `${DESCRIPTORS}/${unused}`), { status: 409, json: { message: new RegExp(typeId) } });
  const steps = [{ name: 'Write', items: [{ name: 'send', kind: 'sendMessage', templateId: unused }] }];
  const workflow = idOf(await ask('POST', '/workflow-types', { name: 'Letters', steps }));
  t.match(await ask('DELETE', `${DESCRIPTORS}/${unused}`), {
    status: 409,
    json: { message: new RegExp(`notificationType ${typeId}, workflowType ${workflow}`) },
  });
  const toVersion = [{ name: 'Write', items: [{ name: 'send', kind: 'sendMessage', templateId: version }] }];
  await ask('PUT', `/workflow-types/${workflow}`, { steps: toVersion });
  await ask('PUT', `/notification-types/${typeId}`, { templateId: version });
  for (const path of [`${DESCRIPTORS}/${unused}/versions/${version}`, `${DESCRIPTORS}/${unused}`]) {
    t.match(
      await ask('DELETE', path),
      { status: 409, json: { message: new RegExp(`notificationType ${typeId}, workflowType ${workflow}`) } },
      path,
    );
  }
  t.match(await ask('DELETE', `${DESCRIPTORS}/${unused}/versions/${other}`), { status: 200 }, 'a version that nothing names');
  await ask('DELETE', `/notification-types/${typeId}`);
  await ask('DELETE', `/workflow-types/${workflow}`);
  t.match(await ask('DELETE', `${DESCRIPTORS}/${unused}`), { status: 200 });
  t.match(await ask('GET', `${DESCRIPTORS}/${unused}`), { status: 404 });
  t.same(
    bareList(await ask('GET', '/communicator/templateversions')).map(({ descriptorId }) => descriptorId),
    [used.id],
  );
});

test('an invalid version is refused when it is created, with the line of each fault', async (t) => {
  const { ask } = await openHttpLender(t);
  const path = `${DESCRIPTORS}/${bareId(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email' }))}`;
  t.match(
    await ask('POST', `${path}/versions`, {
      subjectLineTemplate: 'two\nlines',
      contentHtmlTemplate: '<p>\n{{ loan.',
      contentTextTemplate: '{{ a | frobnicate }}',
    }),
    {
      status: 400,
      json: {
        errors: [
          { path: 'subjectLineTemplate', message: /one line/ },
          { path: 'contentTextTemplate', message: /^line 1: There is no filter frobnicate/ },
          { path: 'contentHtmlTemplate', message: /^line 2:/ },
        ],
      },
    },
  );
  const mail = { ...MAIL, contentTextTemplate: '{{ amount | money }}{% include "footer" %}' };
  const version = `${path}/versions/${bareId(await ask('POST', `${path}/versions`, mail))}`;
  t.match(await ask('PUT', version, { contentHtmlTemplate: '{% if %}' }), { status: 400 });
  t.match(await ask('POST', `${version}/validate`), {
    status: 200,
    json: {
      valid: false,
      errors: [{ part: 'contentTextTemplate', line: 1, message: /footer/ }],
      variables: ['amount', 'loan.displayId', 'person.name.firstName'],
    },
  });
  await makeTemplate({ ask }, { subject: 'footer', channel: null }, { contentTextTemplate: 'bye', contentHtmlTemplate: 'bye' });
  t.match(await ask('POST', `${version}/validate`), {
    status: 200,
    json: { valid: true, errors: [], variables: ['amount', 'loan.displayId', 'person.name.firstName'] },
  });
});

test('activating a template needs its own permission', async (t) => {
  const { ask, askWith } = await openLoanOverHttp(t);
  const path = `${DESCRIPTORS}/${bareId(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email' }))}`;
  const versionId = bareId(await ask('POST', `${path}/versions`, MAIL));
  const lacking = { status: 403, json: { errorType: 'permissionDenied', permission: 'communicator.template:activate' } };
  t.match(await askWith(['communicator.template:update'], 'PUT', path, { activeVersionId: versionId }), lacking);
  t.match(await askWith(['communicator.template:update'], 'POST', `${path}/versions/${versionId}/activate`), lacking);
  t.match(await askWith(['communicator.template:update'], 'PUT', path, { activeVersionId: null, name: 'as it was' }), { status: 200 });
  t.match(await askWith(['communicator.template:update', 'communicator.template:activate'], 'PUT', path, { activeVersionId: versionId }), {
    status: 200,
    json: { activeVersionId: versionId },
  });
  t.match(await askWith(['communicator.template:read'], 'DELETE', path), { status: 403 });
});
