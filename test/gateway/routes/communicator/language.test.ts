import { type Test, test } from 'tap';
import { ACCOUNT, ANN, EMAIL, HOME, PHONE } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender, signedDocument } from '../http-lender.js';
import { openLoanOverHttp, SMALL } from '../loan-over-http.js';
import { openWriting } from './writing.js';

const SPANISH = { subjectLineTemplate: 'Hola', contentHtmlTemplate: '<p>Hola, {{ person.name.firstName }}.</p>' };

test('a borrower is written to in their language where a template speaks it, and in English otherwise', async (t) => {
  const { ask, send, template, personId, wait } = await openWriting(t);
  await template();
  await template({ language: 'es' }, SPANISH);
  const person = `/people/${personId}`;
  const said = async (): Promise<unknown> => {
    await wait(86_400_000); // three messages a day are the most
    return dataOf(await send())['content'];
  };
  t.match(dataOf(await ask('GET', person)), { commPreferences: { language: null } });
  t.match(await said(), { subjectLine: 'Hello Annabel' });
  t.match(await ask('PUT', person, { commPreferences: { language: 'es' } }), {
    status: 200,
    json: { data: { commPreferences: { language: 'es', sendRemindersWhenCurrent: true } } },
  });
  t.match(await said(), { subjectLine: 'Hola' });
  t.match(await ask('POST', '/communicator/preview', { personId, subject: 'freeForm', theme: 'opsServicing', channel: 'email' }), {
    json: { subjectLine: 'Hola' },
  });
  await ask('PUT', person, { commPreferences: { language: 'fr' } });
  t.match(await said(), { subjectLine: 'Hello Annabel' }, 'nobody has written it in French');
  await ask('PUT', person, { commPreferences: { language: null } });
  t.match(await said(), { subjectLine: 'Hello Annabel' });
  t.match(await ask('PUT', person, { commPreferences: { language: 'Spanish' } }), {
    status: 400,
    json: { errors: [{ path: 'commPreferences.language' }] },
  });
});

test('a notice that the service sends by itself is in the language of the borrower', async (t) => {
  const { ask, h, company, loan } = await openLoanOverHttp(t, {}, SMALL);
  const asked = { mode: 'test', permissions: ['*'] } as const;
  for (const language of ['en', 'es']) {
    const { id } = await h.data(
      'templateDescriptor.create',
      company,
      { subject: 'paymentConfirmation', channel: 'email', language },
      asked,
    );
    const content = { subjectLineTemplate: language, contentHtmlTemplate: '<p>.</p>' };
    const version = await h.data('templateVersion.create', company, content, { ...asked, params: { descriptorId: id } });
    await h.data('templateVersion.activate', company, {}, { ...asked, params: { descriptorId: id, versionId: version.id } });
  }
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('PUT', '/people/ext-ann-1', { commPreferences: { language: 'es' } });
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 25 });
  for (let round = 0; round < 2; round += 1) {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  }
  const [notice] = listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=paymentConfirmation'));
  t.match(notice, { content: { subjectLine: 'es' } });
});

test('a new company has its templates in Spanish as well, each for the same channels, and none breaks a rule', async (t) => {
  const { ask } = await openHttpLender(t, undefined, { company: { withTemplates: true } });
  const descriptors: Record<string, unknown>[] = [];
  for (let startingAfter = ''; ; startingAfter = `&startingAfter=${String(descriptors.at(-1)?.['id'])}`) {
    const { json } = await ask('GET', `/communicator/templatedescriptors?limit=100${startingAfter}`);
    const page: typeof descriptors = Array.isArray(json) ? json : [];
    descriptors.push(...page);
    if (page.length < 100) break;
  }
  const of = (language: string): readonly string[] =>
    descriptors
      .filter((each) => each['language'] === language && each['subject'] !== 'caseEscalation')
      .map(({ subject, channel, sensitive, legallyRequired }) => [subject, channel, sensitive, legallyRequired].join(' '))
      .sort();
  t.ok(of('es').length > 100);
  t.same(of('es'), of('en'));
  const collecting = descriptors.filter(
    ({ language, subject }) => language === 'es' && /Overdue|Accelerated|ChargedOff/.test(String(subject)),
  );
  t.equal(collecting.length, 16);
  for (const { id, activeVersionId, subject, channel } of collecting) {
    const path = `/communicator/templatedescriptors/${String(id)}/versions/${String(activeVersionId)}/validate`;
    t.match(await ask('POST', path, {}), { status: 200, json: { valid: true, warnings: [] } }, `${String(subject)} ${String(channel)}`);
  }
});

