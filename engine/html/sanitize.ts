import sanitizeHtml from 'sanitize-html';

const COLOR = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i];
const LENGTH = [/^\d{1,4}(\.\d{1,3})?(px|em|rem|pt|%)?$/];

/**
 * HTML that a stranger wrote, without what acts or comes from elsewhere by itself: scripts, forms, frames, event attributes, style sheets (communications 1.4).
 * Cleaned twice: what an unclosed tag has nested is put in order by the second reading, so that it means the same to whoever reads it next.
 */
export const sanitizedHtml = (html: string): string => sanitizeHtml(sanitizeHtml(html, OPTIONS), OPTIONS);

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'center', 'font'],
  allowedAttributes: {
    '*': ['style', 'align', 'title', 'dir', 'lang'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    font: ['color', 'size'],
    table: ['width', 'border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan', 'width', 'valign'],
    th: ['colspan', 'rowspan', 'width', 'valign'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  allowedStyles: {
    '*': {
      color: COLOR,
      'background-color': COLOR,
      'text-align': [/^(left|right|center|justify)$/],
      'font-size': LENGTH,
      'font-weight': [/^(normal|bold|[1-9]00)$/],
      'font-style': [/^(normal|italic)$/],
      'text-decoration': [/^(none|underline|line-through)$/],
      margin: LENGTH,
      padding: LENGTH,
    },
  },
};
