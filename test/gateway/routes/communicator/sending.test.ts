import { test } from 'tap';
import { localNames, parseNames, systemNames } from '../../../../gateway/index.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';

const domainsOf = ({ company }: HttpLender): string => `/companies/${company}/sending-domains`;
const numbersOf = ({ company }: HttpLender): string => `/companies/${company}/sending-numbers`;

test('a mail domain begins pending with the records that its name servers must have', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const made = await ask('POST', domainsOf(lender), {
    domain: 'Mail.Northwind.example',
    fromLocalPart: 'loans',
    fromDisplayName: 'Northwind',
    replyTo: 'help@northwind.example',
  });
  const id = idOf(made);
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'sendingDomain',
        domain: 'mail.northwind.example',
        fromLocalPart: 'loans',
        purpose: 'all',
        isDefault: false,
        status: 'pending',
        lastCheckedAt: null,
        verifiedAt: null,
        dnsRecords: [
          { type: 'TXT', host: '_sending.mail.northwind.example', value: `sending-domain=${id}`, verified: false },
          { host: '_dmarc.mail.northwind.example', verified: false },
        ],
      },
    },
  });
  t.match(await ask('POST', domainsOf(lender), { domain: 'mail.northwind.example', fromLocalPart: 'other' }), {
    status: 409,
    json: { errorType: 'duplicate' },
  });
  t.match(await ask('GET', `${domainsOf(lender)}/${id}`), { status: 200, json: { data: { id } } });
  for (const body of [
    { domain: 'no domain', fromLocalPart: 'x' },
    { domain: 'a.example', fromLocalPart: 'a b' },
    { domain: 'a.example', fromLocalPart: 'a', replyTo: 'nobody' },
    { domain: 'a.example', fromLocalPart: 'a', fromDisplayName: 'two\r\nlines' },
  ]) {
    t.match(await ask('POST', domainsOf(lender), body), { status: 400 });
  }
});

test('a domain is verified once all of its records are there, and loses that with another name', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const id = idOf(await ask('POST', domainsOf(lender), { domain: 'mail.northwind.example', fromLocalPart: 'loans' }));
  t.match(await ask('POST', `${domainsOf(lender)}/${id}/verify`), {
    status: 200,
    json: {
      data: { status: 'verified', verifiedAt: /^\d{4}-/, lastCheckedAt: /^\d{4}-/, dnsRecords: [{ verified: true }, { verified: true }] },
    },
  });
  t.match(await ask('PUT', `${domainsOf(lender)}/${id}`, { domain: 'unverified.northwind.example' }), {
    json: {
      data: { status: 'pending', verifiedAt: null, dnsRecords: [{ host: '_sending.unverified.northwind.example', verified: false }, {}] },
    },
  });
  t.match(await ask('POST', `${domainsOf(lender)}/${id}/verify`), { json: { data: { status: 'failed', verifiedAt: null } } });
  t.match(await ask('PUT', `${domainsOf(lender)}/${id}`, { status: 'disabled' }), { json: { data: { status: 'disabled' } } });
  t.match(await ask('POST', `${domainsOf(lender)}/${id}/verify`), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('PUT', `${domainsOf(lender)}/${id}`, { status: 'pending' }), { json: { data: { status: 'pending' } } });
  t.match(listOf(await ask('GET', `${domainsOf(lender)}?status=pending`)), [{ id }]);
  t.match(listOf(await ask('GET', `${domainsOf(lender)}?status=verified`)), []);
});

test('each purpose has one default domain, which is not deleted while it has another', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const make = async (domain: string, purpose: string): Promise<string> =>
    idOf(await ask('POST', domainsOf(lender), { domain, fromLocalPart: 'a', purpose, isDefault: true }));
  const first = await make('one.example', 'transactional');
  const other = await make('two.example', 'nonTransactional');
  const second = await make('three.example', 'transactional');
  t.match(dataOf(await ask('GET', `${domainsOf(lender)}/${first}`)), { isDefault: false });
  t.match(dataOf(await ask('GET', `${domainsOf(lender)}/${other}`)), { isDefault: true });
  t.match(await ask('DELETE', `${domainsOf(lender)}/${second}`), { status: 400, json: { errorType: 'validationError' } });
  t.match(await ask('DELETE', `${domainsOf(lender)}/${first}`), { status: 200 });
  t.match(await ask('DELETE', `${domainsOf(lender)}/${second}`), { status: 200 });
  t.match(listOf(await ask('GET', domainsOf(lender))), [{ id: other }]);
});