test('a borrower who speaks Spanish gets notices of a debt collector in Spanish, with the legal words in Spanish', async (t) => {
  const { ask, goTo, loan } = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('POST', '/people/ext-ann-1/contacts', HOME);
  await ask('PUT', '/people/ext-ann-1', { commPreferences: { language: 'es' } });
  t.match(await ask('PUT', loan, { servicedBy: 'thirdPartyServicer' }), { status: 200 });
  await goTo('2026-03-10');
  await goTo('2026-03-17');
  const sent = async (subject: string): Promise<unknown> =>
    listOf(await ask('GET', `/people/ext-ann-1/interactions?subject=${subject}`))[0];
  t.match(await sent('paymentDueDateReminder'), {
    content: { subjectLine: 'Su pago vence pronto', contentHtml: /Hola, Annabel:.*\$109\.14 vence el 15 de marzo de 2026\./s },
  });
  t.match(await sent('loanOverdueFirstNotice'), {
    content: {
      subjectLine: 'Su pago está vencido',
      contentHtml:
        /un intento de cobrar una deuda, .* para ese fin\. Esta comunicación es de un cobrador de deudas\..*cancelar su suscripción/s,
    },
  });
  t.notMatch(await sent('loanOverdueFirstNotice'), { statusDetails: 'blockedByComplianceGuard' });
});

/** What a borrower of a language reads of a failed payment, a closed autopay plan and a loan, over the templates of a new company. */
async function codesRead(t: Test, language: string | null): Promise<(subject: string) => Promise<unknown>> {
  const { ask, h, company, loan } = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('PUT', '/people/ext-ann-1', { commPreferences: { language } });
  const account = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const paymentInstrumentId = String(listOf(account)[0]?.['id']);
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 25 });
  const failed = { status: 'failed', failureReason: 'insufficientFunds' };
  t.match(await ask('PUT', `${loan}/transactions/${idOf(paid)}`, failed), { status: 200 });
  t.match(await ask('POST', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: await signedDocument(ask) }), { status: 200 });
  t.match(await ask('DELETE', `${loan}/autopay?cancelReason=canceledByBorrower`), { status: 200 });
  for (let round = 0; round < 2; round += 1) {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  }
  return async (subject) => listOf(await ask('GET', `/people/ext-ann-1/interactions?subject=${subject}`))[0];
}

test('reasons and payment methods come in Spanish in a Spanish letter', async (t) => {
  const read = await codesRead(t, 'es');
  t.match(await read('paymentFailed'), {
    content: { contentHtml: /no se pudo hacer\. La cuenta no tenía fondos suficientes para el pago\./ },
  });
  t.match(await read('autopayEnabled'), { content: { contentHtml: /automáticamente de su cuenta bancaria que termina en 2233:/ } });
  t.match(await read('autopayCanceledBySystem'), { content: { contentHtml: /LN-\w{4}-\w{4}\. Usted los terminó\./ } });
});

test('they come in English to who has said no language, or one that nobody has written templates in', async (t) => {
  for (const language of [null, 'fr']) {
    const read = await codesRead(t, language);
    t.match(await read('paymentFailed'), { content: { contentHtml: /could not be made\. The account did not hold enough money/ } });
    t.match(await read('autopayEnabled'), { content: { contentHtml: /automatically from your bank account ending in 2233:/ } });
    t.match(await read('autopayCanceledBySystem'), { content: { contentHtml: /automatically\. You have ended them\./ } });
  }
});

