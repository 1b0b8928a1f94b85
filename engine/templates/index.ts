export { budgetOfMessage, cleaningCost, RenderBudget } from './budget.js';
export { FILTERS as TEMPLATE_FILTERS } from './filters.js';
export { escapeHtml, Markup, TEMPLATE_LIMITS, TemplateError, type TemplateErrorKind, TemplateFault } from './values.js';
export { parseTemplate, type Template } from './parse-template.js';
export { type References, referencesOf } from './tags.js';
export { type RenderOptions, renderTemplate } from './render.js';
