import { test } from 'tap';
import { idOf } from '../service/book.js';
import { Service } from '../service/service.js';
import { Random, SEED } from '../random.js';
import { scratchFolder } from '../temp-folder.js';

const LOANS = 160;
/** Kills of one run. */
const KILLS = 4;
const AT_ONCE = 8;
const PATIENCE_MS = 120_000;

interface Operation {
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly counts: { readonly changed: number; readonly unchanged: number; readonly failed: number };
}

/** Active loans with a spread on an index of 3 %, activated in the past. */
async function makeLoans(service: Service): Promise<{ readonly loanTypeId: string; readonly paths: readonly string[] }> {
  const company = await service.company();
  const loanTypeId = idOf(await service.ask('POST', `/companies/${company}/loan-types`, {
    name: 'Spread', type: 'installment', assetType: 'personalClosedEndUnsecured', assetDisplayName: 'Personal loan',
  }));
  await service.ask('POST', `/loan-types/${loanTypeId}/index-rates`, { annualRate: 0.03, startDate: '2020-01-01' });
  const paths: string[] = [];
  const make = async (): Promise<void> => {
    const personId = idOf(await service.ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } }));
    const loanId = idOf(await service.ask('POST', `/people/${personId}/loans`, {
      type: 'installment', loanTypeId, status: 'originated', servicedBy: 'creditor', newDrawsAllowed: false,
      atOrigination: {
        amountFinanced: 12_000, duration: 60, paymentFrequency: 'monthly', interestRates: [{ interestType: 'spread', days: null, rate: 0.05 }],
        personAddress: { state: 'TX', country: 'US' }, originationLicense: 'stateLicense', originatingCreditorName: 'First Lender',
      },
    }));
    const { status, json } = await service.ask('POST', `/people/${personId}/loans/${loanId}/activate`, { activationDate: monthsAgo(20) });
    if (status !== 200) throw new Error(JSON.stringify(json));
    paths.push(`/people/${personId}/loans/${loanId}`);
  };
  for (let made = 0; made < LOANS; made += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, make));
  return { loanTypeId, paths };
}

test('mass work goes on after each kill -9 and ends with each loan computed and told once', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const folder = scratchFolder();
  let service = await Service.start(folder);
  t.teardown(() => service.kill());
  const { loanTypeId, paths } = await makeLoans(service);

  const operations: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    operations.push(await ordered(service, loanTypeId, kill)); // what was ordered before may be under way still
    await new Promise((resolve) => setTimeout(resolve, random.below(60)));
    await service.kill();
    service = await Service.start(folder);
  }
  for (const operationId of operations) {
    const { counts, progress } = await finished(service, operationId);
    t.same(counts.changed + counts.unchanged, LOANS, `all had their turn: ${JSON.stringify(counts)}`);
    t.same(counts.failed, 0);
    t.same(progress, { done: LOANS, total: LOANS });
  }
  const [first = ''] = paths;
  const level = await firstAmounts(service, first);
  for (const path of paths.slice(0, 40)) {
    t.same(await firstAmounts(service, path), level, 'the same loans come to the same payments');
    const told = await service.ask('GET', `/events?loanId=${path.split('/').at(-1) ?? ''}&limit=100&order=asc`);
    const numbers = (told.json['data'] as readonly { readonly sequence: number }[]).map(({ sequence }) => sequence);
    t.same(numbers, numbers.map((_, at) => at + 1), 'events are numbered without a gap or a repetition');
  }
  t.equal(await service.stop(), 0);
});

/** A service that has just started may ask for patience. */
async function ordered(service: Service, loanTypeId: string, kill: number): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const { status, json } = await service.ask('POST', `/loan-types/${loanTypeId}/index-rates`, { annualRate: (40 + kill) / 1000, startDate: monthsAgo(12 - kill) }, { 'idempotency-key': `kill-${kill}` });
    if (status === 202) return String((json['data'] as { readonly operationId?: string }).operationId);
    if (status !== 503 || Date.now() > end) throw new Error(`${status}: ${JSON.stringify(json)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function finished(service: Service, operationId: string): Promise<Operation> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const { status, json } = await service.ask('GET', `/operations/${operationId}`);
    if (status === 200) return json['data'] as Operation;
    if (status !== 206 && status !== 503) throw new Error(`${status}: ${JSON.stringify(json)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the operation ${operationId} does not end`);
}

async function firstAmounts(service: Service, path: string): Promise<readonly unknown[]> {
  const { json } = await service.ask('GET', `${path}/expected-payments`);
  return (json['data'] as { readonly schedule: readonly { readonly amount: number }[] }).schedule.map(({ amount }) => amount);
}

function monthsAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
}