test('a lender’s template asks for a code by its own name, and shows the status of the loan', async (t) => {
  const { ask, h, company, loan } = await openLoanOverHttp(t, {}, SMALL);
  const asked = { mode: 'test', permissions: ['*'] } as const;
  const { id } = await h.data('templateDescriptor.create', company, { subject: 'paymentFailed', channel: 'email', language: 'es' }, asked);
  const content = {
    subjectLineTemplate: '{% if failureReasonCode == "accountClosed" %}{{ failureReason }}{% endif %}',
    contentHtmlTemplate: '<p>{{ loanStatus }} {{ loanStatusCode }} {{ paymentMethod }}.</p>',
  };
  const version = await h.data('templateVersion.create', company, content, { ...asked, params: { descriptorId: id } });
  await h.data('templateVersion.activate', company, {}, { ...asked, params: { descriptorId: id, versionId: version.id } });
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('PUT', '/people/ext-ann-1', { commPreferences: { language: 'es' } });
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 25 });
  await ask('PUT', `${loan}/transactions/${idOf(paid)}`, { status: 'failed', failureReason: 'accountClosed' });
  for (let round = 0; round < 2; round += 1) {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  }
  const [notice] = listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=paymentFailed'));
  t.match(notice, { content: { subjectLine: 'La cuenta está cerrada.', contentHtml: '<p>activo active .</p>' } });
});

test('HELP is answered by the lender’s text, and STOP confirmed, from the templates of a new company', async (t) => {
  const { ask } = await openHttpLender(t, undefined, { company: { withTemplates: true } });
  const personId = idOf(await ask('POST', '/people', ANN));
  const contactId = idOf(await ask('POST', `/people/${personId}/contacts`, { ...PHONE, receiveTextMessages: true }));
  const text = async (word: string): Promise<string> =>
    idOf(await ask('POST', '/communicator/receive', { channel: 'text', personId, contactId, content: { contentText: word } }));
  const sent = async (): Promise<readonly Record<string, unknown>[]> =>
    listOf(await ask('GET', `/people/${personId}/interactions?direction=outbound`));
  const [help, info] = [await text('HELP'), await text('info')];
  t.match(await sent(), [
    { status: 'attempted', previousInteractionId: info, content: { contentText: /Reply STOP to end texts/ } },
    { status: 'attempted', previousInteractionId: help, isTransactional: true, contactId },
  ]);
  await text('STOP');
  t.match((await sent())[0], { subject: 'electronicConsentOptOut', content: { contentText: /no more texts/ } });
  await text('HELP');
  t.equal((await sent()).length, 4, 'who has stopped texts and asks for help gets one answer (12 CFR 1006.14(h)(2)(ii))');
});

test('an oral consent to electronic communication lets no disclosure go by e-mail; an electronic one does', async (t) => {
  const { ask } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', ANN));
  const contactId = idOf(await ask('POST', `/people/${personId}/contacts`, EMAIL));
  await ask('POST', `/people/${personId}/contacts`, HOME);
  const consents = `/people/${personId}/consents`;
  const screened = async (): Promise<Record<string, unknown>> =>
    dataOf(await ask('POST', `/people/${personId}/can-interact`, { channel: 'email', subject: 'statementGenerated', contactId }));
  const agree = async (medium: string | null): Promise<unknown> =>
    listOf(await ask('PUT', consents, [{ name: 'electronicComms', status: 'consented', source: 'borrower', medium }])).find(
      ({ name }) => name === 'electronicComms',
    );
  t.match(await agree('oral'), { status: 'consented', medium: 'oral' });
  t.match(await screened(), { result: false, ruleCode: 'US-ECONSENT' });
  t.match(await agree('eSign'), { status: 'consented', medium: 'eSign' });
  t.match(await screened(), { result: true });
  await ask('PUT', consents, [{ name: 'electronicComms', status: 'revoked' }]);
  t.match(
    listOf(await ask('GET', consents)).find(({ name }) => name === 'electronicComms'),
    { status: 'revoked', medium: null },
  );
  t.match(await ask('PUT', consents, [{ name: 'electronicComms', medium: 'shouted' }]), { status: 400 });
  await ask('PUT', consents, [{ name: 'autodialedMarketing', status: 'consented', source: 'borrower', medium: 'oral' }]);
  t.match(
    listOf(await ask('GET', consents)).find(({ name }) => name === 'autodialedMarketing'),
    { medium: 'oral' },
  );
  const phone = idOf(await ask('POST', `/people/${personId}/contacts`, { ...PHONE, receiveTextMessages: true }));
  const sold = { channel: 'text', subject: 'marketingMessage', contactId: phone };
  t.match(dataOf(await ask('POST', `/people/${personId}/can-interact`, sold)), { result: false, ruleCode: 'US-TEXT-MARKETING' });
});
