import { test } from 'tap';
import { PHONE } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { COLLECTING, openWriting, emitted } from './writing.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

test('a send records the message and its recipient, and the test mode reports delivery after five seconds', async (t) => {
  const writing = await openWriting(t);
  const { send, template, interaction, wait, contacts, personId, company, ask } = writing;
  const descriptorId = await template();
  const sent = await send({ metaData: { purpose: 'greeting' } });
  t.match(sent, {
    status: 200,
    json: {
      data: {
        object: 'interaction',
        channel: 'email',
        direction: 'outbound',
        subject: 'freeForm',
        theme: 'opsServicing',
        status: 'attempted',
        personId,
        contactId: contacts.email,
        isExternal: false,
        isTransactional: false,
        templateVersionId: /^TV-/,
        sendAt: null,
        metaData: { purpose: 'greeting' },
        content: {
          to: ['annabel.quimby@example.com'],
          subjectLine: 'Hello Annabel',
          contentHtml: '<p>Good morning, Annabel.</p>',
          contentText: 'Good morning, Annabel.',
        },
      },
    },
  });
  await wait(4 * SECOND);
  t.match(await interaction(idOf(sent)), { status: 'attempted' });
  await wait(2 * SECOND);
  t.match(await interaction(idOf(sent)), { status: 'succeeded', statusDetails: 'emailDelivered' });
  t.same(await emitted(writing), ['communication.send']);
  t.ok(descriptorId);
  t.match(listOf(await ask('GET', `/people/${personId}/interactions`)), [{ companyId: company }]);
});

test('the test mode simulates bounces, complaints and numbers that are no mobiles', async (t) => {
  const { send, template, interaction, wait, ask, personId } = await openWriting(t);
  await template();
  await template({ channel: 'text' });
  await template({ channel: 'mail' });
  const contact = async (body: object): Promise<string> =>
    idOf(await ask('POST', `/people/${personId}/contacts`, { label: 'personal', status: 'additional', ...body }));
  const bounces = await contact({ contactType: 'email', value: 'ann+bounce@example.com' });
  const complains = await contact({ contactType: 'email', value: 'ann+spam@example.com' });
  const landline = await contact({ contactType: 'phone', value: '+12025550001', receiveTextMessages: true });
  const rows = [
    [{ contactId: bounces }, { status: 'failed', statusDetails: 'emailBounced' }],
    [{ contactId: complains }, { status: 'failed', statusDetails: 'emailReportedAsSpam' }],
    [
      { channel: 'text', contactId: landline },
      { status: 'failed', statusDetails: 'textLandlineOrUnreachableCarrier' },
    ],
    [{ channel: 'text' }, { status: 'succeeded', statusDetails: null }],
    [{ channel: 'mail' }, { status: 'succeeded', statusDetails: 'letterDelivered' }],
  ] as const;
  const ids: string[] = [];
  for (const [body] of rows) {
    const sent = await send({ isTransactional: true, ...body });
    t.equal(sent.status, 200, JSON.stringify(sent.json));
    ids.push(idOf(sent));
  }
  await wait(6 * SECOND);
  for (const [index, [, expected]] of rows.entries()) t.match(await interaction(ids[index]), expected);
  t.match(dataOf(await ask('GET', `/people/${personId}/contacts/${bounces}`)), { valid: false });
  t.match(dataOf(await ask('GET', `/people/${personId}/contacts/${landline}`)), { receiveTextMessages: false });
});

test('a letter goes to the home and is addressed to it', async (t) => {
  const { send, template } = await openWriting(t);
  await template({ channel: 'mail' });
  t.match(await send({ channel: 'mail', mailIsCertified: true }), {
    status: 200,
    json: { data: { mailIsCertified: true, content: { address: '12 Larkspur Lane\nAlbany, NY 12207' } } },
  });
});

