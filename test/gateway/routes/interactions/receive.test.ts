import { test } from 'tap';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';

const NUMBER = '+12025550143';

interface Inbox extends HttpLender {
  readonly personId: string;
  readonly phoneId: string;
  readonly emailId: string;
  text(contentText: string, more?: object): ReturnType<HttpLender['ask']>;
  /** Kinds of the open tasks. */
  tasks(): Promise<readonly unknown[]>;
}

async function openInbox(t: Parameters<typeof openHttpLender>[0]): Promise<Inbox> {
  const lender = await openHttpLender(t);
  const { ask, company } = lender;
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const contact = async (contactType: string, value: string): Promise<string> =>
    idOf(
      await ask('POST', `/people/${personId}/contacts?validate=false`, {
        contactType,
        label: 'personal',
        affiliation: 'self',
        status: 'primary',
        value,
        ...(contactType === 'phone' ? { receiveTextMessages: true } : {}),
      }),
    );
  return {
    ...lender,
    personId,
    phoneId: await contact('phone', NUMBER),
    emailId: await contact('email', 'ada@quimby.example'),
    text: (contentText, more = {}) =>
      ask('POST', '/communicator/receive', { channel: 'text', content: { from: NUMBER, contentText }, ...more }),
    tasks: async () => listOf(await ask('GET', `/companies/${company}/tasks`)).map(({ taskType }) => taskType),
  };
}

test('a text is attached to the one borrower with its number and makes a task', async (t) => {
  const { text, personId, phoneId, tasks, ask } = await openInbox(t);
  const came = await text('when is my payment due?');
  t.match(came, {
    status: 200,
    json: {
      data: {
        personId,
        contactId: phoneId,
        direction: 'inbound',
        isExternal: false,
        status: 'succeeded',
        subject: 'freeForm',
        theme: 'inbGeneral',
        previousInteractionId: null,
        content: { contentText: 'when is my payment due?' },
        lastTaskMeta: { taskType: 'replyToNewText', assignmentStatus: 'pending' },
      },
    },
  });
  t.strictSame(await tasks(), ['replyToNewText']);
  const next = await text('hello?');
  t.match(next, { json: { data: { previousInteractionId: idOf(came) } } }, 'it follows what was said last over the number');
  t.match(await ask('GET', `/people/${personId}/interactions`), { json: { total: 2 } });
});

test('an e-mail is matched whatever the case of its letters, a spaced number as well', async (t) => {
  const { ask, personId, emailId, phoneId } = await openInbox(t);
  t.match(
    await ask('POST', '/communicator/receive', { channel: 'email', content: { from: 'ADA@Quimby.example', subjectLine: 'A question' } }),
    { json: { data: { personId, contactId: emailId } } },
  );
  t.match(await ask('POST', '/communicator/receive', { channel: 'voice', content: { from: '+1 202 555 0143', voicemail: true } }), {
    json: { data: { personId, contactId: phoneId, lastTaskMeta: { taskType: 'reviewVoicemail' } } },
  });
});

test('a call outside of the company’s open hours is missed', async (t) => {
  const { ask, company, personId } = await openInbox(t);
  const call = (startedAt: string, more: object = {}): ReturnType<typeof ask> =>
    ask('POST', '/communicator/receive', { channel: 'voice', content: { from: NUMBER }, startedAt, ...more });
  const missed = { json: { data: { personId, status: 'attempted', statusDetails: 'voiceReceivedOutsideOpenHours', missedCall: true } } };
  const taken = { json: { data: { personId, status: 'succeeded', statusDetails: null, missedCall: false } } };
  // New York, in winter: five hours behind UTC.
  t.match(await call('2026-02-26T12:59:59Z'), missed, 'Thursday before eight');
  t.match(await call('2026-02-26T13:00:00Z'), taken);
  t.match(await call('2026-02-27T00:59:59Z'), taken);
  t.match(await call('2026-02-27T01:00:00Z'), missed, 'Thursday at eight in the evening');
  t.match(await call('2026-02-28T17:00:00Z'), missed, 'Saturday');
  t.match(await call('2026-02-28T17:00:00Z', { status: 'attempted', statusDetails: 'voiceConnected' }), {
    json: { data: { statusDetails: 'voiceConnected' } },
  });
  await ask('PUT', `/companies/${company}`, { config: { calendar: { businessHours: [{ weekday: 6, from: '09:00', to: '13:00' }] } } });
  t.match(await call('2026-02-28T17:00:00Z'), taken);
  t.match(await call('2026-02-26T15:00:00Z'), missed);
});

