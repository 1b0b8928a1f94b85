import { setTimeout as pause } from 'node:timers/promises';
import { test, type Test } from 'tap';
import { loanBody } from '../../actors/loan/setting.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

interface Flood extends HttpLender {
  readonly supercase: string;
  readonly population: string;
  /** Borrowers, each with a loan; the first has two. */
  readonly pairs: readonly { readonly personId: string; readonly loanId: string }[];
  done(operationId: unknown): Promise<Record<string, unknown>>;
}

async function openFlood(t: Test): Promise<Flood> {
  const lender = await openHttpLender(t);
  const { ask, h, company } = lender;
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const pairs: { personId: string; loanId: string }[] = [];
  for (let made = 0; made < 4; made++) {
    const personId = idOf(await ask('POST', '/people', { name: NAME }));
    for (let loans = 0; loans < (made === 0 ? 2 : 1); loans++) {
      pairs.push({
        personId,
        loanId: idOf(await ask('POST', `/people/${personId}/loans`, { ...loanBody(loanTypeId), externalId: `loan-${made}-${loans}` })),
      });
    }
  }
  const type = idOf(await ask('POST', '/case-types', { caseType: 'federalEmergency', name: 'Flood', status: 'active' }));
  const flood = { supercaseType: 'federalEmergency', name: 'Flood of 2026', femaDisasterNumber: 4711 };
  const opened = await ask('POST', '/supercases', { ...flood, subcaseTypeId: type, subcaseName: 'Flood' });
  const supercase = `/supercases/${idOf(opened)}`;
  const population = `${supercase}/populations/${idOf(await ask('POST', `${supercase}/populations`, { name: 'River' }))}`;
  const done = async (operationId: unknown): Promise<Record<string, unknown>> => {
    for (;;) {
      const answer = await ask('GET', `/operations/${String(operationId)}`);
      if (answer.status !== 206) return dataOf(answer);
      await pause(5);
    }
  };
  return { ...lender, supercase, population, pairs, done };
}

test('a commit makes one subcase for each borrower, about all of its loans', async (t) => {
  const { ask, supercase, population, pairs, done } = await openFlood(t);
  const [first] = pairs;
  t.match(await ask('POST', `${population}/members`, { members: pairs.slice(0, 3) }), {
    status: 200,
    json: { data: { added: 3, failed: 0 } },
  });
  t.match(await ask('POST', `${population}/members`, first), { status: 409, json: { errorType: 'duplicate' } });
  const foreign = { personId: pairs[3]?.personId, loanId: first?.loanId };
  t.match(await ask('POST', `${population}/members`, { members: [pairs[3], foreign] }), {
    json: { data: { added: 1, failed: 1, errors: [{ row: 2, errorType: 'validationError' }] } },
  });
  const csv = `personId,loanId\n${pairs[4]?.personId},ext-loan-3-0\nBO-AAAA-AAAA,LN-AAAA-AAAA\n`;
  t.match(await ask('POST', `${population}/members/upload?dryRun=true`, { csv }), {
    json: { data: { added: 0, failed: 1, errors: [{ row: 3, errorType: 'notFound' }] } },
  });
  t.match(await ask('POST', `${population}/members/upload`, { csv }), { json: { data: { added: 1, failed: 1 } } });
  t.match(await ask('GET', population), { json: { data: { isDraft: true, memberCount: 5 } } });
  const gone = listOf(await ask('GET', `${population}/members?limit=1`))[0]?.['id'];
  t.match(await ask('DELETE', `${population}/members/${gone}`), { status: 200 });

  const committed = await ask('PUT', population, { isDraft: false });
  t.match(committed, { status: 200, json: { data: { isDraft: false, memberCount: 4, operationId: String } } });
  t.match(await done(dataOf(committed)['operationId']), { status: 'succeeded', progress: { done: 4, total: 4 } });
  const subcases = listOf(await ask('GET', `${supercase}/subcases`));
  t.equal(subcases.length, 3);
  t.match(subcases[0], {
    name: 'Flood',
    caseType: 'federalEmergency',
    femaDisasterNumber: '4711',
    autoCreated: true,
    createdBy: { userType: 'api' },
  });
  t.match(listOf(await ask('GET', `/people/${first?.personId}/cases`)), [{ loanIds: { length: 2 } }]);
  t.match(listOf(await ask('GET', `${population}/members?status=created`)).length, 4);
  t.match(await ask('GET', supercase), { json: { data: { memberCount: 4, subcaseCounts: { initiated: 3, completed: 0 } } } });
  t.match(await ask('PUT', population, { isDraft: true }), { status: 400, json: { errors: [{ path: 'isDraft' }] } });
  t.match(await ask('POST', `${population}/members`, pairs[4]), { status: 409 });
  t.match(await ask('DELETE', supercase), { status: 409 });
  t.match(
    await ask('DELETE', `/people/${first?.personId}/cases/${listOf(await ask('GET', `/people/${first?.personId}/cases`))[0]?.['id']}`),
    { status: 409 },
  );
});

