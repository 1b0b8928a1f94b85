import { test } from 'tap';
import { HOME, PHONE } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf } from './http-lender.js';
import { ANN, MORNING, NIGHT, openGuarded } from './guarded.js';

const ALLOWED = {
  result: true,
  blockReason: null,
  ruleId: null,
  ruleCode: null,
  doNotInteractId: null,
  description: null,
  sendAt: null,
  warnings: [],
};

test('can-interact: whether a contact may be made, and when it may', async (t) => {
  const { ask, check, loanId, phoneId } = await openGuarded(t);
  t.match(await check({ loanId }), { ...ALLOWED, contactId: phoneId, evaluatedAt: '2026-03-03T15:30:00.000Z' });
  t.match(await check({ startedAt: NIGHT }), {
    result: false,
    blockReason: 'complianceRule',
    ruleCode: 'US-TIME-COLL',
    ruleId: 'CR-USTM-CLL1',
    description: /08:00/,
    sendAt: '2026-03-04T13:00:00.000Z',
    contactId: phoneId,
  });
  t.match(await check({ startedAt: NIGHT, checkAtCompanyNoon: true }), { result: true });
  t.match(await check({ startedAt: NIGHT, direction: 'inbound', theme: 'inbGeneral' }), { result: true });
  t.match(
    await check({ channel: 'text', theme: undefined, subject: 'paymentConfirmation', startedAt: NIGHT }),
    { result: true },
    'it answers something',
  );
  t.match(await check({ isAutodialed: true }), { result: false, blockReason: 'noConsent', ruleCode: 'US-AUTODIAL', sendAt: null });
  await ask('PUT', `${ANN}/consents`, [
    { name: 'autodialedColl', status: 'consented' },
    { name: 'prerecordedColl', status: 'consented' },
  ]);
  t.match(await check({ isAutodialed: true }), { result: true });
  t.match(listOf(await ask('GET', `${ANN}/interactions`)), [], 'no interaction is made');
});

test('can-interact: the contact is named by an id, by its value, or by the rules of the channel', async (t) => {
  const { ask, check, phoneId } = await openGuarded(t);
  t.match(await check({ contactId: phoneId }), { contactId: phoneId });
  t.match(
    await check({ contactDetails: { contactType: 'phone', label: 'personal', value: '+1 202 555 0143' } }),
    { result: true, contactId: phoneId },
    'the same value is the same contact',
  );
  const contacts = async (): Promise<number> => listOf(await ask('GET', `${ANN}/contacts`)).length;
  const before = await contacts();
  const made = await check({ contactDetails: { contactType: 'phone', label: 'home', externalId: 'at-home', value: '+15185550143' } });
  t.match(made, { result: true, contactId: /^CT-/ });
  t.equal(await contacts(), before + 1, 'another value is a new contact');
  t.match(await check({ contactExternalId: 'at-home' }), { contactId: made['contactId'] });
  t.match(await check({ contactId: phoneId, channel: 'email' }), { result: false, blockReason: 'noContact', ruleId: null });
  t.match(await check({ channel: null, contactId: phoneId }), { result: true });
  await ask('PUT', `${ANN}/contacts/${phoneId}`, { valid: false });
  t.match(await check({ contactId: phoneId }), { result: false, blockReason: 'noContact', sendAt: null });
});

