import { test } from 'tap';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender, signedDocument } from '../http-lender.js';
import { loanBody } from '../../../actors/loan/setting.js';

interface LenderWithBorrower extends HttpLender {
  readonly personId: string;
  readonly contactId: string;
  readonly path: string;
}

const PHONE = {
  contactType: 'phone',
  label: 'personal',
  affiliation: 'self',
  status: 'primary',
  value: '+12025550143',
  receiveTextMessages: true,
  externalId: 'mobile',
};

async function openLenderWithBorrower(t: Parameters<typeof openHttpLender>[0]): Promise<LenderWithBorrower> {
  const lender = await openHttpLender(t);
  const personId = idOf(await lender.ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const contactId = idOf(await lender.ask('POST', `/people/${personId}/contacts?validate=false`, PHONE));
  return { ...lender, personId, contactId, path: `/people/${personId}/interactions` };
}

const faultsAt = (answer: { readonly json: Record<string, unknown> }): unknown[] =>
  ((answer.json['errors'] ?? []) as readonly { readonly path: string }[]).map(({ path }) => path);

test('a call made with another system is recorded and returned with all of its fields', async (t) => {
  const { ask, personId, contactId, path } = await openLenderWithBorrower(t);
  const recording = await signedDocument(ask, `/people/${personId}`);
  const made = await ask('POST', path, {
    channel: 'voice',
    subject: 'loanOverdueFirstNotice',
    contactExternalId: 'mobile',
    agentOutcome: 'voiceSpokeWithFirstParty',
    externalId: 'call-1',
    metaData: { campaign: 'spring' },
    content: {
      from: '+12025550100',
      to: '+12025550143',
      transcript: 'will pay on Friday',
      recordingDocumentId: recording,
      durationSeconds: 95,
    },
  });
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'interaction',
        channel: 'voice',
        direction: 'outbound',
        subject: 'loanOverdueFirstNotice',
        theme: 'opsCollDebt',
        status: 'attempted',
        statusDetails: null,
        agentOutcome: 'voiceSpokeWithFirstParty',
        personId,
        contactId,
        contactExternalId: 'mobile',
        loanId: null,
        loanIds: [],
        caseId: null,
        isExternal: true,
        isTransactional: false,
        sensitive: false,
        recordingAvailable: true,
        missedCall: false,
        content: { transcript: 'will pay on Friday', durationSeconds: 95 },
        borrower: { id: personId, object: 'person' },
        contact: { id: contactId, object: 'contact' },
        createdBy: { userType: 'api' },
        metaData: { campaign: 'spring' },
        lastTaskMeta: null,
        deletedAt: null,
        updatedAt: null,
      },
    },
  });
  const shown = dataOf(made);
  t.equal(shown['startedAt'], shown['createdAt'], 'it began with the call');
  t.not((shown['contact'] as { value: string }).value, '+12025550143', 'a write answers a token of the contact');
  const read = await ask('GET', `${path}/${String(shown['id'])}`);
  t.match(read, { status: 200, json: { data: { id: shown['id'], contact: { value: '+12025550143' } } } });
  t.match(await ask('GET', `/interactions/ext-call-1`), { json: { data: { id: shown['id'] } } }, 'by its external id');
  t.match(await ask('GET', `/interactions/${String(shown['id'])}/content`), {
    json: { data: { channel: 'voice', recordingUrl: `/people/${personId}/documents/${recording}/content` } },
  });
  t.match(await ask('POST', path, { channel: 'voice', externalId: 'call-1' }), { status: 409, json: { errorType: 'duplicate' } });
  t.strictSame(listOf(await ask('GET', '/events?eventType=communication.send')), [], 'a recorded message of others emits no event');
});

test('an interaction recorded for an earlier day has that day, in the zone of the company', async (t) => {
  const { ask, path } = await openLenderWithBorrower(t);
  t.match(await ask('POST', path, { channel: 'mail', startedAt: '2026-03-02' }), { json: { data: { startedAt: /^2026-03-02T/ } } });
  t.match(await ask('POST', path, { channel: 'mail', startedAt: '2026-03-02T10:00:00Z', endedAt: '2026-03-02T09:00:00Z' }), {
    status: 400,
    json: { errors: [{ path: 'endedAt' }] },
  });
});

