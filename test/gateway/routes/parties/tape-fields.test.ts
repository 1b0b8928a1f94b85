import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { sftpServerFor } from '../../../persistence/sftp-server.js';
import { decrypted, receiverPair } from '../../pgp/keys.js';
import { dataOf, type HttpLender, idOf, listOf } from '../http-lender.js';
import { openLineOverHttp } from '../line-over-http.js';
import { openLoanOverHttp } from '../loan-over-http.js';

interface Tapes {
  readonly types: string;
  readonly tapes: string;
  readonly address: object;
  type(body: object): Promise<string>;
  tape(body: object, more?: object): Promise<string>;
  /** The bytes of a file that is made now. */
  made(tapeId: string, body?: object): Promise<Buffer>;
  /** Cells of its rows, the names of its columns first. */
  rows(tapeId: string, body?: object): Promise<readonly (readonly string[])[]>;
}

async function tapesOf(t: Test, { ask, company, h }: HttpLender): Promise<Tapes> {
  const folder = t.testdir({});
  const server = await sftpServerFor(t, folder);
  const address = { sftpHostname: `127.0.0.1:${server.port}`, sftpUsername: server.username, sftpPassword: server.password };
  const types = `/companies/${company}/loan-tape-types`;
  const tapes = `/companies/${company}/loan-tapes`;
  const type = async (body: object): Promise<string> => {
    const made = await ask('POST', types, {
      tapeName: 'Loans',
      tapeType: 'loans',
      compressionType: 'noCompression',
      moneyUnit: 'fullUnit',
      ...body,
    });
    if (made.status !== 200) throw new Error(made.text);
    return idOf(made);
  };
  const made = async (tapeId: string, body: object = {}): Promise<Buffer> => {
    const ordered = await ask('POST', `${tapes}/${tapeId}/files`, body);
    if (ordered.status !== 201) throw new Error(ordered.text);
    await h.campaigns.tapesSettled();
    const [file = {}] = listOf(await ask('GET', `${tapes}/${tapeId}/files`));
    if (file['status'] !== 'succeeded') throw new Error(JSON.stringify(file));
    return readFileSync(join(folder, String(file['fileName'])));
  };
  return {
    types,
    tapes,
    address,
    type,
    async tape(body, more = {}) {
      const answer = await ask('POST', tapes, { loanTapeTypeId: await type(body), ...address, status: 'paused', ...more });
      if (answer.status !== 200) throw new Error(answer.text);
      return idOf(answer);
    },
    made,
    rows: async (tapeId, body) => cellsOf((await made(tapeId, body)).toString('utf8')),
  };
}

const cellsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

test('a tape shows bankruptcy, death and military duty of the borrower as they were on its day', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, goTo, created, h } = lender;
  await created({ externalId: 'pending' });
  const { tape, rows } = await tapesOf(t, lender);
  const fields = ['dataStatus', 'isInBankruptcy', 'isDeceased', 'isMilitary'];
  const tapeId = await tape({ fields });
  const shown = async (body?: object): Promise<readonly (readonly string[])[]> => [...(await rows(tapeId, body)).slice(1)].sort();
  const NONE = ['complete', 'false', 'false', 'false'];
  const MISSING = ['missing', '', '', ''];
  await goTo('2026-03-10');
  t.strictSame(await shown(), [NONE, MISSING]);
  const open = async (caseType: string): Promise<string> => {
    const made = await ask('POST', '/people/ext-ann-1/cases', { caseType });
    if (made.status >= 300) throw new Error(made.text);
    return `/people/ext-ann-1/cases/${idOf(made)}`;
  };
  const duty = await open('militaryDuty');
  await goTo('2026-03-12');
  const bankruptcy = await open('bankruptcy');
  const death = await open('deceased');
  t.strictSame((await shown())[0], ['complete', 'true', 'true', 'true']);
  h.nowMs += 1_000;
  const recordedAsOf = new Date(h.nowMs).toISOString();
  h.nowMs += 1_000;
  await goTo('2026-03-14');
  for (const path of [duty, death]) {
    await ask('PUT', path, { status: 'processing' });
    t.equal((await ask('PUT', path, { status: 'completed', outcome: 'resolved' })).status, 200);
  }
  t.strictSame((await shown())[0], ['complete', 'true', 'true', 'false'], 'a death is not over when its case is');
  t.strictSame((await shown({ reportDate: '2026-03-12', recordedAsOf }))[0], ['complete', 'true', 'true', 'true'], 'what was known then');
  t.strictSame((await shown({ reportDate: '2026-03-11' }))[0], ['complete', 'false', 'false', 'true']);
  t.equal((await ask('PUT', bankruptcy, { status: 'canceled' })).status, 200);
  t.strictSame((await shown())[0], ['complete', 'false', 'true', 'false']);
  await ask('PUT', death, { status: 'reopened' });
  t.equal((await ask('PUT', death, { status: 'completed', outcome: 'withdrawn' })).status, 200);
  t.strictSame((await shown())[0], NONE, 'the report was wrong');
});

