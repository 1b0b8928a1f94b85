import { join } from 'node:path';
import { test } from 'tap';
import { QuestionStore } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';

const TABLES = [
  { name: 'v_people', personalColumns: ['first_name', 'state'] },
  { name: 'v_contacts', personalColumns: ['value'] },
  { name: 'v_loans', personalColumns: [] },
];

/** Questions whose answer needs no personal column. */
const PLAIN = [
  'SELECT 1',
  'SELECT count(*) FROM v_people',
  'SELECT person_id, p.status FROM v_people AS p WHERE p.status = $$active$$',
  'SELECT * FROM v_loans',
  'SELECT l FROM v_loans l',
  'SELECT state FROM v_loans', // it has none, and is refused when it is asked
  'SELECT first_name FROM v_loans NATURAL JOIN v_loans',
  'SELECT person_id FROM v_people JOIN v_loans USING (person_id) GROUP BY person_id HAVING count(loan_id) > 1',
  'WITH active AS (SELECT person_id FROM v_people) SELECT person_id FROM active',
  'SELECT loan_id FROM v_loans WHERE EXISTS (SELECT 1 FROM v_people p WHERE p.person_id = v_loans.person_id)',
];

/** Those that read one. */
const PERSONAL = [
  'SELECT first_name FROM v_people',
  'SELECT FIRST_NAME FROM V_PEOPLE',
  'SELECT "First_Name" FROM v_people',
  'SELECT p.first_name FROM v_people p',
  'SELECT main.v_people.first_name FROM main.v_people',
  'SELECT * FROM v_people',
  'SELECT p.* FROM v_people p JOIN v_loans USING (person_id)',
  'SELECT * EXCLUDE (person_id) FROM v_people',
  "SELECT columns('name') FROM v_people",
  'FROM v_people',
  'TABLE v_people',
  'SELECT p FROM v_people p',
  'SELECT P FROM v_people p',
  'SELECT v_people FROM v_people',
  'SELECT to_json(p) FROM v_people p',
  "SELECT p['first_name'] FROM v_people p",
  'SELECT count(DISTINCT p) FROM v_people p',
  'SELECT person_id FROM v_people WHERE state = $$NY$$',
  'SELECT person_id FROM v_people ORDER BY state',
  'SELECT count(*) FROM v_people GROUP BY state',
  'SELECT person_id FROM v_people GROUP BY ALL ORDER BY ALL',
  'SELECT person_id FROM v_people QUALIFY row_number() OVER (PARTITION BY state) = 1',
  'SELECT loan_id FROM v_loans WHERE person_id IN (SELECT person_id FROM v_people WHERE state IS NULL)',
  'SELECT person_id FROM v_people JOIN v_contacts USING (state)',
  'SELECT person_id FROM v_people NATURAL JOIN v_loans',
  'SELECT e FROM v_people AS p(a, b, c, d, e)',
  'WITH all_people AS (SELECT * FROM v_people) SELECT person_id FROM all_people',
  'WITH named AS (SELECT first_name AS n FROM v_people) SELECT n FROM named',
  'SELECT person_id FROM v_people UNION ALL SELECT value FROM v_contacts',
  'SELECT (SELECT min(value) FROM v_contacts) FROM v_people',
  'SELECT max(x) FILTER (WHERE first_name IS NOT NULL) FROM v_people, range(3) t(x)',
  'SELECT list_filter([1, 2], lambda i : first_name = $$Ada$$) FROM v_people',
  'SELECT CASE WHEN first_name IS NULL THEN 1 END FROM v_people',
];

test('whether a question reads a personal column is seen in its text', async (t) => {
  const store = new QuestionStore({ folder: join(tempFolder(t), 'questions'), report: () => undefined });
  t.teardown(() => store.close());
  for (const sql of PLAIN) t.equal((await store.check(TABLES, sql)).readsPersonalData, false, sql);
  for (const sql of PERSONAL) t.equal((await store.check(TABLES, sql)).readsPersonalData, true, sql);
});

test('a question names the tables that it reads, in their order', async (t) => {
  const store = new QuestionStore({ folder: join(tempFolder(t), 'questions'), report: () => undefined });
  t.teardown(() => store.close());
  const { tables } = await store.check(TABLES, 'SELECT 1 FROM V_LOANS WHERE EXISTS (SELECT 1 FROM v_people)');
  t.same(tables, ['v_people', 'v_loans']);
});
