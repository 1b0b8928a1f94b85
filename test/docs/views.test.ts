import { test } from 'tap';
import { QUESTION_BOUNDS, REPORTS, VIEWS } from '../../actors/index.js';
import { checkWrittenPage } from './written-page.js';

const TYPES = {
  VARCHAR: 'text',
  BOOLEAN: 'true or false',
  INTEGER: 'whole number',
  MONEY: 'amount',
  EXACT: 'amount with ten decimals',
  DATE: 'date',
  TIMESTAMP: 'time',
} as const;

/** The columns of a page. */
const WIDTH = 136;

test('the page of views is made from their declarations', async (t) => {
  checkWrittenPage(
    t,
    'views.md',
    [
      '# Views',
      '',
      'What campaigns, reports and `tenor sql` ask. A question is one `SELECT` in the SQL of DuckDB over the views of one company and',
      `mode. It is answered within ${QUESTION_BOUNDS.limitMs / 60_000} minutes and with at most ${QUESTION_BOUNDS.mostRows} rows, and has`,
      'everything that was recorded before it was asked. It reaches no file, no network, no setting and nothing of another company;',
      'functions that read them are refused by name.',
      '',
      'The first question that names a view waits until it is filled; each later one brings in what has changed since. Views are filled',
      'again after a start of the service, with a new release, and when actors were deleted or erased; those about loans and events also',
      'at the begin of a day. One process keeps views about many actors, encrypted, and goes on with them after a start. Views that',
      'campaigns ask are filled in the background. `v_events` has the events up to the watermark of the log, as `GET /events` does.',
      '',
      'Each view has the column `as_of`: everything that was recorded before is in it. Times are in UTC, amounts have two decimals,',
      'balances are those of today. Columns with a * are there for callers who may read borrowers (`person:read`): of a campaign, the',
      'author of its query. Such data is opened for questions that read it alone: which name such a column, or read all columns of its',
      'view by `*` or as a row.',
      '',
      'A view whose description names a most of rows is filled and followed only for questions that name it, and refused (422) for a',
      'company that has more.',
      ...VIEWS.flatMap(({ name, meaning, columns, mostRows }) => [
        '',
        `## ${name}`,
        '',
        ...linesOf(mostRows === undefined ? meaning : `${meaning} At most ${mostRows} rows.`),
        '',
        '| Column | Type | Meaning |',
        '|---|---|---|',
        ...columns.map((column) => `| \`${column.name}\`${column.isPersonal ? '*' : ''} | ${TYPES[column.type]} | ${column.meaning} |`),
      ]),
      '',
      '## Reports',
      '',
      '`GET /reports/{reportName}`, `GET /reports/{reportName}/file` as CSV or Parquet, `tenor sql --report NAME`.',
      ...REPORTS.flatMap(({ name, title, description, sql }) => [
        '',
        `### ${title} (\`${name}\`)`,
        '',
        description,
        '',
        '```sql',
        sql,
        '```',
      ]),
      '',
    ].join('\n'),
  );
});

function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (const next of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + next.length > WIDTH) lines.push(next);
    else lines[lines.length - 1] = `${last} ${next}`;
  }
  return lines;
}
