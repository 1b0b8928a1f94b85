import type { FeeType } from '../../company/index.js';
import type { LoanStatus } from '../machine.js';

/** Whether fees of a type come by themselves while the loan has a status. */
export const isChargedWhile = ({ waiveWhileFrozen }: Pick<FeeType, 'waiveWhileFrozen'>, status: LoanStatus): boolean =>
  status === 'active' || (status === 'frozen' && !waiveWhileFrozen);
