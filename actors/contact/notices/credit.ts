import { type Day, metro2, type Subject } from '../../../engine/index.js';
import { type AgencyName, companyOf, creditAgencyOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { isOwing, type LoanFacts, type LoanState, recordOf } from '../../loan/index.js';
import { isOn } from './directed.js';

type Reported = LoanFacts['CreditReported'];

const NAMES: Readonly<Record<AgencyName, string>> = {
  experian: 'Experian',
  equifax: 'Equifax',
  transUnion: 'TransUnion',
  innovis: 'Innovis',
};

/** Records that delete what was reported say nothing of a default. */
const DELETIONS: ReadonlySet<string | null> = new Set(['DA', 'DF']);

const subjectOf = ({ outcome, fields }: Pick<Reported, 'outcome' | 'fields'>): Subject | null =>
  outcome === 'held' || DELETIONS.has(fields.accountStatus)
    ? null
    : metro2.isNegative(fields)
      ? 'creditNegativeInfoReported'
      : 'creditPositiveInfoReported';

/**
 * The notice of the first report of a loan with negative information, and of the first without (15 USC 1681s-2(a)(7): no later than 30 days
 * after it is furnished, once for an account). It names all agencies to which the loan is reported. `state` is the loan before the report.
 */
export function creditNotice(
  env: DecideEnv,
  { creditReporting: { records, statuses }, tenant }: LoanState,
  record: Reported,
): readonly [Subject, { readonly bureauNames: string }] | null {
  const subject = subjectOf(record);
  if (subject === null || records.some((before) => subjectOf(before) === subject)) return null;
  const company = companyOf(env, tenant);
  const open = statuses.filter(({ status }) => status === 'active' || status === 'stopping').map(({ creditAgencyId }) => creditAgencyId);
  const names = [record.creditAgencyId, ...open].flatMap((id) => {
    const agency = creditAgencyOf(company, id);
    return agency === undefined ? [] : [NAMES[agency.stored.agencyName]];
  });
  return [subject, { bureauNames: [...new Set(names)].sort().join(', ') }];
}

/** The others who owe on the loan and are in its report: each has a credit history, whatever other notices they get. */
export const reportedPeople = (state: LoanState, day: Day): readonly string[] =>
  recordOf(state)
    .additionalPeople.filter((person) => isOwing(person) && isOn(person, day))
    .map(({ personId }) => personId);
