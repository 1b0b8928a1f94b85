import sanitizeHtml from 'sanitize-html';

export interface Run {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** A paragraph of a text. */
export interface Block {
  readonly type: 'paragraph' | 'heading' | 'item';
  readonly runs: readonly Run[];
}

const BLOCKS = [
  'p',
  'div',
  'li',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'table',
  'ul',
  'ol',
  'hr',
  'section',
  'article',
  'header',
  'footer',
  'center',
  'pre',
  'title',
];
const BOLD = ['b', 'strong', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const ITALIC = ['i', 'em'];
/** Without attributes: the result has these tags only, whatever came in. */
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...BLOCKS, ...BOLD, ...ITALIC, 'br', 'td'],
  allowedAttributes: {},
  nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'head'],
};
const PIECES = /<(\/?)([a-z0-9]+)\s*\/?>|[^<]+|</g;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** HTML as paragraphs, for plain texts and PDF pages. */
export function blocksOf(html: string): readonly Block[] {
  const reading = new Reading();
  for (const [piece, slash, tag] of sanitizeHtml(html, OPTIONS).matchAll(PIECES)) {
    if (tag === undefined) reading.text(piece.replace(/&(amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity));
    else reading.tag(tag, slash === '/');
  }
  return reading.result();
}

/** One line a paragraph; items with a dash. */
export const plainTextOf = (html: string): string =>
  blocksOf(html)
    .map(({ type, runs }) => (type === 'item' ? '- ' : '') + runs.map(({ text }) => text).join(''))
    .join('\n');

class Reading {
  readonly #blocks: Block[] = [];
  #runs: Run[] = [];
  #type: Block['type'] = 'paragraph';
  #bold = 0;
  #italic = 0;

  result(): readonly Block[] {
    this.#end();
    return this.#blocks;
  }

  text(text: string): void {
    const isFirst = this.#runs.length === 0 || (this.#runs.at(-1)?.text.endsWith('\n') ?? false);
    const plain = text.replace(/\s+/g, ' ');
    const shown = isFirst ? plain.trimStart() : plain;
    if (shown !== '') this.#runs.push({ text: shown, isBold: this.#bold > 0, isItalic: this.#italic > 0 });
  }

  tag(tag: string, isEnd: boolean): void {
    if (tag === 'br') {
      this.#runs.push({ text: '\n', isBold: false, isItalic: false });
      return;
    }
    if (tag === 'td' || tag === 'th') this.#cell(isEnd);
    if (BLOCKS.includes(tag)) {
      this.#end();
      if (!isEnd) this.#type = tag === 'li' ? 'item' : /^h[1-6]$/.test(tag) ? 'heading' : 'paragraph';
    }
    const step = isEnd ? -1 : 1;
    if (BOLD.includes(tag)) this.#bold += step;
    if (ITALIC.includes(tag)) this.#italic += step;
  }

  /** Cells of a row are on one line. */
  #cell(isEnd: boolean): void {
    if (isEnd && this.#runs.length > 0) this.#runs.push({ text: '  ', isBold: false, isItalic: false });
  }

  #end(): void {
    const last = this.#runs.findLastIndex(({ text }) => text.trim() !== '');
    const runs = this.#runs.slice(0, last + 1).map((run, index) => (index === last ? { ...run, text: run.text.trimEnd() } : run));
    if (runs.length > 0) this.#blocks.push({ type: this.#type, runs });
    this.#runs = [];
    this.#type = 'paragraph';
  }
}
