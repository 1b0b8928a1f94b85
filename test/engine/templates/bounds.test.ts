import fc from 'fast-check';
import { test } from 'tap';
import { parseTemplate, renderTemplate, TEMPLATE_LIMITS, TemplateError } from '../../../engine/index.js';
import { SEED } from '../../random.js';
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

const guarded = { get computed(): string { return 'SECRET'; } };
const CONTEXT = {
  text: 'text', number: 12.5, list: [1, 'two', { three: 3 }], object: { key: 'value', ['constructor']: 'SECRET', ['__proto__x']: 1 },
  secret: new Secret(), fn: () => 'SECRET', date: new Date(0), map: new Map([['key', 'SECRET']]), guarded, symbol: Symbol('SECRET'),
};

/** Ways out of plain data that are known from other engines. */
const WAYS_OUT: readonly string[] = [
  'text.constructor', 'text["constructor"]', 'text.length', 'list.length', 'list.map', 'list["constructor"]["prototype"]', 'object.constructor', 'object.__proto__', 'object["__proto__"]["polluted"]',
  'object["con" ~ "structor"]', 'object.hasOwnProperty', 'object.toString', 'secret.own', 'secret.computed', 'secret.method', 'fn', 'fn.name', 'fn.constructor', 'date', 'date.getTime', 'map', 'map.key', 'map.size',
  'guarded.computed', 'symbol', 'symbol.description', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'globalThis', 'process', 'this', 'self', 'number.toFixed', 'true.constructor', '{}.constructor', '[].constructor',
  '{"__proto__": 1}.polluted', 'loop.constructor', 'context', '_self', 'range', 'cycler', 'lipsum.__globals__', '"".__class__.__mro__',
];

test('no template reaches a prototype, a method, a getter or an instance of a class', async (t) => {
  for (const way of WAYS_OUT) {
    t.equal(rendered(`{{ ${way} }}`, CONTEXT), '', way);
    t.equal(rendered(`{{ ${way} is defined }}`, CONTEXT), 'false', way);
  }
  t.equal(rendered('{% for key, value in object %}{{ key }}:{{ value }} {% endfor %}', CONTEXT), 'key:value constructor: __proto__x:1 ');
  t.equal(rendered('{% for x in [fn, secret, date, symbol] %}[{{ x }}]{% endfor %}{{ [fn, secret, symbol] }}{{ [secret] | join(",", "own") }}', CONTEXT), '[][][][], , ');
});

/** A template that costs too much, one a limit. */
const TOO_MUCH: readonly (readonly [what: string, template: string])[] = [
  ['characters of the template', 'x'.repeat(TEMPLATE_LIMITS.sourceLength + 1)],
  ['parts of a tag', `{{ ${'a + '.repeat(TEMPLATE_LIMITS.tagTokens)} a }}`],
  ['brackets in brackets', `{{ ${'('.repeat(200)}1${')'.repeat(200)} }}`],
  ['lists in lists', `{{ ${'['.repeat(200)}${']'.repeat(200)} }}`],
  ['signs', `{{ ${'- '.repeat(200)}1 }}`],
  ['negations', `{{ ${'not '.repeat(200)}1 }}`],
  ['statements in statements', '{% if 1 %}'.repeat(200) + '{% endif %}'.repeat(200)],
  ['turns', `{% for a in many %}{% for b in many %}{% endfor %}{% endfor %}`],
  ['output', `{% for a in many %}${'x'.repeat(100_000)}{% endfor %}`],
  ['texts that double', `{% set a = "${'x'.repeat(1000)}" %}${'{% set a = a ~ a %}'.repeat(30)}`],
  ['lists of long texts', `{% set a = "${'x'.repeat(1000)}" %}${'{% set a = a ~ a %}'.repeat(9)}{{ [${'a, '.repeat(100)}a] | upper }}`],
  ['replacements', `{% set a = "${'x'.repeat(1000)}" %}{% set b = a ~ a ~ a %}{{ b | replace("x", b) }}`],
  ['joins', `{% set a = "${'x'.repeat(1000)}" %}{{ many | join(a ~ a ~ a) }}`],
  ['steps', `{% for a in many %}${'{{ a + a + a + a + a + a + a + a + a + a }}'.repeat(100)}{% endfor %}`],
  ['long comparisons', `{% set a = "${' '.repeat(1000)}" %}${'{% set a = a ~ a %}'.repeat(9)}{% for x in many %}{{ a == a ~ "" }}{% endfor %}`],
  ['formats of dates', `{{ "2026-01-01" | date("${'['.repeat(200)}") }}`],
];

