import type { tags } from 'typia';
import { routingFacts } from '../../../engine/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { type Change, type Declaration, recordsOf, replyOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import { isPermitted } from '../../permission.js';
import type { DateTimeText, ExternalId, ShortText } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { investorOf, SETTLEMENT_INSTRUMENT_TYPE } from './investors.js';

type Status = 'active' | 'pending' | 'inactive';

/** A bank account of an investor, to which its part of payments goes. */
export interface SettlementInstrument {
  readonly externalId: string | null;
  /** Transfers to it are only recorded: the lender makes them itself. */
  readonly isExternal: boolean;
  readonly instrumentType: 'bankAccount';
  readonly status: Status;
  readonly inactiveReason: string | null;
  readonly verified: boolean;
  readonly nickname: string | null;
  readonly routingNumber: string;
  readonly accountType: 'checking' | 'savings';
  readonly accountHolderType: 'business' | 'personal';
  readonly accountHolderName: string;
  readonly institutionName: string | null;
  readonly accountNumberLastFour: string;
  /** Sealed with the key of the record. */
  readonly accountNumber: Uint8Array;
}

export interface SettlementInstrumentCreateBody {
  readonly externalId?: ExternalId | null;
  readonly isExternal?: boolean;
  /** Of an external instrument alone. */
  readonly status?: Status;
  readonly inactiveReason?: ShortText | null;
  /** With `force`: the caller vouches for the account. */
  readonly verified?: boolean;
  readonly nickname?: ShortText | null;
  readonly instrumentType: 'bankAccount';
  readonly accountNumber: string & tags.Pattern<'^\\d{4,17}$'>;
  readonly routingNumber: string & tags.Pattern<'^\\d{9}$'>;
  readonly accountType: 'checking' | 'savings';
  readonly accountHolderType: 'business' | 'personal';
  readonly accountHolderName: string & tags.Pattern<'^[A-Za-z0-9 ]{1,100}$'>;
  readonly institutionName?: ShortText | null;
}

export interface SettlementInstrumentUpdateBody {
  readonly externalId?: ExternalId | null;
  readonly nickname?: ShortText | null;
}

export interface SettlementInstrumentWriteQuery {
  /** Takes a routing number that is not known, and an account that the caller vouches for. */
  readonly force?: boolean;
}

export type SettlementInstrumentListQuery = PageQuery;

