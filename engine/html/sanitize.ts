import sanitizeHtml from 'sanitize-html';

const COLOR = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i];
const LENGTH = [/^\d{1,4}(\.\d{1,3})?(px|em|rem|pt|%)?$/];

/**
 * Untrusted HTML without active or external content: scripts, forms, frames, event attributes, style sheets. Cleaned twice: the second
 * pass normalizes what an unclosed tag has nested, so that every later reader parses it the same way.
 */
export const sanitizedHtml = (html: string): string => sanitizeHtml(sanitizeHtml(shallow(html), OPTIONS), OPTIONS);

/**
 * The rendered HTML of a template. A value may be part of an address or a style (`href="{{ x }}"`), where escaping does not stop
 * `javascript:`. Active content is removed as from untrusted HTML. What a page needs stays: head, classes, style sheets without addresses.
 */
export function sanitizedPage(html: string): string {
  // The library closes empty elements as XML does; templates write HTML.
  const clean = sanitizeHtml(sanitizeHtml(shallow(html), PAGE_OPTIONS), PAGE_OPTIONS).replace(/ \/>/g, '>');
  return DOCTYPE.test(html) ? `<!DOCTYPE html>\n${clean.trimStart()}` : clean;
}

/** No real page is deeper. The library's time grows with the square of the depth: 40,000 open tags take it a second. */
const DEEPEST = 5_000;

/** The name of a tag that has content. */
const OPENS = /(?!(?:br|hr|img|wbr|col|meta|link|input)\b)[a-z]/iy;

/** Removes the tags that open below the deepest level and keeps their content. */
function shallow(html: string): string {
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    OPENS.lastIndex = at + 1;
    if (html[at + 1] === '/') depth = Math.max(0, depth - 1);
    else if (!OPENS.test(html)) continue;
    else if (depth < DEEPEST) depth += 1;
    else {
      kept.push(html.slice(from, at));
      const end = html.indexOf('>', at);
      from = end < 0 ? html.length : end + 1;
      if (end < 0) break;
      at = end;
    }
  }
  return kept.length === 0 ? html : [...kept, html.slice(from)].join('');
}

const DOCTYPE = /^\s*<!doctype html\b/i;

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

/** A style value that fetches and computes nothing. Escapes are refused, since they could hide a keyword. */
const STILL = [/^(?!.*(?:url|image|image-set|expression|attr|var|src)\s*\()[^\\;:@<>{}]{1,200}$/i];
const LOOKS =
  'background-color border border-bottom border-collapse border-color border-left border-radius border-right border-spacing border-style ' +
  'border-top border-width color direction display font font-family font-size font-style font-weight height letter-spacing line-height ' +
  'list-style-type margin margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width opacity overflow ' +
  'padding padding-bottom padding-left padding-right padding-top page-break-after page-break-before page-break-inside table-layout ' +
  'text-align text-decoration text-indent text-transform vertical-align white-space width word-break word-wrap';
/** External or active content of a style sheet. */
const ACTING_SHEET = /url\s*\(|image-set|@import|@namespace|expression|behavior|-moz-binding|\\|</i;

const PAGE_OPTIONS: sanitizeHtml.IOptions = {
  ...OPTIONS,
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'center', 'font', 'html', 'head', 'body', 'title', 'meta', 'style'],
  // Style sheets are checked below.
  allowVulnerableTags: true,
  allowedAttributes: {
    ...OPTIONS.allowedAttributes,
    '*': ['style', 'align', 'title', 'dir', 'lang', 'class', 'id', 'role', 'aria-*', 'width', 'height', 'valign', 'bgcolor'],
    meta: ['charset', 'name', 'content'],
    style: ['media'],
    ol: ['start', 'type'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedStyles: { '*': Object.fromEntries(LOOKS.split(' ').map((property) => [property, STILL])) },
  exclusiveFilter: ({ tag, text }) => tag === 'style' && ACTING_SHEET.test(text),
};
