import { test } from 'tap';
import type { HarnessOptions } from '../../actors/harness.js';
import { loanBody } from '../../actors/loan/setting.js';
import type { HttpAnswer } from '../harness.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

const SPREAD = { amountFinanced: 1200, duration: 12, interestRates: [{ interestType: 'spread', days: null, rate: 0.12 }] };
const LOANS = 6;

type Row = Readonly<Record<string, string>>;

interface Lender extends LoanOverHttp {
  /** Each loan has another borrower: they are on several shards. */
  readonly loans: readonly string[];
  readonly rates: string;
  ended(answer: HttpAnswer): Promise<HttpAnswer>;
  report(operationId: string): Promise<readonly Row[]>;
}

/** Loans that follow an index of 6 %, a month and some days old. */
async function openLender(t: Parameters<typeof openLoanOverHttp>[0], options: HarnessOptions = {}): Promise<Lender> {
  const lender = await openLoanOverHttp(t, {}, SPREAD, options);
  const rates = `/loan-types/${lender.loanTypeId}/index-rates`;
  await lender.ask('POST', rates, { annualRate: 0.06, startDate: '2026-01-01' });
  const loans = [lender.loan];
  while (loans.length < LOANS) loans.push(await loanOfAnother(lender));
  await lender.goTo('2026-04-20');
  return {
    ...lender,
    loans,
    rates,
    async ended(answer) {
      await lender.h.engine.mass.idle();
      return lender.ask('GET', `/operations/${idOf(answer)}`);
    },
    async report(operationId) {
      const { status, text, headers } = await lender.ask('GET', `/operations/${operationId}/report`);
      t.equal(status, 200);
      t.match(headers['content-type'], /text\/csv/);
      const [head = '', ...lines] = text.trimEnd().split('\r\n');
      return lines.map((line) => Object.fromEntries(line.split(',').map((value, at) => [head.split(',')[at] ?? '', value])));
    },
  };
}

async function loanOfAnother({ ask, loanTypeId }: LoanOverHttp): Promise<string> {
  const made = async (path: string, body: object): Promise<string> =>
    `${path}/${((await ask('POST', path, body)).json['data'] as { readonly id: string }).id}`;
  const loan = await made(
    `${await made('/people', { name: { firstName: 'Ada', lastName: 'Verde' } })}/loans`,
    loanBody(loanTypeId, { atOrigination: SPREAD }),
  );
  await ask('POST', `${loan}/activate`, {});
  return loan;
}

const idOf = ({ json }: HttpAnswer): string => String((json['data'] as { readonly operationId?: string }).operationId);

/** The figures of each loan at one of the two times of a report, by loan: the rows are in the order of computation. */
function figuresOf(rows: readonly Row[], time: 'Before' | 'After'): unknown {
  const sorted = [...rows].sort((one, other) => String(one['id']).localeCompare(String(other['id'])));
  return sorted.map((row) =>
    Object.entries(row).flatMap(([name, value]) =>
      name === 'id' ? [value] : name.endsWith(time) ? [`${name.slice(0, -time.length)} ${value}`] : [],
    ),
  );
}

test('a dry run uses up no idempotency key: the write under the same key is carried out', async (t) => {
  const { ask, rates, ended } = await openLender(t);
  const headers = { 'Idempotency-Key': 'next year' };
  const listed = Number((await ask('GET', rates)).json['total']);
  const value = { annualRate: 0.1, startDate: '2026-03-10' };
  const tried = await ask('POST', `${rates}?dryRun=true`, value, { headers });
  await ended(tried);
  const booked = await ask('POST', rates, value, { headers });
  t.match(booked, { status: 202, json: { data: { annualRate: 0.1 } } });
  t.equal(booked.headers['idempotent-replayed'], undefined);
  t.not(idOf(booked), idOf(tried), 'each has an operation of its own');
  await ended(booked);
  t.equal((await ask('GET', rates)).json['total'], listed + 1);
  const again = await ask('POST', rates, value, { headers });
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal(again.text, booked.text);
});

test('a retry of a replay of many loans gets the first reply, letter by letter', async (t) => {
  const { ask } = await openLender(t);
  const order = (): Promise<HttpAnswer> =>
    ask('POST', '/operations/replays', { all: true, dryRun: true }, { headers: { 'Idempotency-Key': 'replay' } });
  const first = await order();
  const again = await order();
  t.equal(first.status, 202);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal(again.text, first.text);
});

