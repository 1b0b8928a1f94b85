import type { Cents } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { centsOf, dayOfText, orNull } from '../../../wire.js';
import { beginAction, finished } from '../../commands/order.js';
import { activatedOf } from '../../context.js';
import { periodsIn, runningOf } from '../../ledger/running.js';
import type { LoanState } from '../../state.js';
import type { NewStatement, StatementIssued } from '../facts.js';
import { periodNamed, statementOf } from '../find.js';
import { FIGURES, nextVersion } from '../record.js';
import type { FiguresRequest, RecordStatementRequest } from '../requests.js';
import { statementReply } from '../view.js';

/** `POST L/statements`: a statement that was made outside is only recorded (money 5, rule 9). */
export const recordStatement: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'statement.record',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<RecordStatementRequest>(context, 'state');
    const { state, env } = context;
    const period = periodNamed(state, env, request.periodId);
    const { statements, facts } = activatedOf(state);
    const statementDay = request.statementDate == null ? period.statementDay : dayOfText(request.statementDate);
    if (statementDay <= period.startDay || statementDay > period.dueDay) {
      refuse('ruleViolation', 'The statement date lies outside of the period.', {
        errors: [
          {
            path: 'statementDate',
            expected: 'a day after the period’s first one, up to its due date',
            message: 'lies outside of the period',
          },
        ],
      });
    }
    const statement: NewStatement = {
      id: env.newId('SM'),
      period: period.ordinal,
      version: nextVersion(statements, period.ordinal, false),
      isExternal: true,
      isTest: false,
      startDay: period.startDay,
      endDay: period.endDay,
      dueDay: period.dueDay,
      statementDay,
      nextStatementDay: periodsIn(runningOf(state, env))[period.ordinal + 1]?.statementDay ?? null,
      documentDescriptorId: request.documentDescriptorId ?? null,
      metaData: request.metaData ?? null,
      knownFacts: facts.length,
      figures: figuresAsked(request, () => null),
      activities: [],
      interest: [],
    };
    const body: StatementIssued = { statement, caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'StatementIssued', body }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: statementReply(after, env, statementOf(after, statement.id)), status: 201 }),
    };
  },
};

/** The figures that a body names, and for the others what stood there. */
export function figuresAsked(request: FiguresRequest, before: (index: number) => Cents | null): readonly (Cents | null)[] {
  return FIGURES.map((name, index) => (request[name] === undefined ? before(index) : orNull(centsOf, request[name])));
}
