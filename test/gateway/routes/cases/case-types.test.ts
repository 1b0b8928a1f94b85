import { test } from 'tap';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { bareId, DESCRIPTORS } from '../make-template.js';

test('a company begins with an active type of each base type', async (t) => {
  const { ask } = await openHttpLender(t);
  t.match(await ask('GET', '/case-types?limit=100'), { status: 200, json: { total: 14 } });
  const [bankruptcy] = listOf(await ask('GET', '/case-types?caseType=bankruptcy'));
  t.match(bankruptcy, {
    object: 'caseType',
    caseType: 'bankruptcy',
    name: 'Bankruptcy',
    status: 'active',
    version: 1,
    customFieldSchemas: [],
    createdBy: { userType: 'system' },
    smartReviews: {
      enable: false,
      config: { keyDates: { courtCaseClosedDate: 0, creditorClaimDeadlineDate: 0, anticipatedCaseCompletionDate: 0 } },
    },
  });
  t.match(await ask('GET', `/case-type/${String(bankruptcy?.['id'])}`), { status: 200, json: { data: { caseType: 'bankruptcy' } } });
});

test('a draft is changed in place, a published type by its next version; one version at a time is active', async (t) => {
  const { ask } = await openHttpLender(t);
  const made = await ask('POST', '/case-types', { caseType: 'generic', name: 'Complaint', description: 'What borrowers complain about' });
  const path = `/case-types/${idOf(made)}`;
  t.match(made, { status: 200, json: { data: { status: 'draft', version: 1, derivedFromTypeId: null, publishedAt: null } } });
  t.match(await ask('PUT', path, { name: 'Complaints' }), {
    json: { data: { version: 1, name: 'Complaints', description: 'What borrowers complain about' } },
  });
  t.match(await ask('PUT', path, { status: 'active' }), {
    json: { data: { version: 1, status: 'active', publishedBy: { userType: 'api' } } },
  });
  t.match(await ask('PUT', path, { name: 'Complaint' }), {
    json: { data: { version: 2, status: 'draft', derivedFromTypeId: idOf(made) } },
  });
  t.match(await ask('GET', path), { json: { data: { version: 1, name: 'Complaints' } } }, 'what is active is shown');
  t.match(await ask('PUT', path, { status: 'active' }), { json: { data: { version: 2, status: 'active' } } });
  t.match(await ask('GET', `${path}?version=1`), { json: { data: { status: 'deprecated', deprecatedBy: { userType: 'api' } } } });
  t.match(await ask('GET', `${path}?version=3`), { status: 404 });
  t.match(await ask('POST', '/case-types', { copyOf: idOf(made), name: 'Third' }), {
    json: { data: { id: idOf(made), version: 3, status: 'draft', name: 'Third', caseType: 'generic' } },
  });
  t.match(await ask('GET', '/case-types?status=draft'), { json: { total: 1, data: [{ version: 3 }] } });
  t.match(await ask('DELETE', path), { status: 200 });
  t.match(await ask('DELETE', path), { status: 409, json: { errorType: 'invalidState' } }, 'what was published stays');
  t.match(await ask('PUT', path, { status: 'deprecated', name: 'x' }), { status: 400, json: { errors: [{ path: 'status' }] } });
  t.match(await ask('PUT', path, { deprecationMessage: 'x' }), { status: 400, json: { errors: [{ path: 'deprecationMessage' }] } });
  t.match(await ask('PUT', path, { status: 'deprecated', deprecationMessage: 'Nobody complains' }), {
    json: { data: { version: 2, status: 'deprecated', deprecationMessage: 'Nobody complains' } },
  });
  t.match(await ask('PUT', path, { status: 'deprecated' }), { status: 409, json: { errorType: 'invalidTransition' } });
  t.match(await ask('GET', '/case-types'), { json: { total: 14 } });
  t.match(await ask('GET', '/case-types?includeDeprecated=true'), { json: { total: 15 } });
  t.match(
    await ask('PUT', path, { status: 'active' }),
    { json: { data: { version: 3, status: 'active' } } },
    'and comes back as another version',
  );
});

test('deleting a draft that is the only version deletes the type', async (t) => {
  const { ask } = await openHttpLender(t);
  const path = `/case-types/${idOf(await ask('POST', '/case-types', { caseType: 'deceased' }))}`;
  t.match(await ask('DELETE', path), { status: 200 });
  t.match(await ask('GET', path), { status: 404 });
});