test('a subject with an implicit theme accepts no other, one without requires a theme, and retired values are refused', async (t) => {
  const { send } = await openWriting(t);
  for (const [body, path] of [
    [{ subject: 'paymentFailed', theme: 'opsCollDebt' }, 'theme'],
    [{ theme: null }, 'theme'],
    [{ theme: 'inbGeneral' }, 'theme'],
    [{ subject: 'failedSettlementService', theme: null }, 'subject'],
    [{ subject: 'nothingOfTheKind' }, 'subject'],
    [{ channel: 'voice' }, 'channel'],
    [{ channel: 'fax' }, 'channel'],
    [{ channel: 'text', attachments: ['DD-AAAA-AAAA'] }, 'attachments'],
    [{ attachments: ['DD-AAAA-AAAA'] }, 'attachments[0]'],
    [{ mailIsCertified: true }, 'mailIsCertified'],
    [{ contactId: 'CT-AAAA-AAAA' }, 'contactId'],
    [{ sendAt: '2028-03-02T12:00:00Z' }, 'sendAt'],
  ] as const)
    t.match(await send(body), { status: 400, json: { errors: [{ path }] } }, JSON.stringify(body));
});

test('unknown ids are answered 404', async (t) => {
  const { send, template } = await openWriting(t);
  await template();
  for (const body of [
    { personId: 'BO-AAAA-AAAA' },
    { loanId: 'LN-AAAA-AAAA' },
    { caseId: 'CS-AAAA-AAAA' },
    { contactExternalId: 'nobody' },
    { useTemplate: 'TV-AAAA-AAAA' },
    { previousInteractionId: 'IN-AAAA-AAAA' },
    { statementId: 'SM-AAAA-AAAA' },
  ]) {
    t.match(await send(body), { status: 404 }, JSON.stringify(body));
  }
});

test('a borrower without a usable contact is recorded as not reached, and the reply is 422', async (t) => {
  const writing = await openWriting(t);
  const { send, template, interaction, ask, personId, contacts } = writing;
  await template();
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { valid: false });
  const stopped = await send();
  t.match(stopped, {
    status: 422,
    json: {
      statusCode: 422,
      errorType: 'businessValidation',
      message: String,
      interactionId: /^IN-/,
      ruleId: null,
      blockReason: 'noContact',
      sendAt: null,
    },
  });
  t.match(await interaction(stopped.json['interactionId']), { status: 'failed', statusDetails: 'invalidContact' });
  t.match(await send({ contactId: contacts.email }), { status: 422, json: { blockReason: 'noContact' } });
});

