import { test } from 'tap';
import { TEMPLATE_LIMITS } from '../../../../engine/index.js';
import { listOf } from '../http-lender.js';
import { bareId, DESCRIPTORS } from '../make-template.js';
import { openWriting } from './writing.js';

/** Within the limits of a preview, and above that of a message. */
const COSTLY = '{% for a in (1..9000) %}{{ a | plus: 1 | plus: 1 | plus: 1 }}{% endfor %}';
const TOO_MUCH = /^The template computes too much for a message\./;
const REFUSED = {
  status: 422,
  json: {
    errorType: 'businessValidation',
    message: TOO_MUCH,
    blockReason: 'templateError',
    errors: [{ path: 'contentTextTemplate', expected: 'a template that costs less', message: /^line 1: / }],
  },
};

test('a template that costs too much for a message is no valid one, and is not activated in any way', async (t) => {
  const { ask } = await openWriting(t);
  for (const subject of ['paymentFailed', 'springGreeting']) {
    const path = `${DESCRIPTORS}/${bareId(await ask('POST', DESCRIPTORS, { subject, channel: 'text' }))}`;
    const costly = bareId(await ask('POST', `${path}/versions`, { contentTextTemplate: COSTLY }));
    t.match(
      await ask('POST', `${path}/versions/${costly}/validate`),
      { status: 200, json: { valid: false, errors: [{ part: 'contentTextTemplate', line: 1, message: TOO_MUCH }], warnings: [] } },
      subject,
    );
    t.match(await ask('POST', `${path}/versions/${costly}/activate`), REFUSED, subject);
    t.match(await ask('PUT', path, { activeVersionId: costly }), REFUSED, subject);
    const plain = bareId(
      await ask('POST', `${path}/versions`, {
        contentTextTemplate: '{{ company.name }}: it has failed. Reply STOP to end these messages.',
      }),
    );
    t.match(await ask('POST', `${path}/versions/${plain}/activate`), { status: 200 }, subject);
    t.match(await ask('PUT', `${path}/versions/${plain}`, { contentTextTemplate: COSTLY }), REFUSED, subject);
    t.match(await ask('GET', path), { json: { activeVersionId: plain } }, subject);
  }
});

test('the trials of a template on all invented borrowers have the budget of one message together', async (t) => {
  const { ask } = await openWriting(t);
  // One of them alone costs a third of it.
  const rounds = Math.floor(TEMPLATE_LIMITS.messageCost / 3 / (7 * TEMPLATE_LIMITS.stepCost));
  const content = { contentTextTemplate: `{% for a in (1..${rounds}) %}{{ a | plus: 1 }}{% endfor %}` };
  const path = `${DESCRIPTORS}/${bareId(await ask('POST', DESCRIPTORS, { subject: 'paymentFailed', channel: 'text' }))}`;
  const version = bareId(await ask('POST', `${path}/versions`, content));
  t.match(await ask('POST', `${path}/versions/${version}/activate`), REFUSED);
  const free = `${DESCRIPTORS}/${bareId(await ask('POST', DESCRIPTORS, { subject: 'springGreeting', channel: 'text' }))}`;
  const tried = bareId(await ask('POST', `${free}/versions`, content));
  t.match(await ask('POST', `${free}/versions/${tried}/activate`), { status: 200 }, 'a subject that is tried on one borrower');
});

test('a send whose variables make its template cost too much is refused, and nothing of it is recorded', async (t) => {
  const { send, template, ask, personId } = await openWriting(t);
  const contentTextTemplate = '{% for a in items %}{{ a | plus: 1 | plus: 1 | plus: 1 }}{% endfor %}';
  await template({}, { subjectLineTemplate: 'Hello', contentHtmlTemplate: '<p>Hello</p>', contentTextTemplate });
  const context = { items: Array.from({ length: 9_000 }, (_, at) => at) };
  t.match(await send({ context }), {
    status: 422,
    json: { blockReason: 'templateError', message: /^contentTextTemplate, line 1: The template computes too much for a message\./ },
  });
  t.equal(listOf(await ask('GET', `/people/${personId}/interactions`)).length, 0);
  t.match(await send({ context: { items: [1, 2] } }), { status: 200, json: { data: { content: { contentText: '45' } } } });
});
