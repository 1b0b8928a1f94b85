import { join } from 'node:path';
import { test } from 'tap';
import { tenor as run } from '../bench/tenor.js';
import { lineBody } from '../gateway/routes/line-over-http.js';
import { loanBody } from '../service/portfolio.js';
import { Service } from '../service/service.js';
import { scratchFolder } from '../temp-folder.js';
import { ENVIRONMENT, exportFolder } from './moving.js';
import { namedBy, namedIn, traceOf } from './traces.js';

/*
 * Free texts about a borrower by agents and merchants, besides names and numbers (`erased.test.ts`): reasons, comments, and purchases.
 */

const VALUES = {
  paidOffReason: 'forgiven since her cat Mizzi died',
  preparedReason: 'the other lender forgot her leave in Tyrol',
  pastFeeReason: 'charged while she lay in St Vitus',
  feeName: 'copies for her lawyer Nepomuk',
  creditReason: 'the agent shouted at her mother',
  creditName: 'sorry, dear Philippa',
  failureReason: 'holder Philippa Zwickl unknown',
  failureDetails: 'her bank wrote that she moved to Graz',
  items: 'wedding dress of her sister Roswitha',
  plannedAdvance: 'the carpenter Hallodri wants his half',
  advanceText: 'the roof above the room of Kunigunde',
  advanceMerchant: 'Dachdecker Krampus',
  advanceTextAfter: 'the cellar of Kunigunde instead',
  refundText: 'the dress did not fit Roswitha',
  refundMerchant: 'Brautmoden Edeltraud',
  purchaseText: 'insulin of the child Balduin',
  merchantName: 'Apotheke zum Einhorn',
  merchantCity: 'Obervellach',
  merchantId: 'merchant-einhorn-17',
  cardId: 'card-of-philippa-3',
  purchaseTextAfter: 'insulin and plasters of Balduin',
  otherMerchant: 'Konditorei Zauner',
  reasonCode: 'code-of-philippa-99',
  canceledLoan: 'canceled-loan-of-philippa',
  caseName: 'Philippas flood of the cellar',
  caseNameAfter: 'Philippas second flood',
  caseId: 'case-of-philippa-1',
  caseIdAfter: 'case-of-philippa-2',
  outcomeNote: 'her neighbor Xaver lent a pump',
  snoozeReason: 'she sits with her father Kasimir',
  instructions: 'ask for Philippa, not for Kasimir',
  escalationReason: 'she cried about the letter of May',
  rejection: 'the passport shows her cousin Leonie',
  taskReason: 'Leonie has called already',
  court: 'trustee Dr Sauerampfer of Linz',
} as const;

const TRACES = Object.entries(VALUES).map(([name, value]) => traceOf(name, value));