test('a number belongs to loan types, is the default of its channels, and is free again once released', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  const made = await ask('POST', numbersOf(lender), {
    number: '+12025550143',
    channels: ['text', 'voice'],
    numberType: 'longCode',
    loanTypeIds: [loanTypeId],
    isDefault: true,
  });
  const first = idOf(made);
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'sendingNumber',
        registrationStatus: 'unregistered',
        status: 'active',
        inboundEnabled: true,
        stickySender: true,
        loanTypeIds: [loanTypeId],
      },
    },
  });
  t.match(await ask('POST', numbersOf(lender), { number: '+12025550143', channels: ['text'], numberType: 'longCode' }), {
    status: 409,
    json: { errorType: 'duplicate' },
  });
  const second = idOf(
    await ask('POST', numbersOf(lender), {
      number: '24680',
      channels: ['text'],
      numberType: 'shortCode',
      registrationStatus: 'registered',
      isDefault: true,
    }),
  );
  t.match(dataOf(await ask('GET', `${numbersOf(lender)}/${first}`)), { isDefault: false });
  const suspended = { status: 'suspended', registrationStatus: 'registered', stickySender: false };
  t.match(await ask('PUT', `${numbersOf(lender)}/${first}`, suspended), { json: { data: suspended } });
  t.match(listOf(await ask('GET', `${numbersOf(lender)}?channel=voice`)), [{ id: first }]);
  t.match(await ask('DELETE', `${numbersOf(lender)}/${first}`), { status: 200 });
  t.match(listOf(await ask('GET', `${numbersOf(lender)}?status=released`)), [{ id: first, status: 'released' }]);
  t.match(listOf(await ask('GET', `${numbersOf(lender)}?status=active`)), [{ id: second }]);
  t.match(await ask('PUT', `${numbersOf(lender)}/${first}`, { status: 'active' }), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('POST', numbersOf(lender), { number: '+12025550143', channels: ['text'], numberType: 'longCode' }), { status: 200 });
});

test('a number that contradicts its type, and an unknown loan type, are refused', async (t) => {
  const lender = await openHttpLender(t);
  for (const [body, path] of [
    [{ number: '24680', channels: ['text'], numberType: 'longCode' }, 'number'],
    [{ number: '+12025550143', channels: ['text'], numberType: 'shortCode' }, 'number'],
    [{ number: '24680', channels: ['voice'], numberType: 'shortCode' }, 'channels'],
    [{ number: '202-555', channels: ['text'], numberType: 'longCode' }, 'number'],
    [{ number: '+12025550143', channels: [], numberType: 'longCode' }, 'channels'],
    [{ number: '+12025550143', channels: ['text'], numberType: 'longCode', loanTypeIds: ['LT-AAAA-AAAA'] }, 'loanTypeIds[0]'],
  ] as const)
    t.match(await lender.ask('POST', numbersOf(lender), body), { status: 400, json: { errors: [{ path }] } });
});

test('the live mode asks the operator’s list or the name servers of the machine, and nobody by itself', async (t) => {
  const wanted = { host: '_sending.mail.example', value: 'sending-domain=MA-AAAA-1111' };
  t.same(await localNames(new Map()).texts(wanted, 'live'), []);
  t.same(await localNames(parseNames('host,text\n_sending.mail.example,sending-domain=MA-AAAA-1111\n')).texts(wanted, 'live'), [
    wanted.value,
  ]);
  t.throws(() => parseNames('host,text\nnothing'), /line 2/);
  t.throws(() => parseNames('other'), /line 1/);
  const asked: string[] = [];
  const system = systemNames({
    resolveTxt: async (host) => (
      asked.push(host), host === wanted.host ? [['sending-', 'domain=MA-AAAA-1111']] : Promise.reject(new Error('nobody answers'))
    ),
  });
  t.same(await system.texts(wanted, 'live'), [wanted.value]);
  t.same(await system.texts({ ...wanted, host: '_dmarc.mail.example' }, 'live'), []);
  t.same(await system.texts({ ...wanted, host: '_sending.unverified.example' }, 'test'), []);
  t.same(asked, ['_sending.mail.example', '_dmarc.mail.example']);
});
