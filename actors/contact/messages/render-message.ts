import {
  freeFormContext,
  MESSAGE_PARTS,
  type MessageOrder,
  type References,
  type Rendered,
  renderMessageParts,
  TemplateError,
} from '../../../engine/index.js';
import { type ChosenTemplate, readPart, type TemplateContent, templatesOf, textsOf } from '../../company/index.js';
import { hydrated, type HydrationEnv, type MessageSubjects, zoneOfMessage } from './hydrate.js';

/** What a message is rendered of. */
export interface Message {
  readonly subjects: MessageSubjects;
  readonly template: ChosenTemplate;
  /** What the caller gave; overrides what is hydrated. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Bulk senders are strict. */
  readonly undefinedVariables: 'lenient' | 'strict';
}

/** The subject whose content an agent wrote, as HTML too. */
const FREE_FORM = 'freeFormBranded';

const isFreeForm = ({ descriptor }: ChosenTemplate): boolean => descriptor.stored.subject === FREE_FORM;

/**
 * Renders a message over what it is about. Pure: a decision calls it where borrower, loans and case lie. It changes nothing and reads no
 * clock but the company's.
 */
export function renderMessage(message: Message, env: HydrationEnv): Rendered {
  const { subjects, template, context, undefinedVariables } = message;
  const given = isFreeForm(template) ? freeFormContext(context) : context;
  const variables = hydrated(subjects, given, env, rootsOf(template));
  return renderMessageParts(templatesOf(subjects.company, template), {
    context: variables,
    zone: zoneOfMessage(subjects),
    undefinedVariables,
  });
}

/** The same as plain data, for whoever renders it elsewhere: a preview says what a send would say. */
export function orderOf({ subjects, template, context, undefinedVariables }: Message, env: HydrationEnv): MessageOrder {
  return {
    texts: textsOf(subjects.company, template),
    context: hydrated(subjects, context, env, rootsOf(template)),
    isFreeForm: isFreeForm(template),
    zone: zoneOfMessage(subjects),
    undefinedVariables,
  };
}

/**
 * The variables that a template reads: a loan that nobody reads is not computed. Null: all of them, since it includes others, or cannot be
 * read.
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
    // The rendering says what is wrong with it.
    if (cause instanceof TemplateError) return null;
    throw cause;
  }
}
