import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import type { ShardsReport } from '../../actors/index.js';
import { SimulatedBank } from '../../bench/bank/simulated-bank.js';
import { formatDay, must, parseDay } from '../../engine/index.js';
import { signatureOfIssuer } from '../../gateway/routes/parties/card-issuers.js';
import { nextDay, notMade, underWay } from '../durability/money/days.js';
import { dataOf, FIRST_DAY, FOLDERS, idOf, listOf, makeMoneyLender } from '../durability/money/lender.js';
import { BankMail } from '../durability/money/mail.js';
import { checkFiles, checkMoney } from '../durability/money/sums.js';
import { type Delivered, deliveredBy, ledgerOfBank, moveClock, untilNothing } from '../durability/money/walk.js';
import { lineBody } from '../gateway/routes/line-over-http.js';
import { sftpServerFor } from '../persistence/sftp-server.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import type { Ask } from '../service/spread-loans.js';
import { tempFolder } from '../temp-folder.js';
import { pause } from './load.js';
import { testCluster } from './test-cluster.js';

/** The files at which the worker that makes them is killed, each while the file gets its name. */
const KILLED_AT = ['/out/', '/agency/'];

test('the worker that makes the files of a lender is killed: each is made once, and each payment and purchase is posted once', {
  timeout: 580_000,
}, async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const folder = tempFolder(t);
  for (const name of FOLDERS) mkdirSync(join(folder, name));
  const sftp = await sftpServerFor(t, folder);
  const cluster = await testCluster(t, { workers: 2, gateways: 1, environment: { TENOR_OUTGOING_ALLOW: '127.0.0.0/8' } });
  const ask: Ask = async (method, path, body, headers) => {
    for (;;) {
      const answer = await cluster.insist(method, path, body, 0, headers);
      if (answer.json['errorType'] !== 'conflict') return answer; // the first claims of a new cluster wait for earlier ones
      await pause(200);
    }
  };
  const lender = await makeMoneyLender(ask, sftp);
  const card = await makeCard(ask);
  const mail = new BankMail(folder, random);
  const seen = { ask, lender, mail, delivered: [] as Delivered[], bankLedger: () => ledgerOfBank(folder) };

  const owner = async (): Promise<string> => {
    const report = (await (await fetch(`${cluster.gateways[0]?.url ?? ''}/health/shards`)).json()) as ShardsReport;
    return must(report.units.find(({ unit }) => unit === 'shared')?.owner, 'the owner of the shared shard');
  };
  const killed: Promise<unknown>[] = [];
  let victim = await owner();
  const waiting = [...KILLED_AT];
  sftp.onRequest = (request) => {
    seen.delivered.push(...deliveredBy(request, folder));
    const isIts = request.name === 'RENAME' && request.isDone && request.to?.startsWith(waiting[0] ?? ' ') === true;
    if (!isIts) return false;
    waiting.shift();
    killed.push(
      must(
        [...cluster.workers].find(({ name }) => name === victim),
        victim,
      ).end('SIGKILL'),
    );
    killed.push(...Array.from({ length: 3 }, () => card.buy()));
    return true;
  };

  for (const loan of lender.loans) {
    const { paymentInstrumentId } = dataOf(await ask('GET', `${loan}/autopay`));
    dataOf(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 40 + random.below(100) / 100, paymentInstrumentId }));
  }
  const bank = new SimulatedBank({ folder, seed: SEED, shares: new Map([['R01', 0.3]]), losing: 0, repeating: 0.5 });
  let day = must(parseDay(FIRST_DAY), FIRST_DAY);
  const play = async (isKill: boolean): Promise<void> => {
    victim = await owner();
    for (const time of ['18:00:00Z', '21:30:00Z']) {
      await moveClock(ask, lender.clock, `${formatDay(day)}T${time}`);
      if (isKill && time.startsWith('21')) await untilNothing(async () => KILLED_AT.slice(0, 1).filter((path) => waiting.includes(path)));
      await untilNothing(() => underWay(seen));
    }
    bank.run(day);
    mail.deliver({ isFaulty: false });
    for (const { id, fileName } of await listOf(ask, '/ach-files?direction=outgoing&status=failed')) {
      if (bank.has(String(fileName))) mail.give(`CONF_again_${String(fileName)}.txt`, `${String(fileName)} ACCEPTED\n`);
      else dataOf(await ask('POST', `/ach-files/${String(id)}/resend`));
    }
  };
  await play(true);
  await cluster.addWorker('worker-3');
  for (const loan of lender.loans) dataOf(await ask('DELETE', `${loan}/autopay`));
  for (const date of ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09', '2026-04-01', '2026-04-02', '2026-04-06']) {
    day = must(parseDay(date), date);
    await play(false);
  }
  day = nextDay(day);
  await moveClock(ask, lender.clock, `${formatDay(day)}T18:00:00Z`);
  await untilNothing(() => notMade(seen, day));
  await Promise.all(killed);
  t.same(waiting, [], 'a worker was killed at each of the files');
  await checkMoney(t, seen);
  await checkFiles(t, seen);
  t.match(dataOf(await ask('GET', card.path)), { cardBalances: { usedAmount: 40 } }, 'the purchase is posted once');
});

const DETAILS = { usageType: 'multiUse', fulfillmentStatus: 'issued', expirationYear: 2030, expirationMonth: 4, firstName: 'Ann' };

/** A card of a line whose issuer reports one purchase, as often as it is called. */
async function makeCard(ask: Ask): Promise<{ readonly path: string; buy(): Promise<void> }> {
  const [{ id: company }] = dataOf(await ask('GET', '/companies')) as unknown as readonly [{ readonly id: string }];
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'lineOfCredit', name: 'Card' }));
  const person = idOf(await ask('POST', '/people', { name: { firstName: 'Ann', lastName: 'Line' } }));
  const line = `/people/${person}/loans/${idOf(await ask('POST', `/people/${person}/loans`, lineBody(loanTypeId)))}`;
  dataOf(await ask('POST', `${line}/activate`, {}));
  const drawId = idOf(await ask('POST', `${line}/draws`, { status: 'originated' }));
  dataOf(await ask('POST', `${line}/draws/${drawId}/activate`, {}));
  const issuer = dataOf(
    await ask('POST', '/card-issuers', {
      status: 'active',
      cardIssuerType: 'accountTokenIssuer',
      cardType: 'virtualCard',
      apiKey: 'key',
      issuerEventsSubscriber: 'service',
    }),
  );
  const named = { issuerId: issuer['id'], issuerAccountToken: 'a', issuerCardToken: 'c', cardDetails: DETAILS };
  const path = `${line}/cards/${idOf(await ask('POST', `${line}/cards`, named))}`;
  const report = async (event: object): Promise<void> => {
    const body = { loanId: line.split('/').at(-1) ?? '', card: 'c', at: Math.floor(Date.now() / 1000), ...event };
    const signature = signatureOfIssuer(body as unknown as Parameters<typeof signatureOfIssuer>[0], String(issuer['webhookSecret']));
    dataOf(await ask('POST', `/card-issuers/${String(issuer['id'])}/events`, { ...body, signature }));
  };
  await report({ eventId: 'e-1', type: 'cardStatus', status: 'active' });
  return { path, buy: () => report({ eventId: 'e-2', type: 'purchase', drawId, purchase: { amount: 40, merchantName: 'Boats' } }) };
}