test('can-interact: bad requests name every fault, and unknown ids are answered 404', async (t) => {
  const { ask, phoneId } = await openGuarded(t);
  const wrong = async (body: object): Promise<unknown> => ask('POST', `${ANN}/can-interact`, body);
  t.match(await wrong({}), { status: 400, json: { errorType: 'validationError', errors: [{ path: 'channel' }] } });
  t.match(await wrong({ channel: 'voice' }), { status: 400, json: { errors: [{ path: 'subject' }] } });
  t.match(await wrong({ channel: 'voice', subject: 'freeForm' }), { status: 400, json: { errors: [{ path: 'theme' }] } });
  t.match(await wrong({ channel: 'voice', subject: 'failedSettlementService' }), { status: 400, json: { errors: [{ path: 'subject' }] } });
  t.match(await wrong({ channel: 'voice', subject: 'loanOverdueFirstNotice', theme: 'opsServicing' }), {
    status: 400,
    json: { errors: [{ path: 'theme' }] },
  });
  t.match(await wrong({ channel: 'voice', theme: 'opsCollDebt', loanId: 'LN-AAAA-1111' }), { status: 404 });
  t.match(await wrong({ channel: 'voice', theme: 'opsCollDebt', contactId: 'CT-AAAA-1111' }), { status: 404 });
  t.match(
    await wrong({
      channel: 'voice',
      theme: 'opsCollDebt',
      contactId: phoneId,
      contactDetails: { contactType: 'phone', label: 'home', value: '+15185550143' },
    }),
    { status: 400 },
  );
  t.match(await wrong({ channel: 'voice', theme: 'opsCollDebt', contactDetails: { contactType: 'phone', label: 'home', value: 'none' } }), {
    status: 400,
    json: { errors: [{ path: 'contactDetails.value' }] },
  });
  t.match(await ask('POST', '/people/BO-AAAA-1111/can-interact', { channel: 'voice', theme: 'opsCollDebt' }), { status: 404 });
});

test('can-interact: cases, blocks and earlier contacts count', async (t) => {
  const { ask, check, loanId } = await openGuarded(t);
  const caseId = idOf(await ask('POST', `${ANN}/cases`, { caseType: 'generic' }));
  const block = idOf(await ask('POST', `${ANN}/cases/${caseId}/do-not-interacts`, { channels: ['voice'], endDate: '2026-03-05' }));
  t.match(await check({}), {
    result: false,
    blockReason: 'doNotInteract',
    ruleId: null,
    doNotInteractId: block,
    sendAt: '2026-03-06T13:00:00.000Z',
  });
  t.match(await check({ channel: 'email' }), { result: true });
  await ask('DELETE', `${ANN}/cases/${caseId}/do-not-interacts/${block}`);
  t.match(await check({}), { result: true });
  for (const day of ['02-25', '02-26', '02-27', '02-28', '03-01', '03-02', '03-02']) {
    await ask('POST', `${ANN}/interactions`, {
      channel: 'voice',
      theme: 'opsCollDebt',
      loanId,
      startedAt: `2026-${day}T17:00:00Z`,
      status: 'succeeded',
    });
  }
  t.match(
    await check({ loanId }),
    { result: false, ruleCode: 'US-FREQ-7IN7', sendAt: '2026-03-04T13:00:00.000Z' },
    'seven calls in seven days',
  );
  const bankruptcy = idOf(await ask('POST', `${ANN}/cases`, { caseType: 'bankruptcy', courtCaseChapter: 'chapter7' }));
  t.match(await check({ loanId }), { result: false, ruleCode: 'US-BANKRUPTCY', sendAt: null });
  await ask('PUT', `${ANN}/cases/${bankruptcy}`, { status: 'canceled' });
  t.match(await check({ loanId }), { result: false, ruleCode: 'US-FREQ-7IN7' });
  await ask('POST', `${ANN}/cases`, { caseType: 'deceased' });
  t.match(await check({ loanId }), { result: false, blockReason: 'personStatus', ruleCode: 'US-DECEASED' });
});

test('can-interact: a call that the borrower requested is allowed at the requested time', async (t) => {
  const { ask, check, loanId } = await openGuarded(t);
  const said = async (body: object): Promise<string> =>
    idOf(await ask('POST', `${ANN}/interactions`, { channel: 'voice', theme: 'opsCollDebt', loanId, ...body }));
  const talk = await said({ startedAt: '2026-03-02T15:00:00Z', status: 'succeeded', agentOutcome: 'voiceSpokeWithFirstParty' });
  const window = { scheduledAtFrom: '2026-03-03T15:00:00Z', scheduledAtTo: '2026-03-03T17:00:00Z' };
  await said({ status: 'scheduled', ...window });
  t.match(await check({ loanId }), { result: false, ruleCode: 'US-FREQ-AFTERCALL' }, 'planned by the lender alone');
  await said({ status: 'scheduled', ...window, previousInteractionId: talk });
  t.match(await check({ loanId }), { result: true });
  t.match(await check({ loanId, startedAt: '2026-03-03T18:00:00Z' }), { result: false, ruleCode: 'US-FREQ-AFTERCALL' });
});