test('the report of a dry run of an index rate equals the booked result, loan by loan', async (t) => {
  const { ask, rates, ended, report, loan, loans } = await openLender(t);
  const past = { annualRate: 0.1, startDate: '2026-03-10' };
  const listed = (await ask('GET', rates)).json['total'];
  const before = await ask('GET', `${loan}/balances`);
  const tried = await ask('POST', `${rates}?dryRun=true`, past);
  t.equal(tried.status, 202);
  const dry = await ended(tried);
  t.match(dry.json, {
    data: {
      kind: 'indexRate.create',
      status: 'succeeded',
      isDryRun: true,
      percent: 100,
      progress: { done: LOANS, total: LOANS },
      counts: { changed: LOANS, unchanged: 0, failed: 0 },
    },
  });
  const { totals, rows } = (dry.json['data'] as { readonly report: { readonly totals: readonly Row[]; readonly rows: number } }).report;
  t.equal(rows, LOANS);
  t.ok(Number(totals.find(({ name }) => name === 'outstandingInterestAmount')?.['difference']) > 0);
  t.equal((await ask('GET', rates)).json['total'], listed, 'nothing is recorded');
  t.same((await ask('GET', `${loan}/balances`)).json, before.json);
  const shown = await report(idOf(tried));
  t.equal(shown.length, LOANS);
  t.match(
    await ask('POST', `${rates}?dryRun=true`, { annualRate: 0.2, startDate: '2026-01-01' }),
    { status: 409 },
    'what booking refuses a dry run refuses',
  );

  const booked = await ask('POST', rates, past);
  t.equal(booked.status, 202);
  t.match((await ended(booked)).json, {
    data: {
      kind: 'indexRate.create',
      status: 'succeeded',
      isDryRun: false,
      counts: { changed: LOANS, unchanged: 0, failed: 0 },
      report: null,
    },
  });
  const after = await report(idOf(await doneDry(ask, ended)));
  t.same(figuresOf(after, 'Before'), figuresOf(shown, 'After'));
  const balances = (await ask('GET', `${loan}/balances?isRounded=true`)).json['data'] as {
    readonly outstandingBalances: { readonly outstandingTotalAmount: number };
  };
  const own = shown.find(({ id }) => id === loan.split('/').at(-1));
  t.equal(Number(own?.['outstandingTotalAmountAfter']), balances.outstandingBalances.outstandingTotalAmount);
  for (const each of loans)
    t.equal((await ask('GET', `/events?loanId=${each.split('/').at(-1) ?? ''}&eventType=loan.balance.changed`)).json['count'] !== 0, true);
});

/** The report of a dry run of a replay of all loans, which shows their current figures. */
async function doneDry(ask: LoanOverHttp['ask'], ended: Lender['ended']): Promise<HttpAnswer> {
  const answer = await ask('POST', '/operations/replays', { all: true, dryRun: true });
  await ended(answer);
  return answer;
}

test('values of an index are changed and removed as operations, too', async (t) => {
  const { ask, rates, ended } = await openLender(t);
  const made = await ask('POST', rates, { annualRate: 0.1, startDate: '2026-03-10' });
  await ended(made); // else a loan may take both values in one turn
  const { id } = made.json['data'] as { readonly id: string };
  const changed = await ask('PUT', `${rates}/${id}`, { annualRate: 0.08 });
  t.equal(changed.status, 202);
  t.match((await ended(changed)).json, { data: { kind: 'indexRate.update', counts: { changed: LOANS } } });
  const gone = await ask('DELETE', `${rates}/${id}`);
  t.equal(gone.status, 202);
  t.match((await ended(gone)).json, { data: { kind: 'indexRate.delete', counts: { changed: LOANS } } });
});

test('many loans are replayed by one order: held, resumed, paused and canceled', async (t) => {
  const { ask, ended, loans } = await openLender(t);
  const held = await ask('POST', '/operations/replays', { all: true, hold: true, fromDate: '2026-01-01', reason: 'a new fee' });
  t.equal(held.status, 202);
  t.match(await ended(held), {
    status: 206,
    json: { data: { kind: 'loan.replay', isPaused: true, counts: { changed: 0 }, etaSeconds: null } },
  });
  t.match(await ask('POST', `/operations/${idOf(held)}/cancel`, {}), {
    status: 200,
    json: { data: { status: 'failed', errorType: 'canceled' } },
  });
  t.match(await ask('GET', `/operations/${idOf(held)}`), { status: 412 });
  t.match(await ask('POST', `/operations/${idOf(held)}/resume`, {}), { status: 409, json: { errorType: 'invalidState' } });

  const [first = ''] = loans;
  const one = await ask('POST', '/operations/replays', { loanIds: [first.split('/').at(-1)], hold: true });
  t.match(await ask('POST', `/operations/${idOf(one)}/pause`, {}), { status: 200, json: { data: { isPaused: true } } });
  await ask('POST', `/operations/${idOf(one)}/resume`, {});
  t.match(await ended(one), {
    status: 200,
    json: { data: { status: 'succeeded', isPaused: false, progress: { done: 1, total: 1 }, etaSeconds: 0 } },
  });
  t.match((await ask('GET', '/operations?status=succeeded&limit=5')).json, { data: [{ kind: 'loan.replay' }] });
});

