import type { tags } from 'typia';
import { routingFacts } from '../../../engine/index.js';
import { type Fault, Refusal } from '../../errors.js';
import { isPermitted } from '../../permission.js';
import { type Change, type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { CompanyState } from '../state.js';
import { dateTimeText, type DateTimeText, type ExternalId, orNull, type ShortText } from '../../wire.js';
import { type SealedProcessorSecrets, sealedProcessorSecrets } from './secrets.js';

type FundingStatus = 'pending' | 'active' | 'inactive';
type FundingPurpose = 'collection' | 'disbursement' | 'both';

/** A bank account of the lender at a processor: payments are collected into it, and money to borrowers leaves from it. */
export interface FundingInstrument {
  readonly externalId: string | null;
  readonly isExternal: boolean;
  readonly status: FundingStatus;
  readonly inactiveReason: string | null;
  readonly nickname: string | null;
  readonly accountNumberLastFour: string;
  readonly routingNumber: string;
  readonly institutionName: string | null;
  readonly accountType: 'checking' | 'savings';
  readonly accountHolderType: 'business' | 'personal';
  readonly accountHolderName: string;
  readonly purpose: FundingPurpose;
  /** Loans of these types; none named: of all. */
  readonly loanTypeIds: readonly string[];
  readonly isArchived: boolean;
  /** Milliseconds of the company's clock. */
  readonly statusAt: { readonly [Status in FundingStatus]?: number };
  readonly secrets: SealedProcessorSecrets | null;
}

export interface FundingInstrumentUpdateBody {
  readonly externalId?: ExternalId | null;
  readonly status?: FundingStatus;
  readonly inactiveReason?: ShortText | null;
  readonly nickname?: ShortText | null;
  readonly institutionName?: ShortText | null;
  readonly accountType?: 'checking' | 'savings';
  readonly accountHolderType?: 'business' | 'personal';
  readonly accountHolderName?: string & tags.Pattern<'^[A-Za-z0-9 ]+$'> & tags.MaxLength<100>;
  readonly purpose?: FundingPurpose;
  readonly loanTypeIds?: readonly ShortText[] & tags.MaxItems<100>;
}

export interface FundingInstrumentCreateBody extends FundingInstrumentUpdateBody {
  /** Only false: the money of the processor's files passes through the account. */
  readonly isExternal?: boolean;
  readonly instrumentType: 'bankAccount';
  /** Write only. */
  readonly accountNumber: string & tags.Pattern<'^[0-9]{4,17}$'>;
  readonly routingNumber: string & tags.Pattern<'^[0-9]{9}$'>;
  readonly accountType: 'checking' | 'savings';
  readonly accountHolderType: 'business' | 'personal';
  readonly accountHolderName: string & tags.Pattern<'^[A-Za-z0-9 ]+$'> & tags.MaxLength<100>;
}

export type FundingInstrumentQuery = PageQuery;

export interface FundingInstrumentWriteQuery {
  /** Accepts a routing number that is not known; with the permission payment.instrument:force. */
  readonly force?: boolean;
}

export interface FundingInstrumentView {
  readonly id: string;
  readonly object: 'fundingInstrument';
  readonly companyId: string;
  readonly paymentProcessorId: string;
  readonly externalId: string | null;
  readonly isExternal: boolean;
  readonly status: FundingStatus;
  readonly inactiveReason: string | null;
  readonly nickname: string | null;
  readonly instrumentType: 'bankAccount';
  readonly accountNumberLastFour: string;
  readonly routingNumber: string;
  readonly institutionName: string | null;
  readonly accountType: 'checking' | 'savings';
  readonly accountHolderType: 'business' | 'personal';
  readonly accountHolderName: string;
  readonly purpose: FundingPurpose;
  readonly loanTypeIds: readonly string[];
  readonly pendingAt: DateTimeText | null;
  readonly activeAt: DateTimeText | null;
  readonly inactiveAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const FUNDING_TYPE = 'fundingInstrument';

type FundingRecord = ResourceRecord<FundingInstrument>;

/** Those of a processor that are not archived. */
export const fundingInstrumentsOf = (host: ResourceHost, processorId: string): readonly FundingRecord[] =>
  [...recordsOf<FundingInstrument>(host, FUNDING_TYPE).values()].filter(
    ({ parentId, stored }) => parentId === processorId && !stored.isArchived,
  );

/** The account by which a processor collects or disburses for a loan type; an instrument that names the loan type comes first. */
export function fundingInstrumentFor(
  host: ResourceHost,
  processorId: string,
  { purpose, loanTypeId }: { readonly purpose: 'collection' | 'disbursement'; readonly loanTypeId: string },
): FundingRecord | undefined {
  const usable = fundingInstrumentsOf(host, processorId).filter(
    ({ stored }) => stored.status === 'active' && (stored.purpose === purpose || stored.purpose === 'both'),
  );
  return (
    usable.find(({ stored }) => stored.loanTypeIds.includes(loanTypeId)) ?? usable.find(({ stored }) => stored.loanTypeIds.length === 0)
  );
}

export const FUNDING_INSTRUMENT: Declaration<FundingInstrumentCreateBody, FundingInstrumentUpdateBody, FundingInstrument, CompanyState> = {
  type: FUNDING_TYPE,
  prefix: 'FI',
  param: 'fundingInstrumentId',
  parent: {
    param: 'paymentProcessorId',
    noun: 'payment processor',
    exists: (host, id) => recordsOf(host, 'paymentProcessor').has(id),
  },
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create(body, at) {
    const { id, env, command } = at;
    if (body.isExternal === true)
      refuseFunding([
        { path: 'isExternal', expected: 'false', message: 'is not offered: the money of the files passes through the account' },
      ]);
    const isForced = asksForce(command.query);
    if (isForced && !isPermitted(command.permissions, 'payment.instrument:force'))
      refuseFunding([{ path: 'force', expected: 'the permission payment.instrument:force', message: 'is not allowed' }]);
    if (!isForced && !routingFacts(body.routingNumber))
      refuseFunding([{ path: 'routingNumber', expected: 'a routing number of a US bank, or force', message: 'is not a routing number' }]);
    const status = body.status ?? 'active';
    const made: FundingInstrument = {
      externalId: body.externalId ?? null,
      isExternal: false,
      status,
      inactiveReason: status === 'inactive' ? (body.inactiveReason ?? 'other') : null,
      nickname: body.nickname ?? null,
      accountNumberLastFour: body.accountNumber.slice(-4),
      routingNumber: body.routingNumber,
      institutionName: body.institutionName ?? null,
      accountType: body.accountType,
      accountHolderType: body.accountHolderType,
      accountHolderName: body.accountHolderName,
      purpose: body.purpose ?? 'both',
      loanTypeIds: body.loanTypeIds ?? [],
      isArchived: false,
      statusAt: { [status]: env.now },
      secrets: sealedProcessorSecrets(env, id, { accountNumber: body.accountNumber }),
    };
    refuseUnknownTypes(made, at.host);
    refuseSecondActive(made, command.params['paymentProcessorId'] ?? '', at);
    return made;
  },
  change(before, { inactiveReason, ...body }, at) {
    refuseArchived(before, at.id);
    const status = body.status ?? before.status;
    const changed: FundingInstrument = {
      ...before,
      ...body,
      status,
      inactiveReason: status === 'inactive' ? (inactiveReason ?? before.inactiveReason ?? 'other') : null,
      statusAt: status === before.status ? before.statusAt : { ...before.statusAt, [status]: at.env.now },
    };
    if (body.loanTypeIds !== undefined) refuseUnknownTypes(changed, at.host);
    refuseSecondActive(changed, at.command.params['paymentProcessorId'] ?? '', at);
    return changed;
  },
  retire(before, { id, env }) {
    refuseArchived(before, id);
    return {
      ...before,
      externalId: null,
      status: 'inactive',
      inactiveReason: 'other',
      isArchived: true,
      statusAt: { ...before.statusAt, inactive: env.now },
      secrets: null,
    };
  },
  matches: ({ stored }) => !stored.isArchived,
  view: ({ secrets: _secret, isArchived: _archived, statusAt, ...stored }, { parentId }) => ({
    ...stored,
    paymentProcessorId: parentId ?? '',
    instrumentType: 'bankAccount',
    pendingAt: orNull(dateTimeText, statusAt.pending ?? null),
    activeAt: orNull(dateTimeText, statusAt.active ?? null),
    inactiveAt: orNull(dateTimeText, statusAt.inactive ?? null),
  }),
};

/** `force` of `FundingInstrumentWriteQuery`. */
const asksForce = (query: unknown): boolean => typeof query === 'object' && query !== null && 'force' in query && query.force === true;

function refuseFunding(errors: readonly Fault[]): never {
  throw new Refusal('validationError', 'The funding instrument is not valid: see `errors`.', { errors });
}

function refuseUnknownTypes({ loanTypeIds }: FundingInstrument, { loanTypes }: CompanyState): void {
  const errors = loanTypeIds.flatMap((id, index) =>
    loanTypes.has(id) ? [] : [{ path: `loanTypeIds[${index}]`, expected: 'the id of a loan type', message: `there is no loan type ${id}` }],
  );
  if (errors.length > 0) refuseFunding(errors);
}

function refuseArchived({ isArchived }: FundingInstrument, id: string): void {
  if (isArchived) throw new Refusal('invalidState', `The funding instrument ${id} was archived.`);
}

/** One active account for each purpose, so that it is always clear into which one money goes. */
function refuseSecondActive(made: FundingInstrument, processorId: string, { id, host }: Change): void {
  if (made.status !== 'active') return;
  const overlaps = (one: FundingPurpose, other: FundingPurpose): boolean => one === other || one === 'both' || other === 'both';
  const isForSame = (other: FundingInstrument): boolean =>
    made.loanTypeIds.length === 0 ? other.loanTypeIds.length === 0 : made.loanTypeIds.some((each) => other.loanTypeIds.includes(each));
  const other = fundingInstrumentsOf(host, processorId).find(
    (known) =>
      known.id !== id && known.stored.status === 'active' && overlaps(known.stored.purpose, made.purpose) && isForSame(known.stored),
  );
  if (other === undefined) return;
  throw new Refusal('duplicate', `The funding instrument ${other.id} is active for the same purpose. Make it inactive first.`, {
    errors: [{ path: 'purpose', expected: 'a purpose without an active funding instrument', message: `${other.id} is active for it` }],
  });
}
