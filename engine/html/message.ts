import {
  cleaningCost,
  escapeHtml,
  Markup,
  parseTemplate,
  type RenderBudget,
  type RenderOptions,
  renderTemplate,
  type Template,
  TemplateError,
  type TemplateErrorKind,
  TemplateFault,
} from '../templates/index.js';
import { plainTextOf } from './blocks.js';
import { sanitizedHtml, sanitizedPage } from './sanitize.js';

/** A plain text as HTML: empty lines separate paragraphs. */
export const paragraphsOf = (text: string): string =>
  text
    .trim()
    .split(/(?:\r?\n[ \t]*){2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n');

/** The parts of a message's template. */
export const MESSAGE_PARTS = ['subjectLineTemplate', 'contentTextTemplate', 'contentHtmlTemplate'] as const;

export type MessagePart = (typeof MESSAGE_PARTS)[number];

/** What a message says. */
export interface RenderedMessage {
  /** Empty except for e-mail. */
  readonly subjectLine: string;
  /** Empty where the template has none. */
  readonly contentHtml: string;
  readonly contentText: string;
}

/** Why a template cannot be rendered: the part of its version, and the position. */
interface RenderFault {
  readonly part: MessagePart;
  readonly kind: TemplateErrorKind;
  readonly line: number;
  readonly message: string;
  /** The variable that a strict rendering lacks: `loan.displayId`. */
  readonly variable: string | null;
}

export type Rendered = { readonly message: RenderedMessage } | { readonly fault: RenderFault };

/** The templates of a message, parsed on demand. Both functions throw a `TemplateError` for invalid templates. */
export interface MessageTemplates {
  readonly hasSubjectLine: boolean;
  /** Two letters. */
  readonly language: string;
  /** Undefined where the message has no such part. */
  templateOf(part: MessagePart): Template | undefined;
  /** What the part includes or extends by its name. */
  templateNamed(part: MessagePart, name: string): Template | undefined;
}

/** The same as texts: plain data, which can be rendered on another thread. */
export interface MessageTexts {
  readonly hasSubjectLine: boolean;
  readonly language: string;
  readonly parts: Readonly<Record<MessagePart, string | null>>;
  readonly included: Readonly<Record<MessagePart, ReadonlyMap<string, string>>>;
}

type MessageOptions = Pick<RenderOptions, 'context' | 'zone' | 'undefinedVariables'>;

/** A message to be rendered, as plain data. */
export interface MessageOrder extends MessageOptions {
  readonly texts: MessageTexts;
  /** Its content was written by an agent, see `contextOfFreeText`. */
  readonly isFreeForm: boolean;
}

export const renderOrder = ({ texts, ...options }: MessageOrder): Rendered => renderMessageParts(templatesOfTexts(texts), options);

interface PartsOptions extends MessageOptions {
  readonly isFreeForm: boolean;
  /** What all parts may cost, with the cleaning of their HTML. Absent: each part has the limit of one rendering. */
  readonly budget?: RenderBudget;
  /** Messages by what their parts have printed: trials with several contexts often print the same, and cleaning costs most. */
  readonly known?: Map<string, RenderedMessage>;
}

/** Renders all parts of a message with one context. A missing text part is made from the HTML. */
export function renderMessageParts(templates: MessageTemplates, { isFreeForm, known, ...given }: PartsOptions): Rendered {
  try {
    const options = isFreeForm ? { ...given, context: contextOfFreeText(given) } : given;
    const html = partOf(templates, options, 'contentHtmlTemplate');
    const text = partOf(templates, options, 'contentTextTemplate');
    const subjectLine = templates.hasSubjectLine ? oneLine(partOf(templates, options, 'subjectLineTemplate')) : '';
    if (known === undefined) return { message: messageOf(html, text, subjectLine, options.budget) };
    const printed = JSON.stringify([html, text, subjectLine]);
    const message = known.get(printed) ?? messageOf(html, text, subjectLine, options.budget);
    known.set(printed, message);
    return { message };
  } catch (cause) {
    if (cause instanceof Faulty) return { fault: cause.fault };
    throw cause;
  }
}

function messageOf(html: string, text: string, subjectLine: string, budget: RenderBudget | undefined): RenderedMessage {
  spend(budget, 'contentHtmlTemplate', cleaningCost(html));
  spend(budget, 'contentTextTemplate', text.length);
  const contentHtml = sanitizedPage(html);
  return { subjectLine, contentHtml, contentText: text === '' && contentHtml !== '' ? plainTextOf(contentHtml) : text };
}

class Faulty extends Error {
  constructor(readonly fault: RenderFault) {
    super(fault.message);
  }
}

type Budgeted = MessageOptions & Pick<PartsOptions, 'budget'>;

function partOf(templates: MessageTemplates, options: Budgeted, part: MessagePart): string {
  try {
    const template = templates.templateOf(part);
    const output = part === 'contentHtmlTemplate' ? 'html' : 'text';
    return template === undefined
      ? ''
      : renderTemplate(template, {
          ...options,
          language: templates.language,
          output,
          templateNamed: (name) => templates.templateNamed(part, name),
        });
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    const { kind, line, message, variable } = cause;
    throw new Faulty({ part, kind, line, message, variable });
  }
}

/** For what is done with the output of a part. */
function spend(budget: RenderBudget | undefined, part: MessagePart, cost: number): void {
  try {
    budget?.spend(cost);
  } catch (cause) {
    if (!(cause instanceof TemplateFault)) throw cause;
    throw new Faulty({ part, kind: cause.kind, line: 1, message: cause.message, variable: null });
  }
}

/** A value of a variable must not add headers to an e-mail. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Each text is parsed when it is asked for, and once. */
export function templatesOfTexts({ hasSubjectLine, language, parts, included }: MessageTexts): MessageTemplates {
  const read = new Map<string, Template>();
  const templateOf = (text: string | null | undefined): Template | undefined => {
    if (text === null || text === undefined) return undefined;
    const template = read.get(text) ?? parseTemplate(text);
    read.set(text, template);
    return template;
  };
  return {
    hasSubjectLine,
    language,
    templateOf: (part) => templateOf(parts[part]),
    templateNamed: (part, name) => templateOf(included[part].get(name)),
  };
}

/** An agent's text for the branded template: cleaned; a missing HTML or plain text is made from the other. */
function contextOfFreeText({ context, budget }: Budgeted): MessageOptions['context'] {
  const { contentHtml, contentPlain } = context;
  if (typeof contentHtml === 'string') spend(budget, 'contentHtmlTemplate', cleaningCost(contentHtml));
  const html =
    typeof contentHtml === 'string' ? sanitizedHtml(contentHtml) : typeof contentPlain === 'string' ? paragraphsOf(contentPlain) : '';
  const text = typeof contentPlain === 'string' ? contentPlain : plainTextOf(html);
  return { ...context, contentHtml: new Markup(html), contentPlain: text };
}
