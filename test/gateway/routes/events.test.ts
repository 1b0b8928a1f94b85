import { test } from 'tap';
import { ANN, EMAIL } from '../../actors/borrower/lender.js';
import { itemsOf } from '../../actors/harness.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp } from './loan-over-http.js';
import { makeTemplate } from './make-template.js';

test('an event names its objects by the caller’s ids as they were, and who caused it', async (t) => {
  const { h, ask, company, userId } = await openHttpLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  await ask('POST', '/people', ANN);
  const loan = '/people/ext-ann-1/loans/ext-kitchen';
  await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, { externalId: 'kitchen' }));
  await ask('POST', `${loan}/activate`, {});
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, isExternal: true, externalId: 'check-7' });
  await ask('PUT', loan, { externalId: 'bathroom' });
  const eventOf = async (eventType: string): Promise<Record<string, unknown>> =>
    listOf(await ask('GET', `/events?eventType=${eventType}`))[0] ?? {};
  t.match(await eventOf('person.created'), {
    externalIds: { personId: 'ann-1' },
    actor: { id: userId, userType: 'api', descriptor: /^API key AK-/ },
  });
  t.same((await eventOf('loan.created'))['externalIds'], { personId: 'ann-1', loanId: 'kitchen' });
  const known = listOf(await ask('GET', '/event-types'));
  t.match(
    known.find((type) => type['eventType'] === 'loan.latefee.booked'),
    { objectType: 'loan', description: /./, deprecated: false },
  );
  for (const { eventType, objectType } of listOf(await ask('GET', '/events?limit=100'))) {
    t.ok(
      known.some((type) => type['eventType'] === eventType && type['objectType'] === objectType),
      String(eventType),
    );
  }
  const pending = await eventOf('payment.pending');
  t.same(pending['externalIds'], { personId: 'ann-1', loanId: 'kitchen', transactionId: 'check-7' });
  await h.restart();
  const [readBack] = itemsOf(await h.query('event.list', null, { eventType: ['payment.pending'] }));
  t.same(readBack, pending, 'also when it is read back');
});

test('lists and streams refuse unknown event types and object types', async (t) => {
  const { ask } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', ANN));
  for (const path of ['/events', `/people/${personId}/events`, '/events/stream']) {
    t.match(
      await ask('GET', `${path}?eventType=loan.created,loan.opened&objectType=loans`),
      {
        status: 400,
        json: {
          errorType: 'validationError',
          errors: [{ path: 'eventType[1]', message: 'unknown event type loan.opened' }, { path: 'objectType' }],
        },
      },
      path,
    );
  }
  t.same(listOf(await ask('GET', '/events?eventType=case.created&objectType=case')), [], 'a retired type is still accepted');
});

test('a hydrated event carries its object as its own GET returns it', async (t) => {
  const { h, ask, company } = await openHttpLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const personId = idOf(await ask('POST', '/people', ANN));
  const loan = `/people/${personId}/loans/${idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)))}`;
  await ask('POST', `${loan}/activate`, {});
  const transactionId = idOf(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, isExternal: true }));
  const contactId = idOf(
    await ask('POST', `/people/${personId}/contacts`, { contactType: 'email', label: 'personal', value: 'ann@example.com' }),
  );
  const [account] = listOf(await ask('POST', `/people/${personId}/payment-instruments`, { instrumentType: 'wire', isExternal: true }));
  const objects = {
    'person.created': `/people/${personId}`,
    'loan.created': loan,
    'payment.pending': `${loan}/transactions/${transactionId}`,
    'contact.created': `/people/${personId}/contacts/${contactId}`,
    'payment.instrument.created': `/people/${personId}/payment-instruments/${String(account?.['id'])}`,
  };
  for (const [eventType, path] of Object.entries(objects)) {
    const [event] = listOf(await ask('GET', `/events?eventType=${eventType}`));
    const id = String(event?.['id']);
    t.equal(dataOf(await ask('GET', `/events/${id}`))['hydrated'], undefined, eventType);
    t.same(dataOf(await ask('GET', `/events/${id}?hydrate=true`))['hydrated'], dataOf(await ask('GET', path)), eventType);
  }
  const [gone] = listOf(await ask('GET', '/events?eventType=contact.created'));
  await ask('DELETE', `/people/${personId}/contacts/${contactId}`);
  t.equal(dataOf(await ask('GET', `/events/${String(gone?.['id'])}?hydrate=true`))['hydrated'], null);
});