test('a number that accepts no contacts gets neither texts nor calls', async (t) => {
  const { ask, company, personId, text } = await openInbox(t);
  const number = { number: '+12025550110', channels: ['text', 'voice'], numberType: 'longCode', inboundEnabled: false };
  const id = idOf(await ask('POST', `/companies/${company}/sending-numbers`, number));
  const to = '+1 202 555 0110';
  const call = (): ReturnType<typeof ask> => ask('POST', '/communicator/receive', { channel: 'voice', content: { from: NUMBER, to } });
  const write = (): ReturnType<typeof ask> => text('hello', { content: { from: NUMBER, to, contentText: 'hello' } });
  t.match(await write(), { json: { data: { personId, status: 'failed', statusDetails: 'textLenderDisabledInboundTexts' } } });
  t.match(await call(), {
    json: { data: { personId, status: 'failed', statusDetails: 'voiceReceivedNoAgentsAvailable', missedCall: true } },
  });
  t.match(await text('hello'), { json: { data: { status: 'succeeded' } } }, 'another number does');
  await ask('PUT', `/companies/${company}/sending-numbers/${id}`, { inboundEnabled: true });
  t.match(await write(), { json: { data: { status: 'succeeded' } } });
  t.match(await call(), { json: { data: { status: 'succeeded' } } });
});

test('a message that matches no borrower or several is listed without a person', async (t) => {
  const { ask, text, tasks } = await openInbox(t);
  const unknown = await ask('POST', '/communicator/receive', {
    channel: 'text',
    content: { from: '+12025550199', contentText: 'who is this?' },
  });
  t.match(unknown, {
    status: 200,
    json: {
      data: {
        personId: null,
        contactId: null,
        borrower: null,
        status: 'failed',
        statusDetails: 'textConvoUnknownNumberRejected',
        content: { contentText: 'who is this?' },
        lastTaskMeta: { taskType: 'handleUnboundInboundInteraction' },
      },
    },
  });
  const mail = await ask('POST', '/communicator/receive', { channel: 'email', content: { from: 'stranger@quimby.example' } });
  t.match(mail, { json: { data: { personId: null, status: 'succeeded', statusDetails: null } } });
  const second = idOf(await ask('POST', '/people', { name: { firstName: 'Ben', lastName: 'Brown' } }));
  await ask('POST', `/people/${second}/contacts?validate=false`, {
    contactType: 'phone',
    label: 'home',
    affiliation: 'self',
    status: 'primary',
    value: NUMBER,
  });
  const shared = await text('hi');
  t.match(shared, { json: { data: { personId: null } } }, 'two have the number');
  t.strictSame(
    listOf(await ask('GET', '/interactions?personId=null'))
      .map(({ id }) => id)
      .sort(),
    [unknown, mail, shared].map(idOf).sort(),
  );
  t.strictSame(
    await tasks(),
    Array.from({ length: 3 }, () => 'handleUnboundInboundInteraction'),
  );
  t.match(
    await ask('GET', `/interactions/${idOf(unknown)}`),
    { json: { data: { content: { contentText: 'who is this?' } } } },
    'it is read by its id',
  );
  t.match(await ask('POST', '/communicator/receive', { channel: 'text', caseId: 'CS-AAAA-AAAA', content: { from: '+12025550199' } }), {
    status: 400,
    json: { errors: [{ path: 'caseId' }] },
  });
});

for (const keyword of [
  'STOP',
  'stopall',
  ' Unsubscribe. ',
  'CANCEL',
  'end',
  'QUIT',
  'Revoke',
  'opt-out',
  'OPTOUT',
  '"Stop" \u{1F6D1}',
  'please stop',
  'Stop texting me!',
  "Don't text me",
]) {
  test(`${keyword.trim()} stops texts to the number`, async (t) => {
    const { ask, text, personId, phoneId, tasks } = await openInbox(t);
    t.match(await text(keyword), { json: { data: { theme: 'inbOptOut', lastTaskMeta: null } } });
    t.match(await ask('GET', `/people/${personId}/contacts/${phoneId}`), { json: { data: { receiveTextMessages: false } } });
    t.match(
      listOf(await ask('GET', `/people/${personId}/consents`))
        .filter(({ source }) => source === 'borrower')
        .map(({ name, status }) => `${String(name)} ${String(status)}`),
      ['autodialedColl revoked', 'autodialedMarketing revoked'],
    );
    t.strictSame(await tasks(), [], 'nobody has to read it');
  });
}

