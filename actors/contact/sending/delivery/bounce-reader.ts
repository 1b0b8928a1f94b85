import type { FeedbackSignal } from '../../../../engine/index.js';
import { Refusal } from '../../../errors.js';
import type { Mode } from '../../../kernel/fact.js';
import { RoundRunner } from '../../../kernel/jobs/rounds.js';
import { type AskedEngine, isForNow, ServiceCalls } from '../../../kernel/jobs/service-calls.js';
import type { BouncedBody, ComplainedBody, Mailbox } from './bounced.js';

interface Reported {
  readonly company: string;
  readonly mode: Mode;
  readonly interactionId: string;
}

/** What a mail server reports of one recipient of an e-mail of the service. */
export interface DeliveryReport extends Reported {
  readonly type: 'delivery';
  readonly recipient: string;
  readonly signal: FeedbackSignal;
  /** The enhanced status code of RFC 3463. */
  readonly code: string | null;
}

/** A recipient of an e-mail of the service wants no such mail. */
export interface ComplaintReport extends Reported, ComplainedBody {
  readonly type: 'complaint';
}

export type MailReport = DeliveryReport | ComplaintReport;

/**
 * What became of a mail in the mailbox: reports of it were recorded; it changes nothing, such as a delay; it fits no e-mail of the service;
 * it is no report.
 */
export type MailOutcome = MailReport['type'] | 'withoutEffect' | 'notBelieved' | 'forPeople';

export interface BounceReaderParts {
  readonly mailbox: Mailbox;
  /** The reports in a mail; null of a mail that is none. */
  readonly reportsIn: (mail: Uint8Array) => Promise<readonly MailReport[] | null>;
  readonly asked: AskedEngine;
  readonly measure?: { reported(outcome: MailOutcome): void };
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Milliseconds between rounds, mails of one round, and the bytes of a mail that are read: reports come before what they return. */
const EVERY_MS = 10_000;
const MOST = 200;
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the mailbox to which mail servers send what became of e-mails, on the process that owns the shared shard. A mail that is read twice
 * after a crash changes nothing the second time.
 */
export class BounceReader extends RoundRunner {
  constructor(private readonly parts: BounceReaderParts) {
    super(EVERY_MS);
  }

  protected override async round(): Promise<void> {
    const names = await this.#guarded(() => this.parts.mailbox.waiting(MOST));
    for (const name of names ?? []) if (!this.isClosed) await this.#guarded(() => this.#read(name));
  }

  #guarded<Result>(work: () => Promise<Result>): Promise<Result | null> {
    return this.guarded(work, (cause) => this.parts.report('a bounced e-mail could not be read, and is read again', { cause }));
  }

  async #read(name: string): Promise<void> {
    const { mailbox, reportsIn, measure } = this.parts;
    const mail = await mailbox.read(name, MOST_BYTES);
    if (mail === null) return;
    const reports = await reportsIn(mail);
    let isKnown = reports !== null;
    for (const report of reports ?? []) isKnown = (await this.#record(report)) && isKnown;
    if (isKnown) await mailbox.remove(name);
    else await mailbox.setAside(name);
    measure?.reported(outcomeOf(reports, isKnown));
  }

  /** False: there is no such e-mail, or it did not go to that recipient. */
  async #record(report: MailReport): Promise<boolean> {
    const { company, mode, interactionId } = report;
    try {
      await new ServiceCalls(this.parts.asked, { company, mode }).command({ ...commandOf(report), target: interactionId });
      return true;
    } catch (cause) {
      if (!(cause instanceof Refusal) || isForNow(cause)) throw cause;
      return false;
    }
  }
}

function commandOf(report: MailReport): { readonly type: string; readonly body: BouncedBody | ComplainedBody } {
  if (report.type === 'delivery') {
    const { recipient, signal, code } = report;
    return { type: 'interaction.bounced', body: { recipient, signal, providerErrorCode: code } };
  }
  const { recipients, unsubscribeCode } = report;
  return { type: 'interaction.complained', body: { recipients, unsubscribeCode } };
}

function outcomeOf(reports: readonly MailReport[] | null, isKnown: boolean): MailOutcome {
  if (reports === null) return 'forPeople';
  return isKnown ? (reports[0]?.type ?? 'withoutEffect') : 'notBelieved';
}
