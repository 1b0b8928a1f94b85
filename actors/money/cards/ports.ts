import type { CardNetwork, Cents, Day } from '../../../engine/index.js';
import type { CardForProcessor } from '../../borrower/index.js';
import type { CardAccess } from '../../company/index.js';
import type { Tenant } from '../../kernel/fact.js';
import type { AskedEngine, ServiceCalls, SharedEngine } from '../../kernel/jobs/service-calls.js';

/** The card of a call: its number leaves the service here, and nowhere else. */
export type ChargedCard = Pick<CardForProcessor, 'number' | 'token' | 'holderName' | 'address' | 'expirationMonth' | 'expirationYear'>;

/** A call that may be made again: the processor does once what it is asked under one key, and answers the same again. */
interface Keyed {
  readonly key: string;
  /** `loan/transaction`: results and callbacks of the processor repeat it. */
  readonly reference: string;
  /** The day of the lender on which the call is made. */
  readonly day: Day;
}

export interface VerificationAsked extends Keyed {
  readonly card: ChargedCard;
  /** Only while the request that brings it is under way: it is never stored. */
  readonly cvv: string | null;
}

export interface AuthorizationAsked extends Keyed {
  readonly card: ChargedCard;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly isRecurring: boolean;
}

export interface MoneyAsked extends Keyed {
  readonly authorizationId: string;
  readonly amountCents: Cents;
}

/** The processor refuses it for good. */
export interface CardDecline {
  readonly type: 'declined';
  /** Of the issuer, as ISO 8583 has it, or a name of the processor. */
  readonly code: string;
  readonly message: string | null;
}

export type VerificationAnswer =
  | { readonly type: 'done'; readonly token: string | null; readonly network: CardNetwork | null; readonly lastFour: string | null }
  | CardDecline;
export type AuthorizationAnswer = { readonly type: 'done'; readonly id: string; readonly avsResult: string | null } | CardDecline;
/** `resultDay`: whose results will have it. */
export type MoneyAnswer = { readonly type: 'done'; readonly id: string; readonly resultDay: Day } | CardDecline;

/** What the results of a day have, each once. */
export interface CardResultItem {
  readonly id: string;
  readonly type: 'capture' | 'refund' | 'dispute';
  readonly reference: string;
  readonly amountCents: Cents;
  readonly feeCents: Cents;
  readonly dispute: CardDispute | null;
}

/** What has become of a dispute of a payment. */
interface CardDispute {
  readonly disputeId: string;
  readonly status: 'opened' | 'won' | 'lost' | 'reversed';
  readonly amountCents: Cents;
  readonly reasonCode: string | null;
}

/** The results of a day, and what the processor pays for them; a negative amount is taken from the lender's account. */
export interface CardResults {
  readonly items: readonly CardResultItem[];
  readonly funding: { readonly amountCents: Cents; readonly day: Day; readonly reference: string };
}

/** Processors of cards. Every method throws `OutsideFault` where it is not known what the processor has done. */
export interface CardServers {
  verify(access: CardAccess, asked: VerificationAsked): Promise<VerificationAnswer>;
  authorize(access: CardAccess, asked: AuthorizationAsked): Promise<AuthorizationAnswer>;
  capture(access: CardAccess, asked: MoneyAsked): Promise<MoneyAnswer>;
  refund(access: CardAccess, asked: MoneyAsked): Promise<MoneyAnswer>;
  /** Releases what an authorization of the reference holds, now or later. */
  release(access: CardAccess, asked: Keyed): Promise<void>;
  /** Null: the day is not over for the processor. */
  results(access: CardAccess, day: Day): Promise<CardResults | null>;
}

export interface CardRunnerParts {
  readonly engine: SharedEngine;
  /** Where loans and borrowers of all shards are asked. */
  readonly asked: AskedEngine;
  readonly servers: CardServers;
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** What the work for one processor needs. */
export interface CardWorkParts extends CardRunnerParts {
  readonly tenant: Tenant;
  readonly calls: ServiceCalls;
  readonly access: CardAccess;
  readonly today: Day;
  readonly isClosed: () => boolean;
  /** Waits for nothing. */
  readonly isForced: boolean;
}

export const referenceOf = ({ loanId, id }: { readonly loanId: string; readonly id: string }): string => `${loanId}/${id}`;

/** Null: it is not a reference of the service. */
export function ofReference(reference: string): { readonly loanId: string; readonly transactionId: string } | null {
  const [loanId, transactionId, ...rest] = reference.split('/');
  return loanId?.startsWith('LN-') === true && transactionId?.startsWith('TX-') === true && rest.length === 0
    ? { loanId, transactionId }
    : null;
}
