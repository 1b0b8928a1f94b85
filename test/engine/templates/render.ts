import { type RenderOptions, parseTemplate, renderTemplate, TemplateError } from '../../../engine/index.js';

export const OPTIONS: RenderOptions = { context: {}, zone: 'America/Los_Angeles', output: 'html', undefinedVariables: 'lenient' };

/** The text of a template, by its options. */
export const rendered = (source: string, context: RenderOptions['context'] = {}, options: Partial<RenderOptions> = {}): string =>
  renderTemplate(parseTemplate(source), { ...OPTIONS, context, ...options });

/** The error that reading or rendering ends with; fails when there is none, or another one. */
export function errorOf(source: string, context: RenderOptions['context'] = {}, options: Partial<RenderOptions> = {}): TemplateError {
  try {
    rendered(source, context, options);
  } catch (cause) {
    if (cause instanceof TemplateError) return cause;
    throw cause;
  }
  throw new Error(`the template was rendered: ${source}`);
}
