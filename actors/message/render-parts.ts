import { plainTextOf, renderTemplate, sanitizedPage, TemplateError, type TemplateErrorKind } from '../../engine/index.js';
import { type ChosenTemplate, fragmentsOf, readPart, type TemplateContent } from '../company/index.js';
import type { ResourceHost } from '../declared/index.js';

/** What a message says. */
export interface RenderedMessage {
  /** Empty but for mail by wire. */
  readonly subjectLine: string;
  /** Empty where the template has none. */
  readonly contentHtml: string;
  readonly contentText: string;
}

/** Why a template says nothing: the part of its version, and the place. */
interface RenderFault {
  readonly part: keyof TemplateContent;
  readonly kind: TemplateErrorKind;
  readonly line: number;
  readonly message: string;
  /** The one that a strict rendering lacks: `loan.displayId`. */
  readonly variable: string | null;
}

export type Rendered = { readonly message: RenderedMessage } | { readonly fault: RenderFault };

export interface PartsOrder {
  readonly host: ResourceHost;
  readonly template: ChosenTemplate;
  readonly context: Readonly<Record<string, unknown>>;
  readonly zone: string;
  readonly undefinedVariables: 'lenient' | 'strict';
}

/** All parts of a version, over one context. A text that is not there is made of the HTML. */
export function renderParts(order: PartsOrder): Rendered {
  const {
    descriptor: {
      stored: { channel },
    },
  } = order.template;
  try {
    const contentHtml = sanitizedPage(partOf(order, 'contentHtmlTemplate'));
    const contentText = partOf(order, 'contentTextTemplate');
    const subjectLine = channel === 'email' ? oneLine(partOf(order, 'subjectLineTemplate')) : '';
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

function partOf({ host, template, context, zone, undefinedVariables }: PartsOrder, part: keyof TemplateContent): string {
  try {
    const read = readPart(template.version.stored, part);
    const output = part === 'contentHtmlTemplate' ? 'html' : 'text';
    return read === undefined
      ? ''
      : renderTemplate(read.template, { context, zone, output, undefinedVariables, templateNamed: fragmentsOf(host, template, part) });
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    const { kind, line, message, variable } = cause;
    throw new Faulty({ part, kind, line, message, variable });
  }
}

/** A value of a variable must not add headers to a mail. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
