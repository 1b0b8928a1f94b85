import { test } from 'tap';
import { EMAIL, HOME } from '../../actors/borrower/lender.js';
import { idOf, listOf, openHttpLender } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';
import { bareId, DESCRIPTORS, makeTemplate } from './make-template.js';

const PREVIEW = '/communicator/preview';

test('a preview renders what a send would, from borrower, loan, case and context', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, loanTypeId } = lender;
  await ask('PUT', `/companies/${lender.company}`, {
    brandName: 'Northwind & Co',
    communication: { email_from: 'loans@northwind.example', text_from_number: '+12025550100' },
  });
  await ask('POST', `/companies/${lender.company}/app-domains`, { domain: 'pay.northwind.example', type: 'borrower' });
  await makeTemplate(
    lender,
    { subject: 'paymentFailed', channel: 'email' },
    {
      subjectLineTemplate: '{{ company.brandName }}:\t{{ loan.displayId }}',
      contentHtmlTemplate:
        '<p>{{ company.brandName }} {{ person.name.firstName }} {{ loan.atOrigination.amountFinanced | money }} ' +
        '{{ paymentAmount | money }} {{ today | date }} {{ portalUrl }} {{ gone }}</p>',
      contentTextTemplate: '{{ company.brandName }} {{ company.phone | phone }} {{ case.caseType }} {{ loans | length }}',
    },
  );
  const loanId = loan.split('/').at(-1) ?? '';
  const caseId = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic' }));
  const body = { channel: 'email', subject: 'paymentFailed', personId: 'ext-ann-1', loanId, caseId, context: { paymentAmount: '114.5' } };
  const said = {
    status: 200,
    json: {
      subjectLine: `Northwind & Co: ${loanId}`,
      contentHtml: '<p>Northwind &amp; Co Annabel $1,200.00 $114.50 March 2, 2026 https://pay.northwind.example </p>',
      contentText: 'Northwind & Co (202) 555-0100 generic 0',
    },
  };
  t.match(await ask('POST', PREVIEW, body), said);
  t.match(await ask('POST', PREVIEW, { ...body, personId: undefined }), said, 'the borrower is that of the loan');
  t.match(await ask('POST', PREVIEW, { ...body, loanIds: [loanId] }), { json: { contentText: /generic 1$/ } });
  t.match(
    await ask('POST', PREVIEW, { ...body, context: { company: { brandName: 'given' } } }),
    { json: { contentText: 'given  generic 0' } },
    'what is given overrides',
  );
  t.match(
    await ask('POST', PREVIEW, { channel: 'email', subject: 'paymentFailed' }),
    { status: 200, json: { subjectLine: 'Northwind & Co:' } },
    'of nobody',
  );
  await makeTemplate(
    lender,
    { subject: 'paymentFailed', channel: 'email', productId: loanTypeId },
    { subjectLineTemplate: 'of the product', contentHtmlTemplate: '<p>one</p><p>two</p>' },
  );
  t.match(await ask('POST', PREVIEW, body), { json: { subjectLine: 'of the product', contentText: 'one\ntwo' } });
  t.match(await ask('POST', PREVIEW, { ...body, loanId: undefined }), { json: { subjectLine: /^Northwind/ } });
  t.same(
    listOf(await ask('GET', '/events?limit=100')).filter(({ eventType }) => /communication|interaction/.test(String(eventType))),
    [],
  );
});

