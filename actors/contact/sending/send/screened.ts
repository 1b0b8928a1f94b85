import type { Channel, ContactOrigin, InteractionTheme, Subject } from '../../../../engine/index.js';
import { decisionBeside, isAnswer, screen, type ScreenEnv } from '../../guard/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import type { SendFailure } from './failure.js';

/** A message that the guard is asked about. */
export interface Screenable {
  readonly interactionId: string;
  readonly channel: Channel;
  readonly subject: Subject;
  readonly theme: InteractionTheme;
  /** Null: it goes to agents. */
  readonly contactId: string | null;
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly isTransactional: boolean;
  readonly origin: ContactOrigin;
  readonly isLegallyRequired: boolean;
  readonly previousInteractionId: string | null;
}

export interface Screened {
  /** Null: it may go. */
  readonly objection: Omit<SendFailure, 'interactionId'> | null;
  /** The guard's own record of what it said. */
  readonly logged: readonly FactDraft[];
}

/** Asks the guard about a message at its moment. One to agents is not screened. */
export function screened(env: DecideEnv, personId: string, message: Screenable, at: number): Screened {
  const { interactionId, contactId, theme, previousInteractionId, ...about } = message;
  if (contactId === null) return { objection: null, logged: [] };
  const plan = {
    ...about,
    theme,
    at,
    direction: 'outbound',
    isAutodialed: false,
    isPrerecorded: null,
    isReply: isAnswer(env, personId, { previousInteractionId, at }),
    checkAtCompanyNoon: false,
  } as const;
  const asked = { personId, contactId, plan };
  const { verdict } = screen(withoutItself(env, interactionId), asked);
  const logged = decisionBeside(env, { ...asked, source: 'send', interactionId, verdict });
  if (verdict.result) return { objection: null, logged };
  const { blockReason, description, ruleId, sendAt } = verdict;
  return {
    objection: { blockReason: blockReason ?? 'complianceRule', message: description ?? 'The message is not allowed now.', ruleId, sendAt },
    logged,
  };
}

/** A message that is on its way already is none that came before itself. */
const withoutItself = (env: DecideEnv, interactionId: string): ScreenEnv => ({
  tenant: env.tenant,
  now: env.now,
  read: (kind, id) => env.read(kind, id),
  answerTo: (asked) => env.answerTo(asked),
  derivedId: (prefix, shardOf, counter) => env.derivedId(prefix, shardOf, counter),
  open: (owner, sealed, context) => env.open(owner, sealed, context),
  findExternal: (tenant, kind, externalId) => env.findExternal(tenant, kind, externalId),
  list(kind, request) {
    if (kind !== 'interaction') return env.list(kind, request);
    const { limit } = request;
    const page = env.list(kind, { ...request, limit: limit + 1 });
    return { ...page, rows: page.rows.filter(({ id }) => id !== interactionId).slice(0, limit) };
  },
});
