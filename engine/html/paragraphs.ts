import { escapeHtml } from '../templates/index.js';

/** A plain text as HTML: empty lines part paragraphs. */
export const paragraphsOf = (text: string): string =>
  text
    .trim()
    .split(/(?:\r?\n[ \t]*){2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n');
