import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { commandLines, faultOf, project, textsBelow, unknownMetrics } from './operators-text.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const PAGES_FOR_OPERATORS = [
  'operations.md',
  'mass-work.md',
  'views-as-files.md',
  'nats.md',
  'when-something-fails.md',
  'data.md',
  'metrics.md',
];

const pages = textsBelow('docs/runbooks', '.md');
const alerts = (
  parse(readFileSync(join(project, 'packaging/prometheus/alerts.yaml'), 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  }
).groups.flatMap(({ rules }) => rules);
const source = ['actors', 'persistence', 'gateway', 'bench', 'wiring']
  .flatMap((folder) => textsBelow(folder, '.ts').map(({ text }) => text))
  .join('\n');

test('each command, metric, alert and log line that a runbook names is there', async (t) => {
  const names = new Set(alerts.map(({ alert }) => alert));
  for (const { name, text } of pages) {
    for (const command of commandLines(text)) t.equal(faultOf(command), null, `${name}: tenor ${command.line}`);
    t.strictSame(unknownMetrics(text), [], `${name}: metrics`);
    t.strictSame(
      [...text.matchAll(/`(Tenor[A-Z]\w+)`/g)].map(([, alert = '']) => alert).filter((alert) => !names.has(alert)),
      [],
      `${name}: alerts`,
    );
    for (const [, line = ''] of text.matchAll(/\b(?:log|log says) `([^`]+)`/g)) t.ok(source.includes(line), `${name}: log ${line}`);
    for (const [, link = ''] of text.matchAll(/\]\(([\w-]+\.md)\)/g))
      t.ok(
        pages.some((page) => basename(page.name) === link),
        `${name}: ${link}`,
      );
  }
});

test('the list of runbooks names every runbook, and every alert has a runbook', async (t) => {
  const list = pages.find(({ name }) => name.endsWith('README.md'))?.text ?? '';
  for (const { name } of pages) if (!name.endsWith('README.md')) t.ok(list.includes(`(${basename(name)})`), name);
  for (const {
    alert,
    annotations: { runbook },
    expr,
  } of alerts) {
    const page = pages.find(({ name }) => basename(name) === runbook);
    t.ok(page?.text.includes(alert), `${alert}: ${runbook} names it`);
    t.strictSame(unknownMetrics(expr), [], `${alert}: metrics`);
  }
});

test('each command and runbook that the pages for operators and the table of metrics name is there', async (t) => {
  for (const { name, text } of [
    ...PAGES_FOR_OPERATORS.flatMap((name) => textsBelow('docs', name)),
    ...textsBelow('gateway/metrics', 'table.ts'),
  ]) {
    for (const { line } of commandLines(text))
      for (const each of alternatives(line)) t.equal(faultOf({ line: each, isWhole: false }), null, `${name}: tenor ${each}`);
    for (const [, page = ''] of text.matchAll(/runbooks\/([\w-]+\.md)/g))
      t.ok(
        pages.some((known) => basename(known.name) === page),
        `${name}: ${page}`,
      );
  }
});

/** In a table, `a\|b` stands for `a` or `b`, and text in brackets may be omitted. */
function alternatives(line: string): readonly string[] {
  const plain = line
    .replace(/\[[^\]]*\]/g, '')
    .replace(/…/g, '')
    .replace(/--loan-type\\\|--query\\\|--all/, '--all');
  const parts = plain.split(/ +/);
  const at = parts.findIndex((part) => part.includes('\\|'));
  return at < 0 ? [plain] : (parts[at] ?? '').split('\\|').map((each) => parts.with(at, each).join(' '));
}