test('can-interact: a neighbor is asked once where the borrower is', async (t) => {
  const { ask, check, loanId } = await openGuarded(t);
  const neighbor = { ...PHONE, value: '+15185550177', status: 'additional', affiliation: 'neighbor' };
  const contactId = idOf(await ask('POST', `${ANN}/contacts`, neighbor));
  const locate = { theme: 'opsCollLocateBorrower', contactId, loanId };
  t.match(await check({ contactId, loanId }), { result: false, blockReason: 'noContact' });
  t.match(await check({ ...locate, channel: 'text' }), { result: false, blockReason: 'noContact' });
  t.match(await check(locate), { result: true, contactId });
  await ask('POST', `${ANN}/interactions`, {
    ...locate,
    channel: 'voice',
    startedAt: '2025-11-03T15:30:00Z',
    status: 'succeeded',
    agentOutcome: 'voiceSpokeWithThirdParty',
  });
  t.match(await check(locate), { result: false, blockReason: 'complianceRule', ruleCode: 'US-LOCATE' });
});

test('can-interact: the law of the capital is about debts more than thirty days past due', async (t) => {
  const { ask, check, loanId, phoneId, goTo } = await openGuarded(t);
  const anyhow = { channel: null, contactId: phoneId, loanId };
  t.match(await check(anyhow), { result: true }, 'a number of Washington, and a loan that is current');
  await goTo('2026-05-20');
  const startedAt = '2026-05-20T15:30:00Z';
  t.match(await check({ ...anyhow, startedAt }), { result: false, ruleCode: 'DC-FREQ' }, 'no consent to texts');
  await ask('PUT', `${ANN}/consents`, [{ name: 'electronicComms', status: 'consented' }]);
  t.match(await check({ ...anyhow, startedAt }), { result: true });
});

test('can-interact: a loan of the kind that is often a credit sale is too old for a suit after four years', async (t) => {
  const { ask, check, company, loanId, loanTypeId, phoneId, goTo } = await openGuarded(t);
  const home = listOf(await ask('GET', `${ANN}/contacts`)).find(({ contactType }) => contactType === 'address');
  const address = { ...HOME.address, city: 'Denver', state: 'CO', postalCode: '80202' };
  await ask('PUT', `${ANN}/contacts/${String(home?.['id'])}`, { address });
  await ask('PUT', `${ANN}/contacts/${phoneId}`, { value: '+13035550143' });
  await goTo('2026-05-20');
  const later = { loanId, startedAt: '2030-06-04T16:30:00Z' };
  t.match(await check(later), { result: true }, 'of a loan in writing, six years');
  t.match(await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { assetType: 'auto' }), { status: 200 });
  t.match(await check(later), { result: false, ruleCode: 'US-TIMEBARRED' });
});

test('can-interact: answers to the borrower are free in New York City', async (t) => {
  const { ask } = await openGuarded(t);
  const person = `/people/${idOf(await ask('POST', '/people', { name: { firstName: 'Cyd', lastName: 'Brook' } }))}`;
  await ask('POST', `${person}/contacts`, {
    ...HOME,
    address: { addressLine1: '1 Cedar Walk', city: 'New York', state: 'NY', postalCode: '10001' },
  });
  await ask('POST', `${person}/contacts`, { ...PHONE, value: '+12125550143' });
  const said = async (body: object): Promise<string> =>
    idOf(
      await ask('POST', `${person}/interactions`, { channel: 'email', startedAt: '2026-03-01T17:00:00Z', status: 'succeeded', ...body }),
    );
  const check = async (): Promise<unknown> =>
    dataOf(await ask('POST', `${person}/can-interact`, { channel: 'voice', theme: 'opsCollDebt', startedAt: MORNING }));
  const question = await said({ direction: 'inbound', theme: 'inbGeneral' });
  await said({ theme: 'opsCollDebt', previousInteractionId: question });
  await said({ theme: 'opsCollDebt' });
  t.match(await check(), { result: true });
  await said({ theme: 'opsCollDebt' });
  t.match(await check(), { result: false, ruleCode: 'NYC-FREQ', sendAt: '2026-03-08T12:00:00.000Z' });
});

