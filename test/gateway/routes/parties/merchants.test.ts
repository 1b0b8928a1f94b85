import { test } from 'tap';
import { dataOf, idOf } from '../http-lender.js';
import { openLoanOverHttp, SMALL } from '../loan-over-http.js';

test('merchants form a hierarchy without circles, are found by name, and are removed while no loan names them', async (t) => {
  const { ask, company, created, failures } = await openLoanOverHttp(t);
  const path = `/companies/${company}/merchants`;
  const made = await ask('POST', path, {
    businessName: 'Northwind Boats',
    externalId: 'boats',
    subEntityname: 'Marina',
    primaryContactPhone: '+12125550100',
  });
  t.match(made, {
    status: 200,
    json: {
      data: { id: /^MR-/, object: 'merchant', businessTypeDisplayName: 'Merchant', subEntityname: 'Marina', parentMerchantId: null },
    },
  });
  const boats = idOf(made);
  const shop = idOf(await ask('POST', path, { businessName: 'Sails', parentMerchantId: 'ext-boats', businessTypeDisplayName: 'Dealer' }));
  t.match(
    await ask('PUT', `${path}/${boats}`, { parentMerchantId: shop }),
    {
      status: 400,
      json: { errors: [{ path: 'parentMerchantId' }] },
    },
    'a circle',
  );
  t.match(await ask('PUT', `${path}/${boats}`, { parentMerchantId: boats }), { status: 400 });
  t.match(await ask('PUT', `${path}/${boats}`, { subEntityName: 'Harbor' }), { json: { data: { subEntityname: 'Harbor' } } });
  t.match(await ask('PUT', `${path}/${shop}`, { businessTypeDisplayName: null }), {
    json: { data: { businessTypeDisplayName: 'Merchant' } },
  });
  t.match(await ask('GET', `${path}?parentMerchantId=ext-boats`), { json: { total: 1, data: [{ id: shop }] } });
  t.match(await ask('GET', `${path}?businessName=boat`), { json: { total: 1, data: [{ id: boats }] } });
  t.match(await ask('DELETE', `${path}/${boats}`), { status: 409 }, 'another one belongs to it');

  const isValid = async (loan: string): Promise<unknown> =>
    (dataOf(await ask('GET', loan))['atOrigination'] as Readonly<Record<string, unknown>>)['isValidMerchantId'];
  const named = await created({ atOrigination: { ...SMALL, merchantId: 'ext-boats' } });
  t.equal(await isValid(named), true);
  t.equal(
    await isValid(await created({ atOrigination: { ...SMALL, merchantId: 'MR-AAAA-AAAA' } })),
    false,
    'an unknown one blocks nothing',
  );
  await ask('PUT', `${path}/${shop}`, { parentMerchantId: null });
  t.match(await ask('DELETE', `${path}/${boats}`), { status: 409, json: { message: /Loans name/ } });
  t.match(await ask('DELETE', `${path}/${shop}`), { status: 204 });
  t.same(failures, []);
});
