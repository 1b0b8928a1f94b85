import type { AwaitingCard, AwaitingCardsQuery, CardForProcessor, CardVerificationBody, FailureReason } from '../../borrower/index.js';
import { isExpiredOn } from '../../borrower/index.js';
import { OutsideFault } from '../../contact/index.js';
import { isFinalRefusal, isForNow } from '../../kernel/jobs/service-calls.js';
import type { AwaitingCardQuery, AwaitingCardWork, CardAuthorizedBody, CardCapturedBody, CardDeclinedBody } from '../../loan/index.js';
import { forEachOf } from '../ach/ports.js';
import { noteDifferences, refusedRefund } from '../bank-day.js';
import { failureOfDecline } from './decline-codes.js';
import { type CardDecline, type CardWorkParts, type ChargedCard, referenceOf, type VerificationAnswer } from './ports.js';

/** Calls of one processor that are under way at once. */
const CALLS_AT_ONCE = 32;
/** Calls without an answer in one round, after which the others wait for the next one: a processor that is away answers none of them. */
const MOST_FAULTS = 32;
/** A card is verified after so long, in milliseconds: until then the request that has brought it may do it, with the security code. */
const VERIFY_AFTER_MS = 25_000;
/**
 * How long an authorization is tried, in milliseconds of the company's clock. Then what the processor may hold is released, and the payment
 * has failed with `networkError`: autopay presents it again as its settings say.
 */
const AUTHORIZE_FOR_MS = 24 * 3_600_000;

/**
 * What one processor of cards has to do: verifications, authorizations, captures and refunds. Each is asked for again until its answer is
 * recorded.
 */
export class CardPayments {
  #fault: OutsideFault | null = null;
  #faults = 0;

  constructor(
    private readonly parts: CardWorkParts,
    /** Microseconds. */
    private readonly changedSince: number,
  ) {}

  /** Throws the first fault of the processor when all else is done. */
  async run(): Promise<void> {
    await this.#verifyCards();
    const query: AwaitingCardQuery = { processorId: this.parts.access.processorId, changedSince: this.changedSince };
    const waiting = await this.parts.calls.all<AwaitingCardWork>('transaction.awaitingCardWork', query);
    await forEachOf([...waiting].reverse(), (work) => this.#tried(() => this.#do(work)), CALLS_AT_ONCE);
    if (this.#fault !== null) throw this.#fault;
  }

  async #verifyCards(): Promise<void> {
    const query: AwaitingCardsQuery = { changedSince: this.changedSince };
    const waiting = await this.parts.calls.all<AwaitingCard>('paymentInstrument.cardsAwaiting', query);
    const { access, engine, isForced } = this.parts;
    const before = (engine.machineMs() - VERIFY_AFTER_MS) * 1_000;
    const own = waiting.filter(
      ({ processorId, changedStamp }) => processorId === access.processorId && (isForced || changedStamp < before),
    );
    await forEachOf(own, (card) => this.#tried(() => this.#verify(card)), CALLS_AT_ONCE);
  }

  /** One that fails does not keep the others waiting. */
  async #tried(work: () => Promise<void>): Promise<void> {
    if (this.parts.isClosed() || this.#faults >= MOST_FAULTS) return;
    try {
      await work();
    } catch (cause) {
      if (!(cause instanceof OutsideFault)) throw cause;
      this.#fault ??= cause;
      this.#faults += 1;
    }
  }

  async #verify({ personId, instrumentId }: AwaitingCard): Promise<void> {
    const { servers, access, today: day, calls } = this.parts;
    const card = await this.#card(personId, instrumentId);
    if (card === null) return;
    const key = this.#key('verify', instrumentId);
    const answer = await servers.verify(access, { key, reference: instrumentId, day, card, cvv: null });
    const params = { personId, paymentInstrumentId: instrumentId };
    await calls.command({ type: 'paymentInstrument.cardVerification', target: personId, params, body: verificationOf(answer) });
  }

  #do(work: AwaitingCardWork): Promise<void> {
    switch (work.work) {
      case 'authorize':
        return this.#authorize(work);
      case 'capture':
        return this.#capture(work);
      case 'refund':
        return this.#refund(work);
    }
  }

