import { companyOf, type CompanyState, permissionsOf, usersOf } from '../../company/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { isPermitted } from '../../permission.js';
import { senderOfCompany } from './send/sender.js';

interface MailToUsersQuery {
  readonly permission: string;
}

/** Recipients and sender of an e-mail to the users of a company who have a permission. */
export interface MailToUsers {
  /** The addresses of the active users with the permission, the first user first. */
  readonly to: readonly string[];
  /** Null: the operator's own. */
  readonly from: string | null;
  readonly replyTo: string | null;
  readonly companyName: string;
}

/** Most recipients of one e-mail. */
const MAX_RECIPIENTS = 50;

export const mailToUsers: QuerySpec<CompanyState, MailToUsersQuery> = {
  kind: 'company',
  type: 'message.mailToUsers',
  on: 'target',
  read({ query: { permission }, env }): MailToUsers {
    const company = companyOf(env, env.tenant);
    const to = [...usersOf(company).values()]
      .map(({ stored }) => stored)
      .filter((user) => user.status === 'active' && isPermitted(permissionsOf(company, user), permission))
      .sort((one, other) => one.number - other.number)
      .flatMap(({ auths }) => auths.find(({ authValueType }) => authValueType === 'email')?.value ?? []);
    const { brandName, name } = company.profile ?? {};
    return { to: [...new Set(to)].slice(0, MAX_RECIPIENTS), ...senderOfCompany(company, 'email'), companyName: brandName ?? name ?? '' };
  },
};