test('what a template may cost is bounded', async (t) => {
  const many = Array.from({ length: 500 }, (_, index) => index);
  for (const [what, template] of TOO_MUCH) {
    const begun = performance.now();
    t.match(errorOf(template, { many }), { kind: 'limit' }, what);
    t.ok(performance.now() - begun < 2000, `${what}: within two seconds`);
  }
});

test('what is as deep as it may be is rendered', async (t) => {
  const depth = TEMPLATE_LIMITS.nesting - 1;
  const brackets = `{{ ${'('.repeat(depth)}1${')'.repeat(depth)} }}`;
  const body = '{% if 1 %}'.repeat(depth) + brackets.slice(0, 0) + `{{ ${'1 + '.repeat(200)}1 }}` + '{% endif %}'.repeat(depth);
  t.equal(rendered(brackets), '1');
  const chain = (index: number): string => `${body.replace('{{', `{% include "t${index + 1}" ignore missing %}{{`)}`;
  t.equal(rendered(chain(1), {}, { templateNamed: (name) => (Number(name.slice(1)) > 7 ? undefined : parseTemplate(chain(Number(name.slice(1))))) }).length, 3 * 7);
});

const WORDS = [
  '{{', '}}', '{%', '%}', '{#', '#}', '-', '{{-', '-%}', 'if', 'elif', 'else', 'endif', 'for', 'in', 'endfor', 'set', 'endset', 'block', 'endblock', 'include', 'extends', 'raw', 'endraw', 'unless', 'endunless', 'super()', 'not', 'and', 'or', 'is', 'defined',
  'a', 'b', 'list', 'object', 'text', 'number', 'loop', 'constructor', '__proto__', 'prototype', '.', ',', '|', ':', '(', ')', '[', ']', '{', '}', '=', '==', '<', '+', '*', '/', '//', '%', '~', '"x"', "'", '"', '\\', '1', '0', '2.5', '-1',
  'upper', 'money', 'date', 'join', 'replace', 'default', 'length', 'first', 'mask', 'round', 'safe', 'escape', '\n', ' ', 'é', '\u{1F600}',
];

const statement = fc.constantFrom(
  '{{ a }}', '{{ list[number] }}', '{{ object[text] | upper }}', '{% if text %}', '{% else %}', '{% endif %}', '{% for a in list %}', '{% for a, b in object %}', '{% endfor %}', '{% set a = list %}', '{% include text %}',
  '{{ text | replace("t", text) }}', '{{ [list, object] | join(text) }}', '{{ number / (number - 12.5) }}', '{{ text.constructor.constructor }}', '{{ "x" | date }}', '{% set b %}', '{% endset %}', '{{ object["constructor"]("return this") }}',
);

test(`whatever a template says, it is rendered or refused with its own error (seed ${SEED})`, async (t) => {
  const parts = fc.oneof(fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }), fc.array(statement, { maxLength: 12 }), fc.array(fc.oneof(statement, fc.constantFrom(...WORDS), fc.string()), { maxLength: 20 }));
  const source = fc.tuple(parts, fc.constantFrom('', ' ')).map(([words, between]) => words.join(between));
  const context = fc.record({ text: fc.string(), number: fc.double(), list: fc.array(fc.anything(), { maxLength: 5 }), object: fc.object() });
  fc.assert(fc.property(source, context, fc.constantFrom('lenient' as const, 'strict' as const), (text, given, undefinedVariables) => {
    const print = (): string => {
      try {
        return renderTemplate(parseTemplate(text), { ...OPTIONS, context: { ...CONTEXT, ...given }, undefinedVariables, templateNamed: () => parseTemplate(text) });
      } catch (cause) {
        if (!(cause instanceof TemplateError)) throw cause;
        t.ok(cause.line >= 1 && cause.line <= text.split('\n').length || cause.kind !== 'syntax');
        return `${cause.kind} ${cause.line} ${cause.message}`;
      }
    };
    const first = print();
    return first === print() && !first.includes('SECRET');
  }), { seed: SEED, numRuns: Number(process.env['TENOR_RUNS'] ?? 3000) });
});
