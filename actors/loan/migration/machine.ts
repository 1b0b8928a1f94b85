import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

/** Where a loan stands on its way in from another system. */
const MIGRATION_STATUSES = ['nonMigrated', 'prepMigration', 'migrated', 'failed'] as const;

export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

/** The way of a loan in from another system. The run itself is one step: nobody sees a loan inside of it. */
export const migrationMachine = setup({
  types: { events: {} as { readonly type: MigrationMove } },
}).createMachine({
  id: 'migration',
  initial: 'nonMigrated',
  states: {
    nonMigrated: { on: { prepare: 'prepMigration', change: {}, reportCredit: {} } },
    prepMigration: { on: { withdraw: 'nonMigrated', record: {}, change: {}, reportCredit: {}, succeed: 'migrated', fail: 'failed' } },
    failed: { on: { rollBack: 'prepMigration', reportCredit: {} } },
    migrated: { on: { reportCredit: {} } },
  },
});

export type MigrationMove = 'prepare' | 'withdraw' | 'record' | 'change' | 'reportCredit' | 'succeed' | 'fail' | 'rollBack';

/** The transitions of each status, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, MigrationStatus | null>> = new Map(
  Object.entries(migrationMachine.states).map(([status, node]) => [
    status,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as MigrationStatus | null]),
    ),
  ]),
);

export const mayMigrate = (status: MigrationStatus, move: MigrationMove): boolean => TRANSITIONS.get(status)?.has(move) ?? false;

/** The status after a move that the status allows. */
export function migrationAfter(status: MigrationStatus, move: MigrationMove): MigrationStatus {
  const target = TRANSITIONS.get(status)?.get(move);
  assert(target !== undefined, `a loan that is ${status} cannot ${move}`);
  return target ?? status;
}
