import {
  escapeHtml,
  Markup,
  parseTemplate,
  type RenderOptions,
  renderTemplate,
  type Template,
  TemplateError,
  type TemplateErrorKind,
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

export type MessageOptions = Pick<RenderOptions, 'context' | 'zone' | 'undefinedVariables'>;

/** A message to be rendered, as plain data. */
export interface MessageOrder extends MessageOptions {
  readonly texts: MessageTexts;
  /** Its content was written by an agent, see `contextOfFreeText`. */
  readonly isFreeForm: boolean;
}

export function renderOrder({ texts, isFreeForm, ...options }: MessageOrder): Rendered {
  return renderMessageParts(templatesOf(texts), isFreeForm ? { ...options, context: contextOfFreeText(options.context) } : options);
}

/** Renders all parts of a message with one context. A missing text part is made from the HTML. */
export function renderMessageParts(templates: MessageTemplates, options: MessageOptions): Rendered {
  try {
    const contentHtml = sanitizedPage(partOf(templates, options, 'contentHtmlTemplate'));
    const contentText = partOf(templates, options, 'contentTextTemplate');
    const subjectLine = templates.hasSubjectLine ? oneLine(partOf(templates, options, 'subjectLineTemplate')) : '';
    return {
      message: { subjectLine, contentHtml, contentText: contentText === '' && contentHtml !== '' ? plainTextOf(contentHtml) : contentText },
    };
  } catch (cause) {
    if (cause instanceof Faulty) return { fault: cause.fault };
    throw cause;
  }
}

class Faulty extends Error {
  constructor(readonly fault: RenderFault) {
    super(fault.message);
  }
}

function partOf(templates: MessageTemplates, options: MessageOptions, part: MessagePart): string {
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

/** A value of a variable must not add headers to an e-mail. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function templatesOf({ hasSubjectLine, language, parts, included }: MessageTexts): MessageTemplates {
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
export function contextOfFreeText(given: MessageOptions['context']): MessageOptions['context'] {
  const { contentHtml, contentPlain } = given;
  const html =
    typeof contentHtml === 'string' ? sanitizedHtml(contentHtml) : typeof contentPlain === 'string' ? paragraphsOf(contentPlain) : '';
  const text = typeof contentPlain === 'string' ? contentPlain : plainTextOf(html);
  return { ...given, contentHtml: new Markup(html), contentPlain: text };
}
