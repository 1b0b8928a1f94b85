export { FILTERS as TEMPLATE_FILTERS } from './filters.js';
export { TEMPLATE_LIMITS } from './limits.js';
export { parseTemplate } from './parse-template.js';
export { type References, referencesOf } from './references.js';
export { type RenderOptions, renderTemplate } from './render.js';
export type { Template } from './template.js';
export { TemplateError, type TemplateErrorKind } from './template-error.js';
export { escapeHtml, Markup } from './values.js';