test('subcases are blocked and closed in bulk', async (t) => {
  const { ask, supercase, population, pairs, done } = await openFlood(t);
  await ask('POST', `${population}/members`, { members: pairs });
  await done(dataOf(await ask('PUT', population, { isDraft: false }))['operationId']);
  await ask('PUT', supercase, { status: 'processing' });
  t.match(await ask('PUT', supercase, { status: 'completed', outcome: 'resolved' }), { status: 409, json: { errorType: 'invalidState' } });
  const last = `/people/${pairs[3]?.personId}/cases`;
  const own = `${last}/${String(listOf(await ask('GET', last))[0]?.['id'])}/do-not-interacts`;
  await ask('POST', own, { channels: ['voice'], daysOfWeek: [6] });
  const blocked = await ask('POST', `${supercase}/bulk/do-not-interacts`, { channels: ['mail'] });
  t.match(dataOf(blocked), { type: 'createDoNotInteracts', status: 'queued', total: 4 });
  await done(dataOf(blocked)['id']);
  t.match(listOf(await ask('GET', `/people/${pairs[0]?.personId}/do-not-interacts`)), [{ channels: ['mail'], source: 'supercase' }]);
  t.match(
    listOf(await ask('GET', own)),
    [{ channels: ['voice', 'mail'], daysOfWeek: [], source: 'api' }],
    'one that a case had of its own becomes wider',
  );
  t.match(await ask('POST', `${supercase}/bulk/close-subcases?dryRun=true`, { outcome: 'resolved' }), {
    json: { data: { id: null, total: 4 } },
  });
  const closed = await ask('POST', `${supercase}/bulk/close-subcases`, { outcome: 'resolved', note: 'the water is gone' });
  await done(dataOf(closed)['id']);
  t.match(await ask('GET', `${supercase}/bulk-operations/${idOf(closed)}`), {
    json: { data: { status: 'completed', total: 4, succeeded: 4, failed: 0 } },
  });
  t.match(listOf(await ask('GET', `${supercase}/subcases?status=completed`)), [
    { outcome: 'resolved', outcomeNote: 'the water is gone' },
    {},
    {},
    {},
  ]);
  const lifted = await ask('DELETE', `${supercase}/bulk/do-not-interacts`, {});
  await done(dataOf(lifted)['id']);
  t.match(await ask('GET', `/people/${pairs[0]?.personId}/do-not-interacts?activeOnly=true`), { json: { count: 0 } });
  t.match(listOf(await ask('GET', `${supercase}/bulk-operations`)), [
    { type: 'removeDoNotInteracts' },
    { type: 'closeSubcases' },
    { type: 'createDoNotInteracts' },
  ]);
  t.match(await ask('PUT', supercase, { status: 'completed', outcome: 'resolved' }), {
    status: 200,
    json: { data: { status: 'completed' } },
  });
});

test('closing subcases in bulk leaves those that lack required fields or have open required items', async (t) => {
  const { ask, pairs, done } = await openFlood(t);
  const items = [{ name: 'Called', kind: 'checkbox', required: true, displayOrder: 0 }];
  const steps = [{ name: 'Ask', displayOrder: 0, items }];
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Damage', status: 'active', steps }));
  const customFieldSchemas = [{ name: 'Rooms', fieldName: 'rooms', dataType: 'integer', required: true }];
  const type = { caseType: 'generic', name: 'Damage', status: 'active', workflowTypeId, customFieldSchemas };
  const subcaseTypeId = idOf(await ask('POST', '/case-types', type));
  const opened = await ask('POST', '/supercases', { supercaseType: 'generic', name: 'Damage', subcaseTypeId, subcaseName: 'Damage' });
  const supercase = `/supercases/${idOf(opened)}`;
  const population = `${supercase}/populations/${idOf(await ask('POST', `${supercase}/populations`, { name: 'River' }))}`;
  await ask('POST', `${population}/members`, { members: pairs });
  await done(dataOf(await ask('PUT', population, { isDraft: false }))['operationId']);
  const paths = listOf(await ask('GET', `${supercase}/subcases`)).map(({ personId, id }) => `/people/${personId}/cases/${id}`);
  const [ready = '', unfilled = '', canceled = ''] = paths;
  for (const path of [ready, unfilled]) {
    const workflow = dataOf(await ask('GET', `${path}/workflow`));
    const [
      {
        items: [item],
      },
    ] = workflow['steps'] as [{ items: [{ id: string }] }];
    t.match(await ask('PUT', `${path}/workflow/items/${item.id}`, { status: 'completed' }), { status: 200 });
  }
  await ask('PUT', ready, { customFields: { rooms: 3 } });
  t.match(await ask('PUT', canceled, { status: 'canceled' }), { status: 200 });
  const closed = await ask('POST', `${supercase}/bulk/close-subcases`, { outcome: 'resolved' });
  await done(dataOf(closed)['id']);
  t.match(await ask('GET', `${supercase}/bulk-operations/${idOf(closed)}`), { json: { data: { failed: 2 } } });
  const statuses = await Promise.all(paths.map(async (path) => dataOf(await ask('GET', path))['status']));
  t.same(statuses, ['completed', 'initiated', 'canceled', 'initiated']);
});

