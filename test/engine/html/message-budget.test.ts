import { test } from 'tap';
import {
  budgetOfMessage,
  cleaningCost,
  type MessageTemplates,
  parseTemplate,
  type Rendered,
  RenderBudget,
  renderMessageParts,
  type Template,
  TEMPLATE_LIMITS,
} from '../../../engine/index.js';

interface Parts {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
}

function templatesOf({ subject, text, html }: Parts): MessageTemplates {
  const read = (source: string | undefined): Template | undefined => (source === undefined ? undefined : parseTemplate(source));
  const parts = { subjectLineTemplate: read(subject), contentTextTemplate: read(text), contentHtmlTemplate: read(html) };
  return { hasSubjectLine: true, language: 'en', templateOf: (part) => parts[part], templateNamed: () => undefined };
}

const renderedWithin = (budget: RenderBudget, parts: Parts, context: object = {}, isFreeForm = false): Rendered =>
  renderMessageParts(templatesOf(parts), {
    context: { ...context },
    isFreeForm,
    zone: 'America/New_York',
    undefinedVariables: 'lenient',
    budget,
  });

const LOOP = '{% for a in (1..9000) %}{{ a | plus: 1 | plus: 1 | plus: 1 }}{% endfor %}';
const doubled = (text: string, times: number): string =>
  `{% assign a = "${text}" %}${'{% assign a = a | append: a %}'.repeat(times)}{{ a }}`;
const TOO_MUCH = /computes too much for a message/;

/** Each is within the limit of a rendering on a thread of its own. */
const COSTLY: readonly (readonly [what: string, parts: Parts, context?: object])[] = [
  ['loops of the HTML', { html: LOOP }],
  ['loops of the text', { text: LOOP }],
  ['loops of the subject line', { subject: LOOP }],
  ['several parts together', { html: doubled('abcdefgh', 14), text: LOOP.replace('9000', '3000'), subject: LOOP.replace('9000', '3000') }],
  ['long texts', { text: doubled('abcdefgh', 16) }],
  ['tags', { html: `${doubled('abcdefgh', 0)}${'<b>x</b>'.repeat(24_000)}` }],
  ['styles', { html: '<b style="color:red">x</b>'.repeat(7_500) }],
  ['values of the context', { html: 'x', text: 'x', subject: 'x' }, { list: Array.from({ length: 190_000 }, (_, at) => at) }],
];

test('a message that costs too much is refused with the part that it had reached, after a bounded number of steps', (t) => {
  for (const [what, parts, context] of COSTLY) {
    t.match(renderedWithin(new RenderBudget(), parts, context), { message: {} }, `${what}: on a thread of its own it is rendered`);
    const budget = budgetOfMessage();
    t.match(renderedWithin(budget, parts, context), { fault: { kind: 'limit', message: TOO_MUCH, line: Number } }, what);
    // The step that exceeds the budget is the last one: no text is longer than this.
    const most = TEMPLATE_LIMITS.messageCost + cleaningCost(parts.html ?? '') + TEMPLATE_LIMITS.outputLength;
    t.ok(budget.spent > TEMPLATE_LIMITS.messageCost && budget.spent <= most, `${what}: ${budget.spent} spent`);
  }
  t.match(renderedWithin(budgetOfMessage(), { subject: LOOP }), { fault: { part: 'subjectLineTemplate' } });
  t.match(renderedWithin(budgetOfMessage(), { text: LOOP }), { fault: { part: 'contentTextTemplate' } });
  t.end();
});

test('a message that is ended by its time is refused like one that costs too much', (t) => {
  const { now } = performance;
  let asked = 0;
  performance.now = () => (asked += TEMPLATE_LIMITS.clock / 4);
  const faults = [budgetOfMessage(), new RenderBudget()].map((budget) => renderedWithin(budget, { text: '{{ a }}'.repeat(20) }));
  performance.now = now;
  t.strictSame(faults[0], renderedWithin(budgetOfMessage(), { text: LOOP }));
  t.match(
    faults[1],
    { fault: { kind: 'limit', message: 'The template computes too much.' } },
    'a rendering of another kind does not speak of messages',
  );
  t.end();
});

test('the HTML of an agent counts before it is cleaned', (t) => {
  const context = { contentHtml: '<b style="color:red">x</b>'.repeat(20_000), contentPlain: 'x' };
  const branded = { html: '<p>Northwind</p>{{ contentHtml }}' };
  t.match(renderedWithin(budgetOfMessage(), branded, context, true), { fault: { part: 'contentHtmlTemplate', message: TOO_MUCH } });
  t.match(renderedWithin(budgetOfMessage(), branded, { ...context, contentHtml: '<b>Hello</b>' }, true), {
    message: { contentHtml: '<p>Northwind</p><b>Hello</b>' },
  });
  t.end();
});

test('what lenders write is far below the limit: a designed page of 100,000 letters, and a schedule of thirty years', (t) => {
  const cell = '<td style="padding:8px 16px;color:#333333" class="cell">The words of a paragraph that a lender has designed.</td>';
  const page = `<html><body><table>${`<tr>${cell}</tr>`.repeat(850)}</table></body></html>`;
  t.ok(page.length > 100_000);
  const rows = Array.from({ length: 360 }, (_, at) => ({ date: '2026-06-15', amount: 100 + at, principal: 50, interest: 50 }));
  const schedule =
    '<table>{% for row in schedule %}<tr><td>{{ row.date | date }}</td><td>{{ row.amount | money }}</td>' +
    '<td>{{ row.principal | money }}</td><td>{{ row.interest | money }}</td></tr>{% endfor %}</table>';
  for (const [what, html] of [
    ['a page', page],
    ['a schedule', schedule],
  ] as const) {
    const budget = budgetOfMessage();
    t.match(renderedWithin(budget, { html, subject: 'Your loan' }, { schedule: rows }), { message: {} }, `${what}: ${budget.spent} spent`);
    t.comment(`${what}: ${budget.spent} of ${TEMPLATE_LIMITS.messageCost}`);
  }
  t.end();
});
