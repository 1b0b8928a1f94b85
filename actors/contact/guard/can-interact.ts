import { applyRow, type FactTable } from '../../kernel/fact-table.js';
import {
  type ContactPlan,
  defaultTransactional,
  GUARD_VERSION,
  type GuardVerdict,
  must,
  PLAIN_PLAN,
  resolveTheme,
  subjectNamed,
  type ValueFault,
} from '../../../engine/index.js';
import {
  addressOf,
  type Contact,
  contactOf,
  contactValueOf,
  createContact,
  emailAddress,
  type PersonFacts,
  type PersonState,
  phoneNumber,
} from '../../borrower/index.js';
import { Refusal, refuse, refuseProperty } from '../../errors.js';
import { ALL_ROWS, type CommandContext, type CommandSpec, type DecideEnv } from '../../kernel/actor.js';
import { bodiesOf, type Fact, type FactDraft } from '../../kernel/fact.js';
import { dateTimeText, millisecondsOf, orNull } from '../../wire.js';
import { caseOf, loanOf } from '../questions.js';
import type { CanInteractRequest, CanInteractView } from './requests.js';
import { screen } from './situation.js';
import { COMPLIANCE_DECISION, type DecisionState, type Said, type Shelf } from './state.js';

/** What can happen to an entry of the log. */
interface DecisionFacts {
  readonly ComplianceDecided: Said;
  /** The entry leaves the list index, since the borrower has newer ones. It stays in the log. */
  readonly ComplianceDecisionShelved: { readonly previousId: string | null };
  /** Recorded by earlier releases: the entry left the log. */
  readonly ComplianceDecisionPassed: Readonly<Record<string, never>>;
}

const APPLY: FactTable<DecisionState, DecisionFacts> = {
  ComplianceDecided(state, said, fact) {
    state.said = said;
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  ComplianceDecisionShelved(state, { previousId }) {
    state.shelved = { previousId };
  },
  ComplianceDecisionPassed(state) {
    state.said = null;
  },
};

/** Applies a fact to an entry. A check emits no event. */
export function evolveDecision(state: DecisionState, fact: Fact): void {
  applyRow(APPLY, state, fact);
}

/**
 * Maximum number of a borrower's entries in the list index, which is in memory: the newest ones. The others are on disk, on the
 * shelf: a linked list in which each entry names the one before it. They are kept as long as the journal (three years by 12 CFR
 * 1006.100).
 */
const LISTED_DECISIONS = 100;

/** A verdict to be logged. */
export interface Decided {
  readonly personId: string;
  readonly contactId: string | null;
  readonly source: Said['source'];
  /** The interaction that the send has recorded. */
  readonly interactionId?: string | null;
  readonly plan: ContactPlan;
  readonly verdict: GuardVerdict;
}

/** The facts that log a verdict, to be recorded with other facts on the borrower's shard. */
export function decisionBeside(
  env: Pick<DecideEnv, 'list' | 'newId' | 'read'>,
  { personId, contactId, source, interactionId = null, plan, verdict }: Decided,
): readonly FactDraft[] {
  const { origin, loanIds, caseId, channel, direction, subject, theme, isTransactional, isAutodialed, at } = plan;
  const { result, blockReason, ruleId, ruleCode, doNotInteractId, sendAt, rules } = verdict;
  const { rows } = env.list(COMPLIANCE_DECISION, { parentId: personId, limit: ALL_ROWS });
  const { shelf, facts } = shelved(env, rows);
  const said: Said = {
    ...(shelf === undefined ? {} : { shelf }),
    personId,
    source,
    origin,
    contactId,
    loanIds,
    caseId,
    interactionId,
    channel,
    direction,
    subject,
    theme,
    isTransactional,
    isAutodialed,
    result,
    blockReason,
    ruleId,
    ruleCode,
    doNotInteractId,
    sendAt,
    judgedAt: at,
    rules,
    rulesVersion: GUARD_VERSION,
  };
  return [{ type: 'ComplianceDecided', body: said, target: { kind: COMPLIANCE_DECISION, id: env.newId('CG') } }, ...facts];
}

/**
 * The facts by which older entries leave the index for a new one, the oldest first, and the shelf after them. `rows` are the borrower's,
 * newest first.
 */
function shelved(
  env: Pick<DecideEnv, 'read'>,
  rows: readonly { readonly id: string }[],
): { readonly shelf: Shelf | undefined; readonly facts: readonly FactDraft[] } {
  const [newest] = rows;
  let shelf = newest && env.read<DecisionState>(COMPLIANCE_DECISION, newest.id)?.said?.shelf;
  const facts: FactDraft[] = [];
  for (const { id } of rows.slice(LISTED_DECISIONS - 1).toReversed()) {
    facts.push({
      type: 'ComplianceDecisionShelved',
      body: { previousId: shelf?.headId ?? null },
      target: { kind: COMPLIANCE_DECISION, id },
    });
    shelf = { headId: id, count: (shelf?.count ?? 0) + 1 };
  }
  return { shelf, facts };
}

type Context<Body = unknown> = CommandContext<PersonState, Body>;

/**
 * `POST /people/{personId}/can-interact`: whether a contact may be made. It records no interaction and emits no event. It logs the
 * verdict, and adds the contact to the borrower if it was given by a value that is new.
 */
export const canInteract: CommandSpec<PersonState, CanInteractRequest> = {
  kind: 'person',
  type: 'person.canInteract',
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    const { id: personId, env } = context;
    const plan = planOf(context);
    const { contactId, newContact, facts } = named(context);
    const { verdict, contact } = screen(env, { personId, contactId, plan, ...(newContact === undefined ? {} : { newContact }) });
    const reachedId = contact?.id ?? contactId ?? newContact?.id ?? null;
    const { result, blockReason, ruleId, ruleCode, doNotInteractId, description, sendAt, warnings } = verdict;
    const data: CanInteractView = {
      result,
      blockReason,
      ruleId,
      ruleCode,
      doNotInteractId,
      description,
      sendAt: orNull(dateTimeText, sendAt),
      evaluatedAt: dateTimeText(plan.at),
      warnings,
      contactId: reachedId,
    };
    return {
      facts: [...facts, ...decisionBeside(env, { personId, contactId: reachedId, source: 'canInteract', plan, verdict })],
      reply: () => ({ data }),
    };
  },
};

