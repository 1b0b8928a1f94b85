import { test } from 'tap';
import { queryListOf } from '../../../gateway/runners/query-list.js';
import { listIn } from '../../../gateway/runners/query-tool.js';

const COLUMNS = Array.from({ length: 20 }, (_, at) => `column${at}`);
const ROWS = 80_000;

test('a long answer of a query tool is read beside other work', async (t) => {
  const answer = Array.from({ length: ROWS }, (_, row) => Object.fromEntries(COLUMNS.map((name, at) => [name, `value ${row} ${at}`])));
  const text = JSON.stringify(answer);
  const atOnce = queryListOf(text);
  let rounds = 0;
  const other = setInterval(() => (rounds += 1), 1);
  const list = await listIn(Buffer.from(text)).finally(() => clearInterval(other));
  t.strictSame(list.columns, atOnce.columns);
  t.strictSame([list.rows.length, list.rows[0], list.rows.at(-1)], [ROWS, atOnce.rows[0], atOnce.rows.at(-1)]);
  t.ok(rounds >= 10, `other work ran ${rounds} times`);
});

test('an answer without rows is a list, and what is no list is a fault', async (t) => {
  t.strictSame(await listIn(Buffer.from('[]')), { columns: [], rows: [] });
  for (const [text, message] of [
    ['{', /is no JSON/],
    ['{"data": 3}', /is no list of rows/],
  ] as const)
    await t.rejects(listIn(Buffer.from(text)), { name: 'OutsideFault', message });
});