export interface SettlementInstrumentView extends Omit<SettlementInstrument, 'accountNumber'> {
  readonly id: string;
  readonly object: 'settlementInstrument';
  readonly companyId: string;
  readonly investorId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const FORCE_PERMISSION = 'payment.instrument:force';

const settlementInstrumentsOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<SettlementInstrument>> =>
  recordsOf<SettlementInstrument>(host, SETTLEMENT_INSTRUMENT_TYPE);

/** The accounts of an investor to which money can be sent. */
const activeInstrumentsOf = (host: ResourceHost, investorId: string): readonly ResourceRecord<SettlementInstrument>[] =>
  [...settlementInstrumentsOf(host).values()].filter(({ parentId, stored }) => parentId === investorId && stored.status === 'active');

/** Whether money of a settlement can still go to its account: it may have been archived since. */
export const isActiveInstrument = (host: ResourceHost, id: string): boolean =>
  settlementInstrumentsOf(host).get(id)?.stored.status === 'active';

/** Why an investor cannot be settled by its schedule, which names no account; null if it can. */
export function missingToSettle(host: ResourceHost, investorId: string): string | null {
  const [instrument, ...more] = activeInstrumentsOf(host, investorId);
  if (instrument === undefined) return 'The investor has no active settlement instrument.';
  if (more.length > 0)
    return 'The investor has several active settlement instruments. Archive all but one, or settle it by hand and name the instrument.';
  return instrument.stored.isExternal ? null : 'No processor transfers money to the settlement instrument. Use an external one.';
}

export const SETTLEMENT_INSTRUMENT: Declaration<SettlementInstrumentCreateBody, SettlementInstrumentUpdateBody, SettlementInstrument> = {
  type: SETTLEMENT_INSTRUMENT_TYPE,
  prefix: 'SI',
  param: 'settlementInstrumentId',
  parent: {
    param: 'investorId',
    noun: 'investor',
    exists: (host, id) => investorOf(host, id) !== undefined,
    idOf: (host, anyId) => investorOf(host, anyId)?.id,
  },
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create(body, at) {
    const { accountNumber, isExternal = false, status, verified = false } = body;
    const { force = false } = (at.command.query ?? {}) as SettlementInstrumentWriteQuery;
    checkInstrument(body, force, at);
    const isVouched = !isExternal && force && verified;
    at.env.createKey(at.id);
    return {
      externalId: body.externalId ?? null,
      isExternal,
      instrumentType: 'bankAccount',
      status: isExternal ? (status ?? 'active') : isVouched ? 'active' : 'pending',
      inactiveReason: body.inactiveReason ?? null,
      verified: isVouched,
      nickname: body.nickname ?? null,
      routingNumber: body.routingNumber,
      accountType: body.accountType,
      accountHolderType: body.accountHolderType,
      accountHolderName: body.accountHolderName,
      institutionName: body.institutionName ?? null,
      accountNumberLastFour: accountNumber.slice(-4),
      accountNumber: at.env.seal(at.id, accountNumber, `settlementInstrument/${at.id}`),
    };
  },
  change(before, body, { id }) {
    if (before.status === 'inactive') refuse('invalidState', `The settlement instrument ${id} is inactive.`);
    return { ...before, ...body };
  },
  retire: (before) => ({ ...before, status: 'inactive', inactiveReason: before.inactiveReason ?? 'archived' }),
  view: ({ accountNumber: _secret, ...stored }, { parentId }) => ({ ...stored, investorId: parentId }),
};

/** Throws 400 with every fault. */
function checkInstrument(body: SettlementInstrumentCreateBody, force: boolean, { command }: Change): void {
  if (force && !isPermitted(command.permissions, FORCE_PERMISSION))
    refuse('permissionDenied', `\`force\` needs the permission ${FORCE_PERMISSION}.`, { extra: { permission: FORCE_PERMISSION } });
  const { isExternal = false, status, inactiveReason, verified = false, routingNumber } = body;
  const errors: Fault[] = [];
  if (!isExternal && status !== undefined)
    errors.push({ path: 'status', expected: 'no value', message: 'is set by the caller only with `isExternal`' });
  if (status === 'inactive' && inactiveReason == null) errors.push({ path: 'inactiveReason', expected: 'a reason', message: 'is missing' });
  if (verified && (isExternal || !force)) errors.push({ path: 'verified', expected: 'false', message: 'needs `force`' });
  if (!force && routingFacts(routingNumber)?.isAchParticipant !== true)
    errors.push({ path: 'routingNumber', expected: 'the routing number of a bank', message: 'is unknown' });
  if (errors.length > 0) refuse('validationError', 'The settlement instrument is not valid: see `errors`.', { errors });
}

/** `GET /companies/{companyId}/settlement-instruments`: of all investors. */
export const listAllSettlementInstruments: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'settlementInstrument.listAll',
  on: 'target',
  read({ state, query, env }: QueryContext<CompanyState, PageQuery | undefined>) {
    const newestFirst = [...settlementInstrumentsOf(state).values()].reverse();
    const view = (record: ResourceRecord): object => replyOf(SETTLEMENT_INSTRUMENT, state, record, env.now);
    return pageOf(newestFirst, query ?? {}, view, ({ stored }) => stored.externalId);
  },
};

/** The account that a settlement goes to: the one that is named, or the investor's only active one. */
export function instrumentFor(host: ResourceHost, investorId: string, named: string | null): ResourceRecord<SettlementInstrument> {
  const active = activeInstrumentsOf(host, investorId);
  const path = 'settlementInstrumentId';
  const found = named === null ? active[0] : active.find(({ id, stored }) => id === named || `ext-${stored.externalId ?? ''}` === named);
  if (named === null && active.length > 1)
    refuseProperty(path, active.map(({ id }) => id).join(', '), 'The investor has several active settlement instruments: name one.');
  return (
    found ??
    refuse('ruleViolation', 'The investor has no such active settlement instrument.', {
      errors: [{ path, expected: 'an active settlement instrument of the investor', message: 'there is none' }],
    })
  );
}
