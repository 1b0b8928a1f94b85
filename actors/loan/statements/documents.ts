import type { StatementDocument } from '../../borrower/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import { dateText } from '../../wire.js';
import { activationOf } from '../context.js';
import type { LoanState } from '../state.js';

/** Loans of one borrower that are looked through. */
const MOST_LOANS = 1_000;

/**
 * Documents of the statements of a borrower's loans, without those of tests and those that were made outside. Nothing is stored for them: a
 * statement never changes, nor does the version of the template that it names.
 */
export function statementDocuments(env: EvolveEnv & Pick<DecideEnv, 'list'>, personId: string): readonly StatementDocument[] {
  const { rows } = env.list('loan', { parentId: personId, limit: MOST_LOANS });
  const found = rows.flatMap(({ id }) => {
    const loan = env.read<LoanState>('loan', id);
    return loan === undefined ? [] : documentsOf(loan);
  });
  return found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

const documentsOf = (loan: LoanState): readonly StatementDocument[] =>
  (activationOf(loan)?.statements ?? []).flatMap((statement) => {
    const { id: statementId, documentDescriptorId: id, isExternal, isTest, templateVersionId = null, statementDay, version } = statement;
    if (id === null || isExternal || isTest) return [];
    const fileName = `statement-${dateText(statementDay)}${version === 1 ? '' : `-${version}`}.pdf`;
    return [
      { id, loanId: loan.id, statementId, templateVersionId, fileName, createdBy: statement.createdBy, createdAt: statement.createdAt },
    ];
  });
