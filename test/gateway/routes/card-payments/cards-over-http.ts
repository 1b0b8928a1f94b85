import type { Test } from 'tap';
import { CardServer, type CardServerOptions } from '../../../../bench/bank/card-server.js';
import { type CardsOptions, SimulatedCards } from '../../../../bench/bank/simulated-cards.js';
import { must } from '../../../../engine/index.js';
import { dataOf, idOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from '../loan-over-http.js';

export type Data = Readonly<Record<string, unknown>>;

export const API_KEY = 'cards-api-key-1';
export const WEBHOOK_SECRET = 'cards-webhook-secret-1';
export const CARD_NUMBER = '4111111111111111';

export const CARD = {
  instrumentType: 'card',
  cardType: 'debit',
  cardNumber: CARD_NUMBER,
  cvv: '123',
  expirationMonth: 12,
  expirationYear: 2029,
  accountHolderName: 'Annabel Quimby',
} as const;

/** The fields of an active processor of cards. */
export const cardProcessorBody = (url: string, changes: object = {}): object => ({
  paymentTypes: ['debitCard', 'creditCard'],
  processorType: 'cardHTTP',
  processorName: 'Cards of Albany',
  status: 'active',
  isDefault: true,
  timezone: 'America/New_York',
  cardApiUrl: url,
  cardApiKey: API_KEY,
  cardWebhookSecret: WEBHOOK_SECRET,
  ...changes,
});

export const NO_SHARES: CardsOptions = { seed: 1, declines: new Map(), disputes: new Map(), winning: 0, feeCents: 0 };

export interface CardsOverHttp extends LoanOverHttp {
  readonly cards: SimulatedCards;
  readonly server: CardServer;
  readonly processorId: string;
  readonly instrumentId: string;
  settled(): Promise<void>;
  pay(amount: number, body?: object): Promise<string>;
  transaction(id: string): Promise<Data>;
  /** Adds a card that is active at once. */
  addCard(changes?: object): Promise<string>;
}

export interface CardsSetting {
  readonly cards?: Partial<CardsOptions>;
  readonly afterAnswer?: CardServerOptions['afterAnswer'];
  readonly product?: object;
}

/** A lender with a processor of cards, and a borrower with a loan and an active card. */
export async function openCards(t: Test, { cards: changes = {}, afterAnswer, product = {} }: CardsSetting = {}): Promise<CardsOverHttp> {
  const cards = new SimulatedCards({ ...NO_SHARES, ...changes });
  const server = await CardServer.start(() => cards, { port: 0, apiKey: API_KEY, ...(afterAnswer ? { afterAnswer } : {}) });
  t.teardown(() => server.close());
  const lender = await openLoanOverHttp(t, product);
  const { ask, h, loan } = lender;
  const made = await ask('POST', '/payment-processors', cardProcessorBody(server.url));
  if (made.status !== 201) throw new Error(made.text);
  const addCard = async (body: object = {}): Promise<string> => {
    const answer = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...CARD, verified: true, ...body });
    if (answer.status !== 201) throw new Error(answer.text);
    const [added] = answer.json['data'] as readonly { readonly id: string }[];
    return must(added, 'an instrument').id;
  };
  const instrumentId = await addCard();
  return {
    ...lender,
    cards,
    server,
    processorId: idOf(made),
    instrumentId,
    addCard,
    settled: () => h.cards.settled(),
    async pay(amount, body = {}) {
      const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, paymentInstrumentId: instrumentId, ...body });
      if (paid.status !== 201) throw new Error(paid.text);
      return idOf(paid);
    },
    transaction: async (id) => dataOf(await ask('GET', `${loan}/transactions/${id}`)),
  };
}
