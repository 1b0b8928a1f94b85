import { personModule } from './borrower/index.js';
import { caseModule, needingCase } from './casework/cases/index.js';
import { companyModule } from './company/index.js';
import { complianceModule } from './contact/guard/index.js';
import { interactionModule } from './contact/interactions/index.js';
import { loanModule, type LoanParts } from './loan/index.js';
import { messageQueriesOfCompanies, messageQueriesOfPeople } from './contact/messages/index.js';
import { noteModule } from './casework/notes/index.js';
import { portalUserModule } from './borrower/portal-user/index.js';
import type { ActorModule, QuerySpec } from './kernel/actor.js';
import { matchingDisasters, supercaseModules } from './casework/supercases/index.js';
import { taskModule } from './casework/tasks/index.js';
import { workflowModule } from './casework/workflows/index.js';

/** All families of actors. Each engine needs modules of its own: some keep an index of the engine's. */
export const actorModules = (loans?: LoanParts): readonly ActorModule[] => [
  asked(companyModule, messageQueriesOfCompanies),
  needingCase(matchingDisasters(asked(personModule(), messageQueriesOfPeople))),
  needingCase(matchingDisasters(loanModule(loans))),
  noteModule,
  needingCase(interactionModule()),
  caseModule,
  complianceModule,
  portalUserModule,
  ...supercaseModules,
  taskModule(),
  workflowModule,
];

/** Messages are rendered of borrowers, loans and cases together: what is asked of them stands above all three. */
function asked<State>(module: ActorModule, queries: readonly QuerySpec<State>[]): ActorModule {
  return { ...module, queries: [...module.queries, ...(queries as readonly unknown[] as ActorModule['queries'])] };
}
