import {
  type Cents,
  comingPeriod,
  type Day,
  lastFallenDue,
  linePeriodsOf,
  must,
  periodsOf,
  type PeriodView,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv } from '../../kernel/actor.js';
import { centsOf, dateText, dayOfText, orNull } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { languageOf, type PersonState } from '../../borrower/index.js';
import { chooseTemplate, companyOf, templateNamed } from '../../company/index.js';
import { activatedOf, activationOf, recordOf, todayOf } from '../context.js';
import { statementDocumentId, statementId } from '../derived-ids.js';
import { isLine, periodsIn, type RunningLedger, runningOf } from '../ledger/running.js';
import type { ScheduledWork } from '../catch-up.js';
import type { Activated, LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { composeStatement, isEmpty } from './cycles.js';
import {
  type NewStatement,
  periodNamed,
  type StatementChanges,
  type StatementIssued,
  statementOf,
  type StatementOmitted,
  type StatementUpdated,
} from './evolve.js';
import { FIGURES, LINE_TEXTS, nextVersion } from './record.js';
import type { FiguresRequest, GenerateStatementRequest, RecordStatementRequest, UpdateStatementRequest } from './types.js';
import { statementReply } from './view.js';

/** `POST L/periods/{periodId}/generate-statement`: a new version from what is known now. Older versions stay as they are. */
export const generateStatement: CommandSpec<LoanState, GenerateStatementRequest> = {
  kind: 'loan',
  type: 'statement.generate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'state');
    const { state, env, command } = context;
    const period = periodNamed(state, env, command.params['periodId']);
    if (period.statementDay > todayOf(env, state)) {
      refuse('invalidState', `The statement of the period can be created from ${dateText(period.statementDay)} on.`, {
        errors: [
          {
            path: 'periodId',
            expected: 'a period whose statement date is today or earlier',
            message: `its statement date is ${dateText(period.statementDay)}`,
          },
        ],
      });
    }
    const statement = composeStatement(state, env, {
      id: env.newId('SM'),
      period,
      isTest: request.isTest === true,
      documentId: env.newId('DD'),
      templateVersionId: templateOf(env, state, request.templateVersionId ?? null),
    });
    const body: StatementIssued = { statement, caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'StatementIssued', body }],
      preview: request.previewMode === true,
      reply: (after) =>
        orderReply(context, request, { data: statementReply(after, env, must(statementOf(after, statement.id), 'a new statement')) }),
    };
  },
};

/** The version that a statement's document is made of: the one that is named, else the active one of the lender's template. */
function templateOf(env: DecideEnv, state: LoanState, asked: string | null): string | null {
  const company = companyOf(env, env.tenant);
  if (asked === null) {
    const { loanTypeId: productId, personId } = recordOf(state);
    const person = env.read<PersonState>('person', personId);
    const language = person === undefined ? null : languageOf(person);
    const chosen = chooseTemplate(company, { subject: 'statementGenerated', channel: 'document', productId, language });
    return typeof chosen === 'string' ? null : chosen.version.id;
  }
  const named = templateNamed(company, asked, 'document', 'templateVersionId');
  if (typeof named !== 'string' && named.version.stored.activatedAt !== null) return named.version.id;
  return refuse('businessValidation', `The template ${asked} has no version that was activated.`);
}

/** `POST L/statements`: a statement that was made outside is only recorded. */
export const recordStatement: CommandSpec<LoanState, RecordStatementRequest> = {
  kind: 'loan',
  type: 'statement.record',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'state');
    const { state, env } = context;
    const period = periodNamed(state, env, request.periodId);
    const { statements, facts } = activatedOf(state);
    const statementDay = request.statementDate == null ? period.statementDay : dayOfText(request.statementDate);
    if (statementDay <= period.startDay || statementDay > period.dueDay) {
      refuse('ruleViolation', '`statementDate` is outside of the period.', {
        errors: [
          {
            path: 'statementDate',
            expected: 'a day after the first day of the period, up to its due date',
            message: 'is outside of the period',
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
      [LINE_TEXTS]: null,
      interest: [],
    };
    const body: StatementIssued = { statement, caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'StatementIssued', body }],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: statementReply(after, env, statementOf(after, statement.id)), status: 201 }),
    };
  },
};

