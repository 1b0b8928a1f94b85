import { test } from 'tap';
import { Markup, parseTemplate, referencesOf } from '../../../engine/index.js';
import { errorOf, rendered } from './render.js';

const CONTEXT = {
  loan: { displayId: 'L-7', payments: [{ amount: 10.1 }, { amount: 20.2 }], closedAt: null },
  person: { name: { firstName: 'Ana <b>' } },
  labels: { a: 'first', b: 'second' },
  count: 3,
  empty_list: [],
  list: [1, 'two', null],
  html: new Markup('<i>made by the service</i>'),
};

/** Template, and what it prints. */
const ROWS: readonly (readonly [template: string, printed: string])[] = [
  ['{{ loan.displayId }} {{ loan["displayId"] }} {{ loan.payments[0].amount }} {{ loan.payments[-1].amount }}', 'L-7 L-7 10.1 20.2'],
  [
    '{{ loan.payments.size }} {{ loan.payments.first.amount }} {{ loan.payments.last.amount }} {{ labels.size }} {{ loan.displayId.size }}',
    '2 10.1 20.2 2 3',
  ],
  ['{{ missing }}{{ loan.missing.deeper }}{{ loan.closedAt }}', ''],
  ['{{ person.name.firstName }}', 'Ana &lt;b&gt;'],
  [
    '{{ html }} {{ html | safe }} {{ person.name.firstName | safe }}',
    '<i>made by the service</i> <i>made by the service</i> Ana &lt;b&gt;',
  ],
  ['{{ html | default: "x" }} {{ html | upper }}', '<i>made by the service</i> &lt;I&gt;MADE BY THE SERVICE&lt;/I&gt;'],
  [
    '{{ "b" == "b" }} {{ 1 < 2 }} {{ 1 != 1 }} {{ list contains "two" }} {{ "xyz" contains "y" }} {{ html contains "made" }} {{ not ' +
      'false }}',
    'true true false true true true true',
  ],
  ['{% if count == 1 %}one{% elsif count == 3 %}three{% else %}many{% endif %}', 'three'],
  ['{% if other %}a{% elsif loan.payments %}b{% endif %}{% unless other %}c{% else %}d{% endunless %}', 'bc'],
  [
    '{% if count > 2 and loan.displayId == "L-7" or other %}yes{% endif %}{% if loan.closedAt == nil %} open{% endif %}{% if empty_list ' +
      '== empty %} none{% endif %}',
    'yes open none',
  ],
  ['{% case count %}{% when 1, 2 %}few{% when 3 %}three{% else %}many{% endcase %}', 'three'],
  [
    '{% for p in loan.payments %}{{ forloop.index }}/{{ forloop.length }}:{{ p.amount }}{% unless forloop.last %}, {% endunless %}{% ' +
      'endfor %}',
    '1/2:10.1, 2/2:20.2',
  ],
  [
    '{% for p in loan.payments %}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.rindex0 }}{{ forloop.first }}{% endfor %}',
    '021true110false',
  ],
  ['{% for pair in labels %}{{ pair[0] }}={{ pair[1] }};{% endfor %}', 'a=first;b=second;'],
  ['{% for x in empty_list %}a{% else %}nothing{% endfor %}{% for x in missing %}b{% endfor %}', 'nothing'],
  ['{% for x in list limit: 1 offset: 1 %}{{ x }}{% endfor %}{% for x in list reversed %}[{{ x }}]{% endfor %}', 'two[][two][1]'],
  [
    '{% for i in (1..count) %}{{ i }}{% if i == 2 %}{% break %}{% endif %}{% endfor %}{% for i in (1..3) %}{% if i == 2 %}{% continue %}' +
      '{% endif %}{{ i }}{% endfor %}',
    '1213',
  ],
  ['{% assign x = 1 %}{% for y in list %}{% assign x = y %}{% endfor %}{{ x }}{% assign z = "a" %}{{ z }}', 'a'],
  [
    '{% capture y %}<b>{{ person.name.firstName }}</b>{% endcapture %}{{ y }} {{ y | trim }}{% if y contains "Ana" %}!{% endif %}{% ' +
      'case html %}{% when "x" %}{% else %}?{% endcase %}',
    '<b>Ana &lt;b&gt;</b> <b>Ana &lt;b&gt;</b>!?',
  ],
  ['{% for x in list %}{% cycle "odd", "even" %} {% endfor %}', 'odd even odd '],
  ['a {%- comment %} {{ gone }} {% endcomment -%} b {%- if true -%} c {%- endif -%} d {{- 1 -}} e{% # and gone %}', 'abcd1e'],
  ['{% raw %}{{ not.read }}{% endraw %}', '{{ not.read }}'],
  ['{{ "a\\"b\\n" | trim }}', 'a&quot;b'],
  ['{{ list }}{{ labels }}{{ nil }}{{ true }}', '1twotrue'],
];