test('an order is checked, permitted, and repeated under its key', async (t) => {
  const { ask, askWith, rates, ended } = await openLender(t);
  t.match(await ask('POST', '/operations/replays', {}), { status: 400, json: { errorType: 'validationError' } });
  t.match(await ask('POST', '/operations/replays', { statuses: [], labels: [] }), { status: 400 }, 'empty lists select nothing');
  t.match(await ask('POST', '/operations/replays', { statuses: ['nowhere'] }), { status: 400 });
  t.match(await ask('POST', '/operations/replays', { loanIds: ['ext-nobody'] }), { status: 404 });
  t.match(await askWith(['loan:read'], 'POST', '/operations/replays', { all: true }), { status: 403 });
  t.match(await askWith(['loan:read'], 'POST', `/operations/${'a'.repeat(32)}/pause`, {}), { status: 403 });
  t.match(await ask('POST', `/operations/${'a'.repeat(32)}/pause`, {}), { status: 404 });
  t.match(await ask('GET', `/operations/${'a'.repeat(32)}/report`), { status: 404 });
  const rate = await ask('POST', rates, { annualRate: 0.1, startDate: '2026-03-10' });
  t.match(await ask('POST', `/operations/${idOf(rate)}/cancel`, {}), { status: 409, json: { errorType: 'invalidState' } });
  await ended(rate);
  t.match(await ask('GET', `/operations/${idOf(rate)}/report`), { status: 404 });
  const [one, other] = [
    await ask('POST', '/operations/replays', { all: true }, { headers: { 'idempotency-key': 'once' } }),
    await ask('POST', '/operations/replays', { all: true }, { headers: { 'idempotency-key': 'once' } }),
  ];
  t.equal(idOf(one), idOf(other));
  t.equal(other.headers['idempotent-replayed'], 'true');
});

test('a day that is closed is an operation, which may rest', async (t) => {
  const { ask, goTo } = await openLender(t);
  await goTo('2026-05-16');
  const { data } = (await ask('GET', '/operations?limit=100')).json as {
    readonly data: readonly { readonly kind: string; readonly operationId: string }[];
  };
  const closed = data.filter(({ kind }) => kind === 'day.close');
  t.match(closed[0], { status: 'succeeded', percent: 100, counts: { failed: 0 } });
  t.match(await ask('POST', `/operations/${closed[0]?.operationId ?? ''}/cancel`, {}), { status: 409 });
});

test('a loan that mass work has computed is locked until the result is durable: a write waits, and in the end is refused', async (t) => {
  const { ask, loan, ended, h } = await openLender(t, { lockWaitMs: 5_000 });
  const lock = async (): Promise<{ readonly isLocked: boolean }> =>
    (await ask('GET', `${loan}/lock-status`)).json['data'] as { readonly isLocked: boolean };
  const unlocked = { isLocked: false, lockStatus: 'unlocked', lockedAt: null, lockedByOperationId: null, reason: null };
  t.same(await lock(), unlocked);
  const order = await ask('POST', '/operations/replays', { all: true, hold: true });
  const operationId = idOf(order);
  const release = h.holdFlushes();
  const resumed = ask('POST', `/operations/${operationId}/resume`, {});
  while (!(await lock()).isLocked) await new Promise((resolve) => setTimeout(resolve, 5));
  t.match(await lock(), {
    isLocked: true,
    lockStatus: 'locked',
    lockedAt: /^2026-04-20T/,
    lockedByOperationId: operationId,
    reason: 'replay',
  });
  const pay = (): Promise<HttpAnswer> =>
    ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 1, isExternal: true, status: 'succeeded' });
  t.match(await pay(), { status: 423, json: { errorType: 'loanLocked', data: { lockedByOperationId: operationId } } });
  const waiting = pay();
  release();
  t.match(await waiting, { status: 201 });
  await resumed;
  t.match((await ended(order)).json, { data: { status: 'succeeded', progress: { done: LOANS, total: LOANS } } });
  t.same(await lock(), unlocked);
});

test('a replay is simulated, done, and changes nothing when it is repeated', async (t) => {
  const { ask, ended, report, company, loanTypeId } = await openLender(t);
  t.match(await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { interest: { accrueOnOverdue: false } }), { status: 200 });
  const order = async (dryRun: boolean): Promise<HttpAnswer> => ended(await ask('POST', '/operations/replays', { all: true, dryRun }));
  const tried = await order(true);
  const done = await order(false);
  const again = await order(true);
  const [foreseen, after] = [await report(idOf(tried)), await report(idOf(again))];
  t.match(tried.json, { data: { isDryRun: true, counts: { changed: LOANS, unchanged: 0, failed: 0 } } });
  t.same(figuresOf(after, 'Before'), figuresOf(foreseen, 'After'));
  t.same(figuresOf(after, 'After'), figuresOf(after, 'Before'));
  t.match(done.json, { data: { isDryRun: false, report: null, counts: { changed: LOANS, unchanged: 0, failed: 0 } } });
  t.match(again.json, { data: { counts: { changed: 0, unchanged: LOANS } } });
});
