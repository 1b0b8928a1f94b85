import { test } from 'tap';
import type { HttpAnswer } from '../../harness.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openWriting, type Writing } from './writing.js';

/** Opens a case whose workflow has one item that sends a message. */
async function openSending({ ask, personId }: Writing, item: object): Promise<{ readonly path: string; complete(): Promise<HttpAnswer> }> {
  const steps = [{ name: 'Write', items: [{ name: 'send', kind: 'sendMessage', ...item }] }];
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Letters', status: 'active', steps }));
  await ask('POST', '/case-types', { caseType: 'generic', name: 'Letters', workflowTypeId, status: 'active' });
  const cases = `/people/${personId}/cases`;
  const path = `${cases}/${idOf(await ask('POST', cases, { caseType: 'generic', status: 'processing' }))}`;
  const [step] = dataOf(await ask('GET', `${path}/workflow`))['steps'] as readonly { readonly items: readonly { readonly id: string }[] }[];
  return { path, complete: () => ask('PUT', `${path}/workflow/items/${String(step?.items[0]?.id)}`, { status: 'completed' }) };
}

test('an item of a workflow sends a message about its case, by its template or its subject', async (t) => {
  const writing = await openWriting(t);
  const { ask, personId, template } = writing;
  const templateId = await template({ subject: 'complaintAcknowledgement', channel: 'mail' });
  for (const [item, channel] of [
    [{ templateId }, 'mail'],
    [{ subject: 'complaintAcknowledgement' }, 'email'],
  ] as const) {
    if (channel === 'email') await template({ subject: 'complaintAcknowledgement' });
    const { path, complete } = await openSending(writing, item);
    const done = await complete();
    const caseId = path.split('/').at(-1);
    const [sent] = listOf(await ask('GET', `/people/${personId}/interactions?caseId=${String(caseId)}`));
    t.match(sent, { subject: 'complaintAcknowledgement', theme: 'opsServicing', channel, caseId, isExternal: false });
    t.match(done, {
      status: 200,
      json: { data: { status: 'completed', steps: [{ items: [{ status: 'completed', value: sent?.['id'] }] }] } },
    });
  }
});

test('an item whose message is stopped stays open, and what was stopped is recorded', async (t) => {
  const writing = await openWriting(t);
  const { ask, personId, template } = writing;
  await template({ subject: 'complaintAcknowledgement' });
  const { path, complete } = await openSending(writing, { subject: 'complaintAcknowledgement' });
  await ask('POST', `${path}/do-not-interacts`, { channels: ['email'] });
  t.match(await complete(), {
    status: 422,
    json: { errorType: 'businessValidation', blockReason: 'doNotInteract', interactionId: String },
  });
  t.match(listOf(await ask('GET', `/people/${personId}/interactions`)), [{ status: 'failed', statusDetails: 'blockedByComplianceGuard' }]);
  t.match(await ask('GET', `${path}/workflow`), { json: { data: { status: 'notStarted', steps: [{ items: [{ status: 'pending' }] }] } } });
});

test('an item without a template to send from says so, and records nothing', async (t) => {
  const writing = await openWriting(t);
  const { complete } = await openSending(writing, { subject: 'complaintAcknowledgement' });
  t.match(await complete(), { status: 422, json: { errorType: 'businessValidation' } });
  t.match(await writing.ask('GET', `/people/${writing.personId}/interactions`), { json: { count: 0 } });
});
