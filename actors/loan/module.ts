import { actorModule } from '../runtime/actor.js';
import { activateLoan } from './commands/activate.js';
import { createLoan } from './commands/create.js';
import { loanDefinition } from './definition.js';
import { getLoan } from './queries/get.js';

/** The loan as the runtime takes it in. */
export const loanModule = actorModule({
  definition: loanDefinition,
  commands: [createLoan, activateLoan],
  queries: [getLoan],
});
