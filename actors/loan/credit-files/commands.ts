import type { OpenContent } from '../../kernel/sealed-contents.js';
import { assert, type Day, dayAt, formatDay, metro2, must } from '../../../engine/index.js';
import { companyOf, type CreditAgencyRecord, zoneOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dropCommand } from '../../kernel/retention.js';
import type { MassOrder } from '../../kernel/jobs/mass-works.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { changed } from '../../kernel/resources/index.js';
import { type AnyId } from '../../wire.js';
import { REPORT_CREDIT, type ReportCredit, TAKE_BACK_REPORTS } from '../credit-reporting/index.js';
import {
  CREDIT_FILE,
  CREDIT_FILE_RETENTION,
  type CreditFileFacts,
  type CreditFileState,
  type FilePart,
  type Gathered,
  isOpenFile,
  type NamedFile,
  sealedPart,
} from './credit-file.js';
import { agencyNamed, reportedTo, requireFile } from './requirements.js';
import { creditFileView } from './view.js';

type Context<Body = unknown> = CommandContext<CreditFileState, Body>;

const fact = <Type extends keyof CreditFileFacts>(type: Type, body: CreditFileFacts[Type]): FactDraft => ({ type, body });

export interface CreateCreditFileRequest {
  readonly creditAgencyId: AnyId;
}

/** What the scheduler says of the file that it starts. */
export interface ScheduledFileBody extends CreateCreditFileRequest {
  /** The month that is reported, by its last day. */
  readonly scheduledFor?: Day;
}

export interface PartStoredBody {
  readonly part: (Omit<FilePart, 'content' | 'metadata'> & { readonly content: OpenContent; readonly metadata: OpenContent }) | null;
  readonly gathered: Gathered;
}

export interface FileNamedBody extends Omit<NamedFile, 'sealed'> {
  /** Null: it leaves in clear. */
  readonly sealed: OpenContent | null;
}

export interface FileEndedBody {
  readonly status: 'succeeded' | 'failed';
  readonly failureDescription: string | null;
}

export const creditFileCommands: readonly CommandSpec<CreditFileState>[] = [
  { kind: CREDIT_FILE, type: 'creditFile.start', place: { on: 'beside', kind: 'company' }, catchesUp: false, decide: startFile },
  service('creditFile.recorded', ({ state }) => (state.status === 'recording' ? [fact('CreditFileRecorded', {})] : wrong(state))),
  service('creditFile.partStored', ({ state, env, body }: Context<PartStoredBody>) => {
    const { part, gathered } = body;
    if (state.status !== 'writing' || state.gathered?.isLast === true) return wrong(state);
    const sealed = part && {
      ...part,
      content: sealedPart(env, state.id, part.content),
      metadata: sealedPart(env, state.id, part.metadata),
    };
    return [fact('CreditPartStored', { part: sealed, gathered })];
  }),
  service('creditFile.named', ({ state, env, body }: Context<FileNamedBody>) => {
    const { sealed, ...file } = body;
    if (state.status !== 'writing') return wrong(state);
    return [fact('CreditFileNamed', sealed === null ? file : { ...file, sealed: sealedPart(env, state.id, sealed) })];
  }),
  service('creditFile.end', ({ state, env, body }: Context<FileEndedBody>) => [
    fact('CreditFileEnded', body),
    ...(body.status === 'failed' ? [reportsTakenBack(state, env.tenant.company)] : []),
  ]),
  dropCommand(CREDIT_FILE_RETENTION),
];

function startFile({ env, id, besideId, body }: Context<ScheduledFileBody>): Decision<CreditFileState> {
  const { creditAgencyId, scheduledFor } = body;
  const company = companyOf(env, env.tenant);
  const agency = agencyNamed(company, creditAgencyId);
  const activityDay = scheduledFor ?? metro2.endOfLastMonth(dayAt(zoneOf(company), env.now));
  requireFile(env, company, agency, activityDay);
  if (scheduledFor !== undefined && !isDue(agency, scheduledFor)) refuse('invalidState', `The month is reported to ${agency.id} already.`);
  env.createKey(id);
  const operationId = operationIdOf(`creditFile/${id}`);
  const ordered: CreditFileFacts['CreditFileOrdered'] = {
    creditAgencyId: agency.id,
    agencyName: agency.stored.agencyName,
    activityDay,
    trigger: scheduledFor === undefined ? 'manual' : 'schedule',
    operationId,
  };
  const target = { kind: 'company', id: must(besideId, 'a file lies beside its company') };
  const order: MassOrder = {
    kind: REPORT_CREDIT,
    resultObjectId: id,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    operationId,
    task: {
      type: 'command',
      command: REPORT_CREDIT,
      selection: { kind: 'loan', filter: { reportedTo: reportedTo(company, agency) } },
      body: { fileId: id, creditAgencyId: agency.id, activityDay } satisfies ReportCredit,
    },
  };
  return {
    facts: [
      fact('CreditFileOrdered', ordered),
      { type: 'MassOrdered', body: order, target },
      { ...changed('creditAgency', agency, { ...agency.stored, reportedThrough: formatDay(activityDay) }), target },
    ],
    reply: (after) => ({ data: creditFileView(after), status: 201 }),
  };
}

/** The order to put back what the loans of a file that failed have recorded for it. */
function reportsTakenBack({ id, creditAgencyId }: CreditFileState, companyId: string): FactDraft {
  const order: MassOrder = {
    kind: TAKE_BACK_REPORTS,
    resultObjectId: id,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    operationId: operationIdOf(`creditFile/${id}/failed`),
    task: {
      type: 'command',
      command: TAKE_BACK_REPORTS,
      selection: { kind: 'loan', filter: { reportedTo: { creditAgencyId, orLoanTypes: [] } } },
      body: { creditAgencyId } satisfies Pick<ReportCredit, 'creditAgencyId'>,
    },
  };
  return { type: 'MassOrdered', body: order, target: { kind: 'company', id: companyId } };
}

export const isDue = ({ stored }: CreditAgencyRecord, activityDay: Day): boolean =>
  stored.reportedThrough === null || stored.reportedThrough < formatDay(activityDay);

/** The service's own: no route leads here. */
function service<Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<CreditFileState, Body> {
  return {
    kind: CREDIT_FILE,
    type,
    place: { on: 'target' },
    catchesUp: false,
    decide(context) {
      assert(context.command.actor.type === 'system', 'files are made by the service');
      if (!isOpenFile(context.state.status)) return wrong(context.state);
      return { facts: decide(context), reply: () => ({ data: undefined }) };
    },
  };
}

const wrong = ({ id, status }: CreditFileState): never => refuse('invalidState', `The file ${id} is ${status}.`);
