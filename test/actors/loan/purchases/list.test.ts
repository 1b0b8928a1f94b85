import { test } from 'tap';
import { filterOf, kindOf, momentOf } from '../../../../actors/loan/purchases/view.js';
import type { PurchaseFilters } from '../../../../actors/loan/purchases/requests.js';
import { aPurchase } from './records.js';

const at = (text: string): number => Date.parse(text);

/** Made at noon of 1 March in New York, recorded a day later. */
const purchase = aPurchase({ createdAt: at('2024-03-02T09:00:00Z'), settledAt: at('2024-03-02T09:00:00Z'), authorizedAt: null });
const zone = 'America/New_York';

test('filters take both ends in, and both spellings of cash back', (t) => {
  const matches = (filters: PurchaseFilters, of = purchase): boolean => filterOf(zone, filters)(of);
  t.ok(matches({}));
  t.ok(matches({ types: [], statuses: [] }));
  t.ok(matches({ types: ['regular'], statuses: ['settled', 'disputed'] }));
  t.notOk(matches({ types: ['refund'] }));
  t.notOk(matches({ statuses: ['authorized'] }));
  t.equal(kindOf('cashback'), 'cashBack');
  t.ok(matches({ types: ['cashback'] }, aPurchase({ kind: 'cashBack' })));
  t.ok(matches({ fromEffectiveAt: '2024-03-01T17:00:00Z', toEffectiveAt: '2024-03-01T17:00:00Z' }));
  t.notOk(matches({ fromEffectiveAt: '2024-03-01T17:00:01Z' }));
  t.notOk(matches({ toEffectiveAt: '2024-03-01T16:59:59Z' }));
  t.ok(matches({ fromCreatedAt: '2024-03-02T09:00:00Z', toCreatedAt: '2024-03-02T09:00:00Z' }));
  t.notOk(matches({ toCreatedAt: '2024-03-02T08:59:59Z' }));
  t.end();
});

test('a purchase is placed at the first wanted moment that it has', (t) => {
  t.equal(momentOf(zone, purchase, ['authorizedAt', 'settledAt']), purchase.settledAt);
  t.equal(momentOf(zone, purchase, ['effectiveAt', 'settledAt']), at('2024-03-01T17:00:00Z'));
  t.equal(momentOf(zone, purchase, ['authorizedAt']), null);
  t.equal(momentOf(zone, aPurchase({ authorizedAt: 7 }), ['authorizedAt', 'createdAt']), 7);
  t.end();
});
