import { test } from 'tap';
import { companyModule } from '../../../actors/company/index.js';
import { Harness } from '../harness.js';

const open = async (): Promise<Harness> => {
  const harness = await Harness.open(() => [companyModule]);
  await harness.makeCompany();
  return harness;
};

test('a new company has the defaults of the contract in both modes', async (t) => {
  const h = await open();
  for (const mode of ['test', 'live'] as const) {
    const company = await h.query('company.get', h.company, {}, { mode });
    t.match(company, {
      id: h.company,
      object: 'company',
      name: 'Northwind Lending',
      timezone: 'America/New_York',
      status: 'active',
      type: 'lender',
      config: { auth: { maxFailedLogins: 5, agentTokenMinutes: 720 }, tasks: { reservationTimeoutSecs: 120 } },
      appDomains: [],
      updatedAt: null,
    });
  }
});

test('settings change field by field, and test mode does not touch live mode', async (t) => {
  const h = await open();
  await h.data('company.update', h.company, { brandName: 'Northwind', config: { auth: { lockoutMinutes: 30 } } });
  t.match(await h.query('company.get', h.company), {
    brandName: 'Northwind',
    config: { auth: { lockoutMinutes: 30, maxFailedLogins: 5 } },
    updatedAt: /^2026-03-02T/,
  });
  t.match(await h.query('company.get', h.company, {}, { mode: 'live' }), { brandName: null, config: { auth: { lockoutMinutes: 15 } } });
});

test('an unknown time zone is refused, and the refusal names it', async (t) => {
  const h = await open();
  const refusal = await h.refusal('company.update', h.company, { timezone: 'Mars/Olympus' });
  t.match(refusal, { errorType: 'validationError', errors: [{ path: 'timezone' }] });
});

test('a company survives a restart unchanged', async (t) => {
  const h = await open();
  await h.data('loanType.create', h.company, { type: 'installment', name: 'Personal loan' });
  const before = await h.query('loanType.list', h.company);
  const company = await h.query('company.get', h.company);
  await h.restart();
  t.same(await h.query('loanType.list', h.company), before);
  t.same(await h.query('company.get', h.company), company);
  t.same(h.reports, []);
});
