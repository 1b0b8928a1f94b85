import { type ActorModule, actorModule } from '../../kernel/actor.js';
import type { AnyDeclaration } from '../../kernel/resources/index.js';
import { tapeFileCommands } from './commands.js';
import { LOAN_TAPE } from './tape.js';
import { tapeFileDefinition, type TapeFileState } from './tape-file.js';
import { LOAN_TAPE_TYPE } from './tape-type.js';
import { tapeFileQueries } from './view.js';

export type { CreateTapeFileBody } from './commands.js';
export { TapeRunner } from './runner.js';
export { isScheduled, scheduledMoment } from './schedule.js';
export { loanTapesOf } from './tape.js';
export { LOAN_TAPE_FILE, LOAN_TAPE_RETENTION, type TapeFileState } from './tape-file.js';
export { loanTapeTypeOf } from './tape-type.js';
export type { LoanTapeCreateBody, LoanTapeListQuery, LoanTapeUpdateBody, LoanTapeView } from './tape.js';
export type { LoanTapeTypeCreateBody, LoanTapeTypeListQuery, LoanTapeTypeUpdateBody, LoanTapeTypeView } from './tape-type.js';
export type { TapeFileContents, TapeFileListQuery, TapeFileView } from './view.js';

export const TAPES: readonly AnyDeclaration[] = [LOAN_TAPE_TYPE, LOAN_TAPE];

/** Files of loan tapes, on the shared shard. */
export const tapeFileModule: ActorModule = actorModule<TapeFileState>({
  definition: tapeFileDefinition,
  commands: tapeFileCommands,
  queries: tapeFileQueries,
});
