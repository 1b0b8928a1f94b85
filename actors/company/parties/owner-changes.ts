import type { tags } from 'typia';
import { RATE_ONE } from '../../../engine/index.js';
import { checkAll, type Fault, refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import type { MassOrder } from '../../kernel/jobs/mass-works.js';
import { type Declaration, findRecord, type ResourceHost } from '../../kernel/resources/index.js';
import { type AnyId, type DateText, dateText, type DateTimeText, dayOfText, rateOf, type RateValue } from '../../wire.js';
import type { LoanStatusNamed } from '../compliance/business-rules.js';
import { LOAN_LABEL } from '../loan-labels.js';
import { investorOf } from './investors.js';

/** Who owns how much of a loan, as a body says it. */
export interface OwnerRequest {
  readonly investorId: AnyId;
  /** The shares of all owners sum to 1. */
  readonly share: RateValue & tags.Maximum<1>;
  /** What it pays for principal that it did not own before: 1.01 is 101 % of it. Default 1. */
  readonly priceRatio?: PriceRatio | null;
  readonly metro2?: { readonly reportK2Segment?: boolean } | null;
}

/** A price as a part of principal. */
type PriceRatio = RateValue & tags.Maximum<10>;

/** The same with the service id of the investor, and nothing left out. */
export interface OwnerSent {
  readonly investorId: string;
  readonly share: RateValue;
  /** Absent: none was given. */
  readonly priceRatio?: RateValue;
  readonly metro2: { readonly reportK2Segment: boolean };
}

type Owners = readonly OwnerRequest[] & tags.MinItems<1> & tags.MaxItems<100>;

export interface OwnerChangeBody {
  /** The day from which the owners own the loan: their part of each payment with that effective date and of later ones. */
  readonly effectiveDate?: DateText;
  /** The old spelling of `effectiveDate`. */
  readonly dateEffective?: DateText;
  readonly investors: Owners;
  readonly caseId?: AnyId | null;
}

export interface OwnerChangeCreateBody extends OwnerChangeBody {
  readonly loanIds?: readonly AnyId[] & tags.MinItems<1> & tags.MaxItems<1000>;
  /** Instead of `loanIds`: the loans that these filters of the list of loans find. */
  readonly query?: OwnerChangeQuery;
}

/** At least one filter. */
interface OwnerChangeQuery {
  readonly statuses?: readonly (LoanStatusNamed | 'all')[] & tags.MinItems<1> & tags.MaxItems<20>;
  readonly labels?: readonly (string & tags.MaxLength<100>)[] & tags.MinItems<1> & tags.MaxItems<100>;
  readonly loanTypeId?: AnyId;
}

/** A change of the owners of many loans, which mass work carries out. */
export interface LoanOwnerChange {
  readonly effectiveDate: DateText;
  readonly investors: readonly OwnerSent[];
  /** Null: a query has selected them. */
  readonly loanIds: readonly string[] | null;
  readonly query: OwnerChangeQuery | null;
  readonly caseId: string | null;
  readonly operationId: string;
}

export interface LoanOwnerChangeView extends LoanOwnerChange {
  readonly id: string;
  readonly object: 'loanOwnerChange';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** The command that each loan gets: `actors/loan/owners`. */
export const CHANGE_OWNERS = 'loan.changeOwnersOfMany';

export interface OwnersOfManyBody {
  readonly effectiveDate: DateText;
  readonly investors: readonly OwnerSent[];
  readonly ownerChangeId: string;
  /** Absent in orders of earlier releases, which left it out. */
  readonly caseId?: string | null;
}

export const LOAN_OWNER_CHANGE: Declaration<OwnerChangeCreateBody, never, LoanOwnerChange> = {
  type: 'loanOwnerChange',
  prefix: 'OC',
  param: 'ownerChangeId',
  unique: [],
  create(body, { host, env, command }) {
    const { loanIds, query, caseId = null } = body;
    const named = {
      from: () => ownersFrom(body),
      investors: () => ownersSent(host, body.investors),
      query: () => (query === undefined ? null : queryFor(host, query)),
    };
    checkAll([() => requireOne(body), ...Object.values(named)]);
    return {
      effectiveDate: dateText(dayOfText(named.from())),
      investors: named.investors(),
      loanIds: loanIds === undefined ? null : loansNamed(loanIds, env),
      query: named.query(),
      caseId,
      operationId: operationIdOf(command.commandId),
    };
  },
  change: (before) => before,
  consequences: (_before, after, { id }) => (after === null ? [] : [ordered(id, after)]),
  view: (stored) => stored,
};

function requireOne({ loanIds, query }: OwnerChangeCreateBody): void {
  if ((loanIds === undefined) === (query === undefined)) refuseProperty('loanIds', '`loanIds` or `query`', 'Send `loanIds` or `query`.');
}

/** With the service ids of labels. What filters nothing is refused: the owners of all loans would change. */
function queryFor(host: ResourceHost, { statuses = [], labels = [], loanTypeId }: OwnerChangeQuery): OwnerChangeQuery {
  if (statuses.length === 0 && labels.length === 0 && loanTypeId === undefined)
    refuseProperty('query', 'at least one filter', '`query` has no filter.');
  const found = labels.map((anyId) => findRecord(host, LOAN_LABEL, anyId)?.id);
  const unknown = labels.filter((_anyId, at) => found[at] === undefined);
  if (unknown.length > 0) refuseProperty('query.labels', 'labels of the company', `There is no loan label ${unknown.join(', ')}.`);
  return {
    ...(statuses.length === 0 ? {} : { statuses }),
    ...(labels.length === 0 ? {} : { labels: found.filter((id) => id !== undefined) }),
    ...(loanTypeId === undefined ? {} : { loanTypeId }),
  };
}

function ordered(ownerChangeId: string, { operationId, loanIds, query, effectiveDate, investors, caseId }: LoanOwnerChange): FactDraft {
  const order: MassOrder = {
    kind: 'loanOwnerChange.create',
    resultObjectId: ownerChangeId,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    operationId,
    task: {
      type: 'command',
      command: CHANGE_OWNERS,
      selection: { kind: 'loan', filter: { ...query, ...(loanIds === null ? {} : { loanIds }) } },
      body: { effectiveDate, investors, ownerChangeId, caseId } satisfies OwnersOfManyBody,
    },
  };
  return { type: 'MassOrdered', body: order };
}

/** 404 for a loan that does not exist. */
const loansNamed = (loanIds: readonly string[], env: DecideEnv): readonly string[] => [
  ...new Set(
    loanIds.map((anyId) => {
      if (!anyId.startsWith('ext-')) return anyId;
      return env.findExternal(env.tenant, 'loan', anyId.slice(4)) ?? refuse('notFound', `There is no loan ${anyId}.`);
    }),
  ),
];

/** The day of a change of owners. */
export function ownersFrom({ effectiveDate, dateEffective }: Pick<OwnerChangeBody, 'effectiveDate' | 'dateEffective'>): DateText {
  const date = effectiveDate ?? dateEffective;
  if (date == null) return refuseProperty('effectiveDate', 'the day of the change', '`effectiveDate` is missing.');
  if (dateEffective != null && dayOfText(dateEffective) !== dayOfText(date))
    refuseProperty('dateEffective', `${date}, or nothing`, '`effectiveDate` and `dateEffective` are different days. Send one of them.');
  return date;
}

/** The owners with the service ids of their investors. Refuses shares that do not sum to one, and investors that cannot own loans. */
export function ownersSent(host: ResourceHost, owners: readonly OwnerRequest[]): readonly OwnerSent[] {
  const sum = owners.reduce((total, { share }) => total + rateOf(share), 0);
  const faults: Fault[] = sum === RATE_ONE ? [] : [fault('investors', 'shares that sum to 1', 'the shares do not sum to 1')];
  const found = new Map<string, OwnerSent>();
  owners.forEach(({ investorId, share, priceRatio, metro2 }, index) => {
    const path = `investors[${index}].investorId`;
    const investor = investorOf(host, investorId);
    if (investor === undefined) faults.push(fault(path, 'an investor', 'there is no such object'));
    else if (investor.stored.status === 'archived') faults.push(fault(path, 'an active investor', 'is archived'));
    else if (found.has(investor.id)) faults.push(fault(path, 'each investor once', 'is listed twice'));
    else
      found.set(investor.id, {
        investorId: investor.id,
        share,
        ...(priceRatio == null ? {} : { priceRatio }),
        metro2: { reportK2Segment: metro2?.reportK2Segment ?? false },
      });
  });
  if (faults.length > 0) refuse('validationError', 'The owners are not valid: see `errors`.', { errors: faults });
  return [...found.values()];
}

const fault = (path: string, expected: string, message: string): Fault => ({ path, expected, message });
