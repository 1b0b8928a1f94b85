import typia, { type tags } from 'typia';
import {
  type AuthorizationAnswer,
  type AuthorizationAsked,
  type CardAccess,
  type CardResultItem,
  type CardResults,
  type CardServers,
  type DateText,
  dayOfText,
  type MoneyAnswer,
  type MoneyAsked,
  OutsideFault,
  type VerificationAnswer,
  type VerificationAsked,
} from '../../actors/index.js';
import { type CardNetwork, cents, type Day, formatDay } from '../../engine/index.js';
import { LIMITS } from '../limits.js';
import type { AddressRules } from '../outgoing.js';
import { callForText } from '../outgoing-text.js';

/* What processors of cards answer: docs/contract/card-payments.md. Amounts are whole cents. */

type Label = string & tags.MinLength<1> & tags.MaxLength<200>;
type WholeCents = number & tags.Type<'int64'> & tags.Minimum<-9_999_999_999> & tags.Maximum<9_999_999_999>;
type FeeCents = WholeCents & tags.Minimum<0>;

interface Declined {
  readonly status: 'declined';
  readonly code: string & tags.MinLength<1> & tags.MaxLength<20>;
  readonly message?: (string & tags.MaxLength<500>) | null;
}

interface Verified {
  readonly status: 'verified';
  readonly token?: Label | null;
  readonly network?: CardNetwork | null;
  readonly lastFour?: (string & tags.Pattern<'^\\d{4}$'>) | null;
}

interface Authorized {
  readonly status: 'authorized';
  readonly id: Label;
  readonly avsResult?: (string & tags.MaxLength<20>) | null;
}

interface Moved {
  readonly status: 'captured' | 'refunded';
  readonly id: Label;
  readonly resultDate: DateText;
}

interface Released {
  readonly status: 'released';
}

interface ResultsAnswer {
  readonly date: DateText;
  readonly items: readonly {
    readonly id: Label;
    readonly type: 'capture' | 'refund' | 'dispute';
    readonly reference: Label;
    /** What it adds to the funding; negative: what it takes. */
    readonly amount: WholeCents;
    readonly feeAmount?: FeeCents;
    readonly dispute?: {
      readonly disputeId: string & tags.MinLength<1> & tags.MaxLength<100>;
      readonly status: 'opened' | 'won' | 'lost' | 'reversed';
      readonly amount: WholeCents & tags.Minimum<1>;
      readonly reasonCode?: (string & tags.MaxLength<50>) | null;
    };
  }[];
  readonly funding: { readonly amount: WholeCents; readonly date: DateText; readonly reference: Label };
}

const isVerification = typia.createIs<Verified | Declined>();
const isAuthorization = typia.createIs<Authorized | Declined>();
const isMoved = typia.createIs<Moved | Declined>();
const isReleased = typia.createIs<Released>();
const isResults = typia.createIs<ResultsAnswer>();

interface Asked<Answer> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
  readonly mostBytes?: number;
  readonly is: (answer: unknown) => answer is Answer;
}

/** Calls processors of cards over HTTP. A call without a whole, valid answer throws `OutsideFault`: it is made again under the same key. */
export class CardHttp implements CardServers {
  constructor(private readonly rules: AddressRules) {}

  async verify(access: CardAccess, { key, card, cvv, day, reference }: VerificationAsked): Promise<VerificationAnswer> {
    const body = { reference, date: formatDay(day), card, ...(cvv === null ? {} : { cvv }) };
    const answer = await this.#ask(access, { method: 'POST', path: '/verifications', key, body, is: isVerification });
    if (answer.status === 'declined') return declineOf(answer);
    return { type: 'done', token: answer.token ?? null, network: answer.network ?? null, lastFour: answer.lastFour ?? null };
  }

  async authorize(access: CardAccess, { key, card, day, amountCents, ...asked }: AuthorizationAsked): Promise<AuthorizationAnswer> {
    const body = { ...asked, date: formatDay(day), amount: amountCents, card };
    const answer = await this.#ask(access, { method: 'POST', path: '/authorizations', key, body, is: isAuthorization });
    return answer.status === 'declined' ? declineOf(answer) : { type: 'done', id: answer.id, avsResult: answer.avsResult ?? null };
  }

  capture(access: CardAccess, asked: MoneyAsked): Promise<MoneyAnswer> {
    return this.#move(access, asked, 'captures');
  }

  refund(access: CardAccess, asked: MoneyAsked): Promise<MoneyAnswer> {
    return this.#move(access, asked, 'refunds');
  }

  async release(access: CardAccess, { key, reference, day }: { key: string; reference: string; day: Day }): Promise<void> {
    const body = { reference, date: formatDay(day) };
    await this.#ask(access, { method: 'POST', path: '/releases', key, body, is: isReleased });
  }

  async results(access: CardAccess, day: Day): Promise<CardResults | null> {
    const date = formatDay(day);
    const is = (answer: unknown): answer is ResultsAnswer | null => answer === null || (isResults(answer) && answer.date === date);
    const answer = await this.#ask(access, { method: 'GET', path: `/results/${date}`, mostBytes: LIMITS.cardResultsBytes, is });
    if (answer === null) return null;
    const { amount, date: fundingDate, reference } = answer.funding;
    return {
      items: answer.items.map(itemOf),
      funding: { amountCents: cents(amount), day: dayOfText(fundingDate), reference },
    };
  }

  async #move(access: CardAccess, asked: MoneyAsked, path: 'captures' | 'refunds'): Promise<MoneyAnswer> {
    const { key, reference, day, authorizationId, amountCents } = asked;
    const body = { reference, date: formatDay(day), authorizationId, amount: amountCents };
    const answer = await this.#ask(access, { method: 'POST', path: `/${path}`, key, body, is: isMoved });
    return answer.status === 'declined' ? declineOf(answer) : { type: 'done', id: answer.id, resultDay: dayOfText(answer.resultDate) };
  }

  /** 404 of results means that there are none yet. */
  async #ask<Answer>({ apiUrl, apiKey }: CardAccess, asked: Asked<Answer>): Promise<Answer> {
    if (apiUrl === null || apiKey === null) throw new OutsideFault('The processor of cards has no address, or no key.');
    const { method, path, key, body, mostBytes = LIMITS.cardProcessorBytes, is } = asked;
    const { status, text } = await callForText(this.rules, {
      name: 'processor of cards',
      method,
      url: `${apiUrl}${path}`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: LIMITS.cardProcessorMs,
      mostBytes,
    });
    if (status !== 200 && !(status === 404 && method === 'GET')) throw new OutsideFault(`The processor of cards has answered ${status}.`);
    const answer = status === 404 ? null : parsed(text);
    if (!is(answer)) throw new OutsideFault('The answer of the processor of cards is not as it should be.');
    return answer;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OutsideFault('The answer of the processor of cards is no JSON.', { cause });
  }
}

const declineOf = ({ code, message }: Declined): { type: 'declined'; code: string; message: string | null } => ({
  type: 'declined',
  code,
  message: message ?? null,
});

const itemOf = ({ id, type, reference, amount, feeAmount = 0, dispute }: ResultsAnswer['items'][number]): CardResultItem => ({
  id,
  type,
  reference,
  amountCents: cents(amount),
  feeCents: cents(feeAmount),
  dispute:
    dispute === undefined
      ? null
      : {
          disputeId: dispute.disputeId,
          status: dispute.status,
          amountCents: cents(dispute.amount),
          reasonCode: dispute.reasonCode ?? null,
        },
});