test('custom fields are checked by their data type', async (t) => {
  const { ask } = await openHttpLender(t);
  const field = { name: 'Amount', fieldName: 'amount', dataType: 'integer' };
  const faults = async (...customFieldSchemas: object[]): Promise<unknown> =>
    (
      (await ask('POST', '/case-types', { caseType: 'generic', customFieldSchemas })).json['errors'] as
        | { readonly path: string }[]
        | undefined
    )?.map(({ path }) => path);
  t.same(await faults(field, field), ['customFieldSchemas[1].fieldName']);
  t.same(await faults({ ...field, default: 'much' }), ['customFieldSchemas[0].default']);
  t.same(await faults({ ...field, default: 7, validation: { maxValue: 5 } }), ['customFieldSchemas[0].default']);
  t.same(await faults({ ...field, validation: { enum: [1, 'two'], length: 3 } }), [
    'customFieldSchemas[0].validation.enum[1]',
    'customFieldSchemas[0].validation.length',
  ]);
  t.same(await faults({ ...field, fieldName: 'Amount' }), ['customFieldSchemas[0].fieldName']);
  const made = await ask('POST', '/case-types', {
    caseType: 'generic',
    customFieldSchemas: [field, { name: 'Since', fieldName: 'since', dataType: 'date', required: true }],
  });
  t.match(dataOf(made)['customFieldSchemas'], [
    { ...field, required: false, displayOrder: 0, default: null, validation: { enum: null, length: null, minValue: null, maxValue: null } },
    { fieldName: 'since', required: true, displayOrder: 1 },
  ]);
});

test('a type names existing objects only, and keeps its base type', async (t) => {
  const { ask } = await openHttpLender(t);
  t.match(await ask('POST', '/case-types', { name: 'x' }), { status: 400, json: { errors: [{ path: 'caseType' }] } });
  t.match(await ask('POST', '/case-types', { caseType: 'generic', loanTypeId: 'LT-AAAA-AAAA' }), {
    status: 400,
    json: { errors: [{ path: 'loanTypeId' }] },
  });
  t.match(await ask('POST', '/case-types', { caseType: 'generic', workflowTypeId: 'WT-AAAA-AAAA' }), {
    status: 400,
    json: { errors: [{ path: 'workflowTypeId' }] },
  });
  t.match(await ask('POST', '/case-types', { copyOf: 'CE-AAAA-AAAA' }), { status: 400, json: { errors: [{ path: 'typeId' }] } });
  const id = idOf(await ask('POST', '/case-types', { caseType: 'generic' }));
  t.match(await ask('PUT', `/case-types/${id}`, { caseType: 'deceased' }), { status: 400, json: { errors: [{ path: 'caseType' }] } });
  t.match(await ask('POST', '/case-types', { caseType: 'generic', name: 'x'.repeat(51) }), { status: 400 });
});

test('smart reviews are counted from the dates of the base type, or from a custom one', async (t) => {
  const { ask } = await openHttpLender(t);
  const reviewed = (caseType: string, config: object, customFieldSchemas: object[] = []) =>
    ask('POST', '/case-types', { caseType, customFieldSchemas, smartReviews: { enable: true, config } });
  t.match(await reviewed('militaryDuty', { keyDates: { dutyEndDate: [-30, 0] } }), {
    json: { data: { smartReviews: { enable: true, config: { keyDates: { dutyEndDate: [-30, 0] } } } } },
  });
  t.match(await reviewed('militaryDuty', { keyDates: { requestDate: 1 } }), {
    status: 400,
    json: { errors: [{ path: 'smartReviews.config.keyDates.requestDate' }] },
  });
  t.match(await reviewed('militaryDuty', { keyDates: { dutyEndDate: 1.5 } }), { status: 400 });
  t.match(await reviewed('generic', { keyDates: { since: 1 } }), { status: 400 });
  t.match(await reviewed('generic', { keyDates: { since: 1 } }, [{ name: 'Since', fieldName: 'since', dataType: 'date' }]), {
    status: 200,
  });
  t.match(await reviewed('collection', { keyDates: {} }), { status: 400, json: { errors: [{ path: 'smartReviews.config.keyDates' }] } });
  t.match(await reviewed('collection', { lastOutboundInteractionThreshold: 3 }), {
    json: {
      data: {
        smartReviews: {
          config: { lastOutboundInteractionThreshold: 3, objectsPreventingReminderTasks: ['dni', 'scheduledCall', 'snooze'] },
        },
      },
    },
  });
});