  async #authorize(work: AwaitingCardWork): Promise<void> {
    const { servers, access, today: day } = this.parts;
    const card = await this.#card(work.personId, work.instrumentId);
    const fault = uncharged(card, day);
    if (card === null || fault !== null) {
      // An earlier try may have reached the processor, when the card could still be charged.
      await this.#release(work);
      return this.#declined(work, fault ?? UNREADABLE);
    }
    const { amountCents, currency, isRecurring } = work;
    const asked = { key: this.#key('authorize', work.id), reference: referenceOf(work), day, card, amountCents, currency, isRecurring };
    try {
      const answer = await servers.authorize(access, asked);
      if (answer.type === 'declined') return await this.#declined(work, declineOf(answer));
      const { id: authorizationId, avsResult } = answer;
      if (!(await this.#record(work, 'cardAuthorized', { authorizationId, avsResult } satisfies CardAuthorizedBody)))
        return await this.#release(work);
      await this.#capture({ ...work, work: 'capture', authorizationId });
    } catch (cause) {
      if (!(cause instanceof OutsideFault) || !this.#isOver(work)) throw cause;
      await this.#release(work);
      await this.#declined(work, { failureReason: 'networkError', code: null, details: cause.message });
    }
  }

  #release(work: AwaitingCardWork): Promise<void> {
    const { servers, access, today: day } = this.parts;
    return servers.release(access, { key: this.#key('release', work.id), reference: referenceOf(work), day });
  }

  async #capture(work: AwaitingCardWork): Promise<void> {
    const { servers, access, today: day } = this.parts;
    const { authorizationId, amountCents } = work;
    if (authorizationId === null) return;
    const answer = await servers.capture(access, {
      key: this.#key('capture', work.id),
      reference: referenceOf(work),
      day,
      authorizationId,
      amountCents,
    });
    if (answer.type === 'declined') return this.#declined(work, declineOf(answer));
    await this.#record(work, 'cardCaptured', { resultDay: answer.resultDay } satisfies CardCapturedBody);
  }

  /** Of a payment that was captured: its authorization is known. */
  async #refund(work: AwaitingCardWork): Promise<void> {
    const { servers, access, today: day } = this.parts;
    const { authorizationId, amountCents } = work;
    if (authorizationId === null) return this.#declined(work, { failureReason: 'unknownReason', code: null, details: NO_AUTHORIZATION });
    const answer = await servers.refund(access, {
      key: this.#key('refund', work.id),
      reference: referenceOf(work),
      day,
      authorizationId,
      amountCents,
    });
    if (answer.type === 'declined') return this.#refundRefused(work, declineOf(answer));
    await this.#record(work, 'cardCaptured', { refundId: answer.id, resultDay: answer.resultDay } satisfies CardCapturedBody);
  }

  async #refundRefused(work: AwaitingCardWork, body: CardDeclinedBody): Promise<void> {
    const { access, today } = this.parts;
    const description = `The processor has refused the refund with ${body.code ?? 'no code'}.`;
    const difference = refusedRefund(work, { trace: work.authorizationId, description });
    await noteDifferences(this.parts, access.processorId, today, [difference]);
    await this.#declined(work, body);
  }

  async #declined(work: AwaitingCardWork, body: CardDeclinedBody): Promise<void> {
    await this.#record(work, 'cardDeclined', body);
  }

  /** False: the payment has moved on, and there is nothing to record. */
  async #record({ loanId: target, id: transactionId }: AwaitingCardWork, verb: string, body: object): Promise<boolean> {
    try {
      await this.parts.calls.command({ type: `transaction.${verb}`, target, params: { transactionId }, body });
      return true;
    } catch (cause) {
      if (isForNow(cause)) throw new OutsideFault('The loan cannot be written at the moment.', { cause });
      if (!isFinalRefusal(cause)) throw cause;
      const { company, mode } = this.parts.tenant;
      this.parts.report('an answer of a processor of cards was refused', { company, mode, transactionId, cause: cause.message });
      return false;
    }
  }

  #isOver({ initiatedAt }: AwaitingCardWork): boolean {
    return this.parts.engine.now(this.parts.tenant) - initiatedAt > AUTHORIZE_FOR_MS;
  }

  #key(work: CardCall, id: string): string {
    return keyOfCardCall(this.parts.tenant, id, work);
  }

  #card(personId: string, paymentInstrumentId: string): Promise<CardForProcessor | null> {
    return this.parts.calls.query<CardForProcessor | null>('paymentInstrument.card', personId, {}, { personId, paymentInstrumentId });
  }
}

type CardCall = 'verify' | 'authorize' | 'capture' | 'refund' | 'release';

/** The same for each try of the same work, whichever process makes it. */
export const keyOfCardCall = ({ company, mode }: CardWorkParts['tenant'], id: string, call: CardCall): string =>
  `${company}/${mode}/${id}/${call}`;

/** What a processor has said of a card, as it is recorded. */
export const verificationOf = (answer: VerificationAnswer): CardVerificationBody =>
  answer.type === 'done'
    ? { isVerified: true, token: answer.token, network: answer.network, lastFour: answer.lastFour }
    : { isVerified: false, failureReason: failureOfDecline(answer.code) };

const NO_AUTHORIZATION = 'The payment has no authorization that could be refunded.';
const UNREADABLE: CardDeclinedBody = { failureReason: 'invalidAccount', code: null, details: 'The card can no longer be read.' };

const declineOf = ({ code, message }: CardDecline): CardDeclinedBody => ({ failureReason: failureOfDecline(code), code, details: message });

/** Why a card is not charged, before its processor is asked; null: it is. */
function uncharged(card: CardForProcessor | null, today: CardWorkParts['today']): CardDeclinedBody | null {
  if (card === null) return UNREADABLE;
  const refused = (failureReason: FailureReason, details: string): CardDeclinedBody => ({ failureReason, code: null, details });
  if (card.status !== 'active') return refused('invalidAccount', `The card is ${card.status}.`);
  return isExpired(card, today) ? refused('invalidExpirationDate', 'The card has expired.') : null;
}

const isExpired = ({ expirationMonth, expirationYear }: ChargedCard, today: CardWorkParts['today']): boolean =>
  expirationMonth !== null && expirationYear !== null && isExpiredOn({ expirationMonth, expirationYear }, today);
