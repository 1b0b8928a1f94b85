import { randomUUID } from 'node:crypto';
import { type CodeTemplate, type DeliveryAdapter, messageOf, type Mode, Refusal } from '../../actors/index.js';
import type { RenderedMessage } from '../../engine/index.js';
import { ask } from '../answers.js';
import type { CodeMessage, CodeSender } from '../auth/accounts.js';
import type { EngineCalls } from '../engine-calls.js';
import type { Renderer } from '../rendering/renderer.js';

export interface CodeMessagesParts {
  readonly engine: Pick<EngineCalls, 'query'>;
  readonly renderer: Renderer;
  /** Ways by which codes of the live mode go out. */
  readonly adapters: Readonly<Partial<Record<CodeMessage['channel'], DeliveryAdapter>>>;
  /** Of the test mode, where nothing goes out. */
  readonly inTest: CodeSender;
  /** Hears that a code has not left: neither the code nor its recipient. */
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** Tries of one code: the user asks again. */
const TRIES = 2;

const SUBJECTS = {
  signIn: 'confirmationCode',
  secondFactor: 'confirmationCode',
  contactConfirmation: 'confirmationCode',
  passwordReset: 'passwordReset',
} as const satisfies Readonly<Record<CodeMessage['purpose'], string>>;

/**
 * Sends codes for one use as they are made, past everything that may hold up other messages. A code is in the message alone: nothing is
 * recorded of it, and a company without a template for it, or with one that cannot be rendered, sends it in plain words.
 */
export class CodeMessages implements CodeSender {
  constructor(private readonly parts: CodeMessagesParts) {}

  sends(mode: Mode): boolean {
    return mode === 'test' ? this.parts.inTest.sends(mode) : Object.keys(this.parts.adapters).length > 0;
  }

  async send(code: CodeMessage): Promise<void> {
    if (code.mode === 'test') return this.parts.inTest.send(code);
    const { company, mode, channel, purpose } = code;
    const adapter = this.parts.adapters[channel];
    if (adapter === undefined) {
      this.parts.report('a code could not be sent', { company, mode, channel, purpose, cause: 'no adapter of its channel' });
      throw new Refusal('businessValidation', `No service that sends codes by ${channel} is connected.`);
    }
    const outgoing = await this.#written(code);
    for (let tries = 1; ; tries += 1) {
      try {
        await adapter.submit(outgoing, () => Promise.resolve([]));
        return;
      } catch (cause) {
        if (tries < TRIES) continue;
        this.parts.report('a code could not be sent', { company, mode, channel, purpose, cause: String(cause) });
        throw new Refusal('unavailable', 'The code could not be sent.', { retryAfterSeconds: 30, cause });
      }
    }
  }

  async #written(code: CodeMessage): Promise<Parameters<DeliveryAdapter['submit']>[0]> {
    const { company, mode, channel, destination, purpose } = code;
    const query = { channel, subject: SUBJECTS[purpose] };
    const target = { company, mode, target: company, params: {}, permissions: NOTHING };
    const template = await ask(this.parts.engine, { ...target, type: 'message.codeTemplate', query });
    const { from, replyTo } = template;
    const { subjectLine, contentHtml, contentText } = await this.#rendered(code, template);
    const said = channel === 'email' ? { to: [destination], subjectLine, contentHtml, contentText } : { to: destination, contentText };
    return {
      idempotencyKey: `code-${randomUUID()}`,
      company,
      mode,
      personId: '',
      channel,
      content: Object.fromEntries(Object.entries({ from, ...said }).filter(([, value]) => value !== null && value !== '')),
      mailIsCertified: false,
      isTransactional: true,
      replyTo,
      unsubscribeUrl: null,
    };
  }

  async #rendered({ company, mode, code, purpose }: CodeMessage, { order, companyName }: CodeTemplate): Promise<RenderedMessage> {
    const plain: RenderedMessage = {
      subjectLine: `Your code for ${companyName}`,
      contentHtml: '',
      contentText: `${companyName}: your code is ${code}. Nobody will ask you for it.`,
    };
    if (order === null) return plain;
    try {
      const job = { type: 'message', order: { ...order, context: { ...order.context, code } } } as const;
      const message = messageOf(await this.parts.renderer.render<'message'>(company, job));
      // A template without its variable would send a message that helps nobody.
      return message.contentText.includes(code) || message.contentHtml.includes(code) ? message : plain;
    } catch {
      this.parts.report('the template of a code cannot be rendered: it is sent in plain words', { company, mode, purpose });
      return plain;
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();
