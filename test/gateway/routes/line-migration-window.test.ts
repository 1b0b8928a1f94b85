import { test } from 'tap';
import { oldLine, type OldLine, stated } from './old-line.js';

async function goTo({ h, company }: OldLine, date: string): Promise<void> {
  h.nowMs = Date.parse(`${date}T17:00:00Z`);
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
}

test('a line is migrated between its cutoff and its due date, and a dry run reports that these days have passed', async (t) => {
  const old = await oldLine(t);
  const { ask, line, failures } = old;
  await stated(old);
  await goTo(old, '2026-03-15');
  t.match(await ask('POST', `${line}/migrate?validateOnly=true`, {}), { status: 200, json: { data: { errors: [] } } });
  await goTo(old, '2026-03-16');
  t.match(await ask('POST', `${line}/migrate`, {}), {
    status: 409,
    json: { errors: [{ path: 'period.dueDate', message: '2026-03-15 has passed' }] },
  });
  const dry = await ask('POST', `${line}/migrate?validateOnly=true`, {});
  t.match(dry, {
    status: 200,
    json: {
      data: { errors: [{ code: 'migrationValidation', field: 'period.dueDate', message: '2026-03-15 has passed' }], reconciliation: {} },
    },
  });
  t.match(await ask('GET', `${line}/migration`), { json: { data: { migrationStatus: 'prepMigration', errors: [] } } });
  t.same(failures, []);
});

test('a dry run after the due date reports what else is missing too', async (t) => {
  const old = await oldLine(t);
  const { ask, line } = old;
  await stated(old);
  await goTo(old, '2026-03-16');
  await ask('POST', `${line}/draws`, { status: 'originated', externalId: 'd-2' });
  const dry = await ask('POST', `${line}/migrate?validateOnly=true`, {});
  t.match(dry, { json: { data: { errors: [{ field: 'period.dueDate' }, { field: /^draws\./, message: 'is missing' }] } } });
});
