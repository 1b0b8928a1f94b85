import type { Test } from 'tap';
import { must } from '../../../engine/index.js';
import { type Data, dataOf, FINANCED_CENTS, listOf, SHARES } from './lender.js';
import type { BankLedger, BankEntry, MoneyWalk } from './walk.js';

/** What the sums are taken from. */
export type MoneySeen = Pick<MoneyWalk, 'ask' | 'lender' | 'delivered' | 'bankLedger'>;

const centsOf = (value: unknown): number => Math.round(Number(value ?? 0) * 100);

/** Every payment attempt and what the bank knows of it; every cent is in one place. */
export async function checkMoney(t: Test, walk: MoneySeen): Promise<void> {
  const bank = walk.bankLedger();
  const entriesOf = new Map<string, BankEntry[]>();
  for (const entry of bank.entries) entriesOf.set(entry.reference, [...(entriesOf.get(entry.reference) ?? []), entry]);
  t.equal(new Set(bank.entries.map(({ trace }) => trace)).size, bank.entries.length, 'no trace number is used twice');
  const differences = await returnsOfReversed(walk);
  let heldCents = 0;
  let openCents = 0;
  const parts = new Map<string, number>();
  for (const loan of walk.lender.loans) {
    const transactions = (await listOf(walk.ask, `${loan}/transactions`)).filter(({ status }) => status !== 'scheduled');
    let paidCents = 0;
    let principalCents = 0;
    for (const transaction of transactions) {
      const id = String(transaction['id']);
      const isOpen = differences.has(id) && isReversed(transaction);
      checkAttempt(t, isOpen ? { ...transaction, status: 'failed', achReturnCode: ANY_CODE } : transaction, entriesOf.get(id) ?? []);
      entriesOf.delete(id);
      if (transaction['status'] !== 'succeeded') continue;
      const isPayment = transaction['transactionType'] === 'payment';
      const cents = (isPayment ? 1 : -1) * centsOf(transaction['actualAmount']);
      heldCents += cents;
      if (isOpen) openCents += cents;
      if (!isPayment || transaction['reversedByTransactionId'] != null) continue;
      paidCents += centsOf(transaction['actualAmount']);
      principalCents += centsOf(transaction['paidPrincipalAmount']);
      parts.set(id, centsOf(transaction['actualAmount']));
    }
    const { outstandingBalances, paidBalances } = dataOf(await walk.ask('GET', `${loan}/balances?isRounded=true`)) as Readonly<
      Record<string, Data>
    >;
    t.equal(centsOf(paidBalances?.['paidTotalAmount']), paidCents, `${loan}: the ledger has what was kept`);
    t.equal(centsOf(outstandingBalances?.['outstandingPrincipalAmount']), FINANCED_CENTS - principalCents);
  }
  t.same([...entriesOf.keys()], [], 'each entry that the bank has belongs to a payment');
  t.equal(
    bank.balanceCents,
    heldCents - openCents,
    `the bank has what the ledger has, less ${openCents} cents of differences for a person`,
  );
  await checkSettlements(t, walk, parts);
}

/** What a difference of the reconciliation stands for: the ledger has no code. */
const ANY_CODE = 'in a difference';

/** The borrower was refunded, or was to be: what a return of it means is decided by a person. */
const isReversed = (transaction: Data): boolean =>
  transaction['reversedByTransactionId'] != null || transaction['transactionType'] === 'reversal';

/** The payments that a bank has returned without an effect in the ledger. */
async function returnsOfReversed({ ask }: MoneySeen): Promise<ReadonlySet<string>> {
  const items = (await listOf(ask, '/reconciliations')).flatMap((day) => day['items'] as readonly Data[]);
  return new Set(items.filter(({ kind }) => kind === 'missingInLedger').map(({ transactionId }) => String(transactionId)));
}

/** In one file if it was sent at all, and returned with the code that the bank has given. */
function checkAttempt(t: Test, transaction: Data, entries: readonly BankEntry[]): void {
  const { id, status, achReturnCode, retryAttempt, actualAmount } = transaction;
  const label = `${String(transaction['transactionType'])} ${String(id)}`;
  const wasSent = status === 'succeeded' || achReturnCode !== null;
  if (!wasSent) t.equal(status, 'failed', `${label} has ended`);
  if (entries.length !== (wasSent ? 1 : 0))
    t.equal(entries.length, wasSent ? 1 : 0, `${label} is in one file: ${JSON.stringify(transaction)}`);
  const [entry] = entries;
  if (entry === undefined) return;
  const code = entry.code?.startsWith('R') === true ? (achReturnCode === ANY_CODE ? ANY_CODE : entry.code) : null;
  t.match(
    { status, achReturnCode, trace: transaction['processorTransactionId'], cents: centsOf(actualAmount), isSettled: entry.isSettled },
    {
      status: code === null ? 'succeeded' : 'failed',
      achReturnCode: code,
      trace: entry.trace,
      cents: Math.abs(entry.cents),
      isSettled: true,
    },
    `${label} is what the bank has made of it: ${JSON.stringify(entry)}`,
  );
  t.ok(Number(retryAttempt ?? 0) <= 2, `${label} was presented again twice at most`);
}

