import { type Test, test } from 'tap';
import type { EventView } from '../../../actors/index.js';
import { hydrated } from '../../../gateway/routes/communications/hydrated.js';
import type { Session } from '../../../gateway/routing/route.js';
import { must } from '../../../engine/index.js';
import { ACCOUNT } from '../../actors/borrower/lender.js';
import { receiverFor } from '../receiver.js';
import { openWriting, type Writing } from './communicator/writing.js';
import { EQUIFAX, openCredit } from './credit-reporting/credit-over-http.js';
import { dataOf, type HttpLender, idOf, listOf, openHttpLender, signedDocument } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

type Data = Readonly<Record<string, unknown>>;

/** The newest event of the filter, with its object. */
async function carried({ ask }: Pick<HttpLender, 'ask'>, filter: string, key?: string): Promise<Data> {
  const [event] = listOf(await ask('GET', `/events?${filter}&limit=1`));
  const question = key === undefined ? {} : { key };
  return dataOf(await ask('GET', `/events/${String(event?.['id'])}?hydrate=true`, undefined, question));
}

test('events of credit reporting carry the status of the agency that they are about', async (t) => {
  const { ask, company, loan } = await openCredit(t);
  const creditAgencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, agencyName: 'innovis' }));
  const started = idOf(await ask('POST', `${loan}/credit-reporting`, { creditAgencyId, reportingStartDate: '2026-03-02' }));
  const event = await carried({ ask }, 'eventType=loan.creditreporting.created');
  t.match(event, { objectType: 'creditReportingStatus', objectId: started });
  t.same(event['hydrated'], dataOf(await ask('GET', `${loan}/credit-reporting/${started}`)));
});

test('events of an index rate carry the loan type', async (t) => {
  const { ask, company, h } = await openHttpLender(t);
  const { id } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const path = `/companies/${company}/loan-types/${id}`;
  const made = await ask('POST', `/loan-types/${id}/index-rates`, { annualRate: 0.08, startDate: '2026-03-02' });
  t.ok(made.status < 300, made.text);
  const event = await carried({ ask }, 'objectType=loanType');
  t.match(event, { eventType: 'indexrate.created', objectId: id });
  t.same(event['hydrated'], dataOf(await ask('GET', path)));
});

test('an event of autopay carries the plan that it is about, also when another one is in force', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const accounts = '/people/ext-ann-1/payment-instruments?force=true';
  const paymentInstrumentId = String(listOf(await ask('POST', accounts, { ...ACCOUNT, verified: true }))[0]?.['id']);
  const plan = { paymentInstrumentId, agreementDocumentId: await signedDocument(ask) };
  const first = await ask('POST', `${loan}/autopay`, plan);
  t.equal(first.status, 200, first.text);
  await ask('DELETE', `${loan}/autopay?cancelReason=canceledByBorrower`);
  const ended = listOf(await ask('GET', `${loan}/autopay/history`));
  const of = (id: string): Promise<Data> => carried({ ask }, `objectType=autopay&objectId=${id}`);
  t.same((await of(idOf(first)))['hydrated'], ended[0], 'while there is none');
  const second = await ask('POST', `${loan}/autopay`, plan);
  t.same((await of(idOf(first)))['hydrated'], ended[0]);
  t.same((await of(idOf(second)))['hydrated'], dataOf(await ask('GET', `${loan}/autopay`)));
});

/** A message of which there is an event, and readers of events. */
async function openMessage(
  t: Test,
): Promise<Writing & { readonly messageId: string; keyWith(...more: readonly string[]): Promise<string> }> {
  const writing = await openWriting(t);
  const { ask, send, template } = writing;
  await template();
  const sent = idOf(await send());
  const keyWith = async (...more: readonly string[]): Promise<string> => {
    const role = idOf(await ask('POST', '/roles', { alias: `Reader ${more.length}`, permissions: ['event:list', 'event:read', ...more] }));
    const auths = [{ authType: 'basic', authValueType: 'username', value: `reader-${more.length}` }];
    const user = { type: 'api', userName: `reader-${more.length}`, roleIds: [role], auths };
    const userId = idOf(await ask('POST', '/users', user));
    return String((await ask('POST', '/keys', { userId })).json['key']);
  };
  return { ...writing, messageId: sent, keyWith };
}

const OF_MESSAGE = 'eventType=communication.send';

test('events of a message carry it as its reader may see it', async (t) => {
  const writing = await openMessage(t);
  const { ask, messageId: sent, keyWith, personId } = writing;
  const event = await carried(writing, OF_MESSAGE);
  t.match(event, { objectType: 'interaction', objectId: sent, interactionId: sent });
  t.same(event['hydrated'], dataOf(await ask('GET', `/interactions/${sent}`)));
  t.match(event['hydrated'], { content: { subjectLine: /./ } });
  const [stranger, reader, trusted] = [
    await keyWith(),
    await keyWith('interaction:read'),
    await keyWith('interaction:read', 'interaction:read.sensitive'),
  ];
  t.match(await ask('PUT', `/people/${personId}/interactions/${sent}`, { sensitive: true }), { status: 200 });
  t.equal((await carried(writing, OF_MESSAGE, stranger))['hydrated'], null, 'who may not read interactions');
  t.match(await carried(writing, OF_MESSAGE, reader), { hydrated: { id: sent, content: null } }, 'who may not read sensitive ones');
  t.match(await carried(writing, OF_MESSAGE, trusted), { hydrated: { id: sent, content: { subjectLine: /./ } } });
});

test('a borrower is shown no message to agents', async (t) => {
  const { h, company, ask, personId, messageId: sent } = await openMessage(t);
  const permissions = new Set(['interaction:read']);
  const caller = { company, mode: 'test', permissions, userId: null } as const;
  const [event] = listOf(await ask('GET', `/events?${OF_MESSAGE}`)) as unknown as readonly EventView[];
  const at = must(event, 'an event');
  const path = `/people/${personId}/interactions`;
  const toAgents = idOf(await ask('POST', path, { channel: 'email', theme: 'agentNotification', content: { contentText: 'look' } }));
  const hidden = { ...at, objectId: toAgents, interactionId: toAgents };
  const portal = { until: 0, generation: 0, isShortLived: false, borrower: { personId, personExternalId: null } };
  const session: Session = { jti: 'a', userType: 'borrower', since: 0, ...portal };
  t.match(await hydrated({ engine: h.engine, caller }, hidden), { id: toAgents });
  t.match(await hydrated({ engine: h.engine, caller: { ...caller, session } }, at), { id: sent });
  t.equal(await hydrated({ engine: h.engine, caller: { ...caller, session } }, hidden), null);
});

test('a webhook gets messages as the user may read them who turned `hydrateData` on', async (t) => {
  const lender = await openWriting(t);
  const { ask, h, send, template } = lender;
  const receiver = await receiverFor(t);
  const webhook = { webhookType: 'direct', eventTypes: ['communication.send'], hydrateData: true };
  t.match(await ask('POST', '/webhooks', { ...webhook, webhookDirectDetails: { webhookUrl: receiver.url } }), { status: 200 });
  await h.webhooks.tick();
  await template();
  const sent = idOf(await send());
  const [received] = await receiver.calls(1);
  t.match(received?.event, { hydrated: { id: sent, object: 'interaction', content: { subjectLine: /./ } } });
});