test('an event names its case and its message by the caller’s ids, too', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { h, ask, created, company } = lender;
  const loan = await created({ externalId: 'kitchen' });
  await ask('POST', `${loan}/activate`, {});
  await ask('PUT', `/companies/${company}`, { communication: { email_from: 'loans@northwind.example' } });
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic', externalId: 'file-4', loanIds: ['ext-kitchen'] });
  const texts = { subjectLineTemplate: 'Hello', contentTextTemplate: 'Hello', contentHtmlTemplate: '<p>Hello</p>' };
  await makeTemplate(lender, { subject: 'freeForm', channel: 'email' }, texts);
  await ask('POST', `${loan}/freeze`, { caseId: 'ext-file-4' });
  const message = { channel: 'email', subject: 'freeForm', theme: 'opsServicing', personId: 'ext-ann-1', loanId: 'ext-kitchen' };
  const blocked = await ask('POST', '/communicator/send', { ...message, caseId: 'ext-file-4', interactionExternalId: 'hello-1' });
  t.match(blocked, { status: 422 }, 'it is blocked, and recorded');
  const named = { personId: 'ann-1', loanId: 'kitchen', caseId: 'file-4' };
  const externalIds = {
    'case.changed': { personId: 'ann-1', caseId: 'file-4' },
    'case.association.added': { personId: 'ann-1', caseId: 'file-4' },
    'loan.statuschanged': named,
    'interaction.blocked': { ...named, interactionId: 'hello-1' },
    'communication.send': { ...named, interactionId: 'hello-1' },
  };
  for (const isReadBack of [false, true]) {
    if (isReadBack) await h.restart();
    for (const [eventType, expected] of Object.entries(externalIds)) {
      const [event] = itemsOf(await h.query('event.list', null, { eventType: [eventType] }));
      t.same(event?.['externalIds'], expected, eventType);
    }
  }
});

test('bounds of creation count to the microsecond, both excluded', async (t) => {
  const { ask } = await openHttpLender(t);
  for (const externalId of ['ann-1', 'ann-2', 'ann-3', 'ann-4']) await ask('POST', '/people', { ...ANN, externalId, identity: undefined });
  const events = listOf(await ask('GET', '/events?order=asc&eventType=person.created'));
  const ids = events.map(({ id }) => id);
  const found = async (bound: string): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `/events?order=asc&eventType=person.created&${bound}`)).map(({ id }) => id);
  for (const [index, { createdAt }] of events.entries()) {
    const at = String(createdAt);
    t.match(at, /\.\d{6}Z$/);
    const longer = at.replace('Z', '001Z');
    t.same(await found(`createdAtAfter=${at}`), ids.slice(index + 1), `after ${at}`);
    t.same(await found(`createdAtBefore=${at}`), ids.slice(0, index), `before ${at}`);
    t.same(await found(`createdAtAfter=${longer}`), ids.slice(index + 1), `after ${longer}`);
    t.same(await found(`createdAtBefore=${longer}`), ids.slice(0, index + 1), `before ${longer}`);
  }
  const [person] = listOf(await ask('GET', '/people'));
  const until = String(person?.['createdAt']).replace('Z', '5Z');
  await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic' });
  t.equal(listOf(await ask('GET', `/cases?createdAtBefore=${until}`)).length, 1, 'half a millisecond later is after it');
  t.equal(listOf(await ask('GET', `/cases?createdAtAfter=${until}`)).length, 0);
});

test('events of a line’s draws, purchases and disputes, of promises and of cases carry their objects', async (t) => {
  const { ask, line, draw } = await openLineOverHttp(t);
  const path = await draw();
  const purchase = `${path}/purchases/${idOf(await ask('POST', `${path}/purchases`, { amount: 30, status: 'settled' }))}`;
  const dispute = idOf(await ask('POST', `${purchase}/disputes`, { disputedAmount: 5, reason: 'duplicate' }));
  const promise = { schedule: [{ dueDate: '2026-03-20', amount: 10 }] };
  const plan = idOf(await ask('POST', `${line}/promise-to-pay-plans`, promise));
  const caseId = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic' }));
  const objects = {
    draw: path,
    purchase,
    purchaseDispute: `${purchase}/disputes/${dispute}`,
    promiseToPayPlan: `${line}/promise-to-pay-plans/${plan}`,
    case: `/cases/${caseId}`,
  };
  for (const [objectType, at] of Object.entries(objects)) {
    const [event] = listOf(await ask('GET', `/events?objectType=${objectType}&objectId=${at.split('/').at(-1)}&limit=1`));
    const shown = await ask('GET', at);
    t.equal(shown.status, 200, at);
    t.same(dataOf(await ask('GET', `/events/${String(event?.['id'])}?hydrate=true`))['hydrated'], dataOf(shown), objectType);
  }
});

