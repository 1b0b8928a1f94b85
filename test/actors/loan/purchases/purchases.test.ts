import { test } from 'tap';
import { isHeld, PURCHASE_STATUSES, type PurchaseStatus } from '../../../../actors/loan/purchases/machine.js';
import type { PurchaseRecord } from '../../../../actors/loan/purchases/posting.js';
import { Purchases } from '../../../../actors/loan/purchases/purchases.js';
import { cutPage, type Items } from '../../../../actors/list-order.js';
import { must } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { aPurchase } from './records.js';

const HISTORIES = 20;
const STEPS = 80;

const pick = <Item>(random: Random, items: readonly Item[]): Item => must(items[random.below(items.length)], 'a choice');
const idOf = (number: number): string => `DP-0000-${String(number).padStart(4, '0')}`;

/** A new purchase, or another one in the index of an old one. */
function step(random: Random, known: PurchaseRecord[]): PurchaseRecord {
  const status = pick(
    random,
    PURCHASE_STATUSES.filter((one): one is PurchaseStatus => one !== 'new'),
  );
  const externalId = random.below(2) === 0 ? null : `x${random.below(1_000_000)}-${random.below(1_000_000)}`;
  if (known.length > 0 && random.below(3) === 0) {
    const index = random.below(known.length);
    const changed = { ...must(known[index], 'a purchase'), status, externalId };
    known[index] = changed;
    return changed;
  }
  const number = known.length + 1;
  const refunded = random.below(4) === 0 && known.length > 0 ? pick(random, known).id : null;
  const made = aPurchase({
    purchase: number,
    id: idOf(number),
    draw: 1 + random.below(2),
    status,
    externalId,
    originalPurchaseId: refunded,
    refundTransactionId: refunded === null ? null : `TX-0000-${number}`,
    createdStamp: number,
  });
  known.push(made);
  return made;
}

const sorted = (records: readonly PurchaseRecord[]): readonly string[] => records.map(({ id }) => id).sort();

test(`what is kept of purchases is what looking through all of them finds: seed ${SEED}`, (t) => {
  const random = new Random(SEED);
  for (let history = 0; history < HISTORIES; history += 1) {
    const known: PurchaseRecord[] = [];
    const purchases = new Purchases();
    for (let at = 0; at < STEPS; at += 1) purchases.put(step(random, known));
    t.same(purchases.all(), known);
    t.same(Purchases.of(purchases.all()).all(), known, 'and after it was stored');
    t.same(sorted(purchases.held()), sorted(known.filter(({ status }) => isHeld(status))));
    t.same(
      purchases.refunds(),
      known.filter(({ refundTransactionId }) => refundTransactionId !== null),
    );
    t.same(
      purchases.names.map(([, externalId, id]) => `${externalId} ${id}`).sort(),
      known.flatMap(({ externalId, id }) => (externalId === null ? [] : [`${externalId} ${id}`])).sort(),
    );
    for (const { id, purchase, externalId } of known) {
      t.same(
        purchases.refundsOf(id),
        known.filter(({ originalPurchaseId }) => originalPurchaseId === id),
      );
      t.equal(purchases.numbered(purchase)?.id, id);
      if (externalId !== null) t.equal(purchases.find(`ext-${externalId}`)?.id, id);
    }
  }
  t.end();
});

test(`pages of the kept order are those of a list that was made for them: seed ${SEED}`, (t) => {
  const random = new Random(SEED);
  const known: PurchaseRecord[] = [];
  const purchases = new Purchases();
  for (let at = 0; at < STEPS; at += 1) purchases.put(step(random, known));
  for (const draw of [null, 1, 2, 3]) {
    const made = known.filter((purchase) => draw === null || purchase.draw === draw).reverse();
    for (let page = 0; page < 60; page += 1) {
      const limit = 1 + random.below(12);
      const id = made.length === 0 ? '' : pick(random, made).id;
      const asked = pick(random, [
        { limit },
        { limit, offset: random.below(90) },
        { limit, startingAfter: id },
        { limit, endingBefore: id },
      ]);
      if (id === '' && !('offset' in asked) && Object.keys(asked).length > 1) continue;
      const cut = (items: Items<PurchaseRecord>): unknown => {
        const { order: _order, ...shown } = cutPage(
          { items, isNamed: (purchase, cursor) => purchase.id === cursor, descending: [], positionOf: () => [] },
          asked,
        );
        return shown;
      };
      t.same(cut(purchases.newestFirst(draw)), cut(made), JSON.stringify({ draw, ...asked }));
    }
  }
  t.throws(() =>
    cutPage(
      { items: purchases.newestFirst(), isNamed: () => false, descending: [], positionOf: () => [] },
      { limit: 1, startingAfter: 'DP-9' },
    ),
  );
  t.end();
});

test('a copy of purchases and what it was made of do not see what the other one writes', (t) => {
  const one = Purchases.of([aPurchase({ status: 'authorized', externalId: 'a' })]);
  const other = one.copy();
  other.put(aPurchase({ status: 'settled', externalId: 'b' }));
  one.put(aPurchase({ purchase: 2, id: idOf(2) }));
  t.equal(one.held().length, 1);
  t.equal(other.held().length, 0);
  t.equal(one.size, 2);
  t.equal(other.size, 1);
  t.equal(one.find('ext-b'), undefined);
  t.end();
});
