import { refuse } from '../errors.js';
import { actorModule, type CommandContext, type CommandSpec, type Decision } from '../kernel/actor.js';
import { isMassFact, type MassFacts, type MassWork } from '../kernel/jobs/mass-works.js';
import { type AnyDeclaration, declaredCommands, declaredQueries } from '../kernel/resources/index.js';
import { EMPLOYEE } from './access/employees.js';
import { cloneRole, ROLE } from './access/roles.js';
import { signInCommands, signInQueries, tokenKeyCommands, tokenKeyQueries } from './access/sign-ins.js';
import { setTeamEmployees, TEAM } from './access/teams.js';
import { USERS } from './access/users.js';
import { APP_DOMAIN, cloneCompany, type CompanyState, evolveCompany, newCompany, packCompany, unpackCompany } from './state.js';
import { campaignCommands, campaignQueries } from './campaigns/index.js';
import { creditAgencyCommands, creditAgencyQueries } from './credit-agencies.js';
import { caseworkCommands, caseworkQueries } from './casework/index.js';
import { reviewWork } from './casework/smart-review-commands.js';
import { BUSINESS_RULE, complianceQueries, muteCommands } from './compliance/index.js';
import { apiKeyCommands } from './decide/api-keys.js';
import { createCompany, updateCompany } from './decide/company.js';
import { loanTypeCommands } from './decide/loan-types.js';
import { FEE_TYPE } from './fee-types.js';
import { generalLedgerCommands, generalLedgerQueries } from './general-ledger/index.js';
import { INDEX_RATE, indexRateCommands, indexRateOf, indexWork, noteEdition } from './index-rates.js';
import { LOAN_LABEL } from './loan-labels.js';
import { pausedWorkCommands } from './paused-works.js';
import { processorCommands, processorQueries } from './processors/index.js';
import { companyQueries, DISASTER } from './queries.js';
import { CARD_ISSUER, cardIssuerCommands, cardIssuerSecret, listAllSettlementInstruments, PARTIES } from './parties/index.js';
import { PROMO_TYPE } from './promo-types.js';
import { followClock, REMINDER, remindersAgenda, remindersDue } from './reminders.js';
import { SAVED_QUESTION } from './saved-questions.js';
import { sendingCommands, sendingQueries } from './sending/index.js';
import { recordServerKey } from './server-keys.js';
import { TAPES } from './tapes/index.js';
import { templateCommands, templateQueries } from './templates/index.js';
import { VERIFICATION_TYPE } from './verification-types.js';
import { webhookCommands } from './webhooks/commands.js';
import { WEBHOOK } from './webhooks/webhook.js';

type Move = Exclude<keyof MassFacts, 'MassOrdered'>;

/**
 * `pause`, `resume` and `cancel` of mass work. They are facts of the company, so that every process of a cluster receives them.
 * Pausing a paused operation changes nothing; a canceled one stays canceled.
 */
export const massCommands: readonly CommandSpec<CompanyState>[] = [
  move('pause', 'MassPaused', (work) => !work.isPaused),
  move('resume', 'MassResumed', (work) => work.isPaused),
  move('cancel', 'MassCanceled', (work) => {
    requireCancelable(work);
    return true;
  }),
];

function move(verb: string, type: Move, isChange: (work: MassWork) => boolean): CommandSpec<CompanyState> {
  return {
    kind: 'company',
    type: `operation.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide(context): Decision<CompanyState> {
      const work = workOf(context);
      if (work.canceledAt !== null) refuse('invalidState', 'The operation was canceled.');
      const { operationId } = work;
      return { facts: isChange(work) ? [{ type, body: { operationId } }] : [], reply: () => ({ data: { operationId } }) };
    },
  };
}

function workOf({ env, command }: CommandContext<CompanyState>): MassWork {
  const operationId = command.params['operationId'] ?? '';
  return (
    env.massWork(operationId) ??
    refuse('notFound', `The operation ${operationId} is unknown, has expired, or was completed with its reply.`)
  );
}

/** Refuses to cancel work whose result all reads show already. It can only be undone by another command. */
function requireCancelable({ task, isDryRun }: MassWork): void {
  if (isDryRun || task.type === 'command') return;
  refuse(
    'invalidState',
    task.type === 'day'
      ? 'The closing of a day cannot be canceled.'
      : 'The operation cannot be canceled: its value has applied since it was accepted. Pause it, or change or delete the value.',
  );
}

const DECLARED: readonly AnyDeclaration[] = [
  FEE_TYPE,
  LOAN_LABEL,
  APP_DOMAIN,
  PROMO_TYPE,
  ROLE,
  USERS,
  EMPLOYEE,
  TEAM,
  VERIFICATION_TYPE,
  BUSINESS_RULE,
  REMINDER,
  SAVED_QUESTION,
  ...PARTIES,
  ...TAPES,
];

/** Companies: one actor for each company and mode; both modes have the same id. */
export const companyModule = actorModule<CompanyState>({
  definition: {
    kind: 'company',
    prefix: 'CP',
    isShared: true,
    initial: newCompany,
    evolve(state, fact, emit) {
      if (isMassFact(fact.type)) return;
      const before = indexRateOf(state, fact);
      evolveCompany(state, fact);
      noteEdition(state, fact, before, emit);
    },
    triggers: (fact) => indexWork(fact) ?? reviewWork(fact),
    agenda: remindersAgenda,
    catchUp: remindersDue,
    clone: cloneCompany,
    row: ({ id, profile, createdStamp, updatedStamp }) =>
      profile && { id, externalId: null, createdStamp, updatedStamp, parentId: null, fields: { status: profile.status } },
    pack: packCompany,
    unpack: unpackCompany,
  },
  commands: [
    createCompany,
    updateCompany,
    ...apiKeyCommands,
    ...loanTypeCommands,
    ...indexRateCommands(),
    ...massCommands,
    ...pausedWorkCommands,
    recordServerKey,
    followClock,
    ...webhookCommands,
    ...signInCommands,
    ...tokenKeyCommands,
    cloneRole,
    setTeamEmployees,
    ...caseworkCommands,
    ...muteCommands,
    ...sendingCommands,
    ...campaignCommands,
    ...processorCommands,
    ...creditAgencyCommands,
    ...cardIssuerCommands,
    ...templateCommands,
    ...generalLedgerCommands,
    ...DECLARED.flatMap((declaration) => declaredCommands<CompanyState>('company', declaration)),
  ],
  queries: [
    ...companyQueries,
    ...signInQueries,
    ...tokenKeyQueries,
    ...caseworkQueries,
    ...complianceQueries,
    ...sendingQueries,
    ...campaignQueries,
    ...processorQueries,
    ...creditAgencyQueries,
    ...templateQueries,
    ...generalLedgerQueries,
    listAllSettlementInstruments,
    cardIssuerSecret,
    ...[...DECLARED, CARD_ISSUER, INDEX_RATE, WEBHOOK, DISASTER].flatMap((declaration) =>
      declaredQueries<CompanyState>('company', declaration),
    ),
  ],
});