test('values that contradict each other are refused, each by name', async (t) => {
  const { ask, path } = await openLenderWithBorrower(t);
  const refused = async (body: object, ...paths: string[]): Promise<void> => {
    const answer = await ask('POST', path, body);
    t.equal(answer.status, 400, JSON.stringify(body));
    t.strictSame(faultsAt(answer), paths, JSON.stringify(body));
  };
  await refused({ channel: 'fax' }, 'channel');
  await refused({ channel: 'email', subject: 'weather' }, 'subject');
  await refused({ channel: 'email', subject: 'failedSettlementService' }, 'subject');
  await refused({ channel: 'email', subject: 'freeForm' }, 'theme');
  await refused({ channel: 'email', subject: 'paymentFailed', theme: 'opsCollDebt' }, 'theme');
  await refused({ channel: 'email', theme: 'opsServicingNegativeCreditReportNotice' }, 'theme');
  await refused({ channel: 'email', theme: 'inbGeneral' }, 'theme');
  await refused({ channel: 'email', borrowerSelectedTheme: 'inbBug' }, 'borrowerSelectedTheme');
  await refused({ channel: 'email', statusDetails: 'emailBounced' }, 'statusDetails');
  await refused({ channel: 'email', status: 'failed', statusDetails: 'emailFailedToSend' }, 'statusDetails');
  await refused({ channel: 'voice', status: 'failed', statusDetails: 'voiceReceivedNoAgentsAvailable' }, 'statusDetails');
  await refused({ channel: 'email', agentOutcome: 'voiceSpokeWithFirstParty' }, 'agentOutcome');
  await refused({ channel: 'email', status: 'inProgress' }, 'status');
  await refused({ channel: 'email', status: 'scheduled' }, 'scheduledAtFrom');
  await refused({ channel: 'email', scheduledAtFrom: '2027-01-01T10:00:00Z' }, 'scheduledAtFrom');
  await refused({ channel: 'email', failureDescriptionShort: 'no such box' }, 'failureDescriptionShort');
  await refused({ channel: 'text', mailIsCertified: true }, 'mailIsCertified');
  await refused({ channel: 'text', isAutodialed: true }, 'isAutodialed');
  await refused({ channel: 'text', content: { transcript: 'words', to: ['one', 'two'] } }, 'content.transcript', 'content.to');
  await refused(
    { channel: 'mail', subject: 'freeForm', statusDetails: 'emailSent', isAutodialed: true },
    'theme',
    'statusDetails',
    'isAutodialed',
  );
});

test('the details that older clients send are read as the outcome of a connected call', async (t) => {
  const { ask, path } = await openLenderWithBorrower(t);
  t.match(await ask('POST', path, { channel: 'voice', statusDetails: 'voiceLeftVoicemail' }), {
    json: { data: { statusDetails: 'voiceConnected', agentOutcome: 'voiceLeftVoicemail' } },
  });
  t.match(await ask('POST', path, { channel: 'voice', statusDetails: 'voiceLeftVoicemail', agentOutcome: 'voicePickedHungUp' }), {
    status: 400,
    json: { errors: [{ path: 'statusDetails' }] },
  });
  t.match(await ask('POST', path, { channel: 'email', subject: 'locStatementGenerated' }), {
    json: { data: { subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true } },
  });
});

test('loans, cases, contacts and earlier interactions are those of the borrower', async (t) => {
  const { ask, company, personId, path } = await openLenderWithBorrower(t);
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'Installments' }));
  const loanId = idOf(await ask('POST', `/people/${personId}/loans`, { ...loanBody(loanTypeId), externalId: 'loan-1' }));
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  const first = await ask('POST', path, { channel: 'text', loanId: 'ext-loan-1', caseId });
  t.match(first, { json: { data: { loanId, loanIds: [loanId], caseId } } });
  const second = await ask('POST', path, { channel: 'text', previousInteractionId: idOf(first) });
  const third = await ask('POST', path, { channel: 'text', previousInteractionId: idOf(second) });
  t.strictSame(
    listOf(await ask('GET', `/interactions/${idOf(third)}/previous-interactions`)).map(({ id }) => id),
    [idOf(second), idOf(first)],
  );
  t.match(
    await ask('PUT', `${path}/${idOf(first)}`, { previousInteractionId: idOf(third) }),
    { status: 400, json: { errors: [{ path: 'previousInteractionId' }] } },
    'no loops',
  );
  const other = idOf(await ask('POST', '/people', { name: { firstName: 'Ben', lastName: 'Brown' } }));
  for (const [field, value] of Object.entries({ loanId, caseId, previousInteractionId: idOf(first), contactId: 'ext-mobile' })) {
    t.match(
      await ask('POST', `/people/${other}/interactions`, { channel: 'text', [field]: value }),
      { status: field === 'previousInteractionId' ? 400 : 404 },
      field,
    );
  }
  t.match(await ask('GET', `/people/${other}/interactions/${idOf(first)}`), { status: 404 });
  t.strictSame(
    listOf(await ask('GET', `/interactions?loanId=${loanId}`)).map(({ id }) => id),
    [idOf(first)],
  );
  t.strictSame(
    listOf(await ask('GET', `/interactions?caseId=${caseId}`)).map(({ id }) => id),
    [idOf(first)],
  );
});