/** Over all settlements each owner has got its part of each payment that was kept, and of no other. */
async function checkSettlements(t: Test, { ask, lender }: MoneySeen, kept: ReadonlyMap<string, number>): Promise<void> {
  const { company, investors } = lender;
  const settled = new Map<string, number>();
  for (const [name, investorId] of Object.entries(investors)) {
    const share = SHARES[name as keyof typeof SHARES];
    const settlements = await listOf(ask, `/companies/${company}/settlements?investorId=${investorId}`);
    t.same(
      settlements.filter(({ status }) => status !== 'succeeded'),
      [],
      `${name}: each settlement has ended`,
    );
    const periods = settlements.map(({ periodEndDate }) => periodEndDate);
    t.equal(new Set(periods).size, periods.length, `${name}: a period is settled once`);
    let ownCents = 0;
    let paidCents = 0;
    const own = new Map<string, number>();
    for (const { id, grossAmount, clawbackAmount, netAmount } of settlements) {
      ownCents += centsOf(grossAmount) - centsOf(clawbackAmount);
      paidCents += Math.max(0, centsOf(netAmount));
      for (const line of await listOf(ask, `/companies/${company}/settlements/${String(id)}/transactions`)) {
        const transaction = String(line['transactionId']);
        own.set(transaction, (own.get(transaction) ?? 0) + centsOf(line['netAmount']));
      }
    }
    let wantedCents = 0;
    for (const [transaction, partCents] of own) {
      settled.set(transaction, (settled.get(transaction) ?? 0) + partCents);
      wantedCents += partCents;
      const whole = kept.get(transaction) ?? 0;
      if (Math.abs(partCents - whole * share) > 2) t.fail(`${name} has ${partCents} of ${whole} cents of ${transaction}`);
    }
    t.equal(ownCents, wantedCents, `${name}: totals are the sums of their lines`);
    const newest = must(settlements[0], 'a settlement');
    t.equal(paidCents + Math.min(0, centsOf(newest['netAmount'])), ownCents, `${name} was paid its part`);
  }
  const different = [...new Set([...kept.keys(), ...settled.keys()])].filter((id) => (kept.get(id) ?? 0) !== (settled.get(id) ?? 0));
  t.same(different, [], 'the parts of the owners are the payments to the cent');
}

/** No file is made twice, and what lies under a name is what was recorded. */
export async function checkFiles(t: Test, walk: MoneySeen): Promise<void> {
  const { ask, lender } = walk;
  const digests = new Map<string, Set<string>>();
  for (const { path, sha256 } of walk.delivered) digests.set(path, (digests.get(path) ?? new Set()).add(sha256));
  for (const [path, found] of digests) if (found.size > 1) t.fail(`${path} was put with ${found.size} digests`);
  const isPut = (path: string, sha256: unknown): boolean => digests.get(path)?.has(String(sha256)) === true;
  const known = new Set<string>();
  const note = (path: string, sha256: unknown, file: Data): void => {
    if (known.has(path)) t.fail(`${path} was made twice`);
    known.add(path);
    if (!isPut(path, sha256)) t.fail(`${path} was not put as it was recorded: ${JSON.stringify(file)}`);
  };
  for (const file of await listOf(ask, '/ach-files?direction=outgoing')) {
    note(`/out/${String(file['fileName'])}`, file['sha256'], file);
    t.match(file, { status: 'confirmed' }, String(file['fileName']));
  }
  checkBankFiles(t, walk.bankLedger());
  const tapes = await listOf(ask, `/companies/${lender.company}/loan-tapes/${lender.tape}/files`);
  for (const file of tapes) {
    note(`/tapes/${String(file['fileName'])}`, file['sha256'], file);
    t.match(file, { status: 'succeeded' });
  }
  const reports = await listOf(ask, `/companies/${lender.company}/credit-reporting/files`);
  for (const file of reports) {
    note(`/agency/${String(file['fileName'])}`, file['sha256'], file);
    t.match(file, { status: 'succeeded' });
  }
  for (const [name, investorId] of Object.entries(lender.investors))
    for (const file of await listOf(ask, `/companies/${lender.company}/settlements?investorId=${investorId}`))
      if (centsOf(file['netAmount']) > 0) note(`/${name}/${String(file['fileName'])}`, file['fileDigest'], file);
  t.same(
    [...digests.keys()].filter((path) => !known.has(path)),
    [],
    'no file has left that is not recorded',
  );
  t.comment(`${known.size} files, ${tapes.length} tapes and ${reports.length} reports among them`);
}

function checkBankFiles(t: Test, { files }: BankLedger): void {
  t.equal(new Set(files.map(({ name }) => name)).size, files.length, 'the bank has taken each file once');
}