test('operations are listed by a loan’s own id or the caller’s', async (t) => {
  const { h, ask, company } = await openHttpLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  await ask('POST', '/people', ANN);
  const loanId = idOf(await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, { externalId: 'kitchen' })));
  for (const id of [loanId, 'ext-kitchen'])
    t.match(listOf(await ask('GET', `/operations?loanId=${id}`)), [{ kind: 'loan.create', loanId }]);
  t.match(await ask('GET', '/operations?loanId=ext-none'), { status: 404 });
});

test('events are filtered by the caller’s id of an object of any type', async (t) => {
  const { h, ask, company } = await openHttpLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const personId = idOf(await ask('POST', '/people', ANN));
  const loan = '/people/ext-ann-1/loans/ext-kitchen';
  const loanId = idOf(await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, { externalId: 'kitchen' })));
  await ask('POST', `${loan}/activate`, {});
  const payment = { type: 'oneTime', amount: 10, isExternal: true };
  const transactionId = idOf(await ask('POST', `${loan}/transactions`, { ...payment, externalId: 'check-7' }));
  const sameName = idOf(await ask('POST', `${loan}/transactions`, { ...payment, externalId: 'kitchen' }));
  for (const [named, id] of [
    ['objectId=ext-ann-1', personId],
    ['objectId=ext-check-7', transactionId],
    ['objectId=ext-check-7&objectType=transaction', transactionId],
    ['objectId=ext-kitchen&objectType=loan', loanId],
    ['objectId=ext-kitchen&objectType=transaction', sameName],
  ] as const) {
    const events = listOf(await ask('GET', `/events?${named}`));
    t.ok(events.length > 0, named);
    t.same(events, listOf(await ask('GET', `/events?objectId=${id}`)), named);
  }
  t.match(
    await ask('GET', '/events?objectId=ext-kitchen'),
    { status: 400, json: { errors: [{ path: 'objectId', message: `may be ${loanId} or ${sameName}` }] } },
    'two objects have this id',
  );
  for (const named of ['objectId=ext-none', 'objectId=ext-none&objectType=loan', 'objectId=ext-check-7&objectType=loan'])
    t.match(await ask('GET', `/events?${named}`), { status: 404 }, named);
  t.match(await ask('GET', '/events/stream?objectId=ext-none'), { status: 404 }, 'as streams do');
});

test('events of a borrower or a loan are none where the query names another one', async (t) => {
  const { h, ask, company } = await openHttpLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const ann = idOf(await ask('POST', '/people', ANN));
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob-1', identity: undefined }));
  for (const externalId of ['kitchen', 'boat']) await ask('POST', `/people/${ann}/loans`, loanBody(loanTypeId, { externalId }));
  const countOf = async (path: string): Promise<number> => listOf(await ask('GET', path)).length;
  for (const [path, same, other] of [
    [`/people/${ann}/events`, 'personId=ext-ann-1', `personId=${bob}`],
    ['/people/ext-ann-1/events', `personId=${ann}`, 'personId=ext-bob-1'],
    ['/loans/ext-kitchen/events', 'loanId=ext-kitchen', 'loanId=ext-boat'],
  ] as const) {
    t.ok((await countOf(path)) > 0, path);
    t.equal(await countOf(`${path}?${same}`), await countOf(path), `${path}?${same}`);
    t.equal(await countOf(`${path}?${other}`), 0, `${path}?${other}`);
    t.equal(await countOf(`${path}?${other}&createdAtBefore=2100-01-01T00:00:00Z`), 0);
  }
  t.match(await ask('GET', `/people/${ann}/events?personId=ext-none`), { status: 404 });
});
