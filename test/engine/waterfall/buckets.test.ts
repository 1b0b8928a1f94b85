import { test } from 'tap';
import { BUCKETS, DEFAULT_ACCELERATED_WATERFALL, DEFAULT_CHARGED_OFF_WATERFALL, DEFAULT_PAYMENT_WATERFALL } from '../../../engine/index.js';

test('the default payment waterfall is overdue, due, non-due, and in each fees, interest, principal', async (t) => {
  t.same(DEFAULT_PAYMENT_WATERFALL, [
    'overdueFees',
    'overdueInterest',
    'overduePrincipal',
    'dueFees',
    'dueInterest',
    'duePrincipal',
    'nonDueFees',
    'nonDueInterest',
    'nonDuePrincipal',
  ]);
});

test('accelerated pays fees, interest, principal; charged off pays principal, interest, fees', async (t) => {
  t.same(DEFAULT_ACCELERATED_WATERFALL, ['fees', 'interest', 'principal']);
  t.same(DEFAULT_CHARGED_OFF_WATERFALL, ['principal', 'interest', 'fees']);
});

test('the name of a bucket is its due status and its component', async (t) => {
  for (const [name, { dueStatus, component }] of Object.entries(BUCKETS)) {
    t.equal(name, `${dueStatus}${component.charAt(0).toUpperCase()}${component.slice(1)}`);
  }
  t.equal(Object.keys(BUCKETS).length, DEFAULT_PAYMENT_WATERFALL.length);
});
