import { execFile, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { tempFolder } from '../temp-folder.js';
import { Service, TEST_KEY } from './service.js';

/** Runs the example scripts of the README against a new service. */
const folder = resolve(import.meta.dirname, '../../../examples');
const withoutCurl = spawnSync('curl', ['--version']).error ? 'this machine has no curl' : false;

test('the examples run in order on an empty service and show what they describe', { skip: withoutCurl }, async (t) => {
  const service = await Service.start(tempFolder(t), { TENOR_OUTGOING_ALLOW: '127.0.0.0/8' });
  t.teardown(() => service.stop());
  const run = async (name: string): Promise<string> => {
    const environment = { PATH: process.env['PATH'], KEY: TEST_KEY, TENOR_URL: service.url };
    return (await promisify(execFile)('bash', [join(folder, name)], { env: environment })).stdout;
  };
  const loan = await run('first-loan.sh');
  t.match(loan, /"status": ?"active"/, 'the loan is active');
  t.match(loan, /109\.76/, 'twelve payments of 109.76');
  t.match(loan, /"eventType": ?"payment.succeeded"/, 'its events are listed');
  const messages = await run('first-messages.sh');
  const sent = [...messages.matchAll(/"subject": ?"(\w+)"/g)].map(([, subject]) => subject);
  t.same(
    sent,
    ['paymentDueDateReminder', 'statementGenerated', 'paymentDueDateReminder', 'paymentConfirmation'],
    'campaign, statement, reminder, notice',
  );
  t.notMatch(messages, /"status": ?"failed"/, 'none failed');
  t.match(messages, /"type": ?"loanStatement"/, 'the statement is among the documents');
  t.match(await run('line-of-credit.sh'), /"dueDate": ?"2024-0[34]-15"/, 'payments of the line are due');
  t.match(await run('case.sh'), /"oldValue": ?"initiated", ?"newValue": ?"processing"/, 'the agent moved her case');
  t.match(await run('message.sh'), /"result": ?(true|false)/, 'the guard answers');
  checkMoney(t, await run('money.sh'));
  const card = await run('card.sh');
  t.match(card, /"status": ?"active".*"cardNumberLastFour": ?"1111"|"cardNumberLastFour": ?"1111".*"status": ?"active"/, 'a verified card');
  t.match(card, /"capturedAmount": ?129\.76,.*"refundedAmount": ?20\.00,.*"feeAmount": ?0\.70,.*"fundedAmount": ?109\.06/, 'its day');
  t.notMatch(card, /4111111111111111/, 'and no number');
});

/** The debit, what came back, and everything that was said of the money afterwards. */
function checkMoney(t: Test, money: string): void {
  const [sent, again] = [...money.matchAll(/^627\d{9}7700112233 +(\d{10})(TX-\S+)/gm)];
  t.match(money, /^5225.*LOAN PMT .*\n627.*\n5225.*RETRY PYMT/m, 'the debit and its second presentment');
  t.equal(again?.[1], sent?.[1], 'of the same amount');
  t.match(money, new RegExp(`"id": ?"${sent?.[2]}".*?"achReturnCode": ?"R01"`), 'the first came back');
  const shares = [...money.matchAll(new RegExp(`^LN-\\S+,${again?.[2]},2024-07-19,.*,(\\d+)\\.(\\d\\d)$`, 'gm'))];
  const cents = shares.reduce((sum, [, units, rest]) => sum + Number(`${units}${rest}`), 0);
  t.equal(shares.length, 2, 'two investors');
  t.equal(cents, Number(again?.[1]), 'have what was paid, to the cent');
  t.match(money, /^2024-07-29,l-money,0\.60000000,active,110287,2024-07-19/m, 'the tape');
  const postings = [...money.matchAll(/^GB-\S+?,2024-07-18,.*,USD,.*$/gm)].map(([line]) => line.split(','));
  const sum = (column: number): number => postings.reduce((all, fields) => all + Math.round(Number(fields[column]) * 100), 0);
  t.ok(postings.length >= 4 && sum(10) > 0, 'the general ledger of the day of the return');
  t.equal(sum(10), sum(11), 'its debits are its credits');
  t.match(
    postings.find((fields) => fields[9] === 'clearingIncoming'),
    { 2: '2024-07-15' },
    'the debit leaves',
  );
  t.match(money, /^0426.*LN-.*\n0426TRAILER000000001/m, 'the line of the account for the credit agency');
}
