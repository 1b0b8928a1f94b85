import { test } from 'tap';
import { adoptSettings, settingsQuery } from '../../../../actors/company/general-ledger/settings.js';
import { type CompanyState, newCompany } from '../../../../actors/company/state.js';
import type { CommandContext, QueryContext } from '../../../../actors/kernel/actor.js';
import { dayOf, generalLedger } from '../../../../engine/index.js';

const TODAY = dayOf(2026, 3, 20);
const { lenderInvestorId: _lender, ...KNOWN_THEN } = generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS;
const EARLIER = { ...KNOWN_THEN, exportDetail: 'summary', ownerBooks: 'ownShare' } as const;

test('settings of a release that wrote ownShare into each edition are shown, and kept on, as the loans are booked', (t) => {
  const state = newCompany('CO-1', { company: 'CO-1', mode: 'test' });
  const stored = { from: dayOf(2026, 3, 10), settings: EARLIER, adoptedBy: { type: 'user', id: 'US-1' } };
  state.resources.set('generalLedgerSettings', new Map([['GS-1', { id: 'GS-1', parentId: null, createdAt: 0, updatedAt: null, stored }]]));
  const env = { now: 1, today: () => TODAY, newId: () => 'GS-2' };
  const read = settingsQuery as { read(context: QueryContext<CompanyState, object>): unknown };
  t.match(read.read({ state, env, query: {} } as unknown as QueryContext<CompanyState, object>), {
    settings: { exportDetail: 'summary', ownerBooks: 'gross', lenderInvestorId: null },
    begins: { exportDetail: '2026-03-10', ownerBooks: null, lenderInvestorId: null },
  });
  const adopted = (body: object) =>
    adoptSettings.decide({ state, env, body, command: { actor: stored.adoptedBy, query: {} } } as unknown as CommandContext<
      CompanyState,
      object
    >);
  t.match(adopted({ exportDetail: 'entries' }), {
    facts: [{ body: { stored: { settings: { exportDetail: 'entries', ownerBooks: 'gross' } } } }],
  });
  t.match(adopted({ ownerBooks: 'ownShare' }), {
    facts: [{ body: { stored: { settings: { exportDetail: 'summary', ownerBooks: 'ownShare', lenderInvestorId: null } } } }],
  });
  t.throws(() => adopted({ ownerBooks: 'eachOwner' }), { message: /do not follow ownerBooks/ });
  t.end();
});