test('the language of templates', async (t) => {
  for (const [template, printed] of ROWS) t.equal(rendered(template, CONTEXT), printed, template);
});

test('plain texts are not escaped', async (t) => {
  t.equal(
    rendered('{{ person.name.firstName }}{% capture x %}{{ person.name.firstName }}{% endcapture %}{{ x }}', CONTEXT, { output: 'text' }),
    'Ana <b>Ana <b>',
  );
});

test('a template includes and extends others of its company', async (t) => {
  const sources: Readonly<Record<string, string>> = {
    letterHeader: 'Dear {{ person.name.firstName }}{{ title }}{% assign within = 1 %}',
    frame: '<h1>{% block title %}frame{% endblock %}</h1>{% block body %}{% endblock %}',
    letter: '{% layout "frame" %}{% block title %}letter of {{ block.super }}{% endblock %}',
    loop: '{% include "loop" %}',
    circle: '{% layout "circle" %}',
    faulty: 'a\n{% if %}',
  };
  const templateNamed = (name: string) => (sources[name] === undefined ? undefined : parseTemplate(sources[name]));
  const print = (source: string): string => rendered(source, CONTEXT, { templateNamed });
  t.equal(print('{% include "letterHeader" %}!{{ within }}'), 'Dear Ana &lt;b&gt;!1', 'an included template shares the variables');
  t.equal(
    print('{% assign title = "Dr" %}{% render "letterHeader" %}!{{ within }} {% render "letterHeader", title: " PhD" %}'),
    'Dear Ana &lt;b&gt;! Dear Ana &lt;b&gt; PhD',
    'a rendered one has those of the message alone, and what it is given',
  );
  t.equal(
    print(
      '{% layout "letter" %} lost {% assign x = "set" %}{% block body %}{{ x }}{% endblock %}{% block title %}my {{ block.super }}' +
        '<br>{% endblock %}',
    ),
    '<h1>my letter of frame<br></h1>set',
  );
  t.match(errorOf('\n{% include "none" %}', CONTEXT, { templateNamed }), { kind: 'template', line: 2 });
  t.match(errorOf('{% include "loop" %}', CONTEXT, { templateNamed }), { kind: 'limit' });
  t.match(errorOf('{% layout "circle" %}', CONTEXT, { templateNamed }), { kind: 'limit' });
  t.match(errorOf('{% render "faulty" %}', CONTEXT, { templateNamed }), { kind: 'syntax', line: 2 });
});

/** What a strict rendering refuses, and the variable that it names. */
const STRICT: readonly (readonly [template: string, variable: string | null])[] = [
  ['\n{{ name }}', 'name'],
  ['\n{{ loan.dispalyId }}', 'loan.dispalyId'],
  ['\n{{ loan.other.deeper }}', 'loan.other'],
  ['\n{{ other.deeper }}', 'other'],
  ['\n{% for x in loan.periods %}{% endfor %}', 'loan.periods'],
  ['\n{{ other | money }}', 'other'],
  ['\n{{ 1 | plus: other }}', 'other'],
  ['\n{{ loan.payments[5] }}', 'loan.payments.5'],
  ['\n{% assign x = other %}', 'other'],
  // Liquid asks for what may be missing by a condition or by `default`.
  ['{{ other | default: "x" }}{% if other %}{% endif %}{% unless other.deeper == 1 %}{% endunless %}{{ loan.closedAt }}', null],
];

test('a strict rendering names the variable that is missing, a lenient one leaves it empty', async (t) => {
  for (const [template, variable] of STRICT) {
    t.ok(rendered(template, CONTEXT) !== undefined, template);
    if (variable === null) t.equal(rendered(template, CONTEXT, { undefinedVariables: 'strict' }), 'x');
    else t.match(errorOf(template, CONTEXT, { undefinedVariables: 'strict' }), { kind: 'undefined', variable, line: 2 }, template);
  }
});

