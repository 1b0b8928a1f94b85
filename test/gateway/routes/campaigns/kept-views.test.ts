import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Test, test } from 'tap';
import { must } from '../../../../engine/index.js';
import { KEPT_VIEWS } from '../../../../persistence/index.js';
import { decrypt, wrappingKey } from '../../../../persistence/keys/data-keys.js';
import { EMAIL } from '../../../actors/borrower/lender.js';
import { type Harness, MASTER_KEY } from '../../../actors/harness.js';
import { idOf } from '../http-lender.js';
import { type CampaignOverHttp, openCampaigns } from './campaign-over-http.js';
import { fills, type Rows } from './view-rows.js';

const NAMES = 'SELECT first_name FROM v_people ORDER BY 1';
const VALUES = "SELECT value FROM v_contacts WHERE contact_type = 'email' ORDER BY 1";
/** A group of both views, with their personal columns. */
const BOTH = 'SELECT count(first_name)::INTEGER FROM v_people JOIN v_contacts USING (person_id)';
const PAID = 'SELECT count(*)::INTEGER, coalesce(sum(paid_total), 0)::VARCHAR FROM v_balances';
const INTEREST = 'SELECT outstanding_interest FROM v_balances';

const ONE_PROCESS = { skip: process.env['TENOR_TEST_CLUSTER'] === '1' && 'a cluster keeps no views' };

/** A lender whose views of a single actor are kept. */
async function openKept(t: Test): Promise<CampaignOverHttp> {
  const lender = await openCampaigns(t);
  lender.h.keptFrom = 1;
  return lender;
}

const asked = async (h: Harness, sql: string, seesPersonalData = true): Promise<Rows> =>
  (await h.query('question.ask', null, { sql, seesPersonalData }))['rows'] as Rows;

/** Asks what is to be kept, and waits until it is. */
async function kept(h: Harness, ...questions: readonly string[]): Promise<void> {
  for (const sql of questions) await asked(h, sql);
  await h.campaigns.viewsKept();
}

async function restarted(h: Harness): Promise<void> {
  await h.restart();
  h.deliver();
}

const folderOf = ({ folder }: Harness): string => join(folder, KEPT_VIEWS);

