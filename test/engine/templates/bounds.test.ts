import fc from '../../fast-check.js';
import { test } from 'tap';
import { parseTemplate, referencesOf, renderTemplate, TEMPLATE_LIMITS, TemplateError } from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { errorOf, OPTIONS, rendered } from './render.js';

class Secret {
  readonly own = 'own of a class';

  get computed(): string {
    return 'SECRET';
  }

  method(): string {
    return 'SECRET';
  }
}

const guarded = {
  get computed(): string {
    return 'SECRET';
  },
  plain: 1,
};
const drop = {
  toLiquid: () => 'SECRET',
  valueOf: () => 'SECRET',
  toString: () => 'SECRET',
  then: (done: (value: string) => void) => done('SECRET'),
  *[Symbol.iterator]() {
    yield 'SECRET';
  },
};
const CONTEXT = {
  text: 'text',
  number: 12.5,
  list: [1, 'two', { three: 3 }],
  object: { key: 'value', ['constructor']: 'SECRET', ['__proto__x']: 1 },
  secret: new Secret(),
  fn: () => 'SECRET',
  date: new Date(0),
  map: new Map([['key', 'SECRET']]),
  guarded,
  drop,
  symbol: Symbol('SECRET'),
};

/** Ways out of plain data that are known from other engines. */
// biome-ignore format: a list
const WAYS_OUT: readonly string[] = [
  'text.constructor', 'text["constructor"]', 'text.length', 'list.length', 'list.map', 'list["constructor"]["prototype"]',
  'object.constructor', 'object.__proto__', 'object["__proto__"]["polluted"]', 'object[con]', 'object.hasOwnProperty', 'object.toString',
  'secret.own', 'secret.computed', 'secret.method', 'secret', 'fn', 'fn.name', 'fn.constructor', 'date', 'date.getTime', 'map', 'map.key',
  'map.size', 'map.first', 'guarded.computed', 'drop', 'drop.toLiquid', 'drop.size.length', 'drop.first', 'symbol', 'symbol.description',
  'constructor', '__proto__', 'toString', 'hasOwnProperty', 'globalThis', 'process', 'this', 'self', 'number.toFixed', 'block',
  'block.super', 'block.superBlockRender', 'forloop', 'forloop.constructor', 'forloop.next', 'forloop.__proto__', 'forloop.valueOf',
  'forloop.liquidMethodMissing', 'forloop.i', 'forloop.name', 'context', 'registers', 'environments', 'globals', 'liquid', 'opts',
  '["constructor"]', 'empty.equals', 'nil.valueOf',
];

/** Filters that could make something of what a value is not. */
// biome-ignore format: a list
const USES: readonly string[] = [
  '', ' | first', ' | join', ' | map: "constructor" | join', ' | sort | join', ' | default: ""', ' | upcase', ' | append: ""',
  ' | sum: "constructor"', ' | where: "constructor" | join', ' | escape', ' | concat: list | first | default: ""',
];

const printedOr = (source: string, context: object): string => {
  try {
    return rendered(source, { ...context });
  } catch (cause) {
    if (cause instanceof TemplateError) return `${cause.kind}: ${cause.message}`;
    throw cause;
  }
};