test('can-interact: a contact that refers to an old question is not an answer to it', async (t) => {
  const { ask } = await openGuarded(t);
  const person = `/people/${idOf(await ask('POST', '/people', { name: { firstName: 'Cyd', lastName: 'Brook' } }))}`;
  await ask('POST', `${person}/contacts`, {
    ...HOME,
    address: { addressLine1: '1 Cedar Walk', city: 'New York', state: 'NY', postalCode: '10001' },
  });
  await ask('POST', `${person}/contacts`, { ...PHONE, value: '+12125550143' });
  const said = async (body: object): Promise<string> =>
    idOf(await ask('POST', `${person}/interactions`, { channel: 'email', status: 'succeeded', ...body }));
  const question = await said({ direction: 'inbound', theme: 'inbGeneral', startedAt: '2026-01-05T17:00:00Z' });
  for (const day of [1, 2]) await said({ theme: 'opsCollDebt', previousInteractionId: question, startedAt: `2026-03-0${day}T17:00:00Z` });
  t.match(dataOf(await ask('POST', `${person}/can-interact`, { channel: 'voice', theme: 'opsCollDebt', startedAt: MORNING })), {
    result: false,
    ruleCode: 'NYC-FREQ',
  });
});

test('can-interact: a bankruptcy that names its loans by external ids stays their collection', async (t) => {
  const { ask, check, loan, loanId } = await openGuarded(t);
  const { externalId } = dataOf(await ask('PUT', loan, { externalId: 'loan-in-court' }));
  t.equal(externalId, 'loan-in-court');
  await ask('POST', `${ANN}/cases`, { caseType: 'bankruptcy', courtCaseChapter: 'chapter7', loansIncluded: ['ext-loan-in-court'] });
  t.match(await check({ loanId }), { result: false, ruleCode: 'US-BANKRUPTCY' });
});

test('can-interact: a reassigned number gets no automatic calls and texts until the borrower consents again', async (t) => {
  const { ask, check, h, phoneId } = await openGuarded(t);
  await ask('PUT', `${ANN}/consents`, [
    { name: 'autodialedColl', status: 'consented' },
    { name: 'prerecordedColl', status: 'consented' },
    { name: 'electronicComms', status: 'consented' },
  ]);
  t.match(await check({ isAutodialed: true }), { result: true });
  h.nowMs += 3_600_000;
  t.match(
    await ask('POST', '/monitoring/hits', {
      personId: 'ext-ann-1',
      kind: 'phoneReassigned',
      externalReference: 'number-1',
      effectiveDate: '2026-03-01',
      details: {},
    }),
    { status: 200 },
  );
  t.match(await check({ isAutodialed: true }), { result: false, ruleCode: 'US-AUTODIAL' });
  t.match(await check({ channel: 'text' }), { result: false, ruleCode: 'US-TEXT-CONSENT' });
  t.match(await check({}), { result: true }, 'a person may dial it');
  h.nowMs += 3_600_000;
  for (const receiveTextMessages of [false, true]) await ask('PUT', `${ANN}/contacts/${phoneId}`, { receiveTextMessages });
  t.match(await check({ channel: 'text' }), { result: true });
});

test('can-interact: for a borrower with two homes both time zones count', async (t) => {
  const { ask, check } = await openGuarded(t);
  await ask('POST', `${ANN}/contacts`, {
    ...HOME,
    status: 'secondary',
    address: { addressLine1: '4 Palm Row', city: 'Fresno', state: 'CA', postalCode: '93701' },
  });
  t.match(await check({}), { result: false, ruleCode: 'US-TIME-COLL', sendAt: '2026-03-03T16:00:00.000Z' }, 'half past seven in Fresno');
});

