import { test } from 'tap';
import { ACCOUNT, ANN } from '../../../actors/borrower/lender.js';
import { dataOf, listOf, openHttpLender } from '../http-lender.js';

test('a link at the account itself verifies it, shows balances, and its token is never shown', async (t) => {
  const { ask, h } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  const made = listOf(await ask('POST', '/people/ext-ann-1/payment-instruments', ACCOUNT))[0];
  const path = `/people/ext-ann-1/payment-instruments/${String(made?.['id'])}`;
  t.match(made, { status: 'pending', accountLink: null });
  for (const of of ['account-link', 'balance']) t.match(await ask('GET', `${path}/${of}`), { status: 404 }, of);
  t.match(await ask('PUT', `${path}/account-link`, { dataServices: ['balance'] }), { status: 404 });
  t.match(await ask('POST', `${path}/balance`), { status: 404 });
  const token = await ask('POST', '/people/ext-ann-1/payment-instruments/bank-link-token', { redirectUri: 'https://example.com/' });
  t.match(token, { status: 201, json: { data: { linkToken: /^link-sim-/, expiresAt: /Z$/ } } });

  const link = { vendor: 'bankLink', accessToken: 'sim-021000021-5500112233', accountId: 'one' };
  t.match(await ask('POST', `${path}/account-link`, link), { status: 422 }, 'another account');
  const right = { ...link, accessToken: 'sim-021000021-7700112233' };
  const linked = await ask('POST', `${path}/account-link`, right);
  t.match(linked, { status: 200, json: { data: { status: 'active', accountId: 'one', dataServices: ['accountInfo', 'balance'] } } });
  t.match(dataOf(await ask('GET', path)), { status: 'active', verified: true, accountLink: { accountId: 'one' } });
  t.match(await ask('POST', `${path}/balance`), {
    status: 200,
    json: { data: { availableBalanceAmount: 2233, currency: 'USD', error: null } },
  });
  t.match(await ask('POST', `${path}/account-link`, { ...right, accountId: 'relogin' }), { status: 200 });
  t.match(await ask('POST', `${path}/balance`), {
    status: 200,
    json: {
      data: { availableBalanceAmount: null, error: { errorType: 'relogin' }, lastSuccessfulBalance: { currentBalanceAmount: 2233 } },
    },
  });
  t.match(await ask('GET', `${path}/account-link`), {
    json: { data: { status: 'reloginRequired', recentError: { errorType: 'relogin' } } },
  });
  t.match(await ask('PUT', `${path}/account-link`, { dataServices: ['accountInfo'] }), { status: 200 });
  t.match(await ask('POST', `${path}/balance`), { status: 422 });
  const shown = [linked, await ask('GET', path), await ask('GET', '/events?limit=100')].map(({ text }) => text).join('');
  for (const secret of ['sim-021000021', '7700112233']) t.notMatch(shown + h.written(), secret);
  t.notMatch(h.written(), '"availableCents":223300');
  t.match(await ask('DELETE', `${path}/account-link`), { status: 200 });
  t.match(await ask('GET', `${path}/account-link`), { status: 404 });
});
