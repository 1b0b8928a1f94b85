import type { LoanState } from '../state.js';
import type { MigrationStatus } from './machine.js';

export const migrationStatus = ({ migration }: Pick<LoanState, 'migration'>): MigrationStatus => migration?.status ?? 'nonMigrated';
