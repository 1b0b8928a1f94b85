import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { sftpServerFor } from '../persistence/sftp-server.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { patient } from '../service/patience.js';
import { idOf, loanBody } from '../service/portfolio.js';
import { Service } from '../service/service.js';
import type { Ask } from '../service/spread-loans.js';
import { tempFolder } from '../temp-folder.js';

/** Three sections of a file. */
const LOANS = 4_500;
const BORROWERS = 45;
const AT_ONCE = 16;
/** Kills of one run, each so many milliseconds behind the start at most. */
const KILLS = 5;
const LONGEST_MS = 900;

interface Loan {
  readonly id: string;
  readonly path: string;
}

/** Loans of which one in ten is active. */
async function makeLoans(ask: Ask, company: string): Promise<readonly Loan[]> {
  const product = { name: 'Personal', type: 'installment', assetType: 'personalClosedEndUnsecured', assetDisplayName: 'Personal loan' };
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, product));
  const people: string[] = [];
  for (let made = 0; made < BORROWERS; made += 1)
    people.push(idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } })));
  const loans: Loan[] = [];
  let next = 0;
  const make = async (): Promise<void> => {
    for (let number = next++; number < LOANS; number = next++) {
      const loansOf = `/people/${people[number % BORROWERS] ?? ''}/loans`;
      const id = idOf(await ask('POST', loansOf, loanBody(loanTypeId)));
      const path = `${loansOf}/${id}`;
      if (number % 10 === 0) await ask('POST', `${path}/activate`, {});
      loans[number] = { id, path };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  return loans;
}

test(`a loan tape whose making is killed ${KILLS} times has each loan once, as it was at the order`, { timeout: 600_000 }, async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const [data, received] = [tempFolder(t), tempFolder(t)];
  const sftp = await sftpServerFor(t, received);
  const start = (): Promise<Service> => Service.start(data, { TENOR_OUTGOING_ALLOW: '127.0.0.1' });
  let service = await start();
  t.teardown(() => service.kill());
  const ask: Ask = patient((...asked) => service.ask(...asked));
  const company = await service.company();
  const loans = await makeLoans(ask, company);
  const type = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanId', 'dataStatus', 'currentPrincipalAmount', 'lastPaymentAmount'] };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, type));
  const address = { sftpHostname: `127.0.0.1:${sftp.port}`, sftpUsername: sftp.username, sftpPassword: sftp.password };
  const tapes = `/companies/${company}/loan-tapes`;
  const files = `${tapes}/${idOf(await ask('POST', tapes, { loanTapeTypeId, ...address, status: 'paused' }))}/files`;
  const fileId = idOf(await ask('POST', files, {}));
  await new Promise((resolve) => setTimeout(resolve, 5)); // what follows has a later moment
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random.below(LONGEST_MS)));
    // The oldest loans come last in a file.
    const body = { type: 'oneTime', amount: 10 + kill, isExternal: true, status: 'succeeded' };
    const paid = await ask('POST', `${loans[kill * 10]?.path ?? ''}/transactions`, body);
    t.equal(paid.status, 201);
    await service.kill();
    service = await start();
  }
  const fileOf = async (): Promise<Record<string, unknown>> => {
    const { json } = await ask('GET', files);
    return (json['data'] as readonly Record<string, unknown>[]).find(({ id }) => id === fileId) ?? {};
  };
  let file = await fileOf();
  while (file['status'] === 'pending') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    file = await fileOf();
  }
  t.match(file, { status: 'succeeded', rowCount: LOANS });
  const content = readFileSync(join(received, String(file['fileName'])));
  t.equal(createHash('sha256').update(content).digest('hex'), file['sha256']);
  const [head, ...lines] = gunzipSync(content).toString('utf8').trimEnd().split('\r\n');
  t.equal(head, 'loanId,dataStatus,currentPrincipalAmount,lastPaymentAmount');
  const rows = loans.map(({ id }, number) => `${id},${number % 10 === 0 ? 'complete,10000000,' : 'missing,,'}`);
  t.strictSame([...lines].sort(), [...rows].sort(), 'each loan once, without what was paid later');
  t.equal(await service.stop(), 0);
});