/** The figures of the body, and the stored values of absent ones. */
function figuresAsked(request: FiguresRequest, before: (index: number) => Cents | null): readonly (Cents | null)[] {
  return FIGURES.map((name, index) => (request[name] === undefined ? before(index) : orNull(centsOf, request[name])));
}

/** `PUT L/statements/{statementId}`: figures only of a statement from outside; what was issued here never changes. */
export const updateStatement: CommandSpec<LoanState, UpdateStatementRequest> = {
  kind: 'loan',
  type: 'statement.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, env, command } = context;
    const statement = statementOf(state, command.params['statementId']);
    const isExternal = request.isExternal ?? statement.isExternal;
    const named = FIGURES.filter((name) => request[name] !== undefined);
    if (named.length > 0 && !isExternal) {
      refuse('invalidState', 'The figures of an issued statement cannot be changed. Create a new version instead.', {
        errors: named.map((path) => ({
          path,
          expected: 'nothing, unless isExternal is true',
          message: 'is a figure of an issued statement',
        })),
      });
    }
    const changes: StatementChanges = {
      ...(request.documentDescriptorId === undefined ? {} : { documentDescriptorId: request.documentDescriptorId }),
      ...(request.metaData === undefined ? {} : { metaData: request.metaData }),
      ...(isExternal === statement.isExternal ? {} : { isExternal }),
      ...(named.length === 0 ? {} : { figures: figuresAsked(request, (index) => statement.figures[index] ?? null) }),
    };
    const body: StatementUpdated = { id: statement.id, changes, caseId: request.caseId ?? null };
    return {
      facts: Object.keys(changes).length === 0 ? [] : [{ type: 'StatementUpdated', body }],
      reply: (after) => ({ data: statementReply(after, env, statementOf(after, statement.id)) }),
    };
  },
};

/**
 * One statement for each due date: of an installment loan on the due date, or some days before the end of its period; of a line on the day
 * after the end of its period, long before the due date.
 */
export const statementWork: ScheduledWork = {
  nextDay(state) {
    const activation = activationOf(state);
    if (activation === null || activation.summary.status === 'canceled') return null;
    const { summary, statedThrough } = activation;
    if (isMissing(activation)) return statedOn(activation);
    const { comingDueDay, comingStatementDay } = summary;
    return comingDueDay !== null && comingDueDay > statedThrough ? comingStatementDay : null;
  },
  *due(state, _day, env) {
    const activation = must(activationOf(state), 'statements are of loans with a ledger');
    const period = periodToState(runningOf(state, env), isMissing(activation));
    const id = statementId(env, state, activation.statements.length);
    const documentId = statementDocumentId(env, state, activation.statements.length);
    const templateVersionId = templateOf(env, state, null);
    const statement = composeStatement(state, env, { id, period, isTest: false, documentId, templateVersionId });
    if (state.line !== null && isEmpty(statement) && !includesEmptyPeriods(state, env, period.statementDay)) {
      yield { type: 'StatementOmitted', body: { dueDay: period.dueDay } satisfies StatementOmitted };
      return;
    }
    const body: StatementIssued = { statement, caseId: null };
    yield { type: 'StatementIssued', body };
  },
};

/** Whether the product of a line has statements for periods without a balance and without entries, on the day of a statement. */
const includesEmptyPeriods = (state: LoanState, env: DecideEnv, day: Day): boolean =>
  productOn(state, env, day).statements.includeEmptyPeriods === true;

/** Whether a period that has ended has no statement yet. */
const isMissing = ({ summary: { fallenDueDay }, statedThrough }: Activated): boolean =>
  fallenDueDay !== null && fallenDueDay > statedThrough;

/** The day of the missing statement: for a line the first day of the current period. */
const statedOn = ({ summary: { periodStartDay, fallenDueDay, through }, contract }: Activated): Day | null =>
  'schedule' in contract.terms ? (periodStartDay ?? through) : fallenDueDay;

function periodToState(ledger: RunningLedger, isFallen: boolean): PeriodView {
  if (isLine(ledger)) return must(linePeriodsOf(ledger).at(isFallen ? -2 : -1), 'a period of a line');
  const fallen = lastFallenDue(ledger);
  if (!isFallen || fallen === null) return must(comingPeriod(ledger), 'the period of a statement to come');
  return { ...must(periodsOf(ledger)[fallen.period], 'the period of a due date'), dueDay: fallen.dueDay };
}