test('a tape shows what promotions take off the rate', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { tape, rows } = await tapesOf(t, lender);
  const tapeId = await tape({ fields: ['interestRate', 'promoRate'] });
  t.strictSame((await rows(tapeId)).slice(1), [['0.18000000', '']]);
  const changed = await lender.ask('POST', `${lender.loan}/rates`, { promoRate: { annualRate: 0.03, startDate: '2026-03-02' } });
  t.ok(changed.status < 300, changed.text);
  t.strictSame((await rows(tapeId)).slice(1), [['0.15000000', '0.03000000']]);
});

test('active draws have a row each behind that of their line, and only what is theirs', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, draw, line, goTo } = lender;
  const [one, two] = [
    await draw({
      externalId: 'one',
      atOrigination: { interestRates: [{ rate: 0.12, days: null }], promoRates: [{ rate: 0.02, days: 30 }] },
    }),
    await draw(),
  ].map((path) => path.split('/').at(-1) ?? '');
  await ask('POST', `${line}/draws`, { status: 'originated' });
  for (const [id, amount] of [
    [one, 300],
    [two, 40.5],
  ] as const) {
    const bought = await ask('POST', `${line}/draws/${String(id)}/purchases`, { type: 'regular', amount, status: 'settled' });
    if (bought.status >= 300) throw new Error(bought.text);
  }
  await goTo('2026-03-03');
  const { types, tape, rows } = await tapesOf(t, lender);
  const fields = [
    'drawId',
    'loanType',
    'status',
    'currentPrincipalAmount',
    'dueAmount',
    'interestRate',
    'promoRate',
    'activatedDate',
    'creditLimitAmount',
  ];
  const tapeId = await tape({ fields, shouldReportDrawsSeparately: true });
  const [head, ofLine, ...ofDraws] = await rows(tapeId);
  t.strictSame(head, fields);
  t.match(ofLine, ['', 'lineOfCredit', 'active', '340.50', '0.00', '0.18000000', '', '2026-03-02', '5000.00']);
  t.strictSame(
    [...ofDraws].sort((a) => (a[0] === one ? -1 : 1)),
    [
      [one, 'lineOfCredit', 'active', '300.00', '', '0.10000000', '0.02000000', '2026-03-02', ''],
      [two, 'lineOfCredit', 'active', '40.50', '', '0.18000000', '', '2026-03-02', ''],
    ],
  );
  t.equal((await rows(await tape({ fields: fields.slice(1) }))).length, 2, 'without them the line is one row');
  const refused = async (body: object): Promise<unknown> => (await ask('POST', types, { tapeName: 'T', ...body })).json['errors'];
  t.match(await refused({ tapeType: 'loans', fields: ['drawId'] }), [{ path: 'fields[0]', message: /rows of draws/ }]);
  t.match(await refused({ tapeType: 'payments', fields: ['drawId'], shouldReportDrawsSeparately: true }), [
    { path: 'shouldReportDrawsSeparately' },
  ]);
});

test("the borrower's number leaves on encrypted tapes alone, by the order of one who may read it", async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, askWith } = lender;
  const { types, tapes, address, type, made } = await tapesOf(t, lender);
  const key = await receiverPair();
  const encrypted = { encryptionMethod: 'GPG', publicKey: key.publicKey };
  const fields = ['loanId', 'mainBorrowerIdentityValue'];
  const body = { tapeName: 'Numbers', tapeType: 'loans', fields };
  t.match(await askWith(['loan.tape.type:create'], 'POST', types, body), {
    status: 400,
    json: { errors: [{ path: 'fields[1]', expected: 'the permission identity:read' }] },
  });
  const loanTapeTypeId = await type({ fields });
  const order = { loanTapeTypeId, ...address, status: 'paused' };
  t.match(await ask('POST', tapes, order), { status: 400, json: { errors: [{ path: 'encryptionMethod' }] } });
  t.match(await askWith(['loan.tape:create'], 'POST', tapes, { ...order, ...encrypted }), {
    status: 400,
    json: { errors: [{ path: 'loanTapeTypeId' }] },
  });
  const tapeId = idOf(await ask('POST', tapes, { ...order, ...encrypted }));
  t.match(await ask('PUT', `${tapes}/${tapeId}`, { encryptionMethod: null }), {
    status: 400,
    json: { errors: [{ path: 'encryptionMethod' }] },
  });
  const plain = await type({ fields: ['loanId'] });
  const other = dataOf(await ask('POST', tapes, { loanTapeTypeId: plain, ...address, status: 'paused' }));
  t.match(await ask('PUT', `${types}/${plain}`, { fields }), {
    status: 400,
    json: { errors: [{ path: 'fields[1]', message: new RegExp(String(other['id'])) }] },
  });
  t.match(await ask('PUT', `${tapes}/${String(other['id'])}`, { loanTapeTypeId }), {
    status: 400,
    json: { errors: [{ path: 'encryptionMethod' }] },
  });
  const content = await made(tapeId);
  t.notMatch(content.toString('latin1'), /900.?11.?2233/);
  t.match(cellsOf((await decrypted(content, key.privateKey)).toString('utf8')), [fields, [/^LN-/, '900-11-2233']]);
});