/** Values that no answer shows: only the disk says whether they were there. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'preparedReason',
  'pastFeeReason',
  'advanceText',
  'purchaseText',
  'caseName',
  'caseId',
  'canceledLoan',
  'escalationReason',
  'snoozeReason',
]);

test('after an erasure nothing on the disk and no answer has what was written about the person', { timeout: 480_000 }, async (t) => {
  const v = VALUES;
  const folder = scratchFolder();
  const data = join(folder, 'data');
  let service = await Service.start(data, ENVIRONMENT);
  const company = await service.company();
  const asked: { readonly method: string; readonly path: string; readonly body: object; readonly key: string }[] = [];
  const order = async (method: string, path: string, body: object): Promise<string> => {
    const key = `key-${asked.length}`;
    asked.push({ method, path, body, key });
    const answer = await service.ask(method, path, body, { 'Idempotency-Key': key });
    t.ok(answer.status < 300, `${method} ${path} ${answer.status} ${JSON.stringify(answer.json)}`);
    return /"id":"([A-Z]{2}-[^"]+)"/.exec(JSON.stringify(answer.json['data'] ?? answer.json))?.[1] ?? '';
  };
  const made = (path: string, body: object): Promise<string> => order('POST', path, body);
  const changed = (path: string, body: object): Promise<string> => order('PUT', path, body);

  const clock = await made('/test-clocks', { startDate: '2026-01-05' });
  const personId = await made('/people', { name: { firstName: 'Philippa', lastName: 'Zwickl' } });
  const own = `/people/${personId}`;
  const products = `/companies/${company}/loan-types`;
  const loanTypeId = await made(products, { name: 'Personal', type: 'installment', structure: { allowMultipleAdvances: true } });
  const lineTypeId = await made(products, { name: 'Card', type: 'lineOfCredit' });
  const [feeTypeId, lineFeeTypeId] = await Promise.all(
    [loanTypeId, lineTypeId].map((type) =>
      made(`/loan-types/${type}/fee-types`, {
        name: { displayName: 'Copies', apiName: 'copies' },
        feeType: 'adHoc',
        amountLogic: 'fixed',
        amount: 5,
      }),
    ),
  );
  const instrument = { instrumentType: 'check', isExternal: true, status: 'active', payerName: 'Payer', checkNumber: '7' };
  const paymentInstrumentId = await made(`${own}/payment-instruments`, instrument);
  const loan = async (more: { readonly atOrigination?: object; readonly [field: string]: unknown } = {}): Promise<string> => {
    const body = loanBody(loanTypeId) as { readonly atOrigination: object };
    const atOrigination = { ...body.atOrigination, ...more.atOrigination };
    return `${own}/loans/${await made(`${own}/loans`, { ...body, ...more, atOrigination })}`;
  };
  const paid = { type: 'oneTime', isExternal: true, status: 'succeeded', paymentInstrumentId };

  const advanceSchedule = [{ advanceDate: '2026-03-01', amount: 100, advanceDetails: { description: v.plannedAdvance } }];
  const first = await loan({ atOrigination: { principalAmount: 60_000, itemsOrServicesFinanced: v.items, advanceSchedule } });
  await made(`${first}/activate`, {});
  await made(`${first}/fees`, { feeTypeId, customDisplayName: v.feeName });
  const credit = { type: 'courtesy', reason: v.creditReason, displayName: v.creditName };
  await made(`${first}/transactions`, { type: 'serviceCredit', amount: 1, serviceCreditDetails: credit });
  const pending = await made(`${first}/transactions`, { ...paid, amount: 30, status: 'pending' });
  await changed(`${first}/transactions/${pending}`, {
    status: 'failed',
    failureReason: 'paymentStopped',
    processorFailureReason: v.failureReason,
    processorFailureDetails: v.failureDetails,
  });
  const advance = await made(`${first}/advances`, { amount: 200, advanceDetails: { description: v.advanceText } });
  await changed(`${first}/advances/${advance}`, { advanceDetails: { description: v.advanceTextAfter, merchantName: v.advanceMerchant } });
  await made(`${first}/refunds`, {
    refundAmount: 50,
    atFaultParty: 'merchant',
    refundDetails: { description: v.refundText, merchantName: v.refundMerchant },
  });
  const holder = { accountHolderName: 'Payer', accountNumber: '7700112233' };
  const account = { instrumentType: 'bankAccount', ...holder, isExternal: true, status: 'active' };
  const accountId = await made(`${own}/payment-instruments`, account);
  const charged = await made(`${first}/transactions`, { ...paid, amount: 40, paymentInstrumentId: accountId });
  await made(`${first}/transactions/${charged}/chargebacks`, { amount: 10, status: 'lost', reasonCode: v.reasonCode });

  const second = await loan({ atOrigination: { principalAmount: 100_000 } });
  await made(`${second}/activate`, {});
  const fee = await made(`${second}/fees`, { feeTypeId });
  await made(`${second}/transactions`, { ...paid, amount: 100_000 });
  await changed(`${second}/fees/${fee}/cancel`, { reason: v.paidOffReason });

  const third = await loan({ externalId: v.canceledLoan });
  await made(`${third}/cancel`, {});

  const old = await loan({ migration: { activatedDate: '2025-11-15' } });
  const oldFee = await made(`${old}/fees`, { feeTypeId, chargeDate: '2025-12-01' });
  await changed(`${old}/fees/${oldFee}/cancel`, { reason: v.preparedReason });
  await made(`${old}/cancel`, {});

  const oldLine = `${own}/loans/${await made(`${own}/loans`, lineBody(lineTypeId, { migration: { activatedDate: '2025-10-01' } }))}`;
  const originalDrawId = await made(`${oldLine}/draws`, { status: 'originated' });
  const pastFee = await made(`${oldLine}/fees`, { feeTypeId: lineFeeTypeId, chargeDate: '2025-11-01', migration: { originalDrawId } });
  await changed(`${oldLine}/fees/${pastFee}/cancel`, { reason: v.pastFeeReason });
  await made(`${oldLine}/cancel`, {});

  const line = `${own}/loans/${await made(`${own}/loans`, lineBody(lineTypeId))}`;
  await made(`${line}/activate`, {});
  const draw = `${line}/draws/${await made(`${line}/draws`, { status: 'originated' })}`;
  await made(`${draw}/activate`, {});
  const details = { merchantName: v.merchantName, merchantId: v.merchantId, merchantCity: v.merchantCity, externalCardId: v.cardId };
  const purchase = await made(`${draw}/purchases`, { amount: 100, purchaseDetails: { ...details, description: v.purchaseText } });
  await changed(`${draw}/purchases/${purchase}`, { purchaseDetails: { ...details, description: v.purchaseTextAfter } });
  await made(`${draw}/purchases`, { amount: 50, purchaseDetails: { merchantName: v.otherMerchant } });

  const caseId = await made(`${own}/cases`, { caseType: 'generic', name: v.caseName, externalId: v.caseId });
  const ownCase = `${own}/cases/${caseId}`;
  await changed(ownCase, { name: v.caseNameAfter, externalId: v.caseIdAfter });
  await made(`${ownCase}/snooze`, { until: '2026-04-20T12:00:00Z', reason: v.snoozeReason });
  await made(`${ownCase}/scheduled-calls`, { scheduledAt: '2026-01-25T12:00:00Z', instructions: v.instructions });
  const teamId = await made('/teams', { name: 'Night' });
  await made(`${ownCase}/escalations`, { targetType: 'team', teamId, reason: v.escalationReason });
  await made('/monitoring/hits', {
    personId,
    kind: 'bankruptcy',
    externalReference: 'pacer-1',
    effectiveDate: '2026-01-02',
    details: { trusteeName: v.court },
  });
  const document = await made(`${own}/documents`, { type: 'evidence' });
  await changed(`${own}/documents/${document}`, { status: 'rejected', rejectionReason: v.rejection });
  const tasks = `/companies/${company}/tasks`;
  const task = await made(tasks, { taskType: 'reviewDocumentUpload', personId });
  await made(`${tasks}/${task}/cancel`, { reason: v.taskReason });

  await made(`/test-clocks/${clock}/advance?sync=true`, { to: '2026-02-20' });
  await changed(ownCase, { status: 'processing' });
  await changed(ownCase, { status: 'completed', outcome: 'resolved', outcomeNote: v.outcomeNote });
  await made(`${line}/transactions?force=true`, { ...paid, amount: 1_000 });
  await made(`${line}/close`, { closeReasonDescription: 'the borrower asked for it' });
  await made(`${first}/transactions?force=true`, { ...paid, amount: 200_000 });

  const statements = async (of: string): Promise<readonly string[]> => {
    const { json } = await service.ask('GET', `${of}/statements`);
    return (json['data'] as readonly { readonly id: string }[]).map(({ id }) => `${of}/statements/${id}/details`);
  };
  const printed = [...(await statements(first)), ...(await statements(line))];
  t.ok(printed.length > 1, 'statements were made');
  const everywhere = [
    own,
    ...[first, second, third, old, oldLine, line].flatMap((each) =>
      ['', '/status-history', '/activity?types=status', '/transactions', '/fees', '/migration'].map((part) => each + part),
    ),
    ...['/advances', `/advances/${advance}`, '/refunds', `/transactions/${charged}/chargebacks`].map((part) => first + part),
    ...[`${draw}/purchases`, `${draw}/purchases/${purchase}`, `${line}/activity?limit=100`],
    ...printed,
    ...['', '/events', '/scheduled-calls', '/escalations', '/notes'].map((part) => ownCase + part),
    ...[`${own}/documents`, `${own}/cases`, `${own}/monitoring-statuses`, tasks, tasks.replace('tasks', 'terminated-tasks')],
    ...['/cases', '/transactions', '/loans', '/events?limit=100', `/events?personId=${personId}&limit=100`, '/operations'],
    ...[first, second, line].map((each) => `/events?loanId=${each.split('/').at(-1) ?? ''}&limit=100`),
    `/events?caseId=${caseId}&limit=100`,
  ];
  /** With all pages: a batch of the general ledger that is sealed later would push the oldest event from the first one. */
  const whole = async (path: string): Promise<string> => {
    let text = '';
    for (let url: unknown = path; typeof url === 'string'; ) {
      const answer = await service.ask('GET', url);
      text += JSON.stringify(answer);
      const next = answer.json['nextUrl'];
      url = typeof next === 'string' ? next.slice(next.indexOf('/api/') + 4) : null;
    }
    return text;
  };
  const answers = async (): Promise<readonly (readonly [string, string])[]> => {
    const found: (readonly [string, string])[] = [];
    for (const path of everywhere) found.push([path, await whole(path)]);
    return found;
  };
  const before = await answers();
  const shown = new Set(before.flatMap(([, text]) => namedBy(TRACES, [text])));
  for (const name of Object.keys(VALUES)) if (!UNANSWERED.has(name)) t.ok(shown.has(name), `${name} is answered before`);
  const history = JSON.stringify(await service.ask('GET', `${second}/status-history`));
  t.ok(history.includes(v.paidOffReason), 'a status says why');
  const lines = (texts: readonly (readonly [string, string])[]): readonly string[] =>
    texts.filter(([path]) => printed.includes(path)).flatMap(([, text]) => namedBy(TRACES, [text]));
  for (const name of ['feeName', 'purchaseTextAfter', 'otherMerchant']) t.ok(lines(before).includes(name), `${name} is printed`);
  await service.stop();
  t.same(namedIn(TRACES, data), [], 'nothing lies on the disk in clear before the erasure, either');

  service = await Service.start(data, ENVIRONMENT);
  t.strictSame(
    (await answers()).map(([path, text]) => [path, namedBy(TRACES, [text])]),
    before.map(([path, text]) => [path, namedBy(TRACES, [text])]),
    'all is answered again after a start',
  );
  await service.stop();
  t.match(await run(ENVIRONMENT, 'verify', '--data', data), { code: 0 }, 'and is sound');

  const erased = await run(ENVIRONMENT, 'erase', personId, '--company', company, '--data', data);
  t.equal(erased.code, 0, erased.error);
  const sound = await run(ENVIRONMENT, 'verify', '--data', data, '--json');
  t.equal(sound.code, 0, `is sound after the erasure, too: ${sound.out}`);
  const exported = join(folder, 'exported');
  await exportFolder(data, exported, join(folder, 'keys'));

  service = await Service.start(data, ENVIRONMENT);
  for (const [path, text] of await answers()) t.same(namedBy(TRACES, [text]), [], path);
  for (const { method, path, body, key } of asked) {
    const answer = await service.ask(method, path, body, { 'Idempotency-Key': key });
    t.same(namedBy(TRACES, [JSON.stringify(answer)]), [], `a retry of ${method} ${path}: ${answer.status}`);
  }
  await service.stop();
  t.same(namedIn(TRACES, folder), [], 'nothing lies on the disk, nor in the export');
  t.match(await run(ENVIRONMENT, 'verify', '--data', data), { code: 0 }, 'is sound at the end');
});
