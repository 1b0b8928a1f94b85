import type { Test } from 'tap';
import { ANN, EMAIL, HOME, PHONE } from '../../../actors/borrower/lender.js';
import type { HttpAnswer } from '../../harness.js';
import { type HttpLender, dataOf, idOf, openHttpLender } from '../http-lender.js';

export type Mode = 'test' | 'live';

export interface Writing extends HttpLender {
  readonly personId: string;
  readonly contacts: { readonly email: string; readonly phone: string; readonly home: string };
  /** Sends to the borrower, by default a plain e-mail. */
  send(body?: object, question?: { readonly headers?: Readonly<Record<string, string>> }): Promise<HttpAnswer>;
  /** A template with an active version; answers the id of its descriptor. */
  template(body?: object, content?: object): Promise<string>;
  interaction(id: unknown): Promise<Record<string, unknown>>;
  /** Moves the clock and does what is due. */
  wait(ms: number): Promise<void>;
}

const CONTENT = {
  subjectLineTemplate: 'Hello {{ person.name.firstName }}',
  contentHtmlTemplate: '<p>{{ greeting }}, {{ person.name.firstName }}.{% if notice %} {{ company.name }}. {{ notice }}{% endif %}</p>',
  contentTextTemplate: '{{ greeting }}, {{ person.name.firstName }}.{% if notice %} {{ company.name }}. {{ notice }}{% endif %}',
};

/** A send that collects, with the words that the law asks of it. */
export const COLLECTING = {
  theme: 'opsCollDebt',
  context: { greeting: 'Good morning', notice: 'Reply STOP to end these messages.' },
} as const;

/** On Monday, 2 March 2026 at 10:00 in New York, where the borrower lives. */
export async function openWriting(t: Test, mode: Mode = 'test'): Promise<Writing> {
  const lender = await openHttpLender(t);
  const { h, company } = lender;
  const key = lender.keys[mode];
  const ask: HttpLender['ask'] = (method, path, body, question = {}) => lender.ask(method, path, body, { key, ...question });
  const personId = idOf(await ask('POST', '/people', ANN));
  const contactOf = async (body: object): Promise<string> => idOf(await ask('POST', `/people/${personId}/contacts`, body));
  const contacts = {
    email: await contactOf(EMAIL),
    phone: await contactOf({ ...PHONE, receiveTextMessages: true }),
    home: await contactOf(HOME),
  };
  const template: Writing['template'] = async (body = {}, content = CONTENT) => {
    const asked = { mode, permissions: ['*'] };
    const { id } = await h.data('templateDescriptor.create', company, { subject: 'freeForm', channel: 'email', ...body }, asked);
    const version = await h.data('templateVersion.create', company, content, { ...asked, params: { descriptorId: id } });
    await h.data('templateVersion.activate', company, {}, { ...asked, params: { descriptorId: id, versionId: version.id } });
    return id;
  };
  return {
    ...lender,
    ask,
    personId,
    contacts,
    template,
    send: (body = {}, question = {}) =>
      ask(
        'POST',
        '/communicator/send',
        { subject: 'freeForm', theme: 'opsServicing', channel: 'email', personId, context: { greeting: 'Good morning' }, ...body },
        question,
      ),
    interaction: async (id) => dataOf(await ask('GET', `/interactions/${String(id)}`)),
    async wait(ms) {
      h.nowMs += ms;
      await h.engine.sweeper.advance({ company, mode }, h.nowMs);
      await h.engine.settled();
    },
  };
}

/** The types of the events about messages, oldest first. */
export async function emitted({ ask }: Pick<Writing, 'ask'>): Promise<readonly string[]> {
  const { json } = await ask('GET', '/events?order=asc&limit=100');
  return (json['data'] as readonly { readonly eventType: string }[])
    .map(({ eventType }) => eventType)
    .filter((name) => name === 'communication.send' || name === 'interaction.blocked');
}
