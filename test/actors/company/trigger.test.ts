import { type Condition, holds } from '../../../actors/company/casework/workflow-types.js';
import { type CaseMoment, fires, NO_TRIGGER, stillHolds } from '../../../actors/company/casework/do-not-interact-types.js';
import { test } from 'tap';

const FIELDS: Readonly<Record<string, unknown>> = {
  amount: 5,
  court: 'Northern District',
  filed: '2026-03-01',
  hearingAt: '2026-03-01T10:00:00-05:00',
  isJoint: true,
};

const isTrue = (condition: Omit<Condition, 'value'> & { readonly value?: Condition['value'] }): boolean =>
  holds([{ value: null, ...condition }], (name) => FIELDS[name]);

const ROWS: readonly (readonly [
  holds: boolean,
  ...condition: [string, Condition['dataType'], Condition['operator'], Condition['value']],
])[] = [
  [true, 'amount', 'integer', 'eq', 5],
  [false, 'amount', 'integer', 'eq', 6],
  [true, 'amount', 'integer', 'ne', 6],
  [true, 'amount', 'decimal', 'gt', 4.5],
  [true, 'amount', 'integer', 'gte', 5],
  [false, 'amount', 'integer', 'lt', 5],
  [true, 'amount', 'integer', 'lte', 5],
  [true, 'amount', 'integer', 'in', [4, 5]],
  [false, 'amount', 'integer', 'notIn', [4, 5]],
  [true, 'court', 'string', 'contains', 'northern'],
  [false, 'court', 'text', 'contains', 'southern'],
  [true, 'filed', 'date', 'lt', '2026-03-02'],
  [true, 'hearingAt', 'dateTime', 'eq', '2026-03-01T15:00:00Z'],
  [true, 'isJoint', 'boolean', 'eq', true],
  [false, 'isJoint', 'boolean', 'isNull', null],
  [true, 'isJoint', 'boolean', 'isNotNull', null],
  [true, 'unknown', 'string', 'isNull', null],
  [false, 'unknown', 'integer', 'lt', 5],
  [true, 'unknown', 'integer', 'ne', 5],
  [true, 'court', 'integer', 'isNull', null],
];

for (const [expected, fieldName, dataType, operator, value] of ROWS) {
  test(`${fieldName} ${operator} ${JSON.stringify(value)} is ${String(expected)}`, (t) => {
    t.equal(isTrue({ fieldName, dataType, operator, value }), expected);
    t.end();
  });
}

const moment = (status: CaseMoment['status'], outcome: CaseMoment['outcome'] = null): CaseMoment => ({
  status,
  outcome,
  field: (name) => FIELDS[name],
});

test('a trigger fires on a change into the state that it names', (t) => {
  const onProcessing = { ...NO_TRIGGER, onStatus: 'processing' } as const;
  t.ok(fires(onProcessing, moment('initiated'), moment('processing')));
  t.ok(fires(onProcessing, null, moment('processing')), 'also by the creation of a case');
  t.notOk(fires(onProcessing, moment('processing'), moment('processing')), 'only once for each entry');
  t.notOk(fires(onProcessing, moment('processing'), moment('canceled')));

  const onApproval = { ...NO_TRIGGER, onStatus: 'completed', onOutcome: 'approved' } as const;
  t.ok(fires(onApproval, moment('processing'), moment('completed', 'approved')));
  t.notOk(fires(onApproval, moment('processing'), moment('completed', 'denied')));

  const large: Condition = { fieldName: 'amount', dataType: 'integer', operator: 'gt', value: 10 };
  t.notOk(fires({ ...onProcessing, onCondition: [large] }, moment('initiated'), moment('processing')));
  t.ok(stillHolds(onProcessing, moment('processing')));
  t.notOk(stillHolds(onProcessing, moment('canceled')));
  t.end();
});
