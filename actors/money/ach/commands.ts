import type { OpenContent } from '../../kernel/sealed-contents.js';
import { assert, type Cents, type Day } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dropCommand } from '../../kernel/retention.js';
import {
  ACH_FILE,
  ACH_FILE_RETENTION,
  type AchFigures,
  type AchFileFacts,
  type AchFileState,
  type BuiltFile,
  isAside,
  sealedFileContent,
  slotText,
} from './ach-file.js';
import { achFileView } from './view.js';

type Context<Body> = CommandContext<AchFileState, Body>;

const fact = <Type extends keyof AchFileFacts>(type: Type, body: AchFileFacts[Type]): FactDraft => ({ type, body });

export interface BuildFileBody extends BuiltFile {
  readonly content: OpenContent;
  readonly entries: OpenContent;
}

export interface FileSealedBody {
  readonly sha256: string;
  readonly content: OpenContent;
}

export interface UploadFailedBody {
  readonly reason: string;
  readonly isFinal: boolean;
}

/** Tries to process a file from the bank, one at each look into its folder, before it stands aside. */
const TAKING_TRIES = 3;

export interface FileAppliedBody {
  readonly entries: OpenContent | null;
  readonly figures?: AchFigures;
}

export interface FileNotTakenBody {
  readonly reason: string;
}

export interface FileNotTakenReply {
  readonly isAside: boolean;
}

export interface FileRefusedBody {
  readonly reason: string;
}

export interface ReceiveFileBody {
  readonly processorId: string;
  readonly direction: 'return' | 'confirmation';
  readonly fileName: string;
  readonly fileDay: Day;
  readonly sourceKey: string;
  readonly sha256: string;
  readonly entryCount: number;
  readonly debitCents: Cents;
  readonly creditCents: Cents;
  readonly content: OpenContent;
  readonly failure: string | null;
}

export const achFileCommands: readonly CommandSpec<AchFileState>[] = [
  made<BuildFileBody>('achFile.build', ({ id, env, body: { content, entries, ...built } }) => {
    const slot = slotText(built.slot);
    refuseKnown(env, built.processorId, (fields) => fields['slot'] === slot, `A file for ${slot} was made already.`);
    env.createKey(id);
    return [fact('AchFileBuilt', { ...built, content: sealedFileContent(env, id, content), entries: sealedFileContent(env, id, entries) })];
  }),
  made<ReceiveFileBody>('achFile.receive', ({ id, env, body: { content, ...received } }) => {
    const { processorId, sourceKey } = received;
    refuseKnown(env, processorId, (fields) => fields['sourceKey'] === sourceKey, 'The file was received already.');
    env.createKey(id);
    return [fact('AchFileReceived', { ...received, content: sealedFileContent(env, id, content) })];
  }),
  service<FileSealedBody>('achFile.sealed', ({ state, env, body: { sha256, content } }) =>
    state.status === 'created' && !state.isUploading && state.sealed == null
      ? [fact('AchFileSealed', { sha256, content: sealedFileContent(env, state.id, content) })]
      : wrong(state),
  ),
  service('achFile.beginUpload', ({ state }) =>
    state.status === 'created' && !state.isUploading ? [fact('AchUploadBegun', {})] : wrong(state),
  ),
  service<UploadFailedBody>('achFile.uploadFailed', ({ state, body }) =>
    state.status === 'created' ? [fact('AchUploadFailed', body)] : wrong(state),
  ),
  service('achFile.uploaded', ({ state }) => (state.status === 'created' ? [fact('AchFileUploaded', {})] : [])),
  service<FileAppliedBody>('achFile.applied', ({ state, env, body: { entries, figures } }) => {
    if (state.isApplied) return [];
    const sealed = entries === null ? null : sealedFileContent(env, state.id, entries);
    return [fact('AchFileApplied', { entries: sealed, ...(figures === undefined ? {} : { figures }) })];
  }),
  {
    kind: ACH_FILE,
    type: 'achFile.notTaken',
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<FileNotTakenBody>): Decision<AchFileState> {
      bySystem(context);
      const { state, body } = context;
      const isLast = (state.takingTries ?? 0) + 1 >= TAKING_TRIES;
      return {
        facts: state.isApplied || state.status === 'failed' ? [] : [fact('AchFileNotTaken', { ...body, isAside: isLast })],
        reply: (after): { readonly data: FileNotTakenReply } => ({ data: { isAside: isAside(after) } }),
      };
    },
  },
  service('achFile.confirmed', ({ state }) => (state.status === 'confirmed' ? [] : [fact('AchFileConfirmed', {})])),
  service<FileRefusedBody>('achFile.refused', ({ state, body }) => (state.status === 'failed' ? [] : [fact('AchFileRefused', body)])),
  dropCommand(ACH_FILE_RETENTION),
  {
    kind: ACH_FILE,
    type: 'achFile.resend',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state }) {
      if (state.createdStamp === 0) refuse('notFound', `There is no ACH file ${state.id}.`);
      if (state.direction !== 'outgoing' || state.status !== 'failed')
        refuse('invalidState', `The ACH file ${state.id} is ${state.status}; only an outgoing file that has failed is sent again.`);
      if (state.content === null) refuse('invalidState', `The bytes of the ACH file ${state.id} are no longer kept.`);
      return { facts: [fact('AchResendOrdered', {})], reply: (after) => ({ data: achFileView(after) }) };
    },
  },
  {
    kind: ACH_FILE,
    type: 'achFile.retry',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state }) {
      if (state.createdStamp === 0) refuse('notFound', `There is no ACH file ${state.id}.`);
      if (!isAside(state))
        refuse('invalidState', `The ACH file ${state.id} is not one from the bank that stands aside because it could not be processed.`);
      if (state.content === null) refuse('invalidState', `The bytes of the ACH file ${state.id} are no longer kept.`);
      return { facts: [fact('AchTakingOrdered', {})], reply: (after) => ({ data: achFileView(after) }) };
    },
  },
];

type Rows = Context<unknown>['env'];

function refuseKnown(env: Rows, processorId: string, isIt: (fields: Readonly<Record<string, unknown>>) => boolean, message: string): void {
  const { rows } = env.list(ACH_FILE, { parentId: processorId, matches: ({ fields }) => isIt(fields), limit: 1 });
  if (rows.length > 0) refuse('invalidState', message);
}

const bySystem = ({ command }: Context<unknown>): void => assert(command.actor.type === 'system', 'files are made by the service');

/** A new file beside its company. */
function made<Body>(type: string, factsOf: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<AchFileState> {
  return {
    kind: ACH_FILE,
    type,
    place: { on: 'beside', kind: 'company' },
    catchesUp: false,
    decide(context: Context<Body>): Decision<AchFileState> {
      bySystem(context);
      return { facts: factsOf(context), reply: (after) => ({ data: { id: after.id } }) };
    },
  };
}

/** The service's own: no route leads here. */
function service<Body>(type: string, factsOf: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<AchFileState> {
  return {
    kind: ACH_FILE,
    type,
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<Body>): Decision<AchFileState> {
      bySystem(context);
      return { facts: factsOf(context), reply: () => ({ data: undefined }) };
    },
  };
}

const wrong = ({ id, status }: AchFileState): never => refuse('invalidState', `The ACH file ${id} is ${status}.`);
