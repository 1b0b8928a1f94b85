/**
 * `syntax`: the text is no template. `undefined`: a strict rendering met a variable that nobody gave. `value`: a filter or an operator
 * got what it cannot take. `limit`: the rendering costs too much. `template`: an included or extended template is not there.
 */
export type TemplateErrorKind = 'syntax' | 'undefined' | 'value' | 'limit' | 'template';

/** Why a template cannot be read or rendered. Its message names variables and filters of the text, never values. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly kind: TemplateErrorKind,
    message: string,
    /** From 1. */
    readonly line: number,
    /** The variable of `undefined`: `loan.displayId`. */
    readonly variable: string | null = null,
  ) {
    super(message);
  }
}

export function failSyntax(message: string, line: number): never {
  throw new TemplateError('syntax', message, line);
}

export function failValue(message: string, line: number): never {
  throw new TemplateError('value', message, line);
}

export function failLimit(message: string, line: number): never {
  throw new TemplateError('limit', message, line);
}
