import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import type { ActorModule } from '../../../../actors/index.js';
import { personModule } from '../../../../actors/borrower/index.js';
import { companyModule } from '../../../../actors/company/index.js';
import { loanModule } from '../../../../actors/loan/index.js';
import { hashOfName, portalUserModule } from '../../../../actors/borrower/portal-user.js';
import { Harness, refusalOf } from '../../harness.js';

/*
 * Releases before the personal fields of actors were sealed wrote them in clear. Their journals stay as they are: the fields are still
 * found, and sealed in the snapshots.
 */

const NAME = 'ann@quimby.example';
const BODY = { externalId: 'ann-1', metaData: { hint: 'large print' }, name: { firstName: 'Annabel', lastName: 'Quimby' } };
const SECRETS = ['ann-1', 'large print', hashOfName(NAME)];

/** Records as earlier releases did: nothing is sealed on the way to the disk. */
function inClear({ definition, ...others }: ActorModule): ActorModule {
  const { personal: _personal, ...plain } = definition;
  return { ...others, definition: plain };
}

/** An engine of an earlier release with a borrower who has a user; `upgrade` ends it and opens the present one on its journal. */
async function openEarlier(): Promise<{ readonly h: Harness; readonly personId: string; upgrade(): Promise<void> }> {
  let isEarlier = true;
  const modules = (): readonly ActorModule[] => [companyModule, personModule(), portalUserModule, loanModule()];
  const h = await Harness.open(() => (isEarlier ? modules().map(inClear) : modules()));
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, BODY);
  await h.command('portalUser.create', personId, {
    userName: NAME,
    auths: [{ authType: 'basic', authValueType: 'email', value: NAME }],
    passwordHash: 'a hash',
  });
  return {
    h,
    personId,
    async upgrade() {
      isEarlier = false;
      h.forgetSnapshots(); // snapshots of another format are computed again
      await h.restart();
    },
  };
}

const snapshotsOf = ({ folder }: Harness): string =>
  readdirSync(join(folder, 'snapshots'))
    .map((name) => readFileSync(join(folder, 'snapshots', name), 'latin1'))
    .join('');

const credentialsOf = (h: Harness): Promise<unknown> => h.query('portalUser.credentials', `ext-${hashOfName(NAME)}`);

test('what an earlier release recorded in clear is found as before, and lies sealed in snapshots', async (t) => {
  const { h, personId, upgrade } = await openEarlier();
  const journal = h.written();
  for (const secret of SECRETS) t.ok(journal.includes(secret), `the earlier release wrote ${secret}`);
  await upgrade();
  for (const when of ['from the journal', 'from snapshots']) {
    t.match(await h.query('person.get', 'ext-ann-1'), { id: personId, metaData: BODY.metaData }, when);
    t.match(await h.query('person.list', null, { externalId: 'ann-1' }), { items: [{ id: personId }] }, when);
    t.match(await credentialsOf(h), { userName: NAME, passwordHash: 'a hash' }, `${when} the user signs in`);
    t.equal((await refusalOf(h.command('person.create', null, BODY))).errorType, 'duplicate', when);
    await h.restart();
  }
  await h.close();
  const stored = snapshotsOf(h);
  for (const secret of SECRETS) t.notOk(stored.includes(secret), secret);
});

test('what an earlier release recorded in clear is gone from every answer and snapshot once the borrower is erased', async (t) => {
  const { h, personId, upgrade } = await openEarlier();
  await upgrade();
  await h.command('person.erase', personId, {}, { system: true });
  for (const when of ['at once', 'after a restart', 'from the journal alone']) {
    t.equal((await refusalOf(h.query('person.get', 'ext-ann-1'))).errorType, 'notFound', when);
    t.equal((await refusalOf(credentialsOf(h))).errorType, 'notFound', `${when} the name leads nowhere`);
    const state = h.engine.world.find({ company: h.company, mode: 'test' }, 'person', personId)?.state;
    t.match(state, { status: 'erased', externalId: null, metaData: null }, when);
    if (when === 'after a restart') h.forgetSnapshots();
    await h.restart();
  }
  await h.close();
  const stored = snapshotsOf(h);
  for (const secret of SECRETS) t.notOk(stored.includes(secret), secret);
});

test('a name is found in the snapshots while a start still reads its list index', async (t) => {
  const { h, personId, upgrade } = await openEarlier();
  await upgrade();
  await h.restart();
  // The first query after a start, for a user whose row has not been read.
  t.match(await credentialsOf(h), { userName: NAME });
  t.match(await h.query('person.get', 'ext-ann-1'), { id: personId });
  await h.close();
});