test('a preview of a missing, broken or disabled template is refused', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, created } = lender;
  const body = { channel: 'email', subject: 'paymentFailed', personId: 'ext-ann-1' };
  t.match(await ask('POST', PREVIEW, body), { status: 404, json: { errorType: 'notFound' } });
  const id = bareId(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'email' }));
  t.match(await ask('POST', PREVIEW, body), { status: 422, json: { blockReason: 'templateMissing' } });
  const versionId = bareId(
    await ask('POST', `${DESCRIPTORS}/${id}/versions`, { subjectLineTemplate: 'draft', contentHtmlTemplate: '\n{{ "x" | money }}' }),
  );
  t.match(await ask('POST', PREVIEW, { ...body, overrideTemplateId: id }), { status: 422, json: { blockReason: 'templateMissing' } });
  t.match(await ask('POST', PREVIEW, { ...body, overrideTemplateId: versionId }), {
    status: 422,
    json: { blockReason: 'templateError', errors: [{ path: 'contentHtmlTemplate', message: /^line 2: / }] },
  });
  await ask('PUT', `${DESCRIPTORS}/${id}/versions/${versionId}`, { contentHtmlTemplate: 'x' });
  t.match(
    await ask('POST', PREVIEW, { ...body, overrideTemplateId: versionId }),
    { status: 200, json: { subjectLine: 'draft' } },
    'a draft is seen before it is in use',
  );
  t.match(await ask('POST', PREVIEW, { ...body, channel: 'text', overrideTemplateId: versionId }), {
    status: 400,
    json: { errors: [{ path: 'overrideTemplateId' }] },
  });
  t.match(await ask('POST', PREVIEW, { ...body, overrideTemplateId: 'TV-AAAA-AAAA' }), { status: 404 });
  await ask('PUT', `${DESCRIPTORS}/${id}`, { enabled: false, activeVersionId: versionId });
  t.match(await ask('POST', PREVIEW, body), { status: 422, json: { blockReason: 'templateDisabled' } });
  await ask('PUT', `${DESCRIPTORS}/${id}`, { enabled: true });
  for (const [wrong, status] of [
    [{ subject: 'nothing' }, 400],
    [{ subject: 'failedSettlementService' }, 400],
    [{ channel: 'fax' }, 400],
    [{ theme: 'opsCollDebt' }, 400],
    [{ subject: 'custom1' }, 400],
    [{ loanId: 'LN-AAAA-AAAA' }, 404],
    [{ caseId: 'CA-AAAA-AAAA' }, 404],
    [{ personId: 'BO-AAAA-AAAA' }, 404],
    [{ statementId: 'SM-AAAA-AAAA' }, 404],
  ] as const) {
    t.match(await ask('POST', PREVIEW, { ...body, ...wrong }), { status }, JSON.stringify(wrong));
  }
  const other = idOf(await ask('POST', '/people', { name: { firstName: 'Otto', lastName: 'Berg' } }));
  const loanId = (await created()).split('/').at(-1);
  t.match(await ask('POST', PREVIEW, { ...body, personId: other, loanId }), { status: 404 }, 'the loan of another borrower');
});

test('the branded frame holds the agent’s text, cleaned', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = '/communicator/preview-free-form-email';
  t.match(await ask('POST', path, { contentPlain: 'x' }), { status: 404 });
  await makeTemplate(
    lender,
    { subject: 'freeFormBranded', channel: 'email' },
    {
      subjectLineTemplate: '{{ subjectLine }}',
      contentHtmlTemplate: '<div>{{ contentHtml }}</div>',
      contentTextTemplate: '{{ contentPlain }}',
    },
  );
  const dirty =
    '<p onclick="steal()">Hello <b>you</b> <a href="javascript:steal()">here</a>' +
    '<a href="https://a.example/?a=1&amp;b=2">there</a></p><script>steal()</script>' +
    '<form action="/x"><input></form><link rel="stylesheet" href="//x"><style>p{}</style>';
  t.match((await ask('POST', path, { subjectLine: 'Hi\r\nBcc: all', contentHtml: dirty })).json, {
    subjectLine: 'Hi Bcc: all',
    contentHtml: '<div><p>Hello <b>you</b> <a>here</a><a href="https://a.example/?a=1&amp;b=2">there</a></p></div>',
    contentText: 'Hello you herethere',
  });
  t.match((await ask('POST', path, { subjectLine: 'Hi', contentPlain: 'One <b>\ntwo\n\nthree' })).json, {
    contentHtml: '<div><p>One &lt;b&gt;<br>two</p>\n<p>three</p></div>',
    contentText: 'One <b>\ntwo\n\nthree',
  });
  t.match(await ask('POST', path, { subjectLine: 'Hi' }), { status: 400, json: { errors: [{ path: 'contentHtml' }] } });
});

