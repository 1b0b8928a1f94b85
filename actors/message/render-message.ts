import { type References, TemplateError } from '../../engine/index.js';
import { type ChosenTemplate, readPart, type TemplateContent } from '../company/index.js';
import { freeFormContext, hydrated, type HydrationEnv, type MessageSubjects, zoneOfMessage } from './hydrate.js';
import { type Rendered, renderParts } from './render-parts.js';

export interface MessageOrder {
  readonly subjects: MessageSubjects;
  readonly template: ChosenTemplate;
  /** What the caller gave; overrides what is hydrated. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Bulk senders are strict. */
  readonly undefinedVariables: 'lenient' | 'strict';
}

/** The subject whose content an agent wrote, as HTML too. */
const FREE_FORM = 'freeFormBranded';

/**
 * Renders a message over what it is about. Pure: a decision may call it where borrower, loans and case lie, and a
 * preview shows what a send would say. It changes nothing and reads no clock but the company's.
 */
export function renderMessage({ subjects, template, context, undefinedVariables }: MessageOrder, env: HydrationEnv): Rendered {
  const { company } = subjects;
  const given = template.descriptor.stored.subject === FREE_FORM ? freeFormContext(context) : context;
  const variables = hydrated(subjects, given, env, rootsOf(template));
  return renderParts({ host: company, template, context: variables, zone: zoneOfMessage(subjects), undefinedVariables });
}

const PARTS = ['subjectLineTemplate', 'contentTextTemplate', 'contentHtmlTemplate'] as const satisfies readonly (keyof TemplateContent)[];

/** The variables that a template reads: a loan that nobody reads is not computed. Null: all of them, since it includes others, or cannot be read. */
function rootsOf({ version: { stored } }: ChosenTemplate): ReadonlySet<string> | null {
  const roots = new Set<string>();
  for (const part of PARTS) {
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