test('STOP applies to the number under all labels of the borrower', async (t) => {
  const { ask, text, personId, phoneId } = await openInbox(t);
  const again = idOf(
    await ask('POST', `/people/${personId}/contacts`, {
      contactType: 'phone',
      label: 'home',
      affiliation: 'self',
      value: NUMBER,
      receiveTextMessages: true,
    }),
  );
  const other = idOf(
    await ask('POST', `/people/${personId}/contacts`, {
      contactType: 'phone',
      label: 'work',
      affiliation: 'self',
      value: '+12025550144',
      receiveTextMessages: true,
    }),
  );
  await text('STOP');
  const receives = async (id: string): Promise<unknown> =>
    dataOf(await ask('GET', `/people/${personId}/contacts/${id}`))['receiveTextMessages'];
  t.strictSame([await receives(phoneId), await receives(again), await receives(other)], [false, false, true]);
});

test('STOP from a number that two borrowers share stops texts to both', async (t) => {
  const { ask, text, personId, phoneId } = await openInbox(t);
  const second = idOf(await ask('POST', '/people', { name: { firstName: 'Ben', lastName: 'Brown' } }));
  const shared = idOf(
    await ask('POST', `/people/${second}/contacts`, {
      contactType: 'phone',
      label: 'personal',
      affiliation: 'self',
      value: NUMBER,
      receiveTextMessages: true,
    }),
  );
  t.match(await text('STOP'), { status: 200, json: { data: { personId: null } } }, 'nobody knows which of them');
  for (const [person, contact] of [
    [personId, phoneId],
    [second, shared],
  ]) {
    t.match(await ask('GET', `/people/${person}/contacts/${contact}`), { json: { data: { receiveTextMessages: false } } });
    t.match(
      listOf(await ask('GET', `/people/${person}/consents`)).find(({ name }) => name === 'autodialedColl'),
      { status: 'revoked', source: 'borrower' },
    );
  }
});

test('STOP of a borrower who is named stops the number that it came from, which others have, too', async (t) => {
  const { ask, text, personId, phoneId } = await openInbox(t);
  const second = idOf(await ask('POST', '/people', { name: { firstName: 'Ben', lastName: 'Brown' } }));
  const asSpouse = idOf(
    await ask('POST', `/people/${second}/contacts`, {
      contactType: 'phone',
      label: 'personal',
      affiliation: 'spouse',
      authorizedThirdParty: true,
      value: NUMBER,
      receiveTextMessages: true,
    }),
  );
  t.match(await text('STOP', { personId }), { json: { data: { personId, contactId: phoneId } } });
  t.match(await ask('GET', `/people/${personId}/contacts/${phoneId}`), { json: { data: { receiveTextMessages: false } } });
  t.match(await ask('GET', `/people/${second}/contacts/${asSpouse}`), { json: { data: { receiveTextMessages: false } } });
});

test('an agent who reads an opt-out without a keyword records it by the theme', async (t) => {
  const { ask, text, personId, phoneId } = await openInbox(t);
  const id = idOf(await text('i would rather not hear from you on this phone'));
  t.match(await ask('GET', `/people/${personId}/contacts/${phoneId}`), { json: { data: { receiveTextMessages: true } } });
  t.match(await ask('PUT', `/interactions/${id}`, { theme: 'inbOptOut' }), { status: 200, json: { data: { theme: 'inbOptOut' } } });
  t.match(await ask('GET', `/people/${personId}/contacts/${phoneId}`), { json: { data: { receiveTextMessages: false } } });
});

test('a number of somebody else is no longer one of the borrower', async (t) => {
  const { ask, personId, phoneId, emailId } = await openInbox(t);
  await ask('POST', `/people/${personId}/interactions`, {
    channel: 'voice',
    direction: 'inbound',
    theme: 'inbWrongParty',
    contactId: phoneId,
  });
  t.match(await ask('GET', `/people/${personId}/contacts/${phoneId}`), { json: { data: { valid: false } } });
  await ask('POST', '/communicator/receive', {
    channel: 'email',
    theme: 'inbWrongParty',
    subject: 'freeForm',
    content: { from: 'ada@quimby.example', contentText: 'I am not Ada.' },
  });
  t.match(await ask('GET', `/people/${personId}/contacts/${emailId}`), { json: { data: { valid: false } } });
});

