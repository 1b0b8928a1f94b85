import { setTimeout as pause } from 'node:timers/promises';
import { test, type Test } from 'tap';
import { EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { loanBody } from '../../../actors/loan/setting.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openWriting, emitted, type Writing } from './writing.js';

interface Flooded extends Writing {
  readonly supercase: string;
  readonly members: readonly { readonly personId: string; readonly caseId: string; readonly loanId: string }[];
  done(operationId: unknown): Promise<Record<string, unknown>>;
}

/** Three borrowers with an e-mail address and a loan each, and a fourth without an address, all in one supercase. */
async function openFlooded(t: Test): Promise<Flooded> {
  const writing = await openWriting(t);
  const { ask, h, company } = writing;
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const pairs: { personId: string; loanId: string }[] = [];
  for (let made = 0; made < 4; made++) {
    const personId = idOf(await ask('POST', '/people', { name: { firstName: `Ada${made}`, lastName: 'Green' } }));
    if (made < 3) {
      await ask('POST', `/people/${personId}/contacts`, { ...EMAIL, value: `ada${made}@example.com` });
      await ask('POST', `/people/${personId}/contacts`, HOME);
    }
    pairs.push({ personId, loanId: idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId))) });
  }
  const type = idOf(await ask('POST', '/case-types', { caseType: 'federalEmergency', name: 'Flood', status: 'active' }));
  const flood = await ask('POST', '/supercases', { supercaseType: 'generic', name: 'Flood', subcaseTypeId: type });
  const supercase = `/supercases/${idOf(flood)}`;
  const population = `${supercase}/populations/${idOf(await ask('POST', `${supercase}/populations`, {}))}`;
  const done = async (operationId: unknown): Promise<Record<string, unknown>> => {
    for (;;) {
      const answer = await ask('GET', `/operations/${String(operationId)}`);
      if (answer.status !== 206) return dataOf(await ask('GET', `${supercase}/bulk-operations/${String(operationId)}`));
      await pause(5);
    }
  };
  await ask('POST', `${population}/members`, { members: pairs });
  const committed = dataOf(await ask('PUT', population, { isDraft: false }))['operationId'];
  for (;;) {
    if ((await ask('GET', `/operations/${String(committed)}`)).status !== 206) break;
    await pause(5);
  }
  const members = await Promise.all(
    pairs.map(async ({ personId, loanId }) => ({
      personId,
      loanId,
      caseId: String(listOf(await ask('GET', `/people/${personId}/cases`))[0]?.['id']),
    })),
  );
  return { ...writing, supercase, members, done };
}

const RELIEF = { subject: 'disasterRelief', context: { greeting: 'Good morning' } };

test('one message goes out for each subcase, through the guard, and the operation counts those that were stopped', async (t) => {
  const flooded = await openFlooded(t);
  const { ask, template, supercase, members, done } = flooded;
  await template({ subject: 'disasterRelief' });
  const [, blocked, , unreachable] = members;
  await ask('POST', `/people/${blocked?.personId}/cases/${blocked?.caseId}/do-not-interacts`, {});
  const ordered = await ask('POST', `${supercase}/bulk/send`, RELIEF);
  t.match(ordered, { status: 200, json: { data: { object: 'supercaseBulkOperation', type: 'send', status: 'queued', total: 4 } } });
  const operationId = String(dataOf(ordered)['id']);
  const outcome = await done(operationId);
  t.match(outcome, { status: 'completedWithErrors', total: 4, succeeded: 2, failed: 2 });
  const errors = outcome['errors'] as readonly { readonly id: string; readonly message: string }[];
  t.match(errors.find(({ id }) => id === blocked?.caseId)?.message, /^doNotInteract: /);
  t.match(errors.find(({ id }) => id === unreachable?.caseId)?.message, /^noContact: /);
  for (const [index, { personId, caseId, loanId }] of members.entries()) {
    const [interaction, ...more] = listOf(await ask('GET', `/people/${personId}/interactions`));
    t.same(more, []);
    t.match(interaction, {
      supercaseBulkOperationId: operationId,
      caseId,
      loanId,
      channel: 'email',
      subject: 'disasterRelief',
      theme: 'opsServicing',
    });
    t.equal(interaction?.['status'], index === 1 || index === 3 ? 'failed' : 'attempted');
  }
  t.match(listOf(await ask('GET', `/people/${members[0]?.personId}/interactions`))[0], {
    content: { to: ['ada0@example.com'], contentText: 'Good morning, Ada0.' },
  });
  t.equal((await emitted(flooded)).filter((name) => name === 'interaction.blocked').length, 1);
  t.match(listOf(await ask('GET', `/interactions?supercaseBulkOperationId=${operationId}`)).length, 4);
});

test('a dry run counts the members, and a body with wrong values is refused before anything is sent', async (t) => {
  const { ask, template, supercase, members } = await openFlooded(t);
  await template({ subject: 'disasterRelief' });
  t.match(await ask('POST', `${supercase}/bulk/send?dryRun=true`, RELIEF), {
    status: 200,
    json: { data: { id: null, type: 'send', status: 'dryRun', total: 4 } },
  });
  t.match(await ask('POST', `${supercase}/bulk/send`, { subject: 'freeForm' }), { status: 400, json: { errors: [{ path: 'theme' }] } });
  t.match(await ask('POST', `${supercase}/bulk/send`, { subject: 'disasterRelief', theme: 'marketing' }), {
    status: 400,
    json: { errors: [{ path: 'theme' }] },
  });
  t.match(await ask('POST', `${supercase}/bulk/send`, { ...RELIEF, channel: 'text' }), {
    status: 400,
    json: { errors: [{ path: 'channel' }] },
  });
  t.match(await ask('POST', `${supercase}/bulk/send`, { ...RELIEF, populationIds: ['PO-AAAA-AAAA'] }), { status: 404 });
  for (const { personId } of members) t.same(listOf(await ask('GET', `/people/${personId}/interactions`)), []);
});

test('without a template every send fails and nothing is recorded', async (t) => {
  const { ask, supercase, members, done } = await openFlooded(t);
  const ordered = await ask('POST', `${supercase}/bulk/send`, RELIEF);
  t.match(await done(dataOf(ordered)['id']), {
    status: 'completedWithErrors',
    succeeded: 0,
    failed: 4,
    errors: [{ errorType: 'businessValidation' }],
  });
  t.same(listOf(await ask('GET', `/people/${members[0]?.personId}/interactions`)), []);
});