test('an address that a value makes of a template runs nothing, in previews and renderings alike', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const content = { contentHtmlTemplate: '<p><a href="{{ x }}">pay</a></p>' };
  await makeTemplate(lender, { subject: 'custom1', channel: 'mail' }, content);
  for (const x of [
    'javascript:steal()',
    'JaVaScRiPt:steal()',
    ' javascript:steal()',
    'java\tscript:steal()',
    'data:text/html,<script>steal()</script>',
  ]) {
    const { text } = await ask('POST', '/communicator/render', { subject: 'custom1', channel: 'mail', context: { x } });
    t.notMatch(text, /href/, x);
    t.match(text, />pay</);
  }
  const { text } = await ask('POST', '/communicator/render', {
    subject: 'custom1',
    channel: 'mail',
    context: { x: 'https://pay.example/?a=1&b=2' },
  });
  t.match(text, 'href="https://pay.example/?a=1&amp;b=2"');
});

test('a template is rendered by its subject as text, HTML and pages', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  await makeTemplate(lender, { subject: 'letterHeader', channel: null }, { contentHtmlTemplate: '<h1>{{ company.name }}</h1>' });
  await makeTemplate(
    lender,
    { subject: 'custom1', channel: 'mail' },
    { contentHtmlTemplate: '{% include "letterHeader" %}<p>Dear {{ name }},</p><ul><li>one</li></ul>' },
  );
  await makeTemplate(lender, { subject: 'custom1', channel: 'text', language: 'es' }, { contentTextTemplate: 'Hola {{ name }} <' });
  const path = '/communicator/render';
  const html = await ask('POST', path, { subject: 'custom1', channel: 'mail', context: { name: '<Ann>' } });
  t.match(html.headers, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': /sandbox/ });
  t.match(html.text, /^<h1>.+<\/h1><p>Dear &lt;Ann&gt;,<\/p>/);
  const text = await ask('POST', `${path}?fmt=text`, { subject: 'custom1', channel: 'mail', context: { name: 'Ann' } });
  t.match(text.headers['content-type'], 'text/plain');
  t.match(text.text, /\nDear Ann,\n- one$/);
  t.equal(
    (await ask('POST', `${path}?fmt=html`, { subject: 'custom1', channel: 'text', language: 'es', context: { name: 'Ana' } })).text,
    '<p>Hola Ana &lt;</p>',
  );
  const pdf = await ask('POST', `${path}?fmt=pdf`, { subject: 'custom1', channel: 'mail' });
  t.match(pdf, { status: 200, headers: { 'content-type': 'application/pdf' } });
  t.match(pdf.text, /^%PDF-/);
  t.match(await ask('POST', `${path}?fmt=pdf`, { subject: 'custom1', channel: 'text', language: 'es' }), {
    status: 400,
    json: { errors: [{ path: 'fmt' }] },
  });
  t.match(await ask('POST', `${path}?fmt=png`, { subject: 'custom1' }), { status: 400 });
  t.match(await ask('POST', path, { subject: 'custom1', channel: 'email' }), { status: 404 });
});

test('the variables of a subject are listed', async (t) => {
  const { ask } = await openHttpLender(t);
  for (const [subject, ...wanted] of [
    ['paymentFailed', 'company', 'person', 'loan', 'today', 'paymentAmount', 'failureReason'],
    ['dueDatesChanged', 'schedule'],
    ['creditLimitChanged', 'creditLimitAmount'],
    ['futurepayCanceled', 'paymentAmount'],
    ['paymentRescheduled', 'paymentAmount', 'newPaymentDate'],
    ['paymentReversed', 'paymentAmount'],
    ['reimbursementFailed', 'paymentAmount', 'failureReason', 'failureReasonCode'],
    ['statementGenerated', 'minimumDueAmount', 'note'],
  ] as const) {
    const [row] = listOf(await ask('GET', `/communicator/template-variables?subject=${subject}`));
    t.match(row, { subject });
    const names = (row?.['variables'] as readonly { readonly name: string }[]).map(({ name }) => name);
    for (const name of wanted) t.ok(names.includes(name), `${subject}: ${name}`);
  }
  t.ok(listOf(await ask('GET', '/communicator/template-variables')).length > 100);
  t.match(await ask('GET', '/communicator/template-variables?subject=No%20subject'), { status: 400 });
});

