import { personModule, portalUserModule } from './borrower/index.js';
import { caseModule, noteModule, supercaseModules, taskModule, workflowModule } from './casework/index.js';
import { companyModule, settlementModule, tapeFileModule } from './company/index.js';
import {
  campaignRunModule,
  complianceModule,
  directedNoticeModule,
  exportedContacts,
  rowNamed,
  interactionModule,
  letterCommandsOfLoans,
  codeTemplate,
  mailToUsers,
  messageQueriesOfCompanies,
  messageQueriesOfPeople,
  planNotice,
  reminderCommandsOfLoans,
  reminderQueriesOfLoans,
  statementCommandsOfLoans,
} from './contact/index.js';
import type { ActorModule } from './kernel/actor.js';
import { underRules } from './kernel/policy.js';
import { workDayModule } from './daily/index.js';
import { creditFileModule, creditFileQueriesOfLoans, loanModule, type LoanParts } from './loan/index.js';
import { moneyModules, periodCommands, periodQueries } from './money/index.js';
import { ANSWERS, POLICIES } from './policies.js';
import { feedQueries, ACTOR_KINDS } from './questions/index.js';
import { REACTIONS } from './reactions.js';

/** All modules of actors. Each engine needs modules of its own, since some keep an index of the engine. */
export const actorModules = (loans?: LoanParts): readonly ActorModule[] =>
  withRules(
    allModules(loans).map((module) => {
      const kind = ACTOR_KINDS.find((viewed) => viewed === module.definition.kind);
      return kind === undefined ? module : extended(module, { queries: feedQueries(kind) });
    }),
  );

const allModules = (loans?: LoanParts): readonly ActorModule[] => [
  extended(companyModule, {
    commands: periodCommands,
    queries: [...messageQueriesOfCompanies, codeTemplate, mailToUsers, ...periodQueries],
  }),
  extended(personModule(), { commands: [planNotice], queries: [...messageQueriesOfPeople, rowNamed, exportedContacts] }),
  extended(loanModule(loans), {
    commands: [...letterCommandsOfLoans, ...reminderCommandsOfLoans, ...statementCommandsOfLoans],
    queries: [...reminderQueriesOfLoans, ...creditFileQueriesOfLoans],
  }),
  noteModule,
  interactionModule(),
  directedNoticeModule,
  caseModule,
  complianceModule,
  settlementModule,
  tapeFileModule,
  campaignRunModule,
  creditFileModule,
  portalUserModule,
  ...supercaseModules,
  taskModule(),
  workflowModule,
  ...moneyModules,
  workDayModule,
];

/** Modules with the tables of policies, reactions and answers applied. */
export const withRules = (modules: readonly ActorModule[]): readonly ActorModule[] =>
  underRules(modules, { policies: POLICIES, reactions: REACTIONS, answers: ANSWERS });

/** A module, extended by commands and queries that a later domain defines for its actors, such as messages about loans. */
const extended = (
  module: ActorModule,
  { commands = [], queries = [] }: Partial<Pick<ActorModule, 'commands' | 'queries'>>,
): ActorModule => ({
  ...module,
  commands: [...module.commands, ...commands],
  queries: [...module.queries, ...queries],
});
