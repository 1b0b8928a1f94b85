import type { LoanItem } from './subjects.js';
import { view } from './view.js';

/** The borrower of each loan, for sections of loans. No question reaches it: it would not follow the borrower. */
export const borrowers = view<LoanItem, LoanItem>({
  name: 'v_borrowers',
  meaning: 'The main borrower of each loan.',
  kind: 'loan',
  items: (loan) => (loan.state.record === null ? [] : [loan]),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ state }) => state.id },
    {
      name: 'external_id',
      type: 'VARCHAR',
      meaning: 'The external id of the borrower',
      of: ({ borrower }) => borrower?.externalId ?? null,
    },
  ],
});
