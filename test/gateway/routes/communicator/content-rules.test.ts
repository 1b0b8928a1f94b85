import { type Test, test } from 'tap';
import { EMAIL, HOME } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';
import { bareId, bareList, DESCRIPTORS } from '../make-template.js';
import { openWriting } from './writing.js';

const DAY_MS = 86_400_000;
const OVERDUE = 'loanOverdueFirstNotice';
const FOOTER = '<p>{{ company.name }}. If you do not want these e-mails, unsubscribe.</p>';

test('every template that comes with a new company passes the rules, for every kind of recipient', async (t) => {
  const { ask } = await openHttpLender(t, undefined, { company: { withTemplates: true } });
  const descriptors: Record<string, unknown>[] = [];
  for (let page = bareList(await ask('GET', `${DESCRIPTORS}?limit=100`)); page.length > 0; ) {
    descriptors.push(...page);
    page = bareList(await ask('GET', `${DESCRIPTORS}?limit=100&startingAfter=${String(descriptors.at(-1)?.['id'])}`));
  }
  t.ok(descriptors.length > 80, `${descriptors.length} templates`);
  for (const { id, subject, channel, activeVersionId } of descriptors) {
    const validated = await ask('POST', `${DESCRIPTORS}/${String(id)}/versions/${String(activeVersionId)}/validate`);
    t.match(validated, { status: 200, json: { valid: true, errors: [] } }, `${String(subject)} by ${String(channel)}`);
    t.same(validated.json['warnings'], [], `${String(subject)} by ${String(channel)}`);
  }
});

/** A draft of a new descriptor. */
async function draft({ ask }: Pick<LoanOverHttp, 'ask'>, about: object, content: object): Promise<string> {
  const id = bareId(await ask('POST', DESCRIPTORS, about));
  return `${DESCRIPTORS}/${id}/versions/${bareId(await ask('POST', `${DESCRIPTORS}/${id}/versions`, content))}`;
}

