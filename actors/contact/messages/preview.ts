import {
  budgetOfMessage,
  type Channel,
  MESSAGE_PARTS,
  type MessageOrder,
  must,
  paragraphsOf,
  type References,
  type Rendered,
  type RenderedMessage,
  renderMessageParts,
  resolveTheme,
  subjectNamed,
  TemplateError,
  type ValueFault,
} from '../../../engine/index.js';
import { languageOf, type PersonState } from '../../borrower/index.js';
import {
  asItWas,
  chooseTemplate,
  type ChosenTemplate,
  companyOf,
  type CompanyState,
  loanTypeOf,
  type NoTemplate,
  readPart,
  type TemplateContent,
  templateDescriptorsOf,
  templateNamed,
  templatesOf,
  templateVersionsOf,
  textsOf,
  zoneOf,
} from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { findStatement, type LoanState, statementDetailsOf } from '../../loan/index.js';
import { contactFor } from '../guard/index.js';
import { hydrated, type HydrationEnv, loanTypeIdOf, type MessageSubjects, zoneOfMessage } from './hydrate.js';
import type { PreviewFreeformBody, PreviewMessageBody, RenderDocumentRequest, RenderFormat, RenderTemplateBody } from './requests.js';

/** A message to be rendered. */
export interface Message {
  readonly subjects: MessageSubjects;
  readonly template: ChosenTemplate;
  /** Variables that the caller gave; they override the hydrated ones. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Bulk senders are strict. */
  readonly undefinedVariables: 'lenient' | 'strict';
}

/** The subject of messages whose content an agent writes, as text or HTML. */
const FREEFORM = 'freeFormBranded';

const isFreeform = ({ descriptor }: ChosenTemplate): boolean => descriptor.stored.subject === FREEFORM;

/**
 * Renders a message with the variables of its objects. A pure function: decisions call it on the shard of borrower, loans and case. It
 * changes nothing and reads no clock except the company's. All others wait for it, so it has a budget of its own.
 */
export function renderMessage(message: Message, env: HydrationEnv): Rendered {
  const { subjects, template, context, undefinedVariables } = message;
  return renderMessageParts(templatesOf(subjects.company, template), {
    context: hydrated(subjects, context, env, rootsOf(template)),
    isFreeForm: isFreeform(template),
    zone: zoneOfMessage(subjects),
    undefinedVariables,
    budget: budgetOfMessage(),
  });
}

/** The message as plain data, for rendering in another thread. A preview renders the same text as a send. */
function orderOf({ subjects, template, context, undefinedVariables }: Message, env: HydrationEnv): MessageOrder {
  return {
    texts: textsOf(subjects.company, template),
    context: hydrated(subjects, context, env, rootsOf(template)),
    isFreeForm: isFreeform(template),
    zone: zoneOfMessage(subjects),
    undefinedVariables,
  };
}

/**
 * The variables that a template reads, so that others are not computed. Null: all of them, since the template includes others, or cannot
 * be parsed.
 */
function rootsOf({ version: { stored } }: ChosenTemplate): ReadonlySet<string> | null {
  const roots = new Set<string>();
  for (const part of MESSAGE_PARTS) {
    const references = referencesIn(stored, part);
    if (references === null || references.templates.length > 0) return null;
    for (const variable of references.variables) roots.add(variable.split('.')[0] ?? '');
  }
  return roots;
}

const NONE: References = { variables: [], templates: [] };

function referencesIn(content: TemplateContent, part: keyof TemplateContent): References | null {
  try {
    return readPart(content, part)?.references ?? NONE;
  } catch (cause) {
    // The rendering reports the error.
    if (cause instanceof TemplateError) return null;
    throw cause;
  }
}

/** `POST /communicator/preview` for a borrower: the text that a send would have. The gateway renders the order that this query answers. */
export const previewMessage: QuerySpec<PersonState, PreviewMessageBody> = {
  kind: 'person',
  type: 'message.preview',
  on: 'target',
  read({ state, query, env }) {
    const body = query;
    return previewed(body, subjectsOf(body, state, env), env);
  },
};

/** The preview without a borrower: with the variables of the company and of the caller. */
export const previewOfCompany: QuerySpec<CompanyState, PreviewMessageBody> = {
  kind: 'company',
  type: 'message.previewOfCompany',
  on: 'target',
  read: ({ state, query, env }) => previewed(query, companyAlone(state), env),
};

