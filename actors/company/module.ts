import { declaredCommands, declaredQueries } from '../kernel/resources/index.js';
import { actorModule } from '../kernel/actor.js';
import { isMassFact } from '../kernel/jobs/mass-facts.js';
import { EMPLOYEE } from './access/employees.js';
import { cloneRole, ROLE } from './access/roles.js';
import { signInCommands, signInQueries } from './access/sign-ins.js';
import { setTeamEmployees, TEAM } from './access/teams.js';
import { tokenKeyCommands, tokenKeyQueries } from './access/token-keys.js';
import { USERS } from './access/users.js';
import { APP_DOMAIN } from './app-domains.js';
import { caseworkCommands, caseworkQueries } from './casework/index.js';
import { reviewWork } from './casework/smart-review-commands.js';
import { BUSINESS_RULE, complianceQueries, muteCommands } from './compliance/index.js';
import { apiKeyCommands } from './decide/api-keys.js';
import { createCompany, updateCompany } from './decide/company.js';
import { loanTypeCommands } from './decide/loan-types.js';
import { evolveCompany } from './evolve.js';
import { FEE_TYPE } from './fee-types.js';
import { followIndex, INDEX_RATE, indexRateCommands, indexWork } from './index-rates.js';
import { LOAN_LABEL } from './loan-labels.js';
import { massCommands } from './mass-commands.js';
import { PROMO_TYPE } from './promo-types.js';
import { sendingCommands, sendingQueries } from './sending/index.js';
import { templateCommands, templateQueries } from './templates/index.js';
import { companyQueries } from './queries.js';
import { webhookCommands } from './webhooks/commands.js';
import { DISASTER } from './monitoring/disasters.js';
import { VERIFICATION_TYPE } from './verification/verification-types.js';
import { WEBHOOK } from './webhooks/webhook.js';
import { cloneCompany, type CompanyState, newCompany, packCompany, unpackCompany } from './state.js';

const DECLARED = [FEE_TYPE, LOAN_LABEL, APP_DOMAIN, PROMO_TYPE, ROLE, USERS, EMPLOYEE, TEAM, VERIFICATION_TYPE, BUSINESS_RULE];

/** Companies: one actor a company and mode, with the same id in both. */
export const companyModule = actorModule<CompanyState>({
  definition: {
    kind: 'company',
    prefix: 'CP',
    isShared: true,
    initial: newCompany,
    evolve(state, fact, emit) {
      if (!isMassFact(fact.type)) followIndex(state, fact, emit, () => evolveCompany(state, fact));
    },
    wakes: (fact) => indexWork(fact) ?? reviewWork(fact),
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
    ...webhookCommands,
    ...signInCommands,
    ...tokenKeyCommands,
    cloneRole,
    setTeamEmployees,
    ...caseworkCommands,
    ...muteCommands,
    ...sendingCommands,
    ...templateCommands,
    ...DECLARED.flatMap((declaration) => declaredCommands<CompanyState>('company', declaration)),
  ],
  queries: [
    ...companyQueries,
    ...signInQueries,
    ...tokenKeyQueries,
    ...caseworkQueries,
    ...complianceQueries,
    ...sendingQueries,
    ...templateQueries,
    ...[...DECLARED, INDEX_RATE, WEBHOOK, DISASTER].flatMap((declaration) => declaredQueries<CompanyState>('company', declaration)),
  ],
});