/** Files below the folder of kept views. */
const filesOf = (h: Harness): readonly string[] =>
  existsSync(folderOf(h))
    ? readdirSync(folderOf(h), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

const oneOf = (h: Harness, name: RegExp): string =>
  must(
    filesOf(h).find((path) => name.test(path)),
    String(name),
  );

const pay = async ({ ask, loan }: CampaignOverHttp): Promise<void> => {
  const answer = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded' });
  if (answer.status >= 300) throw new Error(answer.text);
};

test('a start goes on with the views that were kept, and with all that came since', ONE_PROCESS, async (t) => {
  const lender = await openKept(t);
  const { h, ask, personId } = lender;
  await kept(h, NAMES, VALUES, PAID);
  const [names, values] = [await asked(h, NAMES), await asked(h, VALUES)];
  await pay(lender);
  await ask('POST', `/people/${personId}/contacts`, { ...EMAIL, value: 'quimby@example.com', label: 'work' });
  await restarted(h);
  t.same(await asked(h, NAMES), names);
  t.same(await asked(h, VALUES), [...values, ['quimby@example.com']].toSorted());
  t.same(await asked(h, PAID), [[1, '10.00']]);
  t.equal(await fills(h), 0, 'nothing was filled');
  await asked(h, 'SELECT count(*) FROM v_cases');
  t.equal(await fills(h), 1, 'what was not kept is');
  t.same(await asked(h, 'SELECT count(*)::INTEGER FROM v_people', false), [[1]]);
  t.equal(await fills(h), 2, 'and what is kept for others is not for those who may read no personal data');
});

test('nothing of what is kept can be read without the master key', ONE_PROCESS, async (t) => {
  const lender = await openKept(t);
  const { h } = lender;
  await kept(h, NAMES, VALUES, PAID);
  const files = filesOf(h);
  t.ok(files.length > 3, files.join(' '));
  for (const file of files) t.notMatch(readFileSync(file, 'latin1'), /Annabel|Quimby|example\.com|PAR1|LN-|v_people/i, file);
});

test('on a new day only loans are filled again', ONE_PROCESS, async (t) => {
  const lender = await openKept(t);
  const { h, goTo } = lender;
  await kept(h, NAMES, INTEREST);
  const [[interest] = []] = await asked(h, INTEREST);
  await goTo('2026-03-05');
  await restarted(h);
  const [[interestThen] = []] = await asked(h, INTEREST);
  t.ok(Number(interestThen) > Number(interest), `${String(interest)}, later ${String(interestThen)}`);
  t.equal(await fills(h), 1);
  t.same(await asked(h, NAMES), [['Annabel']]);
  t.equal(await fills(h), 1, 'borrowers are as they were kept');
});

/** All that can be read with the master key. */
const readable = (h: Harness): string =>
  filesOf(h)
    .map((file) => {
      const key = wrappingKey(MASTER_KEY, readFileSync(join(file, '..', 'salt')));
      return decrypt(key, readFileSync(file), basename(file))?.toString('latin1') ?? '';
    })
    .join('\n');

test('after an erasure nothing of the borrower is kept again, whatever is asked', ONE_PROCESS, async (t) => {
  const { h, ask } = await openKept(t);
  const id = idOf(await ask('POST', '/people', { name: { firstName: 'Beatrix', lastName: 'Alder' } }));
  await kept(h, NAMES);
  t.match(readable(h), /Beatrix/);
  await h.data('person.erase', id, {});
  t.same(filesOf(h), []);
  await kept(h, PAID);
  t.ok(filesOf(h).length > 0, 'views of loans are');
  t.notMatch(readable(h), /Beatrix/);
  await kept(h, NAMES);
  t.match(readable(h), /Annabel/);
  t.notMatch(readable(h), /Beatrix/);
});

test('a start does not erase what was kept since an erasure', ONE_PROCESS, async (t) => {
  const { h, ask } = await openKept(t);
  const id = idOf(await ask('POST', '/people', { name: { firstName: 'Bea', lastName: 'Alder' } }));
  await h.data('person.erase', id, {});
  await kept(h, NAMES);
  await restarted(h);
  t.same(await asked(h, NAMES), [['Annabel']]);
  t.equal(await fills(h), 0);
});

test('views that an erasure took are kept with the next question', ONE_PROCESS, async (t) => {
  const { h, ask } = await openKept(t);
  const id = idOf(await ask('POST', '/people', { name: { firstName: 'Bea', lastName: 'Alder' } }));
  await asked(h, PAID, false);
  await h.campaigns.viewsKept();
  await h.data('person.erase', id, {});
  t.same(filesOf(h), []);
  await asked(h, PAID, false);
  await h.campaigns.viewsKept();
  t.ok(filesOf(h).length > 0);
});

test('an erasure destroys the key, whatever becomes of kept views', ONE_PROCESS, async (t) => {
  const { h, ask } = await openKept(t);
  const id = idOf(await ask('POST', '/people', { name: { firstName: 'Bea', lastName: 'Alder' } }));
  await asked(h, NAMES);
  const damaged = join(folderOf(h), 'damaged', 'salt');
  mkdirSync(damaged, { recursive: true }); // a salt that cannot be overwritten
  await t.rejects(h.data('person.erase', id, {}));
  t.notOk(h.keys.has(id), 'at once');
  rmSync(damaged, { recursive: true });
  t.equal((await ask('POST', `/people/${id}/erase`)).status, 204);
  await restarted(h);
  t.notOk(h.keys.has(id));
});

test('kept views that the disk does not give fail no question', ONE_PROCESS, async (t) => {
  const { h } = await openKept(t);
  await kept(h, NAMES, VALUES);
  await h.close();
  for (const file of filesOf(h).filter((path) => path.endsWith('about'))) {
    rmSync(file);
    mkdirSync(file);
  }
  await h.start();
  h.deliver();
  t.same(await asked(h, NAMES), [['Annabel']]);
  t.ok(h.reports.some((report) => /cannot be read or erased/.test(report)));
});

test('an erasure erases what is kept', ONE_PROCESS, async (t) => {
  const lender = await openKept(t);
  const { h, ask } = lender;
  const id = idOf(await ask('POST', '/people', { name: { firstName: 'Bea', lastName: 'Alder' } }));
  await kept(h, NAMES);
  t.ok(filesOf(h).length > 0);
  await h.data('person.erase', id, {});
  t.same(filesOf(h), []);
  await restarted(h);
  t.same(await asked(h, NAMES), [['Annabel']]);
  t.equal(await fills(h), 1);
  await h.campaigns.viewsKept();
  t.ok(filesOf(h).length > 0, 'what was filled since is kept');
});

test('what is being kept during an erasure is not kept', ONE_PROCESS, async (t) => {
  const lender = await openKept(t);
  const { h, ask } = lender;
  const id = idOf(await ask('POST', '/people', { name: { firstName: 'Bea', lastName: 'Alder' } }));
  await asked(h, NAMES);
  t.ok(filesOf(h).length > 0, 'it has begun');
  await h.data('person.erase', id, {});
  await h.campaigns.viewsKept();
  t.same(filesOf(h), []);
  t.same(
    h.reports.filter((report) => /kept/.test(report)),
    [],
  );
});

test('a service that stops while it reads kept views has them after the next start', ONE_PROCESS, async (t) => {
  const { h } = await openKept(t);
  await kept(h, NAMES);
  await restarted(h);
  const asking = asked(h, NAMES).catch((cause: unknown) => cause);
  await h.close();
  await asking;
  await h.start();
  h.deliver();
  t.same(await asked(h, NAMES), [['Annabel']]);
  t.equal(await fills(h), 0);
});

test('kept views that were damaged are filled again', ONE_PROCESS, async (t) => {
  const lender = await openKept(t);
  const { h } = lender;
  for (const damaged of [/tables$/, /people-0$/, /about$/, /salt$/]) {
    await kept(h, BOTH);
    const file = oneOf(h, damaged);
    const bytes = readFileSync(file);
    bytes[40 % bytes.length] = (bytes[40 % bytes.length] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await restarted(h);
    t.same(await asked(h, BOTH), [[3]]);
    t.equal(await fills(h), 1, String(damaged));
    t.same([await asked(h, NAMES), await asked(h, VALUES)], [[['Annabel']], [['annabel.quimby@example.com']]]);
  }
  await kept(h, BOTH);
  rmSync(oneOf(h, /tables$/));
  await restarted(h);
  t.same(await asked(h, BOTH), [[3]]);
  t.ok(h.reports.some((report) => /cannot be read; they are filled again/.test(report)));
});

test('views of records that the journal has lost are not used, however late they are asked for', ONE_PROCESS, async (t) => {
  const { h, personId, loanId } = await openKept(t);
  await h.close();
  const copy = `${h.folder}-copy`;
  t.teardown(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(h.folder, copy, { recursive: true });
  await h.start();
  h.deliver();
  await h.data('person.update', personId, { name: { firstName: 'Wrong', lastName: 'Quimby' } });
  await h.data('person.create', null, { name: { firstName: 'Bea', lastName: 'Alder' } });
  await kept(h, NAMES);
  t.same(await asked(h, NAMES), [['Bea'], ['Wrong']]);
  await h.close();
  for (const part of ['journal', 'snapshots', 'keys']) {
    rmSync(join(h.folder, part), { recursive: true });
    cpSync(join(copy, part), join(h.folder, part), { recursive: true });
  }
  await h.start();
  h.deliver();
  const paid = { type: 'oneTime', amount: 1, isExternal: true, status: 'succeeded' };
  const permissions = ['transaction:create', 'payment.instrument:external'];
  for (let times = 0; times < 3; times += 1) await h.data('transaction.create', loanId, paid, { permissions });
  t.same(await asked(h, NAMES), [['Annabel']]);
  t.equal(await fills(h), 1);
});
