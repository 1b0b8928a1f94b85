import type { ActorDefinition } from '../kernel/actor.js';
import { catchUpLoan, loanAgenda, loanBehind } from './catch-up.js';
import { evolveLoan } from './evolve.js';
import { cloneLoan, comparableLoan, loanParts, packLoan, unpackLoan } from './resting.js';
import { loanRow } from './row.js';
import { digestOf } from './ledger/running.js';
import { isLoanMove, loanFigures, selectLoans } from './mass/index.js';
import type { AdditionalPerson } from './people/person.js';
import type { ScheduledWork } from './scheduled-work.js';
import { type LoanState, newLoan } from './state.js';

const NOBODY: readonly AdditionalPerson[] = [];

export const loanDefinition = (work: readonly ScheduledWork[]): ActorDefinition<LoanState> => ({
  kind: 'loan',
  prefix: 'LN',
  initial: newLoan,
  evolve: evolveLoan,
  clone: cloneLoan,
  row: loanRow,
  pack: packLoan,
  comparable: comparableLoan,
  unpack: unpackLoan,
  parts: loanParts,
  agenda: (state) => loanAgenda(work, state),
  behind: loanBehind,
  catchUp: (state, throughDay, env) => catchUpLoan(work, state, throughDay, env),
  digest: digestOf,
  selects: selectLoans,
  isMove: isLoanMove,
  figures: loanFigures,
  refersTo: ({ record }) => (record?.additionalPeople ?? NOBODY).map(({ personId }) => ({ kind: 'person', id: personId })),
});