test('a Do Not Interact type has a trigger that can fire, and acts on the types that it is linked to', async (t) => {
  const { ask } = await openHttpLender(t);
  const caseTypeId = String(listOf(await ask('GET', '/case-types?caseType=ceaseCommunication'))[0]?.['id']);
  const body = { channel: 'voice', theme: 'opsCollDebt', onStatus: 'processing', duration: 30, caseTypeIds: [caseTypeId] };
  const made = await ask('POST', '/do-not-interact-types', body);
  t.match(made, {
    status: 200,
    json: { data: { ...body, object: 'doNotInteractType', status: 'draft', unit: 'calendarDays', onOutcome: null, onCondition: [] } },
  });
  t.match(await ask('POST', '/do-not-interact-types', { channel: 'voice', theme: 'all' }), {
    status: 400,
    json: { errorType: 'triggerRequired' },
  });
  t.match(await ask('POST', '/do-not-interact-types', { ...body, channel: undefined }), {
    status: 400,
    json: { errors: [{ path: 'channel' }] },
  });
  t.match(await ask('POST', '/do-not-interact-types', { ...body, caseTypeIds: ['CE-AAAA-AAAA'] }), {
    status: 400,
    json: { errors: [{ path: 'caseTypeIds[0]' }] },
  });
  const copied = await ask('POST', `/do-not-interact-types?typeId=${idOf(made)}`, { onOutcome: 'approved' });
  t.match(copied, { json: { data: { id: idOf(made), version: 2, onStatus: 'processing', onOutcome: 'approved', channel: 'voice' } } });

  const linked = `/case-types/${caseTypeId}/do-not-interact-types`;
  t.match(await ask('GET', linked), { json: { total: 1, data: [{ id: idOf(made) }] } });
  t.match(await ask('GET', `/case-types/${caseTypeId}`), { json: { data: { doNotInteractTypeIds: [idOf(made)] } } });
  t.match(await ask('DELETE', `${linked}/${idOf(made)}`), { json: { data: { caseTypeIds: [] } } });
  t.match(await ask('GET', linked), { json: { total: 0 } });
  t.match(await ask('PUT', `${linked}/${idOf(made)}`), { json: { data: { caseTypeIds: [caseTypeId], version: 2 } } });
  t.match(await ask('PUT', `${linked}/DT-AAAA-AAAA`), { status: 404 });
  t.match(await ask('GET', `/do-not-interact-types?caseTypeId=${caseTypeId}`), { json: { total: 1 } });
});

test('a condition that compares wrong types is refused with the reason', async (t) => {
  const { ask } = await openHttpLender(t);
  const made = (...onCondition: object[]) =>
    ask('POST', '/do-not-interact-types', { channel: 'all', theme: 'all', onStatus: 'initiated', onCondition });
  const refused = async (condition: object, path: string): Promise<void> => {
    t.match(
      await made({ fieldName: 'amount', dataType: 'integer', ...condition }),
      { status: 400, json: { errors: [{ path: `onCondition[0].${path}` }] } },
      JSON.stringify(condition),
    );
  };
  await refused({ value: 'much' }, 'value');
  await refused({ operator: 'in', value: 5 }, 'value');
  await refused({ operator: 'in', value: [5, 'x'] }, 'value[1]');
  await refused({ operator: 'isNull', value: 5 }, 'value');
  await refused({ operator: 'contains', value: 5 }, 'operator');
  await refused({ operator: 'gt', dataType: 'boolean', value: true }, 'operator');
  await refused({ dataType: 'date', value: '2026-02-30' }, 'value');
  await refused({ operator: 'like', value: 5 }, 'operator');
  t.match(
    await made(
      { fieldName: 'amount', dataType: 'integer', operator: 'gt', value: 5 },
      { fieldName: 'since', dataType: 'date', operator: 'isNotNull' },
    ),
    { status: 200 },
  );
});

test('a notification type names channel, theme and template', async (t) => {
  const { ask } = await openHttpLender(t);
  const templateId = bareId(await ask('POST', DESCRIPTORS, { subject: 'complaintAcknowledgement', channel: 'email' }));
  const body = { channel: 'email', theme: 'opsServicing', templateId, onStatus: 'completed', onOutcome: 'approved' };
  const made = await ask('POST', '/notification-types', { ...body, status: 'active' });
  t.match(made, {
    status: 200,
    json: { data: { ...body, object: 'notificationType', status: 'active', delay: 0, unit: 'calendarDays', caseTypeIds: [] } },
  });
  t.match(await ask('POST', '/notification-types', { ...body, templateId: null }), {
    status: 400,
    json: { errors: [{ path: 'templateId' }] },
  });
  t.match(await ask('POST', '/notification-types', { ...body, channel: 'fax' }), { status: 400, json: { errors: [{ path: 'channel' }] } });
  const theme = { status: 400, json: { errors: [{ path: 'theme', expected: 'opsServicing' }] } };
  t.match(await ask('POST', '/notification-types', { ...body, theme: 'opsCollDebt' }), theme, 'a message of this subject has one theme');
  t.match(await ask('PUT', `/notification-types/${idOf(made)}`, { theme: 'opsCollDebt' }), theme);
  t.match(await ask('POST', '/notification-types', { ...body, unit: 'hours', delay: 4 }), {
    json: { data: { templateId, delay: 4, unit: 'hours' } },
  });
  const caseTypeId = String(listOf(await ask('GET', '/case-types?caseType=deceased'))[0]?.['id']);
  t.match(await ask('PUT', `/case-types/${caseTypeId}/notification-types/${idOf(made)}`), {
    json: { data: { caseTypeIds: [caseTypeId], status: 'active', version: 1 } },
  });
  t.match(await ask('DELETE', `/case-types/${caseTypeId}/notification-types/${idOf(made)}`), { json: { data: { caseTypeIds: [] } } });
});
