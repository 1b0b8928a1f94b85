import { toValueSync } from 'liquidjs';
import { LIBRARY } from './tags.js';
import { Printer, Rendering, RenderingContext } from './rendering.js';
import type { Template } from './parse-template.js';
import { TemplateError, templateErrorOf, TemplateFault } from './values.js';

export interface RenderOptions {
  /** Plain data, and `Markup` that the service built. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Date-times are shown by its clocks. */
  readonly zone: string;
  /** `html` escapes what is printed. */
  readonly output: 'html' | 'text';
  /** What is missing prints nothing, or is refused by its name. */
  readonly undefinedVariables: 'lenient' | 'strict';
  /** The template that `include`, `render` and `layout` name. */
  readonly templateNamed?: (name: string) => Template | undefined;
}

/** The text of a template. Pure: the same template and options give the same text, or the same `TemplateError`. */
export function renderTemplate({ body }: Template, options: RenderOptions): string {
  try {
    const rendering = new Rendering(options);
    const printer = new Printer();
    LIBRARY.during(rendering, () =>
      toValueSync(LIBRARY.renderer.renderTemplates([...body], new RenderingContext(rendering, LIBRARY), printer)),
    );
    return printer.buffer;
  } catch (cause) {
    // Before the first statement there is no place that it stands at.
    throw cause instanceof TemplateFault
      ? new TemplateError(cause.kind, cause.message, 1, null, { cause })
      : templateErrorOf(cause, 'render');
  }
}