test('START, UNSTOP and YES allow texts again; HELP and INFO change nothing', async (t) => {
  const { ask, text, personId, phoneId } = await openInbox(t);
  const receives = async (): Promise<unknown> => dataOf(await ask('GET', `/people/${personId}/contacts/${phoneId}`))['receiveTextMessages'];
  for (const keyword of ['START', 'unstop', 'Yes!']) {
    await text('STOP');
    t.equal(await receives(), false);
    t.match(await text(keyword), { json: { data: { theme: 'inbGeneral' } } });
    t.equal(await receives(), true, keyword);
  }
  for (const keyword of ['HELP', 'info']) t.match(await text(keyword), { status: 200, json: { data: { lastTaskMeta: null } } });
  t.equal(await receives(), true);
  t.match(
    await text('please stop sending me letters'),
    { json: { data: { lastTaskMeta: { taskType: 'replyToNewText' } } } },
    'a keyword within a sentence makes a task',
  );
  t.equal(await receives(), true);
});

test('an e-mail that unsubscribes ends marketing', async (t) => {
  const { ask, personId } = await openInbox(t);
  await ask('POST', '/communicator/receive', { channel: 'email', content: { from: 'ada@quimby.example', subjectLine: 'Unsubscribe' } });
  t.match(
    listOf(await ask('GET', `/people/${personId}/consents`)).find(({ name }) => name === 'emailMarketing'),
    { status: 'revoked', source: 'borrower' },
  );
});

test('a company that accepts no texts still applies STOP', async (t) => {
  const { ask, company, text, personId, phoneId, tasks } = await openInbox(t);
  t.match(await ask('PUT', `/companies/${company}`, { config: { communication: { inboundTextsEnabled: false } } }), {
    status: 200,
    json: { data: { config: { communication: { inboundTextsEnabled: false } } } },
  });
  t.match(await text('hello'), { json: { data: { status: 'failed', statusDetails: 'textLenderDisabledInboundTexts' } } });
  t.match(await text('STOP'), { json: { data: { status: 'failed' } } });
  t.match(await ask('GET', `/people/${personId}/contacts/${phoneId}`), { json: { data: { receiveTextMessages: false } } });
  t.strictSame(await tasks(), []);
});

test('named objects of the borrower are used, and unknown ones are refused', async (t) => {
  const { ask, personId } = await openInbox(t);
  t.match(
    await ask('POST', '/communicator/receive', {
      channel: 'chat',
      personId,
      content: { sessionId: 's1', messages: [{ text: 'hi' }] },
      theme: 'inbPayment',
      subject: 'freeForm',
      externalId: 'chat-1',
    }),
    { json: { data: { personId, theme: 'inbPayment', externalId: 'chat-1', lastTaskMeta: { taskType: 'replyToNewWebChat' } } } },
  );
  t.match(await ask('POST', '/communicator/receive', { channel: 'chat', personId }), {
    status: 400,
    json: { errors: [{ path: 'content' }] },
  });
  t.match(await ask('POST', '/communicator/receive', { channel: 'text', personId: 'BO-AAAA-AAAA', content: { contentText: 'hi' } }), {
    status: 404,
  });
  t.match(await ask('POST', '/communicator/receive', { channel: 'chat', personId, externalId: 'chat-1', content: {} }), { status: 409 });
});

test('a retry gets the same answer and records nothing', async (t) => {
  const { ask, personId } = await openInbox(t);
  const body = { channel: 'text', content: { from: NUMBER, contentText: 'hello' } };
  const headers = { 'Idempotency-Key': 'text-1' };
  const first = await ask('POST', '/communicator/receive', body, { headers });
  t.strictSame(idOf(await ask('POST', '/communicator/receive', body, { headers })), idOf(first));
  t.match(await ask('GET', `/people/${personId}/interactions`), { json: { total: 1 } });
});

test('mail to addresses that a company does not watch is dropped where it says so', async (t) => {
  const { ask, company, personId } = await openInbox(t);
  await ask('PUT', `/companies/${company}`, {
    communication: { email_inbound: { monitored_emails: ['Help@northwind.example'], reject_others: true } },
  });
  const mailTo = (...to: string[]): ReturnType<HttpLender['ask']> =>
    ask('POST', '/communicator/receive', { channel: 'email', content: { from: 'ada@quimby.example', to, subjectLine: 'A question' } });
  t.match(await mailTo('sales@northwind.example'), { status: 422, json: { errorType: 'ruleViolation' } });
  t.match(await ask('GET', '/interactions'), { json: { total: 0 } });
  t.match(await mailTo('help@northwind.example', 'sales@northwind.example'), { status: 200, json: { data: { personId } } });
});
