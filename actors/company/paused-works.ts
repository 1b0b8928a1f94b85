import type { tags } from 'typia';
import { refuse } from '../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';
import { type DateTimeText, dateTimeText } from '../wire.js';
import { creditAgenciesOf } from './credit-agencies.js';
import { investorsOf } from './parties/investors.js';
import { processorsOf } from './processors/processor.js';
import { SETTLEMENT } from './settlements/settlement.js';
import type { CompanyState } from './state.js';

/*
 * Automatic work that a user has paused: for one processor, investor, settlement or agency, or for all of the company. It is ordered again
 * once it is resumed. Work with an operation is paused by that; campaigns and loan tapes have a status of their own.
 */

/** Work that is paused here. */
export type PausableWork =
  | 'achFile'
  | 'achSameDayFile'
  | 'achInbox'
  | 'cardPayments'
  | 'cardResults'
  | 'settlement'
  | 'settlementTransfer'
  | 'creditFile';

interface PausedWork {
  readonly work: PausableWork;
  /** Null: for all. */
  readonly subjectId: string | null;
}

export interface PauseWorkBody {
  /** The processor, investor, settlement or agency; absent: all of the company. */
  readonly subjectId?: (string & tags.MinLength<1> & tags.MaxLength<60>) | null;
}

export interface PausedMoveView extends PausedWork {
  readonly isPaused: boolean;
}

export interface PausedWorkView extends PausedWork {
  readonly pausedAt: DateTimeText;
}

const PAUSED_WORK = 'pausedWork';

const pausedWorks = (host: ResourceHost): readonly ResourceRecord<PausedWork>[] => [...recordsOf<PausedWork>(host, PAUSED_WORK).values()];

export const pausedWorksView = (host: ResourceHost): readonly PausedWorkView[] =>
  pausedWorks(host).map(({ stored, createdAt }) => ({ ...stored, pausedAt: dateTimeText(createdAt) }));

/** Whether the work is paused, for its subject or for all. */
export const isWorkPaused = (host: ResourceHost, work: PausableWork, subjectId: string): boolean =>
  pausedWorks(host).some(({ stored }) => stored.work === work && (stored.subjectId === null || stored.subjectId === subjectId));

/** `POST /operations/daily/{work}/pause` and `/resume`. Pausing what is paused changes nothing. */
export const pausedWorkCommands: readonly CommandSpec<CompanyState>[] = [
  move('pause', ({ env }, asked, known) => {
    const body = { resource: PAUSED_WORK, id: env.newId('PW'), parentId: null, stored: asked };
    return known === undefined ? [{ type: 'ResourceCreated', body }] : [];
  }),
  move('resume', (_context, _asked, known) =>
    known === undefined ? [] : [{ type: 'ResourceRemoved', body: { resource: PAUSED_WORK, id: known.id } }],
  ),
];

type Context = CommandContext<CompanyState, PauseWorkBody>;

function move(
  verb: 'pause' | 'resume',
  factsOf: (context: Context, asked: PausedWork, known: ResourceRecord | undefined) => readonly FactDraft[],
): CommandSpec<CompanyState, PauseWorkBody> {
  return {
    kind: 'company',
    type: `dayWork.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide(context): Decision<CompanyState> {
      const { state, command, body } = context;
      const work = workNamed(command.params['work'] ?? '');
      const asked: PausedWork = { work, subjectId: body.subjectId == null ? null : subjectOf(context, work, body.subjectId) };
      const known = pausedWorks(state).find(({ stored }) => stored.work === work && stored.subjectId === asked.subjectId);
      return { facts: factsOf(context, asked, known), reply: () => ({ data: { ...asked, isPaused: verb === 'pause' } }) };
    },
  };
}

type FindSubject = (context: Context, id: string) => boolean;

const ofProcessor: FindSubject = ({ state }, id) => processorsOf(state).has(id);

const SUBJECTS: Readonly<Record<PausableWork, FindSubject>> = {
  achFile: ofProcessor,
  achSameDayFile: ofProcessor,
  achInbox: ofProcessor,
  cardPayments: ofProcessor,
  cardResults: ofProcessor,
  settlement: ({ state }, id) => investorsOf(state).has(id),
  settlementTransfer: ({ env }, id) => env.read(SETTLEMENT, id) !== undefined,
  creditFile: ({ state }, id) => creditAgenciesOf(state).has(id),
};

export const isPausable = (name: string): name is PausableWork => Object.hasOwn(SUBJECTS, name);

function workNamed(name: string): PausableWork {
  const names = Object.keys(SUBJECTS);
  return isPausable(name)
    ? name
    : refuse('notFound', `There is no automatic work ${name} that is paused by its name. These are: ${names.join(', ')}.`);
}

const subjectOf = (context: Context, work: PausableWork, id: string): string =>
  SUBJECTS[work](context, id) ? id : refuse('notFound', `The work ${work} has no ${id}.`);