test('a record of the caller’s own moves by the table of statuses and keeps channel, direction and borrower', async (t) => {
  const { ask, path } = await openLenderWithBorrower(t);
  const made = await ask('POST', path, { channel: 'email', theme: 'opsServicing', statusDetails: 'emailSent' });
  const one = `${path}/${idOf(made)}`;
  const failed = await ask('PUT', one, { status: 'failed', failureDescriptionShort: 'no such box' });
  t.match(
    failed,
    {
      status: 200,
      json: { data: { status: 'failed', statusDetails: null, failureDescriptionShort: 'no such box', agentOutcomeUpdatedAt: null } },
    },
    'a detail that no longer fits goes',
  );
  t.match(await ask('PUT', one, { status: 'succeeded', statusDetails: 'emailOpened' }), {
    json: { data: { status: 'succeeded', statusDetails: 'emailOpened', failureDescriptionShort: null } },
  });
  t.match(await ask('PUT', one, { status: 'scheduled' }), { status: 409, json: { errorType: 'invalidTransition' } });
  t.match(await ask('PUT', one, { status: 'canceled' }), { status: 409 });
  t.match(await ask('PUT', one, { channel: 'text', direction: 'inbound', personId: 'BO-AAAA-AAAA' }), {
    status: 400,
    json: { errors: [{ path: 'channel' }, { path: 'direction' }, { path: 'personId' }] },
  });
  t.match(await ask('PUT', one, { channel: 'email', metaData: { a: 'b' }, sensitive: true }), {
    json: { data: { metaData: { a: 'b' }, sensitive: true } },
  });
  t.match(await ask('PUT', `/interactions/${idOf(made)}`, { subject: 'freeForm', theme: 'opsCollDebt' }), {
    json: { data: { subject: 'freeForm', theme: 'opsCollDebt' } },
  });
  t.match(
    await ask('PUT', `/interactions/${idOf(made)}`, { subject: 'paymentFailed' }),
    { json: { data: { theme: 'opsServicing' } } },
    'a subject brings its theme',
  );
  t.match(await ask('DELETE', one), { status: 200 });
  t.match(await ask('GET', one), { status: 404 });
});