test('deleting a draft deletes its members', async (t) => {
  const { ask, supercase, population, pairs } = await openFlood(t);
  await ask('POST', `${population}/members`, { members: pairs });
  t.match(await ask('DELETE', population), { status: 200 });
  t.match(await ask('GET', `${population}/members`), { status: 404 });
  t.match(await ask('DELETE', supercase), { status: 200 });
  t.match(await ask('GET', supercase), { status: 404 });
  t.match(await ask('POST', '/supercases', { supercaseType: 'generic', name: 'Strike', femaDisasterNumber: 1 }), {
    status: 400,
    json: { errors: [{ path: 'femaDisasterNumber' }] },
  });
});

test('a supercase has its own notes, and its subcases list the global ones', async (t) => {
  const { ask, supercase, population, pairs, done } = await openFlood(t);
  await ask('POST', `${population}/members`, { members: pairs });
  await done(dataOf(await ask('PUT', population, { isDraft: false }))['operationId']);
  const personId = pairs[1]?.personId;
  const subcase = `/people/${personId}/cases/${listOf(await ask('GET', `/people/${personId}/cases`))[0]?.['id']}`;
  const contents = async (path: string): Promise<unknown[]> => listOf(await ask('GET', path)).map(({ content }) => content);

  const privately = await ask('POST', `${supercase}/notes`, { content: 'ask the county' });
  t.match(privately, {
    status: 200,
    json: {
      data: {
        object: 'note',
        personId: null,
        caseId: null,
        isGlobal: false,
        supercaseId: supercase.split('/').at(-1),
        createdBy: { userType: 'api' },
      },
    },
  });
  await ask('POST', `${subcase}/notes`, { content: 'has a boat' });
  const global = await ask('POST', `${supercase}/notes`, { content: 'no late fees in May', isGlobal: true });
  await ask('POST', `${supercase}/notes`, { content: 'the dam holds', isGlobal: true, pinned: true });
  t.same(await contents(`${supercase}/notes`), ['the dam holds', 'no late fees in May', 'ask the county']);
  t.same(await contents(`${supercase}/notes?isGlobal=false`), ['ask the county']);
  t.same(await contents(`${subcase}/notes`), ['the dam holds', 'no late fees in May', 'has a boat']);
  t.same(await contents(`${subcase}/notes?pinned=false&startingAfter=${idOf(global)}`), ['has a boat']);
  t.same(await contents(`${subcase}/notes?sortBy=createdAt&limit=1`), ['has a boat']);
  t.same(await contents(`/people/${personId}/notes`), ['has a boat'], 'what is said of all is no note of the borrower');

  t.match(await ask('POST', `${supercase}/notes`, { content: 'x', taskableInstruction: true }), {
    status: 400,
    json: { errors: [{ path: 'taskableInstruction' }] },
  });
  t.match(await ask('POST', `${supercase}/notes`, {}), { status: 400 });
  t.match(await ask('GET', '/supercases/SC-AAAA-AAAA/notes'), { status: 404 });
  t.match(await ask('POST', '/supercases/SC-AAAA-AAAA/notes', { content: 'x' }), { status: 404 });
});

