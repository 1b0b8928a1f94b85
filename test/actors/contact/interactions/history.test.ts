import { test } from 'tap';
import { contactHistory, historyAskedFor, lastContacts } from '../../../../actors/contact/interactions/history.js';
import type { CatalogRow } from '../../../../actors/kernel/actor.js';
import { Catalog } from '../../../../actors/kernel/lists/catalog.js';
import { addDays, dayAt, type Situation } from '../../../../engine/index.js';
import { askedOf } from '../../../../engine/compliance/judge.js';
import { loan } from '../../../engine/compliance/situations.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';

const TENANT = { company: 'CP-0000-0001', mode: 'test' } as const;
const PERSON = 'PR-0000-0001';
const ZONE = 'America/New_York';
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 2, 15);
const LOANS = ['LN-AAAA-1111', 'LN-BBBB-2222', 'LN-CCCC-3333'] as const;

const pick = <Item>(random: Random, items: readonly [Item, ...Item[]]): Item => items[random.below(items.length)] ?? items[0];

function anInteraction(random: Random, number: number): CatalogRow {
  const isPlanned = random.below(8) === 0;
  const at = NOW - random.below(700 * DAY);
  return {
    id: `IN-0000-${String(number).padStart(4, '0')}`,
    externalId: null,
    createdStamp: number,
    updatedStamp: number,
    parentId: PERSON,
    fields: {
      channel: pick(random, ['voice', 'text', 'email', 'mail']),
      direction: pick(random, ['inbound', 'outbound', 'outbound']),
      status: pick(random, ['succeeded', 'succeeded', 'failed', 'canceled']),
      statusDetails: null,
      theme: random.below(6) === 0 ? null : pick(random, ['opsServicing', 'opsCollDebt', 'inbOptOut', 'opsServicingDebtValidation']),
      subject: random.below(60) === 0 ? 'timeBarredNotice' : null,
      agentOutcome: random.below(3) === 0 ? 'voiceSpokeWithFirstParty' : null,
      loanIds: random.below(3) === 0 ? [] : [LOANS[random.below(LOANS.length)] ?? LOANS[0]],
      caseId: null,
      contactId: null,
      isExternal: false,
      isTransactional: null,
      startedAt: isPlanned ? null : at,
      createdAt: at,
    },
  };
}

/** Contacts of a borrower, some of which were recorded again later. */
function catalogOf(random: Random, interactions: number): Catalog {
  const catalog = new Catalog();
  for (let number = 1; number <= interactions; number += 1) {
    catalog.put(TENANT, 'interaction', anInteraction(random, number));
    if (random.below(10) === 0) catalog.put(TENANT, 'interaction', anInteraction(random, 1 + random.below(number)));
    if (number === Math.floor(interactions / 2)) historyOf(catalog, []); // from here on the orders are kept
  }
  return catalog;
}

const envOf = (catalog: Catalog): Parameters<typeof contactHistory>[0] => ({
  now: NOW,
  list: (kind, request) => catalog.list(TENANT, kind, request),
});

const historyOf = (catalog: Catalog, loans: Situation['loans']): ReturnType<typeof contactHistory> =>
  historyAskedFor(envOf(catalog), PERSON, { at: NOW, loans, zone: ZONE });

void test(`a verdict by the list index is the same as one by all contacts: seed ${SEED}`, async (t) => {
  const random = new Random(SEED);
  for (const interactions of [0, 1, 30, 100, 1_000]) {
    const catalog = catalogOf(random, interactions);
    const loans = LOANS.map((id) =>
      loan({
        id,
        servicedBy: pick(random, ['creditor', 'debtCollectionAgency']),
        overdueSince: random.below(3) === 0 ? null : addDays(dayAt(ZONE, NOW), -random.below(600)),
      }),
    );
    const whole = contactHistory(envOf(catalog), PERSON, { since: 0 });
    const asked = historyOf(catalog, loans);
    t.equal(whole.length, catalog.count(TENANT, 'interaction'));
    t.strictSame(asked, askedOf(whole, NOW, loans, ZONE), `${interactions} interactions`);
    // A verdict needs about 45 of a hundred contacts: recent ones, and ones of any age. Chance may add ten.
    if (interactions === 1_000) t.ok(asked.length < 0.6 * interactions, `${asked.length} of ${interactions}`);
  }
});

void test(`the last contacts are the newest of all contacts: seed ${SEED}`, async (t) => {
  const random = new Random(SEED);
  for (const interactions of [0, 20, 300]) {
    const catalog = catalogOf(random, interactions);
    const made = contactHistory(envOf(catalog), PERSON, { since: 0 }).filter(
      ({ id, status }) => catalog.get(TENANT, 'interaction', id)?.fields['startedAt'] !== null && status === 'succeeded',
    );
    t.strictSame(lastContacts(envOf(catalog), PERSON), {
      outbound: made.find(({ direction }) => direction === 'outbound')?.startedAt ?? null,
      successful:
        made.find(({ status, agentOutcome }) => status === 'succeeded' || agentOutcome === 'voiceSpokeWithFirstParty')?.startedAt ?? null,
    });
  }
});
