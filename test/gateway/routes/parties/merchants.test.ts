import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
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
  t.match(
    await ask('PUT', `${path}/${boats}`, dataOf(made)),
    { status: 200, json: { data: { reserveNetsRefunds: null } } },
    'as it was read',
  );
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

test('a loan names a merchant whatever its external id becomes', async (t) => {
  const l = await openLoanOverHttp(t, { structure: { allowMultipleAdvances: true } });
  const path = `/companies/${l.company}/merchants`;
  const merchant = idOf(await l.ask('POST', path, { businessName: 'Shop', externalId: 'shop', reserveRate: 0.1 }));
  const terms = { ...SMALL, merchantId: 'ext-shop' };
  const loan = await l.created({ externalId: 'named', atOrigination: terms });
  const row = { advanceDate: '2026-06-01', amount: 10, advanceDetails: { merchantId: 'ext-shop' } };
  const advanced = await l.active({ externalId: 'advanced', atOrigination: { ...SMALL, advanceSchedule: [row] } });
  const [planned] = listOf(await l.ask('GET', `${advanced}/advances`));
  t.match(planned, { advanceDetails: { merchantId: merchant } });
  const advance = `${advanced}/advances/${String(planned?.['id'])}`;
  const changed = await l.ask('PUT', advance, { advanceDetails: { merchantId: 'ext-shop', description: 'Sails' } });
  t.match(changed, { status: 200, json: { data: { advanceDetails: { merchantId: merchant } } } });
  t.equal((await l.ask('PUT', `${path}/${merchant}`, { externalId: 'shop-of-old' })).status, 200);
  t.equal((await l.ask('POST', path, { businessName: 'Other shop', externalId: 'shop' })).status, 200);
  t.equal((await l.ask('POST', `${loan}/activate`, {})).status, 200);
  const shown = dataOf(await l.ask('GET', loan));
  t.match(shown, {
    atOrigination: { merchantId: merchant, isValidMerchantId: true },
    current: { merchantReserve: { merchantId: merchant } },
  });
  t.match(await l.ask('PUT', loan, { atOrigination: { merchantId: 'ext-shop-of-old' } }), { status: 200 }, 'unchanged');
  t.match(await l.ask('DELETE', `${path}/${merchant}`), { status: 409 });
});

test('the external id of a merchant stays while a loan that is older than the merchant names it', async (t) => {
  const l = await openLoanOverHttp(t);
  const path = `/companies/${l.company}/merchants`;
  await l.created({ atOrigination: { ...SMALL, merchantId: 'ext-shop' } });
  const merchant = idOf(await l.ask('POST', path, { businessName: 'Shop', externalId: 'shop' }));
  t.match(await l.ask('PUT', `${path}/${merchant}`, { externalId: 'other' }), { status: 409, json: { errors: [{ path: 'externalId' }] } });
  t.match(await l.ask('PUT', `${path}/${merchant}`, { externalId: 'shop', businessName: 'Shop of old' }), { status: 200 });
});