test('a disconnected number is noted on the contact', async (t) => {
  const { ask, personId, contactId, path } = await openLenderWithBorrower(t);
  const made = await ask('POST', path, { channel: 'voice', contactId });
  t.match(await ask('PUT', `${path}/${idOf(made)}`, { agentOutcome: 'voiceNumberDisconnected' }), { status: 200 });
  t.match(await ask('GET', `/people/${personId}/contacts/${contactId}`), {
    json: { data: { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected', lastDisconnectCheckDate: /^\d{4}-\d\d-\d\d$/ } } },
  });
});

test('a planned contact makes a task when its window begins, and ends with it', async (t) => {
  const { ask, h, company, contactId, path } = await openLenderWithBorrower(t);
  const wait = async (hours: number): Promise<void> => {
    h.nowMs += hours * 3_600_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  const at = (hours: number): string => new Date(h.nowMs + hours * 3_600_000).toISOString();
  const made = await ask('POST', path, { channel: 'voice', contactId, status: 'scheduled', scheduledAtFrom: at(2), scheduledAtTo: at(4) });
  t.match(made, { json: { data: { status: 'scheduled', startedAt: null } } });
  const calledOff = idOf(
    await ask('POST', path, { channel: 'voice', contactId, status: 'scheduled', scheduledAtFrom: at(2), scheduledAtTo: at(4) }),
  );
  t.match(await ask('POST', `/interactions/${calledOff}/cancel`), { json: { data: { status: 'canceled' } } });
  t.match(await ask('POST', `/interactions/${calledOff}/cancel`), { status: 409 });
  await wait(3);
  t.match(await ask('GET', `/interactions/${idOf(made)}`), {
    json: { data: { status: 'scheduled', lastTaskMeta: { taskType: 'makeScheduledCall', assignmentStatus: 'pending' } } },
  });
  await wait(2);
  t.match(await ask('GET', `/interactions/${idOf(made)}`), {
    json: { data: { status: 'canceled', lastTaskMeta: { assignmentStatus: 'canceled' } } },
  });
});

test('lists combine filters with AND and are sorted as requested', async (t) => {
  const { ask, path, contactId } = await openLenderWithBorrower(t);
  const call = idOf(
    await ask('POST', path, {
      channel: 'voice',
      contactId,
      theme: 'opsCollDebt',
      startedAt: '2026-03-01T10:00:00Z',
      content: { transcript: 'Asked about the FEE' },
    }),
  );
  const letter = idOf(
    await ask('POST', path, {
      channel: 'mail',
      subject: 'loanDetails',
      startedAt: '2026-03-02T10:00:00Z',
      sensitive: true,
      content: { contentHtml: '<p>A fee is due</p>' },
    }),
  );
  const text = idOf(
    await ask('POST', path, { channel: 'text', direction: 'inbound', theme: 'inbPayment', startedAt: '2026-03-03T10:00:00Z' }),
  );
  const missed = idOf(
    await ask('POST', path, {
      channel: 'voice',
      direction: 'inbound',
      status: 'failed',
      statusDetails: 'voiceReceivedNoAgentsAvailable',
      startedAt: '2026-03-04T10:00:00Z',
    }),
  );
  const found = async (query: string): Promise<unknown[]> => listOf(await ask('GET', `/interactions${query}`)).map(({ id }) => id);
  t.strictSame(await found(''), [missed, text, letter, call], 'the newest first');
  t.strictSame(await found('?sortBy=startedAt'), [call, letter, text, missed]);
  t.strictSame(await found('?channel=voice'), [missed, call]);
  t.strictSame(await found('?channel=voice&direction=outbound'), [call]);
  t.strictSame(await found('?direction=all'), [missed, text, letter, call]);
  t.strictSame(await found('?status=succeeded,failed'), [missed, text]);
  t.strictSame(await found('?status=null'), []);
  t.strictSame(await found('?statusDetails=voiceReceivedNoAgentsAvailable'), [missed]);
  t.strictSame(await found('?missedCall=true'), [missed]);
  t.strictSame(await found('?theme=inbPayment'), [text]);
  t.strictSame(await found('?subject=loanDetails'), [letter]);
  t.strictSame(await found('?isTransactional=true'), [letter]);
  t.strictSame(await found('?sensitive=true'), [letter]);
  t.strictSame(await found(`?contactId=${contactId}`), [call]);
  t.strictSame(await found('?contactId=ext-mobile'), [call]);
  t.strictSame(await found('?isExternal=false'), []);
  t.strictSame(await found('?startedAtAfter=2026-03-01T12:00:00Z&startedAtBefore=2026-03-03T00:00:00Z'), [letter]);
  t.strictSame(await found('?searchText=fee'), [letter, call]);
  t.strictSame(await found('?personId=null'), []);
  t.strictSame(await found('?limit=2'), [missed, text]);
  t.strictSame(await found(`?limit=2&startingAfter=${text}`), [letter, call]);
  t.match(
    listOf(await ask('GET', `${path}?includeContent=false`)).map(({ content }) => content),
    [null, null, null, null],
  );
  t.match(await ask('GET', '/interactions?sortBy=channel'), { status: 400 });
  t.match(await ask('GET', '/people/BO-AAAA-AAAA/interactions'), { status: 404 });
});

test('the searchable shape is flat, with all that was said as one text', async (t) => {
  const { ask, path } = await openLenderWithBorrower(t);
  const made = await ask('POST', `${path}?searchable=true`, {
    channel: 'email',
    theme: 'opsServicing',
    content: { subjectLine: 'Your loan', contentHtml: '<b>Hello</b>' },
  });
  t.match(made, { status: 200, json: { data: { object: 'interaction', text: /Your loan\n\s*Hello/ } } });
  t.notOk('content' in dataOf(made) || 'borrower' in dataOf(made));
});
