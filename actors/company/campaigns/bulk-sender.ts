import {
  type InteractionTheme,
  isSettableTheme,
  resolveTheme,
  type SendableChannel,
  type Subject,
  subjectNamed,
  type SubjectValue,
} from '../../../engine/index.js';
import { type Fault, refuseProperty } from '../../errors.js';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { DateTimeText, ExternalId } from '../../wire.js';
import { refuseUsed } from './in-use.js';

/** A worker that sends one message for each row of a campaign's list. */
export interface BulkSender {
  readonly externalId: string | null;
  readonly interactionSubject: Subject;
  readonly interactionTheme: InteractionTheme;
  /** Null: every channel that has a template for the subject. */
  readonly interactionChannel: SendableChannel | null;
}

const BULK_SENDER_TYPE = 'bulkSender';

export const bulkSendersOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<BulkSender>> =>
  recordsOf<BulkSender>(host, BULK_SENDER_TYPE);

interface BulkSenderBody {
  readonly externalId?: ExternalId | null;
  readonly interactionTheme?: InteractionTheme | null;
  readonly interactionChannel?: SendableChannel | null;
}

export interface BulkSenderCreateBody extends BulkSenderBody {
  readonly interactionSubject: SubjectValue;
}

export interface BulkSenderUpdateBody extends BulkSenderBody {
  readonly interactionSubject?: SubjectValue;
}

export interface BulkSenderListQuery extends PageQuery {
  readonly interactionSubject?: SubjectValue;
}

export interface BulkSenderView extends BulkSender {
  readonly id: string;
  readonly object: 'bulkSender';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const BULK_SENDER: Declaration<BulkSenderCreateBody, BulkSenderUpdateBody, BulkSender> = {
  type: BULK_SENDER_TYPE,
  prefix: 'BK',
  param: 'bulkSenderId',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create: ({ externalId = null, interactionSubject, interactionTheme = null, interactionChannel = null }) => ({
    externalId,
    ...aboutOf(interactionSubject, interactionTheme),
    interactionChannel,
  }),
  change(before, { interactionSubject, interactionTheme, ...body }) {
    const subject = interactionSubject ?? before.interactionSubject;
    // A subject that decides its theme by itself brings it along.
    const theme = interactionTheme === undefined ? (interactionSubject === undefined ? before.interactionTheme : null) : interactionTheme;
    return {
      externalId: body.externalId === undefined ? before.externalId : body.externalId,
      ...aboutOf(subject, theme),
      interactionChannel: body.interactionChannel === undefined ? before.interactionChannel : body.interactionChannel,
    };
  },
  assertRemovable: (_before, { id, host }) => refuseUsed(host, 'bulkSenderId', id),
  matches({ stored }, query: BulkSenderListQuery) {
    const { interactionSubject } = query;
    return interactionSubject === undefined || stored.interactionSubject === aboutSubject(interactionSubject);
  },
  view: (stored) => stored,
};

function aboutSubject(text: string): Subject {
  const named = subjectNamed(text);
  return 'fault' in named ? refuseSubject({ ...named.fault, path: 'interactionSubject' }) : named.subject;
}

function aboutOf(text: string, theme: InteractionTheme | null): Pick<BulkSender, 'interactionSubject' | 'interactionTheme'> {
  const interactionSubject = aboutSubject(text);
  const resolved = resolveTheme({ subject: interactionSubject, theme, direction: 'outbound' });
  if ('fault' in resolved) return refuseSubject({ ...resolved.fault, path: 'interactionTheme' });
  const interactionTheme =
    resolved.theme ?? refuseProperty('interactionTheme', 'a theme', `The subject ${interactionSubject} needs a theme.`);
  if (interactionTheme === 'agentNotification' || (theme !== null && !isSettableTheme(interactionTheme)))
    refuseProperty('interactionTheme', 'a theme of messages to borrowers', 'A bulk sender writes to borrowers.');
  return { interactionSubject, interactionTheme };
}

const refuseSubject = ({ path, expected, message }: Fault): never => refuseProperty(path, expected, message);
