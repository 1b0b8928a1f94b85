import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

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
    nonMigrated: { on: { prepare: 'prepMigration', change: STAYS, reportCredit: STAYS } },
    prepMigration: {
      on: { withdraw: 'nonMigrated', record: STAYS, change: STAYS, reportCredit: STAYS, succeed: 'migrated', fail: 'failed' },
    },
    failed: { on: { rollBack: 'prepMigration', reportCredit: STAYS } },
    migrated: { on: { reportCredit: STAYS } },
  },
});

export type MigrationMove = 'prepare' | 'withdraw' | 'record' | 'change' | 'reportCredit' | 'succeed' | 'fail' | 'rollBack';

export const migrationChart = new Chart<MigrationStatus, MigrationMove>(migrationMachine);

export const mayMigrate = (status: MigrationStatus, move: MigrationMove): boolean => migrationChart.allows(status, move);

/** The status after a move that the status allows. */
export const migrationAfter = (status: MigrationStatus, move: MigrationMove): MigrationStatus => migrationChart.after(status, move);