test('a message goes to another number than one that a contact of the borrower knows as disconnected', async (t) => {
  const { send, ask, template, interaction, personId, contacts } = await openWriting(t);
  await template({ channel: 'text' });
  const other = { ...PHONE, status: 'additional', receiveTextMessages: true };
  const second = idOf(await ask('POST', `/people/${personId}/contacts`, { ...other, value: '+12025550144' }));
  const same = idOf(await ask('POST', `/people/${personId}/contacts`, { ...other, label: 'home' }));
  await ask('PUT', `/people/${personId}/contacts/${same}`, { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' } });
  const sent = await send({ channel: 'text', context: COLLECTING.context });
  t.match(sent, { status: 200 });
  t.match(await interaction(idOf(sent)), { contactId: second });
  const named = await send({ channel: 'text', contactId: contacts.phone, context: COLLECTING.context });
  t.match(named, { status: 422, json: { blockReason: 'noContact' } });
});

test('without a template nothing is recorded', async (t) => {
  const { send, template, ask, personId, h, company } = await openWriting(t);
  t.match(await send(), { status: 422, json: { blockReason: 'templateMissing', interactionId: null } });
  const id = await template();
  await h.data('templateDescriptor.update', company, { enabled: false }, { params: { descriptorId: id }, permissions: ['*'] });
  t.match(await send(), { status: 422, json: { blockReason: 'templateDisabled' } });
  t.match(await send({ useTemplate: id }), { status: 422, json: { blockReason: 'templateDisabled' } });
  await template({ channel: 'text' }, { contentTextTemplate: '{{ person | round }}' });
  t.match(await send({ channel: 'text' }), { status: 422, json: { blockReason: 'templateError', interactionId: null } });
  t.equal(listOf(await ask('GET', `/people/${personId}/interactions`)).length, 0);
});

test('a Do Not Interact stops the message, which is recorded with its events, and a retry gets the same answer', async (t) => {
  const writing = await openWriting(t);
  const { send, template, interaction, ask, personId } = writing;
  await template();
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  await ask('POST', `/people/${personId}/cases/${caseId}/do-not-interacts`, { channels: ['email'] });
  const keyed = { headers: { 'Idempotency-Key': 'once' } };
  const stopped = await send({}, keyed);
  t.match(stopped, { status: 422, json: { blockReason: 'doNotInteract', ruleId: null, interactionId: /^IN-/ } });
  t.match(await interaction(stopped.json['interactionId']), {
    status: 'failed',
    statusDetails: 'blockedByComplianceGuard',
    complianceGuardRuleId: null,
    content: null,
  });
  const again = await send({}, keyed);
  t.match(again, { status: 422, json: { interactionId: stopped.json['interactionId'] } });
  t.equal(listOf(await ask('GET', `/people/${personId}/interactions`)).length, 1);
  t.same([...(await emitted(writing))].sort(), ['communication.send', 'interaction.blocked']);
});

test('a message to agents is not screened, goes to the owners of the case, and never to the borrower', async (t) => {
  const { send, template, interaction, wait, ask, personId, contacts } = await openWriting(t);
  await template();
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'deceased' }));
  const own = { theme: 'agentNotification', caseId };
  const refused = await send({ theme: 'agentNotification', channel: 'text', contactId: contacts.email });
  t.match(refused, { status: 400, json: { errors: [{ path: 'channel' }, { path: 'contactId' }, { path: 'caseId' }] } });
  t.match(await send(own), { status: 422, json: { blockReason: 'noContact', interactionId: /^IN-/ } }, 'nobody has the case');
  const employee = async (name: string, teams: readonly string[]): Promise<string> => {
    const userId = idOf(
      await ask('POST', '/users', {
        type: 'agent',
        userName: name,
        auths: [{ authType: 'basic', authValueType: 'username', value: name }],
      }),
    );
    return idOf(await ask('POST', '/employees', { userId, firstName: name, email: `${name}@lender.example`, teams }));
  };
  const team = idOf(await ask('POST', '/teams', { name: 'Recoveries' }));
  const eve = await employee('eve', [team]);
  await employee('sam', [team]);
  t.match(await ask('PUT', `/people/${personId}/cases/${caseId}`, { owningEmployeeId: eve }), { status: 200 });
  const sent = await send(own);
  t.match(sent, { status: 200, json: { data: { status: 'attempted', contactId: null, content: { to: ['eve@lender.example'] } } } });
  t.match(
    await ask('POST', `/people/${personId}/cases/${caseId}/escalations`, { targetType: 'team', teamId: team, reason: 'twice as much' }),
    { status: 200 },
  );
  const later = await send({ ...own, sendAt: '2026-03-02T20:00:00.000Z' });
  t.match(later, { status: 200, json: { data: { status: 'scheduled', content: { to: ['eve@lender.example', 'sam@lender.example'] } } } });
  await wait(12 * HOUR);
  await wait(10 * SECOND);
  t.match(await interaction(idOf(later)), { status: 'succeeded', content: { to: ['eve@lender.example', 'sam@lender.example'] } });
});

test('a block that depends on the time names the next possible time', async (t) => {
  const { send, template, wait, interaction } = await openWriting(t);
  await template();
  await wait(12 * HOUR);
  const stopped = await send(COLLECTING);
  t.match(stopped, { status: 422, json: { blockReason: 'complianceRule', ruleId: /^CR-/, sendAt: '2026-03-03T13:00:00.000Z' } });
  t.match(await interaction(stopped.json['interactionId']), { complianceGuardRuleId: stopped.json['ruleId'] });
  t.match(
    await send({ ...COLLECTING, sendAt: stopped.json['sendAt'] }),
    { status: 200, json: { data: { status: 'scheduled', sendAt: '2026-03-03T13:00:00.000Z' } } },
    'judged as of its own moment',
  );
});