/** `POST /communicator/preview-free-form-email` */
export const previewFreeform: QuerySpec<CompanyState, PreviewFreeformBody> = {
  kind: 'company',
  type: 'message.previewFreeForm',
  on: 'target',
  read({ state, query, env }) {
    const { subjectLine, contentHtml, contentPlain } = query;
    if (contentHtml == null && contentPlain == null)
      refuseProperty('contentHtml', 'contentHtml or contentPlain', 'Send `contentHtml` or `contentPlain`.');
    const template = chosen(
      chooseTemplate(state, { subject: 'freeFormBranded', channel: 'email', productId: null, language: null }),
      'freeFormBranded',
    );
    const context = { subjectLine: subjectLine ?? '', contentHtml, contentPlain };
    return orderOf({ subjects: companyAlone(state), template, context, undefinedVariables: 'lenient' }, env);
  },
};

/** Renders a document of the borrower from a template, for channels whose messages have pages. */
export const renderDocument: QuerySpec<PersonState, RenderDocumentRequest> = {
  kind: 'person',
  type: 'message.document',
  on: 'target',
  read({ state, query, env }): MessageOrder {
    const { templateVersionId: id, context, ...about } = query;
    const company = companyOf(env, env.tenant);
    const version =
      templateVersionsOf(company).get(id) ??
      refuseProperty('templateVersionId', 'a version of a template', `There is no template version ${id}.`);
    const descriptor = must(templateDescriptorsOf(company).get(version.parentId ?? ''), 'the descriptor of a version is there');
    if (!isPaged(descriptor.stored.channel))
      refuseProperty(
        'templateVersionId',
        'a version of a template for documents or mail',
        'Only templates for mail and documents can be rendered as PDF.',
      );
    if (version.stored.activatedAt === null) refuse('businessValidation', `The template version ${id} is a draft. Activate it first.`);
    const subjects = subjectsOf({ ...about, channel: 'mail' }, state, env);
    const issuedAt = subjects.loan === null || about.statementId === undefined ? null : issuedAtOf(subjects.loan, about.statementId);
    const template = { descriptor, version: issuedAt === null ? version : asItWas(version, issuedAt) };
    return orderOf({ subjects, template, context: context ?? {}, undefinedVariables: 'lenient' }, env);
  },
};

/** When a statement of the loan was issued, in milliseconds. */
const issuedAtOf = (loan: LoanState, statementId: string): number | null => findStatement(loan, statementId)?.createdAt ?? null;

/** What is read on paper. */
const isPaged = (channel: Channel | null): boolean => channel === 'mail' || channel === 'document';

const companyAlone = (company: CompanyState): MessageSubjects => ({
  company,
  person: null,
  contact: null,
  loan: null,
  loans: [],
  caseId: null,
  statementId: null,
});

function previewed(
  { channel, subject: word, theme = null, context, overrideTemplateId }: PreviewMessageBody,
  subjects: MessageSubjects,
  env: HydrationEnv,
): MessageOrder {
  const named = subjectNamed(word);
  if ('fault' in named) return refuseValue(named.fault);
  const { subject } = named;
  const resolved = resolveTheme({ subject, theme, direction: 'outbound' });
  if ('fault' in resolved) return refuseValue(resolved.fault);
  const { company } = subjects;
  const wanted = { subject, channel, productId: loanTypeIdOf(subjects), language: subjects.person && languageOf(subjects.person) };
  const template = chosen(
    overrideTemplateId == null
      ? chooseTemplate(company, wanted)
      : templateNamed(company, overrideTemplateId, channel, 'overrideTemplateId'),
    subject,
  );
  return orderOf({ subjects, template, context: context ?? {}, undefinedVariables: 'lenient' }, env);
}

const refuseValue = ({ path, expected, message }: ValueFault): never => refuseProperty(path, expected, message);

/** The template of a preview. Refuses with 404 if there is no descriptor, and 422 if it is not in use. */
function chosen(template: ChosenTemplate | NoTemplate, subject: string): ChosenTemplate {
  switch (template) {
    case 'missing':
      return refuse('notFound', `There is no template for ${subject}.`);
    case 'disabled':
      return refuse('businessValidation', `The template for ${subject} is disabled.`, { extra: { blockReason: 'templateDisabled' } });
    case 'inactive':
      return refuse('businessValidation', `The template for ${subject} has no active version.`, {
        extra: { blockReason: 'templateMissing' },
      });
    default:
      return template;
  }
}

