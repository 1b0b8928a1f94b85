import type { DuckDBConnection } from '@duckdb/node-api';
import { fieldOf, fieldsOf, isRecord, recordsIn, textIn } from '../../engine/basics/index.js';
import type { AskedTable, AskedTables } from './messages.js';

/*
 * What a question may say. DuckDB itself parses the text, by a database that has no tables, and the tree that comes of it is looked
 * through: it must be one SELECT over the views, and call no function that reads files, settings or logs, or does anything at all. This
 * stands before the settings that forbid files, network and changes: a function such as `enable_logging` would pass them.
 */

export class SqlRefused extends Error {
  override readonly name = 'SqlRefused';
}

/** Functions that give a table and only compute. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest', 'json_each']);

/** Functions without effects that show something of the process. */
const SHOWING: readonly string[] = [
  'current_setting',
  'getvariable',
  'current_query',
  'current_connection_id',
  'current_transaction_id',
  'txid_current',
  'version',
  'in_search_path',
  'json_serialize_sql',
  'json_deserialize_sql',
  'json_serialize_plan',
  'pg_typeof',
];

/** Names of tables of the engine itself. */
const OWN_NAMES = /^(?:duckdb|pg|sqlite|pragma|information|system|stored|temp)_/i;

export class SqlGuard {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly refused: ReadonlySet<string>,
  ) {}

  /** `connection`: to a database without tables. */
  static async over(connection: DuckDBConnection): Promise<SqlGuard> {
    const rows = await connection.runAndReadAll(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE has_side_effects OR function_type = 'pragma'",
    );
    return new SqlGuard(connection, new Set([...rows.getRowsJson().map(([name]) => textOf(name).toLowerCase()), ...SHOWING]));
  }

  /** The views that a text names, and whether it may read a personal column of them. Throws `SqlRefused`. */
  async tablesIn(sql: string, views: readonly AskedTable[]): Promise<AskedTables> {
    const nodes = await this.check(
      sql,
      views.map(({ name }) => name),
    );
    const tables = new Set(nodes.map(tableIn));
    const named = views.filter(({ name }) => tables.has(name));
    return { tables: named.map(({ name }) => name), readsPersonalData: readsPersonalData(nodes, named) };
  }

  /** The nodes of a text that is answered over the views. Throws `SqlRefused`. */
  async check(sql: string, views: readonly string[]): Promise<readonly Node[]> {
    const read = await this.connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
    const tree = fieldsOf(JSON.parse(textOf(read.getRowsJson()[0]?.[0])));
    if (tree['error'] !== false) {
      const isNoSelect = tree['error_type'] === 'not implemented';
      const message = textIn(tree, 'error_message') ?? 'syntax error';
      throw new SqlRefused(isNoSelect ? 'Only SELECT is answered.' : `The SQL cannot be read: ${message}`);
    }
    const statements = recordsIn(tree, 'statements');
    if (statements.length !== 1) throw new SqlRefused('A question is one SELECT.');
    const nodes = [...nodesOf(statements)];
    const named = new Set(views.map((name) => name.toLowerCase()));
    for (const node of nodes) for (const name of namesGiven(node)) named.add(name);
    for (const node of nodes) this.#checkNode(node, named, views);
    return nodes;
  }

  #checkNode(node: Node, named: ReadonlySet<string>, views: readonly string[]): void {
    switch (node['type']) {
      case 'TABLE_FUNCTION': {
        const name = String(fieldOf(node['function'], 'function_name')).toLowerCase();
        if (!TABLE_FUNCTIONS.has(name)) throw new SqlRefused(`The function ${name} gives no table to questions.`);
        break;
      }
      case 'BASE_TABLE': {
        const [catalog, schema, table] = [node['catalog_name'], node['schema_name'], String(node['table_name'])];
        const isHere = catalog === '' && (schema === '' || schema === 'main') && named.has(table.toLowerCase());
        if (!isHere || node['at_clause'] != null) throw new SqlRefused(`There is no view ${table}. Views: ${views.join(', ')}.`);
        break;
      }
      case 'SHOW_REF':
      case 'PIVOT':
        throw new SqlRefused('DESCRIBE, SHOW, SUMMARIZE and PIVOT are not answered.');
    }
    if (typeof node['function_name'] !== 'string') return;
    const name = node['function_name'].toLowerCase();
    const isForeign = node['catalog'] !== '' && node['catalog'] !== undefined;
    if (isForeign || this.refused.has(name) || OWN_NAMES.test(name)) throw new SqlRefused(`The function ${name} is not answered.`);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

type Node = Readonly<Record<string, unknown>>;

/** Every object of the tree, without recursion: a text can nest as deep as it likes. */
function* nodesOf(tree: unknown): Iterable<Node> {
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) for (const each of next) waiting.push(each);
    else if (isRecord(next)) {
      yield next;
      for (const each of Object.values(next)) if (typeof each === 'object' && each !== null) waiting.push(each);
    }
  }
}

const tableIn = ({ table_name: name }: Node): string => textOf(name).toLowerCase();

/**
 * Whether a text may read a personal column: it names one, wherever it does, or reads columns that it does not name: `*`, a whole row,
 * those of a natural join, or those that it gives other names in their order.
 */
function readsPersonalData(nodes: readonly Node[], named: readonly AskedTable[]): boolean {
  const personal = named.filter(({ personalColumns }) => personalColumns.length > 0);
  if (personal.length === 0) return false;
  const columns = new Set(personal.flatMap(({ personalColumns }) => personalColumns));
  const tables = nodes.filter((node) => personal.some(({ name }) => name === tableIn(node)));
  const rows = new Set(tables.flatMap((table) => [tableIn(table), textOf(table['alias']).toLowerCase()]));
  const readsUnnamed = (node: Node): boolean => node['type'] === 'STAR' || node['ref_type'] === 'NATURAL' || readsRow(node, rows);
  const namesAny = (node: Node): boolean => textsOf(node).some((text) => columns.has(text.toLowerCase()));
  return tables.some(givesOtherNames) || nodes.some((node) => readsUnnamed(node) || namesAny(node));
}

const readsRow = ({ column_names: names }: Node, rows: ReadonlySet<string>): boolean =>
  Array.isArray(names) && names.length === 1 && rows.has(textOf(names[0]).toLowerCase());

const givesOtherNames = ({ column_name_alias: names }: Node): boolean => Array.isArray(names) && names.length > 0;

/** Texts of a node itself, and those of its lists. */
const textsOf = (node: Node): readonly string[] =>
  Object.values(node)
    .flat()
    .filter((value) => typeof value === 'string');

/** Names that the text itself gives to queries: `WITH late AS (...)`. */
function* namesGiven(node: Node): Iterable<string> {
  for (const given of recordsIn(node['cte_map'], 'map')) {
    const key = textOf(given['key']);
    if (OWN_NAMES.test(key) || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) throw new SqlRefused(`A query cannot be named ${key}.`);
    yield key.toLowerCase();
  }
}
