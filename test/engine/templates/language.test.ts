import { test } from 'tap';
import { Markup, parseTemplate, referencesOf } from '../../../engine/index.js';
import { errorOf, rendered } from './render.js';

const CONTEXT = {
  loan: { displayId: 'L-7', payments: [{ amount: 10.1 }, { amount: 20.2 }], closedAt: null },
  person: { name: { firstName: 'Ana <b>' } },
  labels: { a: 'first', b: 'second' },
  count: 3,
  html: new Markup('<i>made by the service</i>'),
};

/** Template, and what it prints. */
const ROWS: readonly (readonly [template: string, printed: string])[] = [
  ['{{ loan.displayId }} {{ loan["displayId"] }} {{ loan.payments[0].amount }} {{ loan.payments[-1].amount }}', 'L-7 L-7 10.1 20.2'],
  ['{{ missing }}{{ loan.missing.deeper }}{{ loan.closedAt }}', ''],
  ['{{ person.name.firstName }}', 'Ana &lt;b&gt;'],
  ['{{ html }} {{ html | safe }} {{ person.name.firstName | safe }}', '<i>made by the service</i> <i>made by the service</i> Ana &lt;b&gt;'],
  ['{{ "<" ~ html }}', '&lt;<i>made by the service</i>'],
  ['{{ 0.1 + 0.2 }} {{ 7 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ 2 * 7 % 4 }} {{ 2 + 3 * 4 - 1 }}', '0.3 3.5 3 -4 1 2 13'],
  ['{{ "a" ~ 1 ~ "b" }} {{ "a" + "b" }}', 'a1b ab'],
  ['{{ 1 < 2 and not 2 <= 1 }} {{ "a" == "a" }} {{ 1 != 1 or "x" }}', 'true true x'],
  ['{{ "b" in labels }} {{ 2 in [1, 2] }} {{ "z" not in "xyz" }} {{ "xyz" contains "y" }}', 'true true false true'],
  ['{{ "yes" if count == 3 else "no" }}{{ "none" if count > 3 }}', 'yes'],
  ['{{ loan is defined }} {{ other is defined }} {{ loan.closedAt is none }} {{ count is not odd }}', 'true false true false'],
  ['{% if count == 1 %}one{% elif count == 3 %}three{% else %}many{% endif %}', 'three'],
  ['{% if other %}a{% elsif loan.payments %}b{% endif %}{% unless other %}c{% else %}d{% endunless %}', 'bc'],
  ['{% for p in loan.payments %}{{ loop.index }}/{{ loop.length }}:{{ p.amount }}{% if not loop.last %}, {% endif %}{% endfor %}', '1/2:10.1, 2/2:20.2'],
  ['{% for p in loan.payments if p.amount > 15 %}{{ loop.revindex0 }}{{ p.amount }}{% endfor %}', '020.2'],
  ['{% for key, value in labels %}{{ key }}={{ value }};{% endfor %}', 'a=first;b=second;'],
  ['{% for x in [] %}a{% else %}nothing{% endfor %}{% for x in missing %}b{% endfor %}', 'nothing'],
  ['{% for x in [1, 2] %}{{ forloop.first }}{% endfor %}', 'truefalse'],
  ['{% set x = 1 %}{% for y in [1, 2] %}{% set x = y %}{% endfor %}{{ x }}', '1'],
  ['{% assign x = "a" %}{{ x }}{% set y %}<b>{{ x }}</b>{% endset %}{{ y }}', 'a<b>a</b>'],
  ['{{ {"a": 1, "b": [2, 3]}.b[1] }}', '3'],
  ['a {#- gone -#} b {%- if true -%} c {%- endif -%} d {{- 1 -}} e', 'abcd1e'],
  ['{% raw %}{{ not.read }}{% endraw %}', '{{ not.read }}'],
  ['{{ "a\\"b\\n" | trim }}', 'a&quot;b'],
  ['{{ [1, "two", none] }}', '1, two, '],
  ['{{ True }}{{ False }}{{ None }}', 'truefalse'],
];

test('the language of templates', async (t) => {
  for (const [template, printed] of ROWS) t.equal(rendered(template, CONTEXT), printed, template);
});

test('plain texts are not escaped', async (t) => {
  t.equal(rendered('{{ person.name.firstName }}', CONTEXT, { output: 'text' }), 'Ana <b>');
});

test('a template includes and extends others of its company', async (t) => {
  const sources: Readonly<Record<string, string>> = {
    letterHeader: 'Dear {{ person.name.firstName }}{% set within = 1 %}',
    frame: '<h1>{% block title %}frame{% endblock %}</h1>{% block body %}{% endblock %}',
    letter: '{% extends "frame" %}{% block title %}letter of {{ super() }}{% endblock %}',
    loop: '{% include "loop" %}',
    circle: '{% extends "tangle" %}{% block b %}{% block a %}{{ super() }}{% endblock %}{% endblock %}',
    tangle: '{% block a %}{% block b %}{% endblock %}{% endblock %}',
  };
  const templateNamed = (name: string) => (sources[name] === undefined ? undefined : parseTemplate(sources[name]));
  const print = (source: string): string => rendered(source, CONTEXT, { templateNamed });
  t.equal(print('{% include "letterHeader" %}!{{ within }}'), 'Dear Ana &lt;b&gt;!', 'what it sets stays within');
  t.equal(print('{% extends "letter" %} lost {% set x = "set" %}{% block body %}{{ x }}{% endblock %}{% block title %}my {{ super() }}{% endblock %}'), '<h1>my letter of frame</h1>set');
  t.equal(print('{% include "none" ignore missing %}'), '');
  t.match(errorOf('\n{% include "none" %}', CONTEXT, { templateNamed }), { kind: 'template', line: 2 });
  t.match(errorOf('{% include "loop" %}', CONTEXT, { templateNamed }), { kind: 'limit' });
  t.match(errorOf('{% extends "circle" %}', CONTEXT, { templateNamed }), { kind: 'limit' });
});