test('lifting a block in bulk leaves the part of it that a Do Not Interact type or an agent has set', async (t) => {
  const { ask, supercase, population, pairs, done } = await openFlood(t);
  const caseTypeIds = [listOf(await ask('GET', '/case-types')).find(({ name }) => name === 'Flood')?.['id']];
  const blocking = {
    name: 'Letters',
    channel: 'mail',
    theme: 'all',
    onStatus: 'processing',
    duration: 30,
    unit: 'calendarDays',
    caseTypeIds,
  };
  t.match(await ask('POST', '/do-not-interact-types', { ...blocking, status: 'active' }), { status: 200 });
  await ask('POST', `${population}/members`, { members: pairs.slice(2) });
  await done(dataOf(await ask('PUT', population, { isDraft: false }))['operationId']);
  const caseOf = async (index: number): Promise<string> => {
    const cases = `/people/${pairs[index]?.personId}/cases`;
    return `${cases}/${String(listOf(await ask('GET', cases))[0]?.['id'])}`;
  };
  const [ofType, ofAgent, edited] = [await caseOf(2), await caseOf(3), await caseOf(4)];
  const AGENT = { channels: ['voice'], daysOfWeek: [6] };
  await ask('POST', `${ofAgent}/do-not-interacts`, AGENT);
  await done(dataOf(await ask('POST', `${supercase}/bulk/do-not-interacts`, { channels: ['email'] }))['id']);
  for (const path of [ofType, edited]) t.match(await ask('PUT', path, { status: 'processing' }), { status: 200 });
  const blockOf = async (path: string): Promise<Record<string, unknown>> => listOf(await ask('GET', `${path}/do-not-interacts`))[0] ?? {};
  t.match(await blockOf(ofType), { channels: ['email', 'mail'], source: 'supercase', endDate: null });
  t.match(await blockOf(ofAgent), { channels: ['voice', 'email'], source: 'api', daysOfWeek: [] });
  const changed = { channels: ['text', 'email'], endDate: null };
  await ask('PUT', `${edited}/do-not-interacts/${String((await blockOf(edited))['id'])}`, changed);
  await done(dataOf(await ask('DELETE', `${supercase}/bulk/do-not-interacts`, {}))['id']);
  const left = await blockOf(ofType);
  t.match(left, { channels: ['mail'], source: 'system', doNotInteractTypeId: String, endDate: String, status: 'active' });
  t.match(await blockOf(ofAgent), { ...AGENT, source: 'api', status: 'active' });
  t.match(await blockOf(edited), { ...changed, status: 'active' }, 'who changed it has decided about all of it');
  await done(dataOf(await ask('DELETE', `${supercase}/bulk/do-not-interacts`, {}))['id']);
  t.match(await blockOf(ofType), left, 'nothing of the supercase is left');
});

test('an upload of members reads quoted cells by the names of the columns, and its dry run finds what the upload finds', async (t) => {
  const { ask, population, pairs } = await openFlood(t);
  const [one, two, three] = pairs;
  const csv = [
    '\uFEFFLoanId,note,personId',
    `"${one?.loanId}","the river, ""Elbe""",${one?.personId}`,
    `${two?.loanId},,"${two?.personId}"`,
    '',
    `ext-loan-0-0,again,${one?.personId}`,
    `${three?.loanId},,BO-AAAA-AAAA`,
  ].join('\r\n');
  const errors = [
    { row: 5, errorType: 'duplicate' },
    { row: 6, errorType: 'notFound' },
  ];
  t.match(await ask('POST', `${population}/members/upload?dryRun=true`, { csv }), { json: { data: { added: 0, failed: 2, errors } } });
  t.match(await ask('POST', `${population}/members/upload`, { csv }), { json: { data: { added: 2, failed: 2, errors } } });
  t.match(await ask('GET', `${population}/members`), { json: { total: 2 } });
});

test('a member whose borrower was deleted fails with a reason, and its subcase does not keep the supercase open', async (t) => {
  const { ask, supercase, population, pairs, done } = await openFlood(t);
  await ask('POST', `${population}/members`, { members: pairs.slice(2, 4) });
  const [gone, left] = [pairs[2]?.personId ?? '', pairs[3]?.personId ?? ''];
  for (const { personId, loanId } of pairs.slice(2, 4)) await ask('POST', `/people/${personId}/loans/${loanId}/cancel`, {});
  t.match(await ask('DELETE', `/people/${gone}`), { status: 200 });
  const committed = await ask('PUT', population, { isDraft: false });
  await done(dataOf(committed)['operationId']);
  const members = listOf(await ask('GET', `${population}/members`));
  t.match(
    members.find(({ personId }) => personId === gone),
    { status: 'failed', failureReason: /no borrower/ },
  );
  t.strictSame(
    listOf(await ask('GET', `${supercase}/subcases`)).map(({ personId }) => personId),
    [left],
  );
  await ask('DELETE', `/people/${left}`);
  t.strictSame(listOf(await ask('GET', `${supercase}/subcases`)), []);
  const subcases = dataOf(await ask('GET', supercase))['subcaseCounts'] as Record<string, number>;
  t.equal(
    Object.values(subcases).reduce((sum, count) => sum + count, 0),
    0,
  );
});