test('can-interact: authorized users and people who left the loan are not collected from', async (t) => {
  const { ask, loan, loanId } = await openGuarded(t);
  const beside = async (number: string, relation: object): Promise<() => Promise<unknown>> => {
    const id = idOf(await ask('POST', '/people', { name: { firstName: 'Cyd', lastName: 'Brook' } }));
    await ask('POST', `/people/${id}/contacts`, HOME);
    await ask('POST', `/people/${id}/contacts`, { ...PHONE, value: number });
    t.match(await ask('POST', `${loan}/people`, { personId: id, ...relation }), { status: 201 });
    return async () =>
      dataOf(await ask('POST', `/people/${id}/can-interact`, { channel: 'voice', theme: 'opsCollDebt', startedAt: MORNING, loanId }));
  };
  const user = await beside('+15185550143', { loanRelationType: 'authorizedUser' });
  const coBorrower = await beside('+15185550144', { loanRelationType: 'coBorrower' });
  const former = await beside('+15185550145', { loanRelationType: 'coBorrower', startDate: '2025-01-01', endDate: '2026-02-01' });
  t.match(await user(), { result: false, blockReason: 'complianceRule', description: /does not have to pay/ });
  t.match(await coBorrower(), { result: true });
  t.match(await former(), { result: false, description: /does not have to pay/ });
});

test('can-interact: a loan that was charged off is not collected any more once it is paid', async (t) => {
  const { ask, check, loan, loanId, goTo } = await openGuarded(t);
  await goTo('2026-05-20');
  const { chargeOffAmount } = dataOf(await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'legal' }));
  const collect = { loanId, startedAt: '2026-05-20T15:30:00Z' };
  t.match(await check(collect), { result: true });
  t.match(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: chargeOffAmount, isExternal: true, status: 'succeeded' }), {
    status: 201,
  });
  t.match(dataOf(await ask('GET', loan)), { status: 'chargedOff' });
  t.match(await check(collect), { result: false, blockReason: 'complianceRule', description: /Nothing is owed/ });
  t.match(
    await check({ startedAt: collect.startedAt }),
    { result: false, blockReason: 'complianceRule' },
    'nor where the loan is left out',
  );
});

test('can-interact: a call with a date and no time happened on that date in the time zone of the borrower', async (t) => {
  const { ask } = await openGuarded(t);
  const person = `/people/${idOf(await ask('POST', '/people', { name: { firstName: 'Dee', lastName: 'Marsh' } }))}`;
  await ask('POST', `${person}/contacts`, {
    ...HOME,
    address: { addressLine1: '4 Palm Row', city: 'Fresno', state: 'CA', postalCode: '93701' },
  });
  await ask('POST', `${person}/contacts`, { ...PHONE, value: '+15595550143' });
  await ask('POST', `${person}/interactions`, {
    channel: 'voice',
    theme: 'opsCollDebt',
    startedAt: '2026-02-23',
    agentOutcome: 'voiceSpokeWithFirstParty',
  });
  const check = async (startedAt: string): Promise<unknown> =>
    dataOf(await ask('POST', `${person}/can-interact`, { channel: 'voice', theme: 'opsCollDebt', startedAt }));
  t.match(await check('2026-03-01T20:00:00Z'), { result: false, ruleCode: 'US-FREQ-AFTERCALL' }, 'the seventh day');
  t.match(await check('2026-03-02T20:00:00Z'), { result: true });
});