/** What a strict rendering refuses, and the variable that it names. */
const STRICT: readonly (readonly [template: string, variable: string | null])[] = [
  ['{{ name }}', 'name'],
  ['{{ loan.dispalyId }}', 'loan.dispalyId'],
  ['{{ loan.other.deeper }}', 'loan.other'],
  ['{{ other.deeper }}', 'other'],
  ['{% if other %}{% endif %}', 'other'],
  ['{% for x in loan.periods %}{% endfor %}', 'loan.periods'],
  ['{{ other | money }}', 'other'],
  ['{{ 1 + other }}', 'other'],
  ['{{ loan.payments[5] }}', 'loan.payments.5'],
  ['{{ other | default("x") }}{% if other is defined %}{% endif %}{{ loan.closedAt }}', null],
];

test('a strict rendering names the variable that is missing, a lenient one leaves it empty', async (t) => {
  for (const [template, variable] of STRICT) {
    t.ok(rendered(template, CONTEXT) !== undefined, template);
    if (variable === null) t.equal(rendered(template, CONTEXT, { undefinedVariables: 'strict' }), 'x');
    else t.match(errorOf(template, CONTEXT, { undefinedVariables: 'strict' }), { kind: 'undefined', variable }, template);
  }
});

/** What is no template, and the line that is named. */
const FAULTS: readonly (readonly [template: string, line: number, message: RegExp])[] = [
  ['a\n{{ b', 2, /closing delimiter/],
  ['a\n\n{% if b %}\n', 4, /endif is expected/],
  ['{% frobnicate %}', 1, /no statement frobnicate/],
  ['\n{{ a | frobnicate }}', 2, /no filter frobnicate/],
  ['{{ a | money(1) }}', 1, /takes 0 arguments/],
  ['{{ a.b() }}', 1, /call nothing/],
  ['{{ range(3) }}', 1, /call nothing/],
  ['{% import "a" as b %}', 1, /no statement import/],
  ['{% macro a() %}{% endmacro %}', 1, /no statement macro/],
  ['{{ a < b < c }}', 1, /joined with and/],
  ['{{ a b }}', 1, /where }} is expected/],
  ['{{ }}', 1, /an expression is expected/],
  ['{{ a is frobnicated }}', 1, /no test frobnicated/],
  ['{% set true = 1 %}', 1, /no name/],
  ['{% if a %}{% extends "b" %}{% endif %}', 1, /extends one other/],
  ['{% block a %}{% endblock %}\n{% block a %}{% endblock %}', 2, /two blocks a/],
  ['{# a', 1, /no end/],
  ['{% raw %}', 1, /no endraw/],
  ['{{ "a }}', 1, /not expected here/],
  ['{{ a ? b }}', 1, /not expected here/],
  ['{% endif %}', 1, /no statement endif/],
];

test('what is no template is refused with its line', async (t) => {
  for (const [template, line, message] of FAULTS) t.match(errorOf(template), { kind: 'syntax', line, message }, template);
});

/** What cannot be computed, and the line that is named. */
const VALUES: readonly (readonly [template: string, line: number])[] = [
  ['\n{{ 1 / 0 }}', 2], ['{{ "a" * 2 }}', 1], ['{{ "a" < 1 }}', 1], ['{{ "a" | money }}', 1], ['{{ "soon" | date }}', 1], ['{{ loan | percent }}', 1],
  ['{% for x in 5 %}{% endfor %}', 1], ['{{ super() }}', 1], ['{{ 1 in 5 }}', 1], ['{{ 1 | round(20) }}', 1], ['{{ 900000000000000 * 900000000000000 }}', 1],
];

test('what cannot be computed is refused with its line', async (t) => {
  for (const [template, line] of VALUES) t.match(errorOf(template, CONTEXT), { kind: 'value', line }, template);
});

test('a template tells what it reads, and which templates it names', async (t) => {
  const source = '{{ loan.displayId }}{% for p in loan.payments %}{{ p.amount | money }}{{ loop.index }}{% endfor %}{% set x = person["name"].firstName %}{{ x }}{% include "footer" %}{{ a[b] }}';
  t.strictSame(referencesOf(parseTemplate(source)), { variables: ['a', 'b', 'loan.displayId', 'loan.payments', 'person.name.firstName'], templates: ['footer'], includes: true });
  t.strictSame(referencesOf(parseTemplate('{% extends "frame" %}{% block a %}{{ b }}{% endblock %}')), { variables: ['b'], templates: ['frame'], includes: true });
  t.match(referencesOf(parseTemplate('{% include name %}')), { variables: ['name'], templates: [], includes: true });
  t.match(referencesOf(parseTemplate('{{ include }}')), { includes: false });
});
