import { randomUUID } from 'node:crypto';
import { type Mode, Refusal, SYSTEM_AGENT } from '../../../actors/index.js';
import { networkOf } from '../../auth/addresses.js';
import { MemoryRateLimiter } from '../../auth/rate-limiter.js';
import { type Call, defineRoute, type RateLimit, type Reply, type Route } from '../../routing/route.js';

const PATH = '/communicator/unsubscribe/{companyId}/{mode}/{interactionId}/{code}';
const TAGS = ['Communicator'];

interface Link {
  readonly companyId: string;
  readonly mode: string;
  readonly interactionId: string;
  readonly code: string;
}

/** Answers to links of one network a second, and at once. Mail providers call for many of their recipients. */
const ANSWERS: RateLimit = { perSecond: 5, burst: 60 };

/**
 * The link of an e-mail by which its recipient refuses further ones (RFC 8058). Looking at it changes nothing, since scanners of mail look
 * at every link; only the button and the mail program's own call do. Nothing of the borrower is shown.
 */
export function unsubscribeRoutes(): readonly Route[] {
  const limiter = new MemoryRateLimiter({ test: NONE, live: NONE }, () => performance.now());
  const answered =
    (change: (call: Call<Link>) => Promise<unknown>, page: string) =>
    async (call: Call<Link>): Promise<Reply> => {
      const { refusal } = limiter.take({
        ...call.caller,
        keyId: networkOf(call.caller.address),
        rateLimit: ANSWERS,
      });
      if (refusal) throw refusal;
      await change(call);
      return { data: page };
    };
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      operation: 'askUnsubscribe',
      summary: 'The page of the link to unsubscribe',
      tags: TAGS,
      permission: 'public',
      envelope: 'html',
      textParameters: ['mode', 'code'],
      handle: answered(
        (call) => call.engine.query({ ...linked(call), type: 'interaction.unsubscribable', query: { code: call.params.code } }),
        ASKING,
      ),
    }),
    defineRoute({
      method: 'POST',
      path: PATH,
      operation: 'unsubscribe',
      summary: 'Refuse further e-mails by the link of one',
      description: 'Without a credential; the body is not read. As mail programs call it: RFC 8058.',
      tags: TAGS,
      permission: 'public',
      envelope: 'html',
      textParameters: ['mode', 'code'],
      handle: answered(
        (call) =>
          call.engine.execute({
            ...linked(call),
            type: 'interaction.unsubscribe',
            commandId: `unsubscribe-${randomUUID()}`,
            body: { code: call.params.code },
            query: {},
            actor: SYSTEM_AGENT,
            address: call.caller.address,
            requestId: call.requestId,
          }),
        DONE,
      ),
    }),
  ];
}

const NONE = { key: null, company: null };

interface Linked {
  readonly company: string;
  readonly mode: Mode;
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly permissions: ReadonlySet<string>;
}

function linked({ params: { companyId, mode, interactionId } }: Call<Link>): Linked {
  if (mode !== 'live' && mode !== 'test') throw new Refusal('notFound', 'The link leads nowhere.');
  return { company: companyId, mode, target: interactionId, params: {}, permissions: NOTHING };
}

const NOTHING: ReadonlySet<string> = new Set();

const STYLE = 'font-family:sans-serif;max-width:36em;margin:4em auto;padding:0 1em';

const page = (title: string, body: string): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta name="robots" content="noindex"><title>${title}</title></head>`,
    `<body style="${STYLE}"><h1>${title}</h1>${body}</body></html>`,
  ].join('');

const ASKING = page(
  'Unsubscribe',
  '<p>You will get no more e-mails of this kind. Messages about payments and other business of your account still come.</p>' +
    '<form method="post"><button type="submit">Unsubscribe</button></form>',
);
const DONE = page('You are unsubscribed', '<p>You will get no more e-mails of this kind.</p>');