test('rules: listed with their parameters, and filtered by jurisdiction, kind, channel and theme', async (t) => {
  const { ask, company } = await openGuarded(t);
  const codes = async (query: string): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `/compliance/rules?limit=100${query}`)).map(({ code }) => code);
  t.equal((await codes('')).length, 55);
  t.strictSame(await codes('&jurisdiction=MA'), ['MA-VALIDATION', 'MA-FREQ', 'MA-RIGHTS']);
  t.strictSame(await codes('&kind=business'), ['BIZ-MAXDAY', 'BIZ-QUIET', 'BIZ-INTENSITY-LIGHT']);
  t.ok((await codes('&channel=text')).includes('US-TEXT-CONSENT'));
  t.notOk((await codes('&channel=mail')).includes('US-TEXT-CONSENT'));
  t.notOk((await codes('&theme=marketing')).includes('US-CEASE'));
  t.ok((await codes('&theme=marketing')).includes('US-BANKRUPTCY'), 'marketing also asks for money');
  t.match(await ask('GET', '/compliance/rules/CR-USTM-CLL1'), {
    status: 200,
    json: {
      data: {
        id: 'CR-USTM-CLL1',
        object: 'complianceRule',
        code: 'US-TIME-COLL',
        kind: 'timeOfDay',
        channels: ['voice', 'text', 'email', 'chat'],
        jurisdictions: ['US'],
        parameters: { from: '08:00', to: '21:00' },
        mutable: false,
        status: 'active',
        companyStatus: 'applied',
        codeDetails: { id: 'CO-USTM-CLL1', object: 'code' },
        basis: {
          binds: 'collectors',
          counts: [],
          readings: [{ citation: '12 CFR 1006.6(b)(1)(i)', readFrom: 'text', readOn: String, quote: String, address: String }],
        },
      },
    },
  });
  t.match(await ask('GET', '/compliance/rules/CR-AAAA-1111'), { status: 404 });
  t.equal(listOf(await ask('GET', `/companies/${company}/compliance/rules?limit=100`)).length, 55);
  t.match(await ask('GET', '/companies/CP-AAAA-1111/compliance/rules'), { status: 404 });
});

test('muting: a muted rule is evaluated and logged, and does not block; the law cannot be muted', async (t) => {
  const { ask, check, company } = await openGuarded(t);
  const rules = `/companies/${company}/compliance/rules`;
  const holiday = { startedAt: '2026-05-25T16:00:00Z' };
  t.match(await check(holiday), { result: false, ruleCode: 'US-HOLIDAY', sendAt: '2026-05-26T12:00:00.000Z' });
  t.match(await ask('POST', `${rules}/CR-USHL-DAYS/mute`, { reason: 'Agreed with the lender', until: '2026-06-30T00:00:00Z' }), {
    status: 200,
    json: {
      data: { code: 'US-HOLIDAY', companyStatus: 'muted', mutedUntil: '2026-06-30T00:00:00.000Z', muteReason: 'Agreed with the lender' },
    },
  });
  t.match(await check(holiday), { result: true, warnings: [/US-HOLIDAY/] });
  t.match(await check({ startedAt: '2026-09-07T16:00:00Z' }), { result: false, ruleCode: 'US-HOLIDAY' }, 'until then alone');
  const logged = listOf(await ask('GET', `/companies/${company}/compliance/decisions?ruleId=CR-USHL-DAYS&result=true`));
  t.match(
    logged,
    [{ result: true, ruleId: null, rules: [] }].map(({ rules: _none, ...row }) => row),
  );
  t.match(
    (logged[0]?.['rules'] as readonly object[]).find((rule) => (rule as { code: string }).code === 'US-HOLIDAY'),
    { blocks: true, muted: true },
  );
  t.match(await ask('POST', `${rules}/CR-USHL-DAYS/unmute`), {
    status: 200,
    json: { data: { companyStatus: 'applied', mutedUntil: null } },
  });
  t.match(await check(holiday), { result: false, ruleCode: 'US-HOLIDAY' });
  t.match(await ask('POST', `${rules}/CR-USTM-CLL1/mute`, { reason: 'No', until: '2026-06-30T00:00:00Z' }), { status: 400 });
  t.match(await ask('POST', `${rules}/CR-USHL-DAYS/mute`, { reason: 'Late', until: '2026-01-01T00:00:00Z' }), {
    status: 400,
    json: { errors: [{ path: 'until' }] },
  });
  t.match(await ask('POST', `${rules}/CR-USHL-DAYS/mute`, {}), { status: 400, json: { errors: [{ path: 'reason' }, { path: 'until' }] } });
  t.match(await ask('POST', `${rules}/CR-AAAA-1111/mute`, { reason: 'None', until: '2026-06-30T00:00:00Z' }), { status: 404 });
});

