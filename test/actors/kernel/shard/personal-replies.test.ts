import { test } from 'tap';
import { hasPersonalField } from '../../../../actors/kernel/snapshots/at-rest.js';

const personal = {
  names: new Set(['externalId', 'metaData']),
  within: { FeeCanceled: ['reason'], purchases: ['details'] },
  shownAs: { details: ['purchaseDetails'] },
};
const has = (data: unknown): boolean => hasPersonalField(JSON.stringify(data), personal);

test('a reply that shows a personal field is known by the names that its kind of actor declares', async (t) => {
  t.ok(has({ id: 'LN-1', externalId: 'ext-1' }));
  t.ok(has({ fees: [{ drawExternalId: 'ext-1' }] }), 'with words before it');
  t.ok(has({ metadata: { hint: 'a' } }), 'in any case of letters');
  t.ok(has({ fee: { cancelReason: 'moved' } }), 'also what is personal in some facts alone');
  t.ok(has({ reason: 'nobody was at home' }), 'also a value that begins like null');
  t.ok(has({ purchaseDetails: { merchantName: 'a' } }), 'by the name that replies have for it');
});

test('a reply without one, or with none that has a value, is not', async (t) => {
  t.notOk(has({ id: 'LN-1', externalId: null, metaData: null, fees: [{ reason: null }] }));
  t.notOk(has({ feeDetails: { amount: 1 } }), 'another thing has the name that it has in the state');
  t.notOk(has({ note: 'an externalId of somebody', externalIdentifier: 'x' }));
});