/** The rendered message. Refuses an error in the template with its position. */
export function messageOf(rendered: Rendered): RenderedMessage {
  if ('message' in rendered) return rendered.message;
  const { part, line, message } = rendered.fault;
  return refuse('businessValidation', 'The template cannot be rendered: see `errors`.', {
    errors: [{ path: part, expected: 'a template that can be rendered', message: `line ${line}: ${message}` }],
    extra: { blockReason: 'templateError' },
  });
}

interface About extends Pick<PreviewMessageBody, 'loanId' | 'loanIds' | 'caseId' | 'statementId'> {
  readonly channel: Channel;
}

function subjectsOf({ channel, loanId, loanIds = [], caseId, statementId }: About, person: PersonState, env: QueryEnv): MessageSubjects {
  const loan = loanId == null ? null : loanNamed(loanId, person, env);
  const others = loanIds.map((id) => loanNamed(id, person, env));
  const loans = loan === null || others.length === 0 || others.some(({ id }) => id === loan.id) ? others : [loan, ...others];
  if (statementId != null) refuseUnknownStatement(loan === null ? loans : [loan, ...loans], statementId, env);
  return {
    company: companyOf(env, env.tenant),
    person,
    contact: contactFor(env, person, channel),
    loan,
    loans,
    statementId: statementId ?? null,
    caseId: caseId == null ? null : caseOfBorrower(caseId, person, env),
  };
}

const idOf = (env: QueryEnv, kind: string, anyId: string): string =>
  anyId.startsWith('ext-') ? (env.findExternal(env.tenant, kind, anyId.slice(4)) ?? anyId) : anyId;

function loanNamed(anyId: string, { id: personId }: PersonState, env: QueryEnv): LoanState {
  const loan = env.stateOf<LoanState>('loan', idOf(env, 'loan', anyId));
  const isOnIt =
    loan?.record != null && (loan.record.personId === personId || loan.record.additionalPeople.some((one) => one.personId === personId));
  return loan !== undefined && isOnIt ? loan : refuse('notFound', `The borrower has no loan ${anyId}.`);
}

function caseOfBorrower(anyId: string, { id: personId }: PersonState, env: QueryEnv): string {
  const found = env.stateOf<{ readonly personId: string }>('case', idOf(env, 'case', anyId));
  return found?.personId === personId ? idOf(env, 'case', anyId) : refuse('notFound', `The borrower has no case ${anyId}.`);
}

function refuseUnknownStatement(loans: readonly LoanState[], id: string, env: QueryEnv): void {
  if (statementDetailsOf(loans, id, env) === undefined) refuse('notFound', `The loans of the message have no statement ${id}.`);
}

interface RenderTemplateRequest extends RenderTemplateBody {
  readonly fmt: RenderFormat;
}

/** `POST /communicator/render`: renders a template by its subject with the caller's variables. */
export const renderTemplateQuery: QuerySpec<CompanyState, RenderTemplateRequest> = {
  kind: 'company',
  type: 'message.render',
  on: 'target',
  read({ query, env }): MessageOrder {
    const { subject, channel, language = null, productId = null, context, fmt } = query;
    const company = companyOf(env, env.tenant);
    const template = chosen(chooseTemplate(company, { subject, channel: channel ?? undefined, productId, language }), subject);
    if (fmt === 'pdf' && !isPaged(template.descriptor.stored.channel))
      refuseProperty('fmt', 'text or html', 'Only templates for mail and documents can be rendered as PDF.');
    return {
      texts: textsOf(company, template),
      context: hydrated(companyAlone(company), context ?? {}, env),
      isFreeForm: false,
      zone: zoneOf(company, productId === null ? undefined : loanTypeOf(company, productId)),
      undefinedVariables: 'lenient',
    };
  },
};

/** The content of a rendered template in a format. Pages are made from the HTML. */
export function contentAs(fmt: RenderFormat, { contentHtml, contentText }: RenderedMessage): string {
  return fmt === 'text' ? contentText : contentHtml === '' ? paragraphsOf(contentText) : contentHtml;
}
