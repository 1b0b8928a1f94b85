import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { must } from '../../engine/index.js';
import { openApiDocument, RESOURCE_ROUTES, type Route } from '../../gateway/index.js';
import { missing, sharedFile } from '../shared.js';
import { cellsOf, type ContractRow, contractRows, shapeOf } from './contract-rows.js';

/** Files of the contract whose tables of operations are compared: the columns for query, success and permission. */
const FILES = ['base', 'loans', 'loan-terms', 'money', 'parties', 'people', 'platform', 'books'] as const;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

type Json = { readonly [name: string]: Json } & {
  readonly $ref?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
};

const document = openApiDocument(RESOURCE_ROUTES) as unknown as Json;

const at = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((found, name) => (found as Json)[name], document);

/** Names of the query parameters that a route takes. */
function queryOf({ path, method }: Route): ReadonlySet<string> {
  const { parameters = [] } = must(must(document['paths'], 'paths')[path], path)[method.toLowerCase()] ?? {};
  const known = parameters.map((parameter) => ('$ref' in parameter ? at(parameter.$ref) : parameter) as Parameter);
  return new Set(known.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
}

/** The text without everything in brackets, however deep: values, defaults, remarks. */
function withoutRemarks(text: string): string {
  let depth = 0;
  return Array.from(text)
    .filter((letter) => {
      if (letter === '(') depth += 1;
      const isOutside = depth === 0;
      if (letter === ')') depth = Math.max(0, depth - 1);
      return isOutside;
    })
    .join('');
}

/** The contract's names for routes that accept callers without a credential. */
const CONTRACT_NAMES: Readonly<Record<string, string>> = { public: 'none', optional: 'any session' };

function faultsOf(route: Route, { cells }: ContractRow): readonly string[] {
  const { query = '', success = '', perm } = cells;
  const wanted = [...withoutRemarks(query).matchAll(/`([a-zA-Z]+)`/g)].map(([, name = '']) => name);
  const taken = queryOf(route);
  const absent = (/\bpaged\b/.test(query) ? [...wanted, 'limit', 'startingAfter', 'endingBefore'] : wanted).filter(
    (name) => !taken.has(name),
  );
  return [
    ...absent.map((name) => `takes no ${name}`),
    ...(/\d{3}/.test(success) && !success.includes(String(route.success)) ? [`answers ${route.success}, not ${success}`] : []),
    ...(perm && route.permission !== null && !perm.includes(CONTRACT_NAMES[route.permission] ?? route.permission)
      ? [`asks for ${route.permission}, not ${perm}`]
      : []),
  ];
}

const absent = FILES.find((name) => sharedFile('api', `${name}.md`) === undefined);
const skip = absent === undefined ? false : missing('api', `${absent}.md`);
const contract = (name: string): string => readFileSync(must(sharedFile('api', `${name}.md`), name), 'utf8');

test('each built operation has the query parameters, the status and the permission of its row in the contract', { skip }, (t) => {
  const routes = new Map(RESOURCE_ROUTES.map((route) => [`${route.method} ${shapeOf(route.path)}`, route]));
  let compared = 0;
  for (const file of FILES) {
    for (const row of contractRows(contract(file))) {
      const route = routes.get(`${row.method} ${shapeOf(row.path)}`);
      if (route === undefined) continue;
      compared += 1;
      t.strictSame(faultsOf(route, row), [], `${row.method} ${row.path}`);
    }
  }
  t.ok(compared > 250, `${compared} operations`);
  t.end();
});

/** Files of the contract that are built completely, except for the sections that match. */
const WHOLE: Readonly<Record<string, RegExp | null>> = { loans: null, 'loan-terms': null, money: /^## [789]\. / };

test('each field that a table names exists in the interface', { skip }, (t) => {
  const known = namesIn(document);
  for (const [file, unbuilt] of Object.entries(WHOLE)) {
    const unknown: string[] = [];
    let [section, head] = ['', ''];
    for (const line of contract(file).split('\n')) {
      if (line.startsWith('## ')) section = line;
      if (!line.startsWith('|')) head = '';
      else if (head === '') head = must(cellsOf(line)[0], line);
      else if (/^(field|property|name|attribute|setting)/i.test(head) && unbuilt?.test(section) !== true)
        unknown.push(...fieldsOf(line).filter((name) => !known.has(name)));
    }
    t.strictSame(unknown, [], file);
  }
  t.end();
});

/** `dueDate, amounts[]` names two; of `a.b` the last part. */
function fieldsOf(line: string): readonly string[] {
  const [names = ''] = cellsOf(line);
  return withoutRemarks(names.replaceAll('`', ''))
    .split(/[,/ ]+/)
    .map((name) => name.replace('[]', '').split('.').at(-1) ?? '')
    .filter((name) => /^[a-z][A-Za-z0-9]+$/.test(name));
}

/** Names of all properties and parameters of the interface document. */
function namesIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return names;
  const { properties, name } = value as { readonly properties?: object; readonly name?: unknown };
  for (const property of Object.keys(properties ?? {})) names.add(property);
  if (typeof name === 'string') names.add(name);
  for (const inner of Object.values(value)) namesIn(inner, names);
  return names;
}
