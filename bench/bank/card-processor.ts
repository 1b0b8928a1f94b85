import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, formatDay } from '../../engine/index.js';
import { CardServer } from './card-server.js';
import {
  type CardsCallback,
  type CardsLedger,
  type CardsOptions,
  referenceOfFunding,
  signedCallback,
  SimulatedCards,
} from './simulated-cards.js';

export interface CardProcessorOptions extends CardsOptions {
  /** It keeps its ledger here, in `cards.json`. */
  readonly folder: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** Where callbacks are posted; null: nowhere. */
  readonly callbackUrl: string | null;
  /** The share of answers and callbacks that are lost, and of callbacks that are posted twice. */
  readonly losing: number;
  readonly repeating: number;
}

/** What the processor pays for a day. */
export interface CardFunding {
  readonly cents: number;
  readonly reference: string;
}

export interface CardDayReport {
  readonly fundings: readonly CardFunding[];
  readonly posted: number;
  readonly lost: number;
  /** Callbacks that the service has not taken: they are posted again. */
  readonly refused: number;
}

/** How long the service may take to answer a callback, in milliseconds. */
const CALLBACK_MS = 10_000;

/** A simulated processor of cards that a service can call: its ledger outlives the process, and its answers and callbacks can be lost. */
export class CardProcessor {
  readonly #cards: SimulatedCards;
  #calls = 0;

  constructor(private readonly options: CardProcessorOptions) {
    mkdirSync(options.folder, { recursive: true });
    this.#cards = new SimulatedCards(options, existsSync(this.#path) ? ledgerIn(this.#path) : null);
  }

  get ledger(): CardsLedger {
    return this.#cards.ledger;
  }

  serve(port: number): Promise<CardServer> {
    return CardServer.start(() => this.#cards, {
      port,
      apiKey: this.options.apiKey,
      afterAnswer: () => {
        this.#keep(); // what was done is kept before anybody hears of it
        this.#calls += 1;
        return !this.#happens('lose', `answer/${this.#calls}`, this.options.losing);
      },
    });
  }

  /** Goes to a day: holders dispute, disputes are decided, callbacks are posted, and the days before are paid. */
  async run(day: Day): Promise<CardDayReport> {
    this.#cards.run(day);
    const fundings = this.#fundings(formatDay(day));
    const counts = await this.#post();
    this.#keep();
    return { fundings, ...counts };
  }

  /** Each day once. */
  #fundings(today: string): readonly CardFunding[] {
    const { ledger } = this.#cards;
    const due = Object.keys(ledger.items)
      .filter((date) => date < today && date > (ledger.fundedThrough ?? ''))
      .sort();
    const last = due.at(-1);
    if (last !== undefined) ledger.fundedThrough = last;
    return due
      .map((date) => ({ cents: this.#cards.fundingOf(date), reference: referenceOfFunding(date) }))
      .filter(({ cents }) => cents !== 0);
  }

  async #post(): Promise<Omit<CardDayReport, 'fundings'>> {
    const counts = { posted: 0, lost: 0, refused: 0 };
    for (const callback of this.#cards.takeCallbacks()) {
      const { eventId } = callback;
      if (this.options.callbackUrl === null || this.#happens('loseCallback', eventId, this.options.losing)) {
        counts.lost += 1;
        continue;
      }
      const times = this.#happens('repeat', eventId, this.options.repeating) ? 2 : 1;
      for (let time = 0; time < times; time += 1) {
        if (await this.#posted(this.options.callbackUrl, callback)) counts.posted += 1;
        else {
          counts.refused += 1;
          this.ledger.callbacks.push(callback);
          break;
        }
      }
    }
    return counts;
  }

  async #posted(url: string, callback: CardsCallback): Promise<boolean> {
    const body = JSON.stringify(signedCallback(callback, Math.floor(Date.now() / 1_000), this.options.webhookSecret));
    const asked = { method: 'POST', body, headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(CALLBACK_MS) };
    const answer = await fetch(url, asked).catch(() => null); // the service is away: the callback is posted again
    return answer?.ok === true;
  }

  #keep(): void {
    writeFileSync(`${this.#path}.part`, JSON.stringify(this.#cards.ledger));
    renameSync(`${this.#path}.part`, this.#path);
  }

  get #path(): string {
    return join(this.options.folder, 'cards.json');
  }

  #happens(what: string, key: string, share: number): boolean {
    const drawn = createHash('sha256').update(`${this.options.seed}/${what}/${key}`).digest().readUInt32BE() / 0x1_0000_0000;
    return drawn < share;
  }
}

function ledgerIn(path: string): CardsLedger {
  const ledger: CardsLedger = JSON.parse(readFileSync(path, 'utf8'));
  return ledger;
}
