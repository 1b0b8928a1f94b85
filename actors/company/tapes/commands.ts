import type { OpenContent } from '../../kernel/sealed-contents.js';
import { assert, type Day, must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type DateText, dateText, dayOfText } from '../../wire.js';
import { companyOf, zoneOf } from '../directory.js';
import { loanTapeOf } from './tape.js';
import { LOAN_TAPE_FILE, sealedTape, type TapeFileFacts, type TapeFileState } from './tape-file.js';
import { loanTapeTypeOf } from './tape-type.js';
import { tapeFileView } from './view.js';

type Context<Body = unknown> = CommandContext<TapeFileState, Body>;

export interface CreateTapeFileBody {
  /** Default today. A loans tape shows the loans as they are now, so that it has no other date. */
  readonly reportDate?: DateText | null;
}

/** What the scheduler says of the file that it orders. */
export interface ScheduledTapeBody extends CreateTapeFileBody {
  /** The scheduled day, which a late file may follow. */
  readonly scheduledFor?: Day;
}

export type TapeMadeBody = Omit<TapeFileFacts['TapeFileMade'], 'key'> & OpenContent;
export type TapeNotPutBody = TapeFileFacts['TapeFileNotPut'];
export type TapeEndedBody = TapeFileFacts['TapeFileEnded'];

const fact = <Type extends keyof TapeFileFacts>(type: Type, body: TapeFileFacts[Type]): FactDraft => ({ type, body });

/** `POST /companies/{companyId}/loan-tapes/{loanTapeId}/files`. The service makes the file. */
const orderFile: CommandSpec<TapeFileState, ScheduledTapeBody> = {
  kind: LOAN_TAPE_FILE,
  type: 'loanTapeFile.create',
  place: { on: 'beside', kind: 'company' },
  catchUpFirst: false,
  decide({ env, id, command, body: { reportDate, scheduledFor } }): Decision<TapeFileState> {
    const company = companyOf(env, env.tenant);
    const tapeId = command.params['loanTapeId'] ?? '';
    const tape = loanTapeOf(company, tapeId) ?? refuse('notFound', `There is no loan tape ${tapeId}.`);
    const { tapeType } = must(loanTapeTypeOf(company, tape.stored.loanTapeTypeId), 'a type with tapes is not removed');
    const today = env.today(zoneOf(company));
    const reportDay = reportDate == null ? today : dayOfText(reportDate);
    if (scheduledFor !== undefined && scheduledFor > today)
      refuse('invalidState', `The day before ${dateText(scheduledFor)} is not closed.`);
    if (reportDay > today) refuseProperty('reportDate', `${dateText(today)} or earlier`, 'The day is to come.');
    if (tapeType === 'loans' && reportDay !== today)
      refuseProperty('reportDate', dateText(today), 'A loans tape shows the loans as they are today; it is not made as of a past day.');
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
      facts: [fact('TapeFileOrdered', { loanTapeId: tapeId, reportDay, trigger })],
      reply: (after) => ({ data: tapeFileView(after), status: 201 }),
    };
  },
};

/** The service's own: no route leads here. */
const service = <Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<TapeFileState, Body> => ({
  kind: LOAN_TAPE_FILE,
  type,
  place: { on: 'target' },
  catchUpFirst: false,
  decide(context): Decision<TapeFileState> {
    const { state, command } = context;
    assert(command.actor.type === 'system', 'files of tapes are made by the service');
    if (state.status !== 'pending') return wrong(state);
    return { facts: decide(context), reply: () => ({ data: undefined }) };
  },
});

export const tapeFileCommands: readonly CommandSpec<TapeFileState>[] = [
  orderFile,
  service<TapeMadeBody>('loanTapeFile.made', ({ state, env, body }) => {
    if (state.made !== null) return wrong(state);
    return [fact('TapeFileMade', { ...body, ...sealedTape(env, state.id, body) })];
  }),
  service<TapeNotPutBody>('loanTapeFile.notPut', ({ body }) => [fact('TapeFileNotPut', body)]),
  service<TapeEndedBody>('loanTapeFile.end', ({ body }) => [fact('TapeFileEnded', body)]),
];

const wrong = ({ id, status }: TapeFileState): never => refuse('invalidState', `The file ${id} is ${status}.`);
