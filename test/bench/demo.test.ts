import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import type { DemoResult } from '../../bench/index.js';

const ENTRY_POINT = resolve(import.meta.dirname, '../../tenor.js');

test('the demo runs through a year over REST and ends by itself', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [ENTRY_POINT, 'demo', '--json']);
  const { before, after, months, backdating, exitCode, loans } = JSON.parse(stdout) as DemoResult;
  t.equal(exitCode, 0, 'the service has drained');
  t.same(before.statuses, { active: loans });
  t.equal(months.length, 12);
  t.equal(cents(after.outstandingPrincipal + after.paidPrincipal), cents(before.outstandingPrincipal), 'no principal is lost');
  t.equal(after.overdueLoans, loans / 10, 'who stopped is overdue, nobody else');
  t.ok(after.lateFees > 0);
  const fees = (state: DemoResult['backdating']['before']): unknown =>
    (state['interestAndFeesAmounts'] as Record<string, unknown>)['feesChargedTotalAmount'];
  t.same([fees(backdating.before), fees(backdating.after)], [15, 0], 'the late fee is gone with the backdating');
});

const cents = (amount: number): number => Math.round(amount * 100);
