import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../engine/basics/index.js';
import { type Ask, DATABASE_FOLDER, type Fault, type Request, type Response } from './messages.js';
import { SqlGuard, SqlRefused } from './sql-guard.js';
import { firstLine, mergeParquet, openInstance, QuestionFault, ViewDatabase } from './view-database.js';

/*
 * The process that holds the views. It hears the service alone, and ends with it; it has no environment, opens no port, and what it holds
 * lies in memory. All that it writes are Parquet files on their way to the service, in a folder that the service has made for it, and
 * views that are kept, which it encrypts.
 */

const folder = must(process.argv[2], 'the folder of the process');

const databases = new Map<string, ViewDatabase>();
const parser = openInstance().then(async (instance) => SqlGuard.over(await instance.connect()));

async function answer(ask: Ask): Promise<unknown> {
  switch (ask.type) {
    case 'open':
      databases.get(ask.database)?.close();
      databases.set(ask.database, await ViewDatabase.open(mkdtempSync(join(folder, DATABASE_FOLDER))));
      return null;
    case 'keep':
      return databaseOf(ask.database).keep(ask.group, ask.files);
    case 'restore':
      return databaseOf(ask.database).restore(ask.files);
    case 'add':
      return databaseOf(ask.database).add(ask.group);
    case 'put':
      return databaseOf(ask.database).put(ask.batch);
    case 'count':
      return databaseOf(ask.database).count(ask.group);
    case 'drop':
      databases.get(ask.database)?.close();
      return databases.delete(ask.database);
    case 'check':
      return (await parser).tablesIn(ask.sql, ask.tables);
    case 'ask':
      return databaseOf(ask.database).ask(await parser, ask);
    case 'parquet':
      return databaseOf(ask.database).parquet(await parser, ask);
    case 'section':
      return ask.format === 'csv' ? databaseOf(ask.database).csv(await parser, ask) : databaseOf(ask.database).parquet(await parser, ask);
    case 'merge':
      return mergeParquet(folder, ask.sections, ask.whole);
  }
}

function databaseOf(name: string): ViewDatabase {
  const database = databases.get(name);
  if (!database) throw new QuestionFault({ type: 'closed', message: 'The views are not there.' });
  return database;
}

function faultOf(cause: unknown): Fault {
  if (cause instanceof QuestionFault) return cause.fault;
  if (cause instanceof SqlRefused) return { type: 'refused', message: cause.message };
  const text = firstLine(cause);
  if (text.startsWith('Out of Memory')) return { type: 'tooLarge', message: 'The question takes too much memory.' };
  // Without the value that the error may quote.
  return { type: 'failed', message: `The question failed: ${text.split(':')[0] ?? 'error'}.` };
}

process.on('message', ({ id, ask }: Request) => {
  answer(ask).then(
    (result) => reply({ id, answer: result ?? null }),
    (cause: unknown) => reply({ id, fault: faultOf(cause) }),
  );
});
// The service is gone.
process.on('disconnect', () => process.exit());

const reply = (response: Response): void => void process.send?.(response);
