import type { FeeType } from '../../company/index.js';
import type { LoanStatus } from '../machine.js';

/** Whether fees of a type come by themselves while the loan has a status (loan-terms 6.5, rule 5). */
export const isChargedWhile = ({ waiveWhileFrozen }: Pick<FeeType, 'waiveWhileFrozen'>, status: LoanStatus): boolean =>
  status === 'active' || (status === 'frozen' && !waiveWhileFrozen);
