import { must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec, Decision } from '../../kernel/actor.js';
import type { CompanyCreateBody, CompanyUpdateBody } from '../commands.js';
import type { CompanyFacts, CompanyState } from '../state.js';
import { checkTimezone, type CompanyConfig, type CompanyProfile, PROFILE_DEFAULTS } from '../profile.js';
import { foundingUser, standardRoles } from '../access/standard-roles.js';
import { standardCaseTypes } from '../casework/case-types.js';
import { REMINDER_ZONE } from '../directory.js';
import { standardTemplates } from '../templates/standard.js';
import { defaultPairing } from '../casework/pairing/pairing-configs.js';
import { verificationTypeOf } from '../verification-types.js';
import { companyView } from '../views.js';

/**
 * Only for the operator, without a route. A new company has the standard roles, one `api` user as which its first keys act, a
 * case type of each base type, and a pairing that offers all tasks to everybody.
 */
export const createCompany: CommandSpec<CompanyState, CompanyCreateBody> = {
  kind: 'company',
  type: 'company.create',
  place: { on: 'root' },
  catchesUp: false,
  decide({ state, body, env, command }): Decision<CompanyState> {
    if (state.profile) refuse('duplicate', `The company ${state.id} exists already.`);
    const { name, timezone, withTemplates = false, ...others } = body;
    const profile = mergeProfile(state, { ...PROFILE_DEFAULTS, name, timezone }, others);
    if (withTemplates) env.today(REMINDER_ZONE); // reminders may be sent
    const created: CompanyFacts['CompanyCreated'] = { profile };
    const roles = standardRoles(env);
    return {
      facts: [
        { type: 'CompanyCreated', body: created },
        ...roles,
        foundingUser(env, roles),
        ...standardCaseTypes(env),
        ...defaultPairing(state, env),
        ...(withTemplates ? standardTemplates(env, command.actor) : []),
      ],
      reply: (after) => ({ data: companyView(after) }),
    };
  },
};

export const updateCompany: CommandSpec<CompanyState, CompanyUpdateBody> = {
  kind: 'company',
  type: 'company.update',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, body }): Decision<CompanyState> {
    const before = must(state.profile, 'a company without a profile');
    const updated: CompanyFacts['CompanyUpdated'] = { profile: mergeProfile(state, before, body) };
    return { facts: [{ type: 'CompanyUpdated', body: updated }], reply: (after) => ({ data: companyView(after) }) };
  },
};

function mergeProfile(state: CompanyState, before: CompanyProfile, body: CompanyUpdateBody): CompanyProfile {
  checkTimezone(body.timezone ?? before.timezone);
  const { config, brandAssets, communication, ...plain } = body;
  return {
    ...before,
    ...plain,
    brandAssets: { ...before.brandAssets, ...brandAssets },
    communication: { ...before.communication, ...communication },
    config: mergeConfig(state, before.config, config ?? {}),
  };
}

function mergeConfig(state: CompanyState, before: CompanyConfig, body: NonNullable<CompanyUpdateBody['config']>): CompanyConfig {
  const typeId = body.borrowerVerification?.crmDefaultTypeId;
  if (typeId && !verificationTypeOf(state, typeId)) {
    refuseProperty('config.borrowerVerification.crmDefaultTypeId', 'the id of a verification type', 'There is no such verification type.');
  }
  for (const [index, hours] of (body.calendar?.businessHours ?? []).entries()) {
    if (hours.from < hours.to) continue;
    refuseProperty(`config.calendar.businessHours[${index}].to`, 'a time after from', 'Business hours must end after they begin.');
  }
  const { requireLoanStatuses: asked } = body.monitoring ?? {};
  if (asked !== undefined && [...asked].sort().join() !== [...before.monitoring.requireLoanStatuses].sort().join()) {
    refuseProperty(
      'config.monitoring.requireLoanStatuses',
      'absent: stop monitoring with PUT /people/{personId}/monitoring-statuses/{id}',
      '`requireLoanStatuses` cannot be set: monitoring begins on `monitorStartDate`, whatever the status of the loans is.',
    );
  }
  return {
    borrowerVerification: { ...before.borrowerVerification, ...body.borrowerVerification },
    tasks: { ...before.tasks, ...body.tasks },
    cases: { ...before.cases, ...body.cases },
    auth: { ...before.auth, ...body.auth },
    calendar: { ...before.calendar, ...body.calendar },
    autopay: { ...before.autopay, ...body.autopay },
    monitoring: { ...before.monitoring, ...body.monitoring },
    communication: { inboundTextsEnabled: true, ...before.communication, ...body.communication },
  };
}