test('a template that breaks a rule for everybody is not activated: the refusal names the rule and the missing words', async (t) => {
  const { ask } = await openHttpLender(t);
  const mail = { subjectLineTemplate: 'Overdue', contentHtmlTemplate: '<p>Please pay {{ overdueAmount | money }}.</p>' };
  const path = await draft({ ask }, { subject: OVERDUE, channel: 'email' }, mail);
  const refused = await ask('POST', `${path}/activate`);
  t.match(refused, {
    status: 422,
    json: {
      errorType: 'businessValidation',
      blockReason: 'complianceRule',
      ruleId: 'CR-USCL-PTUT',
      errors: [
        {
          path: 'contentHtmlTemplate',
          expected: /how the recipient ends such messages/,
          message: /US-OPTOUT-NOTICE: .*12 CFR 1006\.6\(e\)/,
        },
        { path: 'contentHtmlTemplate', expected: /the sender's name/, message: /US-SENDER/ },
      ],
    },
  });
  const validated = await ask('POST', `${path}/validate`);
  t.match(validated, { status: 200, json: { valid: false, errors: [{ message: /US-OPTOUT-NOTICE/ }, { message: /US-SENDER/ }] } });
  t.match(
    (validated.json['warnings'] as readonly object[]).find(
      (warning) => 'ruleCode' in warning && warning.ruleCode === 'US-DISCLOSURE-FIRST',
    ),
    { ruleId: 'CR-USMM-FRST', message: /attempt to collect a debt/, when: 'the first message of a debt collector' },
  );
  const lawful = { contentHtmlTemplate: `${mail.contentHtmlTemplate}${FOOTER}` };
  t.match(await ask('PUT', path, lawful), { status: 200 });
  t.match(await ask('POST', `${path}/activate`), { status: 200 });
  t.match(await ask('PUT', path, { contentHtmlTemplate: '<p>Pay.</p>' }), { status: 422 }, 'nor does an active one lose its words');
  t.match(await ask('PUT', path, { contentTextTemplate: 'Pay.' }), { status: 422 }, 'the plain text says the same as the HTML');
});

test('words that depend on the recipient are warnings, and free subjects have no others', async (t) => {
  const { ask } = await openHttpLender(t);
  const path = await draft({ ask }, { subject: 'custom1', channel: 'text' }, { contentTextTemplate: 'Hello' });
  t.match(await ask('POST', `${path}/activate`), { status: 200 });
  const { json } = await ask('POST', `${path}/validate`);
  t.equal(json['valid'], true);
  t.ok((json['warnings'] as readonly { readonly ruleCode: string }[]).some(({ ruleCode }) => ruleCode === 'US-TEXT-STOP'));
});

/** A borrower with an overdue loan that an agency services, and a plain template for overdue notices by letter. */
async function openOverdue(t: Test, servicedBy: string, text: string): Promise<LoanOverHttp & { readonly personId: string }> {
  const lender = await openLoanOverHttp(t, {}, SMALL);
  const { ask, h, company } = lender;
  await ask('POST', '/people/ext-ann-1/contacts', HOME);
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('PUT', lender.loan, { servicedBy });
  const letter = await draft(lender, { subject: OVERDUE, channel: 'mail' }, { contentHtmlTemplate: `<p>{{ company.name }}: ${text}</p>` });
  t.match(await ask('POST', `${letter}/activate`), { status: 200 });
  h.nowMs += 60 * DAY_MS;
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
  await h.engine.settled();
  return { ...lender, personId: idOf(await ask('GET', '/people/ext-ann-1')) };
}

const letterTo = (personId: string, loan: string): object => ({
  subject: OVERDUE,
  channel: 'mail',
  personId,
  loanId: loan.split('/').at(-1),
});

test('a letter that lacks the words of a debt collector is blocked by its rule, and recorded as such', async (t) => {
  const { ask, company, loan, personId } = await openOverdue(t, 'thirdPartyServicer', 'please pay.');
  const blocked = await ask('POST', '/communicator/send', letterTo(personId, loan));
  t.match(blocked, { status: 422, json: { blockReason: 'complianceRule', ruleId: 'CR-USMM-FRST', sendAt: null } });
  t.match(blocked.json['message'], /attempt to collect a debt/);
  t.match(dataOf(await ask('GET', `/interactions/${String(blocked.json['interactionId'])}`)), {
    status: 'failed',
    statusDetails: 'blockedByComplianceGuard',
    complianceGuardRuleId: 'CR-USMM-FRST',
  });
  const [decision] = listOf(await ask('GET', `/companies/${company}/compliance/decisions?personId=${personId}`));
  t.match(decision, { result: false, ruleId: 'CR-USMM-FRST', ruleCode: 'US-DISCLOSURE-FIRST' });
});

test('the creditor itself may send the same', async (t) => {
  const { ask, loan, personId } = await openOverdue(t, 'creditor', 'please pay.');
  t.match(await ask('POST', '/communicator/send', letterTo(personId, loan)), { status: 200 });
});

test('an automatic notice is judged by its words when it is written', async (t) => {
  const { ask, h, company, loan, personId } = await openOverdue(t, 'thirdPartyServicer', 'please pay.');
  const content = {
    subjectLineTemplate: 'Accelerated',
    contentHtmlTemplate: `<p>{{ company.name }}: the whole balance is due.</p>${FOOTER}`,
  };
  t.match(await ask('POST', `${await draft({ ask }, { subject: 'loanAccelerated', channel: 'email' }, content)}/activate`), {
    status: 200,
  });
  t.match(await ask('POST', `${loan}/accelerate`, {}), { status: 200 });
  for (let round = 0; round < 2; round += 1) {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  }
  const [notice] = listOf(await ask('GET', `/people/${personId}/interactions?subject=loanAccelerated`));
  t.match(notice, { status: 'failed', statusDetails: 'blockedByComplianceGuard', complianceGuardRuleId: 'CR-USMM-FRST' });
});

const IN_CITY = { ...HOME, address: { addressLine1: '12 Larkspur Lane', city: 'New York', state: 'NY', postalCode: '10001' } };

test('a borrower in New York City is asked for a language by the messages of a new company, until it is recorded', async (t) => {
  const { ask, goTo } = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const person = '/people/ext-ann-1';
  for (const contact of [IN_CITY, EMAIL]) await ask('POST', `${person}/contacts`, contact);
  await goTo('2026-03-10');
  await goTo('2026-03-17');
  const sent = async (subject: string): Promise<unknown> => listOf(await ask('GET', `${person}/interactions?subject=${subject}`))[0];
  const question = /New York City: please let us know which language you prefer\./;
  t.match(await sent(OVERDUE), { content: { contentHtml: question, contentText: question } });
  await ask('PUT', person, { commPreferences: { language: 'en' } });
  await goTo('2026-03-30');
  const second = await sent('loanOverdueSecondNotice');
  t.match(second, { content: { contentHtml: /an attempt to collect a debt/ } });
  t.notMatch(second, { content: { contentHtml: /which language/ } });
});

test('a letter to New York City that does not ask for a language is blocked while none is recorded', async (t) => {
  const { ask, loan, personId } = await openOverdue(t, 'creditor', 'please pay.');
  const home = listOf(await ask('GET', `/people/${personId}/contacts`)).find(({ contactType }) => contactType === 'address');
  await ask('PUT', `/people/${personId}/contacts/${String(home?.['id'])}`, { address: IN_CITY.address });
  t.match(await ask('POST', '/communicator/send', letterTo(personId, loan)), {
    status: 422,
    json: { ruleId: 'CR-NYLA-NGRQ', sendAt: null },
  });
  await ask('PUT', `/people/${personId}`, { commPreferences: { language: 'zh' } });
  t.match(await ask('POST', '/communicator/send', letterTo(personId, loan)), { status: 200 });
});

test('rules about words are listed with what they want, and those of the law cannot be muted', async (t) => {
  const { ask } = await openHttpLender(t);
  const rules = listOf(await ask('GET', '/compliance/rules?kind=content&limit=100'));
  t.ok(rules.length >= 12);
  t.match(
    rules.find(({ code }) => code === 'US-DISCLOSURE-FIRST'),
    {
      id: 'CR-USMM-FRST',
      kind: 'content',
      channels: ['email', 'text', 'mail'],
      mutable: false,
      lawCitation: /1692e\(11\)/,
      parameters: {
        needs: [{ what: 'that this is an attempt to collect a debt', example: { es: 'Este es un intento de cobrar una deuda' } }, {}],
      },
      basis: { binds: 'collectors', readings: [{ citation: /1006\.18\(e\)/ }] },
    },
  );
});

test('a code for one use is sent whatever its template says', async (t) => {
  const { template, send } = await openWriting(t);
  await template({ subject: 'confirmationCode', channel: 'text' }, { contentTextTemplate: '{{ code }}' });
  t.match(await send({ subject: 'confirmationCode', theme: undefined, channel: 'text', context: { code: '123456' } }), { status: 200 });
});

test('a company names its address and license number, which templates show', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const sold = {
    subjectLineTemplate: 'Buy',
    contentHtmlTemplate: '<p>{{ company.name }}, {{ company.mailingAddress }}. Unsubscribe. License {{ company.licenseNumber }}</p>',
  };
  const path = await draft({ ask }, { subject: 'marketingMessage', channel: 'email' }, sold);
  t.match(await ask('POST', `${path}/activate`), { status: 422, json: { ruleId: 'CR-USEM-CNTN' } }, 'it has no address yet');
  const communication = {
    address_from: { addressLine1: '1 Main Street', city: 'Columbus', state: 'OH', postalCode: '43215' },
    license_number: '10123-99',
  };
  t.match(await ask('PUT', `/companies/${company}`, { communication }), { status: 200, json: { data: { communication } } });
  t.match(await ask('POST', `${path}/activate`), { status: 200 });
  const previewed = await ask('POST', '/communicator/render?fmt=text', { subject: 'marketingMessage', channel: 'email' });
  t.match(previewed.text, /1 Main Street, Columbus, OH 43215\. Unsubscribe\. License 10123-99/);
});