test('a template shows no identity, no service id and nothing of another company', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask } = lender;
  await ask('POST', '/people/ext-ann-1/contacts?validate=false', EMAIL);
  await ask('POST', '/people/ext-ann-1/contacts?validate=false', HOME);
  await makeTemplate(
    lender,
    { subject: 'custom2', channel: 'email' },
    { subjectLineTemplate: '{{ contact.value }}', contentHtmlTemplate: '{{ unsubscribeUrl }}' },
  );
  const custom2 = { channel: 'email', subject: 'custom2', theme: 'opsServicing', personId: 'ext-ann-1' };
  t.match(
    (await ask('POST', PREVIEW, custom2)).json,
    { subjectLine: /^annabel\.quimby@example\.com$/i, contentHtml: '' },
    'the contact that a send would choose',
  );
  await ask('POST', `/companies/${lender.company}/app-domains`, { domain: 'pay.northwind.example', type: 'borrower' });
  t.match((await ask('POST', PREVIEW, custom2)).json, { contentHtml: /^https:\/\/pay\.northwind\.example\/unsubscribe\?contactId=CT-/ });
  await makeTemplate(
    lender,
    { subject: 'custom1', channel: 'email' },
    {
      subjectLineTemplate: 'x',
      contentHtmlTemplate:
        '{{ person.identities }}{{ person.user }}{{ company.tokenizationKeyId }}{{ company.bankruptcyServiceId }}' +
        '{{ company.communication }}{{ person.constructor }}{{ company.metaData }}|{% for pair in company %}{{ pair[0] }} {% endfor %}',
    },
  );
  const { contentHtml } = (
    await ask('POST', PREVIEW, { channel: 'email', subject: 'custom1', theme: 'opsServicing', personId: 'ext-ann-1' })
  ).json;
  t.match(contentHtml, /^\|id object legalName /);
  t.notMatch(contentHtml, /ServiceId|tokenization|metaData|communication/);
});

test('a document is made of a template in one step', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan } = lender;
  const loanId = loan.split('/').at(-1) ?? '';
  const { path, versionId } = await makeTemplate(
    lender,
    { subject: 'termsLetter', channel: 'document' },
    { contentHtmlTemplate: '<h1>{{ company.name }}</h1><p>Dear {{ person.name.firstName }}, {{ loan.displayId }} {{ note }}</p>' },
  );
  const documents = '/people/ext-ann-1/documents';
  const made = await ask('POST', documents, {
    type: 'other',
    templateVersionId: versionId,
    loanId,
    context: { note: 'hello' },
    fileName: 'terms.pdf',
  });
  t.match(made, {
    status: 200,
    json: {
      templateVersionId: versionId,
      loanId,
      autogenerated: true,
      contentType: 'application/pdf',
      fileName: 'terms.pdf',
      contentId: /./,
      status: 'draft',
    },
  });
  const content = await ask('GET', `${documents}/${bareId(made)}/content`);
  t.match(content, { status: 200, headers: { 'content-type': 'application/pdf' } });
  t.match(content.text, /^%PDF-/);
  const keyed = { headers: { 'Idempotency-Key': 'letter-1' } };
  const first = await ask('POST', documents, { type: 'other', templateVersionId: versionId }, keyed);
  t.equal(
    bareId(await ask('POST', documents, { type: 'other', templateVersionId: versionId }, keyed)),
    bareId(first),
    'a retry makes no second one',
  );
  t.match(await ask('POST', documents, { type: 'other', templateVersionId: 'TV-NONE-NONE' }), {
    status: 400,
    json: { errors: [{ path: 'templateVersionId' }] },
  });
  const draft = bareId(await ask('POST', `${path}/versions`, { contentHtmlTemplate: '{{ "x" | money }}' }));
  t.match(await ask('POST', documents, { type: 'other', templateVersionId: draft }), { status: 422 });
  t.match(await ask('PUT', `${documents}/${bareId(first)}`, { templateVersionId: draft }), { status: 422 }, 'a draft can be deleted');
  await ask('POST', `${path}/versions/${draft}/activate`);
  t.match(await ask('POST', documents, { type: 'other', templateVersionId: draft }), {
    status: 422,
    json: { blockReason: 'templateError' },
  });
  const mail = await makeTemplate(lender, { subject: 'custom1', channel: 'text' }, { contentTextTemplate: 'x' });
  t.match(await ask('POST', documents, { type: 'other', templateVersionId: mail.versionId }), { status: 400 });
});
