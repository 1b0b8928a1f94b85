import { toValueSync } from 'liquidjs';
import type { RenderBudget } from './budget.js';
import { LIBRARY } from './tags.js';
import { Printer, Rendering, RenderingContext } from './rendering.js';
import type { Template } from './parse-template.js';
import { TemplateError, templateErrorOf, TemplateFault } from './values.js';

export interface RenderOptions {
  /** Plain data, and `Markup` that the service has made. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The time zone of date-times. */
  readonly zone: string;
  /** Of the template, two letters; absent: English. Dates are written in it. */
  readonly language?: string;
  /** `html` escapes the output. */
  readonly output: 'html' | 'text';
  /** A missing variable prints nothing, or is refused with its name. */
  readonly undefinedVariables: 'lenient' | 'strict';
  /** What it may cost, together with others; absent: the limit of one rendering. */
  readonly budget?: RenderBudget;
  /** Finds the template of `include`, `render` and `layout`. */
  readonly templateNamed?: (name: string) => Template | undefined;
}

/** Renders a template. Pure: the same template and options give the same text, or the same `TemplateError`. */
export function renderTemplate({ body }: Template, options: RenderOptions): string {
  try {
    const rendering = new Rendering(options);
    const printer = new Printer();
    LIBRARY.during(rendering, () =>
      toValueSync(LIBRARY.renderer.renderTemplates([...body], new RenderingContext(rendering, LIBRARY), printer)),
    );
    return printer.buffer;
  } catch (cause) {
    // An error before the first statement has no line.
    throw cause instanceof TemplateFault
      ? new TemplateError(cause.kind, cause.message, 1, null, { cause })
      : templateErrorOf(cause, 'render', options.budget?.refusal);
  }
}
