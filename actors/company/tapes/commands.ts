import { dropCommand } from '../../kernel/retention.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import { assert, type Day, dayAt, must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type DateText, dateText, type DateTimeText, dateTimeText, dayOfText, millisecondsOf } from '../../wire.js';
import { companyOf, settingsAt, settingsTimeline, zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';
import { loanTapeOf, type LoanTapeRecord } from './tape.js';
import {
  LOAN_TAPE_FILE,
  LOAN_TAPE_RETENTION,
  sealedTape,
  type TapeFileFacts,
  type TapeFileState,
  type TapeSection,
  type TapeTerms,
} from './tape-file.js';
import { loanTapeTypeOf } from './tape-type.js';
import { tapeFileView } from './view.js';

type Context<Body = unknown> = CommandContext<TapeFileState, Body>;

export interface CreateTapeFileBody {
  /** Today or a past day. Default: the day of `recordedAsOf`. */
  readonly reportDate?: DateText | null;
  /** The file shows what was recorded until then; default: now. */
  readonly recordedAsOf?: DateTimeText | null;
}

/** What the scheduler says of the file that it orders. */
export interface ScheduledTapeBody extends CreateTapeFileBody {
  /** The scheduled day, which a late file may follow. */
  readonly scheduledFor?: Day;
}

/** A section, and how many came before it. */
export interface TapeSectionBody extends Omit<TapeSection, 'content'> {
  readonly content: OpenContent | null;
  readonly after: number;
}

/** Without `pieces` the file is its sections. */
export interface TapeMadeBody extends Omit<TapeFileFacts['TapeFileMade'], 'contentId' | 'key' | 'pieces'> {
  readonly pieces: readonly OpenContent[] | null;
}

export type TapeNotPutBody = TapeFileFacts['TapeFileNotPut'];
export type TapeEndedBody = TapeFileFacts['TapeFileEnded'];

const fact = <Type extends keyof TapeFileFacts>(type: Type, body: TapeFileFacts[Type]): FactDraft => ({ type, body });

/** `POST /companies/{companyId}/loan-tapes/{loanTapeId}/files`. The service makes the file. */
const orderFile: CommandSpec<TapeFileState, ScheduledTapeBody> = {
  kind: LOAN_TAPE_FILE,
  type: 'loanTapeFile.create',
  place: { on: 'beside', kind: 'company' },
  catchesUp: false,
  decide({ env, id, command, body: { reportDate, recordedAsOf, scheduledFor } }): Decision<TapeFileState> {
    const company = companyOf(env, env.tenant);
    const tapeId = command.params['loanTapeId'] ?? '';
    const tape = loanTapeOf(company, tapeId) ?? refuse('notFound', `There is no loan tape ${tapeId}.`);
    const zone = zoneOf(company);
    const today = env.today(zone);
    const knownAt = recordedAsOf == null ? env.now : millisecondsOf(recordedAsOf);
    if (knownAt > env.now) refuseProperty('recordedAsOf', `${dateTimeText(env.now)} or earlier`, 'The moment is to come.');
    const known = recordedAsOf == null ? today : dayAt(zone, knownAt);
    const reportDay = reportDate == null ? known : dayOfText(reportDate);
    if (scheduledFor !== undefined && scheduledFor > today)
      refuse('invalidState', `The day before ${dateText(scheduledFor)} is not closed.`);
    if (reportDay > today) refuseProperty('reportDate', `${dateText(today)} or earlier`, 'The day is to come.');
    if (reportDay > known)
      refuseProperty('reportDate', `${dateText(known)} or earlier`, 'The day is after `recordedAsOf`: nobody knew what it would bring.');
    const before = env.list(LOAN_TAPE_FILE, {
      parentId: tapeId,
      limit: 1,
      matches: ({ fields }) =>
        fields['status'] === 'pending' ||
        (scheduledFor !== undefined && fields['trigger'] === 'schedule' && Number(fields['reportDay']) >= scheduledFor),
    }).rows[0];
    if (before !== undefined && before.fields['status'] === 'pending')
      refuse('invalidState', `The file ${before.id} of the tape is being made or sent.`);
    if (before !== undefined) refuse('invalidState', `The file ${before.id} was made for that day.`);
    env.createKey(id);
    const trigger = scheduledFor === undefined ? 'manual' : 'schedule';
    return {
      facts: [
        fact('TapeFileOrdered', { loanTapeId: tapeId, reportDay, trigger, knownAt, terms: tapeTermsOn(company, tape, reportDay, knownAt) }),
      ],
      reply: (after) => ({ data: tapeFileView(after), status: 201 }),
    };
  },
};

/** What a file of a tape shows, by the settings of this moment. */
export function tapeTermsOn(company: CompanyState, { stored }: LoanTapeRecord, day: Day, knownAt: number): TapeTerms {
  const type = must(loanTapeTypeOf(company, stored.loanTapeTypeId), 'a type with tapes is not removed');
  const daysOfData = [...company.loanTypes.values()].map(({ id, versions }) => {
    const known = versions.filter(({ recordedAt }, at) => at === 0 || recordedAt <= knownAt);
    return [id, settingsAt(settingsTimeline(known), day).snapshotDaysAfterPayoff] as const;
  });
  return { type, investorId: stored.investorId, daysOfData };
}

/** The service's own: no route leads here. */
const service = <Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<TapeFileState, Body> => ({
  kind: LOAN_TAPE_FILE,
  type,
  place: { on: 'target' },
  catchesUp: false,
  decide(context): Decision<TapeFileState> {
    const { state, command } = context;
    assert(command.actor.type === 'system', 'files of tapes are made by the service');
    if (state.status !== 'pending') return wrong(state);
    return { facts: decide(context), reply: () => ({ data: undefined }) };
  },
});

export const tapeFileCommands: readonly CommandSpec<TapeFileState>[] = [
  orderFile,
  service<TapeSectionBody>('loanTapeFile.section', ({ state, env, body: { after, content, ...section } }) => {
    if (state.made !== null || state.sections.length !== after) return wrong(state);
    return [fact('TapeSectionMade', { ...section, content: content && sealedTape(env, state.id, content) })];
  }),
  service<TapeMadeBody>('loanTapeFile.made', ({ state, env, body: { pieces, ...made } }) => {
    if (state.made !== null) return wrong(state);
    const sealed = pieces === null ? {} : { pieces: pieces.map((piece) => sealedTape(env, state.id, piece)) };
    return [fact('TapeFileMade', { ...made, ...sealed })];
  }),
  service<TapeNotPutBody>('loanTapeFile.notPut', ({ body }) => [fact('TapeFileNotPut', body)]),
  service<TapeEndedBody>('loanTapeFile.end', ({ body }) => [fact('TapeFileEnded', body)]),
  dropCommand(LOAN_TAPE_RETENTION),
];

const wrong = ({ id, status }: TapeFileState): never => refuse('invalidState', `The file ${id} is ${status}.`);