test('business rules: a company can stop more than the law does, and end it', async (t) => {
  const { ask, check, company } = await openGuarded(t);
  const path = `/companies/${company}/compliance/business-rules`;
  const body = {
    code: 'OWN-MORNING',
    name: 'No calls in the morning',
    channels: ['voice'],
    transactional: 'any',
    parameters: { type: 'hours', from: '12:00', to: '18:00' },
  };
  const made = await ask('POST', path, body);
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^CR-/,
        object: 'complianceRule',
        code: 'OWN-MORNING',
        kind: 'business',
        status: 'active',
        companyStatus: 'applied',
        createdAt: String,
      },
    },
  });
  const id = idOf(made);
  t.match(await check({}), {
    result: false,
    blockReason: 'businessRule',
    ruleId: id,
    ruleCode: 'OWN-MORNING',
    sendAt: '2026-03-03T17:00:00.000Z',
  });
  t.match(listOf(await ask('GET', path)), [{ id }]);
  t.match(await ask('GET', `${path}/${id}`), {
    status: 200,
    json: { data: { id, parameters: { type: 'hours', from: '12:00', to: '18:00' } } },
  });
  t.match(
    listOf(await ask('GET', `/companies/${company}/compliance/rules?kind=business&limit=100`)).map(({ code }) => code),
    ['BIZ-MAXDAY', 'BIZ-QUIET', 'BIZ-INTENSITY-LIGHT', 'OWN-MORNING'],
  );
  t.match(await ask('PUT', `${path}/${id}`, { parameters: { type: 'hours', from: '08:00', to: '18:00' } }), {
    status: 200,
    json: { data: { parameters: { from: '08:00' } } },
  });
  t.match(await check({}), { result: true });
  t.match(await check({ startedAt: NIGHT }), { ruleCode: 'US-TIME-COLL' }, 'it allows nothing that the law stops');
  t.match(await ask('PUT', `${path}/${id}`, { parameters: { type: 'never' } }), { status: 200 });
  t.match(await check({}), { result: false, blockReason: 'businessRule', sendAt: null });
  t.match(await ask('DELETE', `${path}/${id}`), { status: 200 });
  t.match(await check({}), { result: true });
  t.match(await ask('GET', `${path}/${id}`), { status: 200, json: { data: { status: 'inactive', effectiveTo: '2026-03-01' } } });
  t.match(await ask('POST', path, body), { status: 409 });
  t.match(
    await ask('POST', path, {
      ...body,
      code: 'US-TIME-COLL',
      jurisdictions: ['XX'],
      loanTypes: ['LT-AAAA-1111'],
      parameters: { type: 'hours', from: '12:00', to: '11:00' },
    }),
    {
      status: 400,
      json: { errors: [{ path: 'code' }, { path: 'jurisdictions[0]' }, { path: 'loanTypes[0]' }, { path: 'parameters.to' }] },
    },
  );
  t.match(await ask('GET', `${path}/CR-USHL-DAYS`), { status: 404 });
});

test('a check needs its permission', async (t) => {
  const { askWith, company } = await openGuarded(t);
  const body = { channel: 'voice', theme: 'opsCollDebt' };
  t.match(await askWith(['compliance:caninteract'], 'POST', `${ANN}/can-interact`, body), { status: 200 });
  t.match(await askWith(['compliance.rule:read'], 'POST', `${ANN}/can-interact`, body), { status: 403 });
  t.match(
    await askWith(['compliance.rule:read'], 'POST', `/companies/${company}/compliance/rules/CR-USHL-DAYS/mute`, {
      reason: 'No',
      until: '2026-06-30T00:00:00Z',
    }),
    { status: 403 },
  );
});