function planOf({ id: personId, env, body }: Context<CanInteractRequest>): ContactPlan {
  const {
    channel,
    subject: word,
    theme: wanted,
    loanId,
    loanIds,
    caseId,
    checkAtCompanyNoon = false,
    isAutodialed,
    isPrerecorded,
    isTransactional,
    direction = 'outbound',
    startedAt,
  } = body;
  const found = word == null ? { subject: null } : subjectNamed(word);
  if ('fault' in found) return refuseValue(found.fault);
  const { subject } = found;
  const resolved = resolveTheme({ subject, theme: wanted ?? null, direction });
  if ('fault' in resolved) return refuseValue(resolved.fault);
  const theme = resolved.theme ?? refuseProperty('subject', 'a subject or a theme', 'Send `subject` or `theme`.');
  const loans = [...(loanId == null ? [] : [loanId]), ...(loanIds ?? [])].map((anyId) => loanOf(env, env.tenant, personId, anyId));
  const { isReply, origin, isLegallyRequired } = PLAIN_PLAN;
  return {
    isReply,
    origin,
    isLegallyRequired,
    at: startedAt == null ? env.now : millisecondsOf(startedAt),
    channel,
    direction,
    theme,
    subject,
    isTransactional: isTransactional ?? defaultTransactional(subject),
    isAutodialed: isAutodialed ?? false,
    isPrerecorded: isPrerecorded ?? null,
    loanIds: [...new Set(loans)],
    caseId: caseId == null ? null : caseOf(env, env.tenant, personId, caseId),
    checkAtCompanyNoon,
  };
}

const refuseValue = ({ path, expected, message }: ValueFault): never => refuseProperty(path, expected, message);

interface Named {
  readonly contactId: string | null;
  /** A contact that the same command adds. */
  readonly newContact?: Contact;
  readonly facts: readonly FactDraft[];
}

function named(context: Context<CanInteractRequest>): Named {
  const { state } = context;
  const { contactId, contactExternalId, contactDetails } = context.body;
  const anyIds = [...(contactId == null ? [] : [contactId]), ...(contactExternalId == null ? [] : [`ext-${contactExternalId}`])];
  const found = anyIds.map((anyId) => contactOf(state, anyId)?.id ?? refuse('notFound', `There is no contact ${anyId}.`));
  if (new Set(found).size > 1)
    refuseProperty(
      'contactExternalId',
      'the external id of contactId',
      '`contactId` and `contactExternalId` are of different contacts. Send one of them.',
    );
  const known = found[0] ?? null;
  if (contactDetails == null) return { contactId: known, facts: [] };
  if (known !== null)
    refuseProperty('contactDetails', 'nothing with contactId', '`contactDetails` cannot be sent with `contactId`. Send one of them.');
  return asDescribed(context, contactDetails);
}

type Details = NonNullable<CanInteractRequest['contactDetails']>;

/** The borrower's contact with the same value, else a new one. */
function asDescribed(context: Context, details: Details): Named {
  return insideDetails(() => {
    const same = context.state.contacts.find(
      (contact) => contact.status !== 'archived' && contact.contactType === details.contactType && isSame(context, contact, details),
    );
    if (same) return { contactId: same.id, facts: [] };
    const { facts } = createContact.decide({ ...context, body: details });
    const [added] = bodiesOf<PersonFacts, 'ContactAdded'>(facts, 'ContactAdded');
    const { contact } = must(added, 'a new contact is a fact');
    return { contactId: null, newContact: { ...contact, createdAt: context.env.now, updatedAt: null }, facts };
  });
}

function isSame({ env, state }: Context, contact: Contact, { contactType, value, address }: Details): boolean {
  if (contactType !== 'address') {
    if (value == null) return false;
    return contactValueOf(env, state, contact) === (contactType === 'phone' ? phoneNumber(value, 'value') : emailAddress(value, 'value'));
  }
  const own = addressOf(env, state, contact);
  if (own === null || address == null) return false;
  return (['addressLine1', 'addressLine2', 'city', 'state', 'postalCode', 'POBox'] as const).every(
    (part) => plain(own[part]) === plain(address[part]),
  );
}

const plain = (text: string | null | undefined): string => (text ?? '').trim().toLowerCase();

/** Moves the paths of a contact's faults to where the contact is in the body. */
function insideDetails(work: () => Named): Named {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors.length === 0) throw error;
    throw new Refusal(error.errorType, error.message, {
      errors: error.errors.map((fault) => ({ ...fault, path: `contactDetails.${fault.path}` })),
      extra: error.extra,
      cause: error,
    });
  }
}