test('a scheduled message is sent at its moment, and screened again then', async (t) => {
  const writing = await openWriting(t);
  const { send, template, wait, interaction, ask, personId } = writing;
  await template();
  const later = await send({ sendAt: '2026-03-02T17:00:00Z' });
  const blocked = await send({ sendAt: '2026-03-02T20:00:00Z' });
  t.match(later, { status: 200, json: { data: { status: 'scheduled', startedAt: null } } });
  t.same(await emitted(writing), []);
  await wait(2 * HOUR + SECOND);
  t.match(await interaction(idOf(later)), { status: 'attempted', startedAt: /^2026-03-02T17:00/ });
  t.same(await emitted(writing), ['communication.send']);
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  await ask('POST', `/people/${personId}/cases/${caseId}/do-not-interacts`, {});
  await wait(3 * HOUR);
  t.match(await interaction(idOf(blocked)), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
  t.same([...(await emitted(writing))].sort(), ['communication.send', 'communication.send', 'interaction.blocked']);
});

test('a canceled scheduled message is not sent', async (t) => {
  const { send, template, wait, interaction, ask } = await openWriting(t);
  await template();
  const id = idOf(await send({ sendAt: '2026-03-02T17:00:00Z' }));
  t.match(await ask('POST', `/interactions/${id}/cancel`), { status: 200, json: { data: { status: 'canceled' } } });
  await wait(4 * HOUR);
  t.match(await interaction(id), { status: 'canceled' });
});

test('an external id is accepted once', async (t) => {
  const { send, template } = await openWriting(t);
  await template();
  t.match(await send({ interactionExternalId: 'msg-1' }), { status: 200, json: { data: { externalId: 'msg-1' } } });
  t.match(await send({ interactionExternalId: 'msg-1' }), { status: 409, json: { errorType: 'duplicate' } });
});

test('a message comes from the verified domain of its purpose, else from the company’s base setting', async (t) => {
  const { send, template, ask, company } = await openWriting(t);
  await template();
  await ask('PUT', `/companies/${company}`, { brandName: 'Northwind', communication: { email_from: 'loans@northwind.example' } });
  t.match(await send(), { json: { data: { content: { from: 'loans@northwind.example' } } } });
  const domain = idOf(
    await ask('POST', `/companies/${company}/sending-domains`, { domain: 'mail.northwind.example', fromLocalPart: 'hello' }),
  );
  t.match(await send(), { json: { data: { content: { from: 'loans@northwind.example' } } } }, 'it is not verified');
  await ask('POST', `/companies/${company}/sending-domains/${domain}/verify`);
  t.match(await send(), { json: { data: { content: { from: '"Northwind" <hello@mail.northwind.example>' } } } });
});

test('a text from a number that cannot send ends at once, and a contact keeps its number', async (t) => {
  const { send, template, ask, company, interaction, wait } = await openWriting(t);
  await template({ channel: 'text' });
  const number = async (body: object): Promise<string> =>
    idOf(await ask('POST', `/companies/${company}/sending-numbers`, { channels: ['text'], numberType: 'longCode', ...body }));
  const first = await number({ number: '+12025550111', isDefault: true });
  const text = (): ReturnType<typeof send> => send({ channel: 'text', isTransactional: true });
  t.match(await text(), {
    status: 200,
    json: { data: { status: 'failed', statusDetails: 'textA2PCampaignUnregistered', content: { from: '+12025550111' } } },
  });
  await ask('PUT', `/companies/${company}/sending-numbers/${first}`, { status: 'suspended', registrationStatus: 'registered' });
  t.match(await text(), { json: { data: { status: 'failed', statusDetails: 'textAccountSuspended' } } });
  await ask('PUT', `/companies/${company}/sending-numbers/${first}`, { status: 'active' });
  const sent = await text();
  t.match(sent, { json: { data: { status: 'attempted' } } });
  await number({ number: '+12025550112', registrationStatus: 'registered', isDefault: true });
  t.match(await text(), { json: { data: { content: { from: '+12025550111' } } } }, 'the number that the contact had last');
  await ask('PUT', `/companies/${company}/sending-numbers/${first}`, { stickySender: false });
  t.match(await text(), { json: { data: { content: { from: '+12025550112' } } } }, 'the default, since the other number is no longer kept');
  await wait(6 * SECOND);
  t.match(await interaction(idOf(sent)), { status: 'succeeded' });
});

test('a company sends fifty messages a second at most', async (t) => {
  const { send } = await openWriting(t);
  const answers = await Promise.all(Array.from({ length: 80 }, () => send({ personId: 'BO-AAAA-AAAA' })));
  const refused = answers.filter(({ status }) => status === 429);
  t.ok(refused.length >= 10, `${refused.length} were refused`);
  t.match(refused[0], { json: { errorType: 'rateLimited' }, headers: { 'retry-after': '1' } });
});