/** What is no template, and the line that is named. */
const FAULTS: readonly (readonly [template: string, line: number, message: RegExp])[] = [
  ['a\n{{ b', 2, /not closed/],
  ['a\n\n{% if b %}\n', 3, /not closed/],
  ['{% frobnicate %}', 1, /no statement frobnicate/],
  ['{% set x = 1 %}', 1, /Liquid says assign/],
  ['{% extends "a" %}', 1, /Liquid says layout/],
  ['\n{{ a | frobnicate }}', 2, /There is no filter frobnicate\.$/],
  ['{{ a | money: 1 }}', 1, /takes 0 arguments/],
  ['{{ a | default: 1, other: 2 }}', 1, /no argument other/],
  ['{{ a | date("YYYY") }}', 1, /expected ":"/],
  ['{{ a.b() }}', 1, /unexpected/],
  ['{{ a b }}', 1, /beside one another/],
  ['{{ a -1 }}', 1, /beside one another/],
  ['{{ a, b }}', 1, /ends before/],
  ['{{ a + 1 }}', 1, /expected "\|"/],
  ['{{ a[b + 1] }}', 1, /between brackets/],
  ['{{ }}', 1, /invalid value expression/],
  ['{% if a == %}{% endif %}', 1, /lacks a side/],
  ['{% if a = b %}{% endif %}', 1, /expected "\|"/],
  ['\n{% if a == "b %}{% endif %}', 2, /no end/],
  ['{% if a %}{% elsif b c %}{% endif %}', 1, /beside one another/],
  ['{% unless a %}{% else %}{% elsif b %}{% endunless %}', 1, /ends before/],
  ['{% for p in a if p.b > 15 %}{% endfor %}', 1, /no if/],
  ['{% for p in a %}{% endfor p %}', 1, /unexpected/],
  ['{% capture a b %}{% endcapture %}', 1, /ends before/],
  ['{% include name %}', 1, /in quotes/],
  ['{% render "a{{ b }}" %}', 1, /in quotes/],
  ['{% if a %}{% layout "b" %}{% endif %}', 1, /outside of other statements/],
  ['{% block %}{% endblock %}', 1, /has a name/],
  ['{% block constructor %}{% endblock %}', 1, /has a name/],
  ['{% raw %}', 1, /not closed/],
  ['{{ "a }}', 1, /not closed/],
  ['{% endif %}', 1, /no statement endif/],
  ['{% increment a %}', 1, /no statement increment/],
  ['{% liquid assign a = 1 %}', 1, /no statement liquid/],
];

test('an invalid template is refused with its line, also if the library would ignore a part of it', async (t) => {
  for (const [template, line, message] of FAULTS) t.match(errorOf(template), { kind: 'syntax', line, message }, template);
});

/** What cannot be computed, and the line that is named. */
const VALUES: readonly (readonly [template: string, line: number])[] = [
  ['\n{{ 1 | divided_by: 0 }}', 2],
  ['{{ "a" | times: 2 }}', 1],
  ['{{ "a" | money }}', 1],
  ['{{ "soon" | date }}', 1],
  ['{{ "now" | date }}', 1],
  ['{{ "2026-01-01" | date: "%Q" }}', 1],
  ['{{ loan | percent }}', 1],
  ['{{ 1 | round: 20 }}', 1],
  ['{{ 900000000000000 | times: 900000000000000 }}', 1],
  ['{{ "a" | slice: "b" }}', 1],
  ['{{ loan.payments | sort }}', 1],
];

test('a value that cannot be computed is refused with its line', async (t) => {
  for (const [template, line] of VALUES) t.match(errorOf(template, CONTEXT), { kind: 'value', line }, template);
});

test('a template lists the variables that it reads and the templates that it names', async (t) => {
  const source =
    '{{ loan.displayId }}{% for p in loan.payments %}{{ p.amount | money }}{{ forloop.index }}{% endfor %}{% assign x = ' +
    'person["name"].firstName %}{{ x }}{% include "footer" %}{{ a[b] }}{% render "stamp", on: today %}';
  t.strictSame(referencesOf(parseTemplate(source)), {
    variables: ['a', 'b', 'loan.displayId', 'loan.payments', 'person.name.firstName', 'today'],
    templates: ['footer', 'stamp'],
  });
  t.strictSame(
    referencesOf(
      parseTemplate(
        '{% layout "frame" %}{% block a %}{{ b }}{% for i in (1..c) %}{% endfor %}{% endblock %}{% if d contains e %}{% endif %}',
      ),
    ),
    { variables: ['b', 'c', 'd', 'e'], templates: ['frame'] },
  );
});
