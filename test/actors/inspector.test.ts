import { test } from 'tap';
import { EVENT_TYPES, INSPECTED, type InspectedMove, Inspector } from '../../actors/index.js';

type Step = readonly [machine: string, from: string | null, move: string | null, to: string];

const stepOf = (seen: InspectedMove | null): Step | null => seen && [seen.machine, seen.from, seen.move, seen.to];

const changed = (oldStatus: string | null, newStatus: string, more: object = {}) => ({
  eventType: 'loan.statuschanged',
  objectId: 'LN-AAAA-1111',
  data: { oldStatus, newStatus, ...more },
});

test('every event that the inspector reads is an event of the interface', async (t) => {
  const known = new Set(EVENT_TYPES.map(({ eventType }) => eventType));
  for (const { eventTypes } of Object.values(INSPECTED)) for (const type of eventTypes) t.ok(known.has(type), type);
});

test('a paid-off loan that owes again moves to the status that its guards choose', async (t) => {
  const inspector = new Inspector();
  t.same(stepOf(inspector.see(changed('active', 'paidOff'))), ['loan', 'active', 'payOff', 'paidOff']);
  t.same(stepOf(inspector.see(changed('paidOff', 'frozen'))), ['loan', 'paidOff', 'owe', 'frozen']);
  t.same(stepOf(inspector.see(changed('frozen', 'active'))), ['loan', 'frozen', 'unfreeze', 'active']);
  t.same(stepOf(inspector.see(changed('paidOff', 'accelerated'))), ['loan', 'paidOff', 'owe', 'accelerated']);
});

test('a status to which no single move leads starts a new actor', async (t) => {
  const seen = new Inspector().see(changed('chargedOff', 'paidOff'));
  t.same(stepOf(seen), ['loan', 'chargedOff', null, 'paidOff']);
  t.same(
    seen?.inspection.map(({ type, snapshot }) => [type, snapshot?.value]).filter(([type]) => type === '@xstate.snapshot'),
    [['@xstate.snapshot', 'paidOff']],
  );
});

test('a former status that the event does not have is taken from the running actor', async (t) => {
  const inspector = new Inspector();
  const payment = (eventType: string, status: string) => ({ eventType, objectId: 'TX-AAAA-1111', data: { status } });
  t.same(stepOf(inspector.see(payment('payment.pending', 'pending'))), ['transaction', null, null, 'pending']);
  t.same(stepOf(inspector.see(payment('payment.succeeded', 'succeeded'))), ['transaction', 'pending', 'succeed', 'succeeded']);
  t.same(stepOf(inspector.see(payment('payment.failed', 'failed'))), ['transaction', 'succeeded', 'fail', 'failed']);
  const plan = (what: string, oldStatus: string | null, newStatus: string) => ({
    eventType: `loan.promiseplan.${what}`,
    objectId: 'PP-AAAA-1111',
    data: { oldStatus, newStatus },
  });
  t.same(stepOf(inspector.see(plan('created', null, 'scheduled'))), ['promiseToPayPlan', null, null, 'scheduled']);
  t.same(stepOf(inspector.see(plan('statuschanged', 'scheduled', 'active'))), ['promiseToPayPlan', 'scheduled', 'start', 'active']);
  t.same(stepOf(inspector.see(plan('overdue', 'active', 'active'))), ['promiseToPayPlan', 'active', 'fallBehind', 'overdue']);
  t.same(stepOf(inspector.see(plan('statuschanged', 'active', 'broken'))), ['promiseToPayPlan', 'overdue', 'break', 'broken']);
});

test('draws move independently of their line, and cases by their changes', async (t) => {
  const inspector = new Inspector();
  const draw = inspector.see(changed('originated', 'active', { drawId: 'DR-AAAA-1111' }));
  t.same([draw?.id, stepOf(draw)], ['DR-AAAA-1111', ['draw', 'originated', 'activate', 'active']]);
  const ofCase = (changeType: string, status: string, changes: readonly object[] = []) => ({
    eventType: 'case.changed',
    objectId: 'CS-AAAA-1111',
    data: { changeType, status, changes },
  });
  t.same(stepOf(inspector.see(ofCase('created', 'initiated'))), ['case', null, null, 'initiated']);
  t.equal(inspector.see(ofCase('updated', 'initiated', [{ field: 'name', oldValue: 'a' }])), null, 'no status has changed');
  const moved = ofCase('updated', 'processing', [{ field: 'status', oldValue: 'initiated' }]);
  t.same(stepOf(inspector.see(moved)), ['case', 'initiated', 'process', 'processing']);
  t.same(stepOf(inspector.see(ofCase('deleted', 'deleted'))), ['case', 'processing', 'delete', 'deleted']);
  t.equal(inspector.see({ eventType: 'contact.created', objectId: 'CO-AAAA-1111', data: {} }), null);
});

test('a move that a fact reports is repeated with the context that its guards read', async (t) => {
  const inspector = new Inspector();
  const loan = (from: readonly string[], to: string, context?: object) =>
    stepOf(inspector.follow({ machine: 'loan', id: 'LN-AAAA-1111', from, to, ...(context && { context }) }));
  t.same(loan([], 'active'), ['loan', null, null, 'active']);
  t.same(loan(['active'], 'paidOff'), ['loan', 'active', 'payOff', 'paidOff']);
  t.same(loan(['paidOff'], 'frozen', { isFrozen: true, isAccelerated: false }), ['loan', 'paidOff', 'owe', 'frozen']);
  t.equal(loan([], 'frozen'), null, 'the loan is frozen already');
});

test('an inspector keeps a bounded number of actors', async (t) => {
  const inspector = new Inspector();
  const id = (number: number): string => `LN-${number}`;
  for (let number = 0; number <= 1_000; number += 1) inspector.see({ ...changed('active', 'frozen'), objectId: id(number) });
  const actorsOf = (number: number): number =>
    inspector.see({ ...changed('frozen', 'active'), objectId: id(number) })?.inspection.filter(({ type }) => type === '@xstate.actor')
      .length ?? 0;
  t.same([actorsOf(1_000), actorsOf(0)], [0, 1], 'the first actor was dropped');
});