test('no template reaches a prototype, a method, a getter or an instance of a class', async (t) => {
  for (const way of WAYS_OUT) {
    for (const use of USES) {
      for (const source of [
        `{{ ${way}${use} }}`,
        `{% for i in list %}{{ ${way}${use} }}{% endfor %}`,
        `{% for i in ${way} %}{{ i }}{{ i.constructor }}{% endfor %}`,
        `{% assign con = "constructor" %}{% assign x = ${way} %}{{ x.constructor }}{{ x${use} }}`,
      ]) {
        const printed = printedOr(source, CONTEXT);
        t.notOk(/SECRET|function|native|\[object|class /.test(printed), `${source}: ${printed}`);
      }
    }
    if (!way.startsWith('empty') && !way.startsWith('nil'))
      t.equal(rendered(`{{ ${way} }}{% for i in list %}{{ ${way} }}{% endfor %}`, { ...CONTEXT, con: 'constructor' }), '', way);
  }
  t.equal(
    rendered(
      '{% for pair in object %}{{ pair[0] }}:{{ pair[1] }} {% endfor %}{% for pair in guarded %}{{ pair[0] }}{% endfor %}' +
        '{% for i in drop %}{{ i }}{% endfor %}{% for i in map %}{{ i }}{% endfor %}',
      CONTEXT,
    ),
    'key:value __proto__x:1 plain',
  );
  t.equal(
    rendered(
      '{% include "a", __proto__: object %}{{ polluted }}{% assign __proto__ = object %}' +
        '{% capture constructor %}x{% endcapture %}{{ key }}',
      CONTEXT,
      { templateNamed: () => parseTemplate('') },
    ),
    '',
  );
  t.notOk('key' in {}, 'nothing was put into the prototype of all objects');
});

/** A text that doubles 20 times from 1,000 characters. */
const DOUBLED = (times: number): string => `{% assign a = "${'x'.repeat(1000)}" %}${'{% assign a = a | append: a %}'.repeat(times)}`;
const EACH = (body: string): string => `{% for x in many %}{% for y in few %}${body}{% endfor %}{% endfor %}`;

/** Of this process alone: what else the machine does is no cost of a template. */
const computedMs = (): number => process.cpuUsage().user / 1_000;

/** A template that costs too much, one a limit or a way around one. */
// biome-ignore format: a table
const TOO_MUCH: readonly (readonly [what: string, template: string])[] = [
  ['characters of the template', 'x'.repeat(TEMPLATE_LIMITS.sourceLength + 1)],
  ['tags', '{{a}}'.repeat(TEMPLATE_LIMITS.tags + 1)],
  ['characters of a tag', `{{ ${'a'.repeat(TEMPLATE_LIMITS.tagLength)} }}`],
  ['line breaks of a comment', `{% #${'\n'.repeat(TEMPLATE_LIMITS.tagLength)} %}`],
  ['brackets in brackets', `{{ ${'a['.repeat(200)}1${']'.repeat(200)} }}`],
  ['ranges in ranges', `{% for i in ${'('.repeat(200)}1..2${')'.repeat(200)} %}{% endfor %}`],
  ['values', `{{ a | default: a${' | default: a'.repeat(140)} }}`.repeat(80)],
  ['statements in statements', '{% if 1 %}'.repeat(200) + '{% endif %}'.repeat(200)],
  ['loops in loops', '{% for a in many %}'.repeat(20_000 / 20)],
  ['turns', '{% for a in many %}{% for b in many %}{% endfor %}{% endfor %}'],
  ['turns of ranges', '{% for a in (1..100) %}{% for b in (1..101) %}{% endfor %}{% endfor %}'],
  ['long ranges', '{% for i in (1..1000000000) %}{% endfor %}'],
  ['ranges of texts', '{% assign end = "1000000000" %}{% for i in (1..end) %}{% endfor %}'],
  ['ranges that are kept', ('{% assign a = (1..100000) %}'.repeat(300))],
  ['ranges of filters', '{{ "a" | slice: 0 }}{% assign r = (1..100000) %}{{ r | reverse | first }}'],
  ['included templates', '{% for a in many %}{% for b in few %}{% render "empty" %}{% endfor %}{% endfor %}'],
  ['rendered templates for each of a list', '{% for a in many %}{% render "empty" for many as b %}{% endfor %}'],
  ['output', `{% for a in many %}${'x'.repeat(100_000)}{% endfor %}`],
  ['captured output', `{% capture a %}{% for a in many %}${'x'.repeat(100_000)}{% endfor %}{% endcapture %}`],
  ['raw output', `{% for a in many %}{% raw %}${'x'.repeat(100_000)}{% endraw %}{% endfor %}`],
  ['a captured text that doubles',
   `{% capture a %}${'x'.repeat(1000)}{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(30)}`],
  ['texts that double', DOUBLED(30)],
  ['texts that double by joining', `{% assign a = "${'x,'.repeat(900)}" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(30)}`],
  ['lists of long texts',
   `${DOUBLED(9)}{% assign l = a | append: "," %}{% assign l = l | append: l | append: l | split: "," %}` +
   `${'{% assign l = l | concat: l %}'.repeat(12)}{{ l | sort | join }}`],
  ['escaped output', `${DOUBLED(9)}{{ a | replace: "x", "<" }}`],
  ['replacements', `${DOUBLED(2)}{{ a | replace: "x", a }}`],
  ['joins', `${DOUBLED(2)}{{ many | join: a }}`],
  ['looking for long texts in long ones',
   `${DOUBLED(9)}{% assign b = a | append: "y" %}{% for i in (1..50) %}{{ a contains b }}` +
   '{% assign c = b | slice: 100000, 300000 %}{{ a contains c }}{{ a | replace: c, "" | size }}{% endfor %}'],
  ['splits', `${DOUBLED(10)}{% for i in (1..50) %}{% assign b = a | split: "" %}{% endfor %}`],
  ['long comparisons', `${DOUBLED(9)}{% assign b = a | append: "" %}${EACH('{% if a == b %}{% endif %}')}`],
  ['long cases', `${DOUBLED(9)}{% assign b = a | append: "" %}${EACH('{% case a %}{% when b %}{% endcase %}')}`],
  ['filters behind one another', `${DOUBLED(8)}${EACH(`{{ a${' | upcase | downcase'.repeat(40)} | size }}`)}`],
  ['steps', EACH('{{ 1 | plus: 1 | plus: 1 | plus: 1 | plus: 1 | plus: 1 | plus: 1 | plus: 1 }}'.repeat(20))],
  ['operators', EACH(`{% if ${'true and '.repeat(200)} true %}{% endif %}`)],
  ['variables', EACH(`{{ b[0]${'[0]'.repeat(90)} }}{{ x | default: x${' | default: x'.repeat(100)} }}`)],
  ['sorting', (EACH('{% assign s = many | sort %}'))],
  ['searching', EACH('{% assign s = many | where: "a", 1 | map: "b" | uniq | compact %}')],
  ['formats of dates', `{{ "2026-01-01" | date: "${'Y'.repeat(200)}" }}`],
  ['names of properties', `{{ many | map: "${'a.'.repeat(200)}" }}`],
];

test('a template that exceeds the limit of time is refused, wherever it is', async (t) => {
  const { now } = performance;
  t.teardown(() => {
    performance.now = now;
  });
  let asked = 0;
  performance.now = () => (asked += TEMPLATE_LIMITS.clock / 4);
  for (const template of [
    '{{ a }}'.repeat(20),
    `{% if true %}${'{{ a }}'.repeat(20)}{% endif %}`,
    `{% for i in (1..20) %}{{ i }}{% endfor %}`,
  ]) {
    t.match(errorOf(template), { kind: 'limit', message: 'The template computes too much.' }, template);
  }
});

test('the cost of a template is bounded', async (t) => {
  const many = Array.from({ length: 500 }, (_, index) => index);
  const context = { many, few: many.slice(0, 20), b: [] };
  const templateNamed = () => parseTemplate('');
  for (const [what, template] of TOO_MUCH) {
    const begun = computedMs();
    t.match(errorOf(template, context, { templateNamed }), { kind: /limit|syntax/ }, what);
    const took = computedMs() - begun;
    t.ok(took < TEMPLATE_LIMITS.clock, `${what}: ${took.toFixed(0)} ms`);
  }
});

test('the variables of a template are read within the same bounds', async (t) => {
  const tag = '{{a|default:b|default:b|default:b|default:b}}';
  const most = `${'x\n'.repeat(75_000)}${tag.repeat(1000)}${'{% assign c = d %}'.repeat(200)}`;
  const begun = computedMs();
  t.strictSame(referencesOf(parseTemplate(most)).variables, ['a', 'b', 'd']);
  t.ok(computedMs() - begun < TEMPLATE_LIMITS.clock);
});

test('a context that is too large or too deep does no harm', async (t) => {
  const deep: unknown[] = [];
  let inner = deep;
  for (let depth = 0; depth < 100_000; depth++) {
    const next: unknown[] = [];
    inner.push(next);
    inner = next;
  }
  const circle: unknown[] = [];
  circle.push(circle);
  t.equal(rendered('{{ deep }}{{ circle }}{{ a }}', { deep, circle, a: 1 }), '1');
  t.match(errorOf('{{ a }}', { a: Array.from({ length: TEMPLATE_LIMITS.contextValues }, () => 1) }), { kind: 'limit' });
});

test('a template at the limits is rendered', async (t) => {
  const depth = TEMPLATE_LIMITS.nesting - 1;
  t.equal(rendered(`${'{% if 1 %}'.repeat(depth)}{{ 1 | plus: 1 }}${'{% endif %}'.repeat(depth)}`), '2');
  const deep = (body: string): string => `${'{% if 1 %}'.repeat(depth)}${body}${'{% endif %}'.repeat(depth)}`;
  const chain = (index: number): string => `{{ 100 | plus: 1 }}${deep(`{% include "t${index + 1}" %}`)}`;
  const last = TEMPLATE_LIMITS.includeDepth;
  t.equal(
    rendered(chain(1), {}, { templateNamed: (name) => parseTemplate(Number(name.slice(1)) < last ? chain(Number(name.slice(1))) : 'end') }),
    `${'101'.repeat(last - 1)}end`,
  );
  const rows = Array.from({ length: TEMPLATE_LIMITS.loopTurns }, (_, index) => ({ day: '2026-03-01', amount: index }));
  const table = rendered('{% for row in rows %}<tr><td>{{ row.day | date }}</td><td>{{ row.amount | money }}</td></tr>{% endfor %}', {
    rows,
  });
  t.ok(table.endsWith('<td>$9,999.00</td></tr>'));
});

// biome-ignore format: a list
const SYNTAX = [
  '{{', '}}', '{%', '%}', '{#', '#}', '-', '{{-', '-%}', 'if', 'elsif', 'else', 'endif', 'for', 'in', 'endfor', 'assign', 'capture',
  'endcapture', 'block', 'endblock', 'include', 'render', 'layout', 'raw', 'endraw', 'unless', 'endunless', 'case', 'when', 'endcase',
  'cycle', 'block.super', 'not', 'and', 'or', 'contains', 'comment', 'endcomment', '#', 'break', 'continue', 'limit:', 'offset:',
  'reversed', 'with', 'as', 'empty', 'blank', 'nil', 'true', 'forloop', 'a', 'b', 'list', 'object', 'text', 'number', 'loop',
  'constructor', '__proto__', 'prototype', '.', '..', ',', '|', ':', '(', ')', '[', ']', '{', '}', '=', '==', '<', '+', '*', '/', '%',
  '"x"', "'", '"', '\\', '1', '0', '2.5', '-1', '(1..3)', '1e9', 'upper', 'money', 'date', 'join', 'replace', 'default', 'length',
  'first', 'mask', 'round', 'safe', 'escape', 'where', 'map', 'sort', 'sum', 'range_end', '\n', ' ', 'é', '\u{1F600}', '\u00a0',
];

const FILTER_NAMES = [
  'upcase',
  'capitalize',
  'title',
  'strip',
  'append: text',
  'prepend: number',
  'replace: "t", text',
  'replace_first: text',
  'remove: text',
  'split: text',
  'split: ""',
  'truncate: number',
  'truncatewords: 1',
  'strip_html',
  'newline_to_br',
  'url_encode',
  'escape',
  'raw',
  'phone',
  'mask',
  'lastFour',
  'default: list',
  'size',
  'first',
  'last',
  'join: text',
  'slice: number, 2',
  'concat: list',
  'concat: object',
  'reverse',
  'sort',
  'sort: text',
  'map: text',
  'map: "a.b[c"',
  'where: text, number',
  'where: "a[", 1',
  'uniq',
  'compact',
  'date',
  'date: text',
  'money',
  'percent',
  'round: 1',
  'sum',
  'sum: text',
  'plus: number',
  'times: text',
  'divided_by: number',
  'modulo: 0',
  'at_least: list',
  'ceil',
  'range_end',
];
const value = fc.constantFrom(
  'a',
  'list',
  'object',
  'text',
  'number',
  'list[0]',
  'list.first',
  'object[text]',
  'text.size',
  'secret',
  'fn',
  'guarded',
  'drop',
  'map',
  'date',
  'forloop',
  'forloop.index',
  'block',
  'block.super',
  'nil',
  'empty',
  'blank',
  '"x"',
  '1',
  '(0..number)',
  '(text..3)',
);
const piped = fc.tuple(value, fc.array(fc.constantFrom(...FILTER_NAMES), { maxLength: 4 })).map((parts) => parts.flat().join(' | '));

/** Statements that end, around others. */
// biome-ignore format: a table
const FRAMES: readonly (readonly [begin: string, end: string])[] = [
  ['{% for a in list %}', '{% else %}{{ a }}{% endfor %}'], ['{% capture b %}', '{% endcapture %}{{ b }}'],
  ['{% if text %}', '{% elsif list %}{{ a }}{% else %}{% endif %}'],
  ['{% case text %}{% when list, a %}', '{% else %}{{ a }}{% endcase %}'], ['{% block x %}', '{{ block.super }}{% endblock %}'],
  ['{% layout "a" %}', ''], ['{% include "a" with list, b: text %}', ''], ['{% render "a" for list as b %}', ''],
  ['{% unless fn %}', '{% endunless %}'],
];

const fixed = fc.constantFrom(
  '{% else %}',
  '{% endif %}',
  '{% for a in list %}',
  '{% for a in object reversed %}',
  '{% endfor %}',
  '{% include "a" %}',
  '{% render "a", list: text %}',
  '{% render "a" for list as a %}',
  '{% layout "a" %}',
  '{% block x %}',
  '{% endblock %}',
  '{% capture b %}',
  '{% endcapture %}',
  '{% case list %}',
  '{% when text, object %}',
  '{% endcase %}',
  '{% cycle text, list %}',
  '{% break %}',
  '{{ text.constructor.constructor }}',
  '{{ object["constructor"]("return this") }}',
  '{% comment %}',
  '{% endcomment %}',
  '{% raw %}',
  '{% endraw %}',
);
const simple = fc.oneof(
  fixed,
  piped.map((one) => `{{ ${one} }}`),
  piped.map((one) => `{% assign a = ${one} %}`),
  value.map((one) => `{% for a in ${one} %}{{ a }}{% endfor %}`),
  fc
    .tuple(value, fc.constantFrom('==', '!=', '<', '>=', 'contains', 'and', 'or'), piped)
    .map(([left, operator, right]) => `{% if ${left} ${operator} ${right} %}`),
);
const framed = fc
  .tuple(fc.constantFrom(...FRAMES), fc.constantFrom(...FRAMES), piped)
  .map(([[begin, end], [innerBegin, innerEnd], one]) => `${begin}{{ ${one} }}${innerBegin}{{ ${one} }}${innerEnd}${end}`);
const statement = fc.oneof({ weight: 2, arbitrary: simple }, { weight: 1, arbitrary: framed });

test(`whatever a template says, it is rendered or refused with its own error (seed ${SEED})`, async (t) => {
  const parts = fc.oneof(
    fc.array(fc.constantFrom(...SYNTAX), { maxLength: 40 }),
    fc.array(statement, { maxLength: 12 }),
    fc.array(fc.oneof(statement, fc.constantFrom(...SYNTAX), fc.string()), { maxLength: 20 }),
  );
  const source = fc.tuple(parts, fc.constantFrom('', ' ')).map(([words, between]) => words.join(between));
  const context = fc.record({
    text: fc.string(),
    number: fc.double(),
    list: fc.array(fc.anything(), { maxLength: 5 }),
    object: fc.object(),
  });
  fc.assert(
    fc.property(source, context, fc.constantFrom('lenient' as const, 'strict' as const), (text, given, undefinedVariables) => {
      const print = (): string => {
        try {
          return renderTemplate(parseTemplate(text), {
            ...OPTIONS,
            context: { ...CONTEXT, ...given },
            undefinedVariables,
            templateNamed: () => parseTemplate(text),
          });
        } catch (cause) {
          if (!(cause instanceof TemplateError)) throw cause;
          t.ok((cause.line >= 1 && cause.line <= text.split('\n').length) || cause.kind !== 'syntax');
          return `${cause.kind} ${cause.line} ${cause.message}`;
        }
      };
      const begun = performance.now();
      const first = print();
      t.ok(performance.now() - begun < TEMPLATE_LIMITS.clock + 1000);
      return first === print() && !first.includes('SECRET');
    }),
    { seed: SEED, numRuns: Number(process.env['TENOR_RUNS'] ?? 3000) },
  );
});

test('a text of line ends is read nearly as fast as one of letters', (t) => {
  const cost = (text: string): number => {
    const costs = Array.from({ length: 9 }, () => {
      const before = process.cpuUsage();
      parseTemplate(text);
      return process.cpuUsage(before).user;
    });
    return costs.sort((a, b) => a - b)[4] ?? 0;
  };
  cost('warm {{ up }}\n'.repeat(1_000));
  const [letters, lineEnds] = [cost('{{ a }}'.padEnd(199_000, 'x')), cost('{{ a }}'.padEnd(199_000, '\n'))];
  t.ok(lineEnds < 8_000 + 8 * letters, `${lineEnds} and ${letters} microseconds`);
  t.end();
});
