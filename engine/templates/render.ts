import { Rendering } from './rendering.js';
import type { Template } from './syntax.js';

export interface RenderOptions {
  /** Plain data, and `Markup` that the service built. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Date-times are shown by its clocks. */
  readonly zone: string;
  /** `html` escapes what is printed. */
  readonly output: 'html' | 'text';
  /** What is missing prints nothing, or is refused by its name. */
  readonly undefinedVariables: 'lenient' | 'strict';
  /** The template that `include` and `extends` name. */
  readonly templateNamed?: (name: string) => Template | undefined;
}

/** The text of a template. Pure: the same template and options give the same text, or the same `TemplateError`. */
export function renderTemplate(template: Template, options: RenderOptions): string {
  return new Rendering(options).run(template);
}
