import { TEMPLATE_LIMITS } from './limits.js';
import { failLimit, failSyntax } from './template-error.js';

export type Token =
  | { readonly type: 'data' | 'name' | 'string' | 'number' | 'operator'; readonly text: string; readonly line: number }
  | { readonly type: 'open'; readonly text: '{{' | '{%'; readonly line: number }
  | { readonly type: 'close'; readonly text: '}}' | '%}'; readonly line: number }
  | { readonly type: 'end'; readonly text: ''; readonly line: number };

const OPENING = /\{\{-?|\{%-?|\{#-?/g;
const RAW = /\{%-?\s*raw\s*(-?)%\}/y;
const END_RAW = /\{%(-?)\s*endraw\s*-?%\}/g;
const COMMENT_END = /-?#\}/g;
const SPACE = /\s+/y;
/** In the order in which they are tried. */
const CODE: readonly (readonly [type: 'name' | 'number' | 'string' | 'operator', pattern: RegExp])[] = [
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['string', /"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'/y],
  ['operator', /==|!=|<=|>=|\/\/|[-+*/%~|.,:()[\]{}<>=]/y],
];
const CLOSING = { '{{': /-?\}\}/y, '{%': /-?%\}/y } as const;

/** The text as tokens: what stands outside of delimiters is data, trimmed where a dash asks for it. */
export function tokensOf(source: string): readonly Token[] {
  if (source.length > TEMPLATE_LIMITS.sourceLength) failLimit(`A template has ${TEMPLATE_LIMITS.sourceLength} characters at most.`, 1);
  return new Lexer(source).read();
}

class Lexer {
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #trimsNext = false;

  constructor(private readonly source: string) {}

  read(): readonly Token[] {
    while (this.#at < this.source.length) this.#readPiece();
    this.#tokens.push({ type: 'end', text: '', line: this.#line });
    return this.#tokens;
  }

  /** Data up to the next delimiter, and what the delimiter begins. */
  #readPiece(): void {
    OPENING.lastIndex = this.#at;
    const opening = OPENING.exec(this.source);
    const begin = opening?.index ?? this.source.length;
    this.#data(this.source.slice(this.#at, begin), opening?.[0].endsWith('-') ?? false);
    this.#moveTo(begin);
    if (!opening) return;
    if (opening[0].startsWith('{#')) this.#comment(opening[0]);
    else if (!this.#raw()) this.#tag(opening[0]);
  }

  #data(text: string, trimsEnd: boolean): void {
    const begun = this.#trimsNext ? text.trimStart() : text;
    const kept = trimsEnd ? begun.trimEnd() : begun;
    if (kept !== '') this.#tokens.push({ type: 'data', text: kept, line: this.#line });
    this.#trimsNext = false;
  }

  #comment(opening: string): void {
    COMMENT_END.lastIndex = this.#at + opening.length;
    const end = COMMENT_END.exec(this.source) ?? failSyntax('The comment has no end.', this.#line);
    this.#moveTo(end.index + end[0].length);
    this.#trimsNext = end[0].startsWith('-');
  }

  /** `{% raw %}` … `{% endraw %}`: data as it stands. */
  #raw(): boolean {
    const begin = this.#match(RAW);
    if (!begin) return false;
    const line = this.#line;
    this.#moveTo(this.#at + begin[0].length);
    END_RAW.lastIndex = this.#at;
    const end = END_RAW.exec(this.source) ?? failSyntax('raw has no endraw.', line);
    this.#trimsNext = begin[1] === '-';
    this.#data(this.source.slice(this.#at, end.index), end[1] === '-');
    this.#moveTo(end.index + end[0].length);
    this.#trimsNext = end[0].endsWith('-%}');
    return true;
  }

  #tag(opening: string): void {
    const text = opening.startsWith('{{') ? '{{' : '{%';
    const line = this.#line;
    this.#tokens.push({ type: 'open', text, line });
    this.#moveTo(this.#at + opening.length);
    let braces = 0;
    for (let count = 0; ; count++) {
      if (count > TEMPLATE_LIMITS.tagTokens) failLimit(`What stands between two delimiters has ${TEMPLATE_LIMITS.tagTokens} parts at most.`, line);
      const space = this.#match(SPACE);
      if (space) this.#moveTo(this.#at + space[0].length);
      const close = braces === 0 ? this.#match(CLOSING[text]) : null;
      if (close) return this.#close(text, close[0]);
      braces += this.#code(line);
    }
  }

  #close(opening: '{{' | '{%', closing: string): void {
    this.#tokens.push({ type: 'close', text: opening === '{{' ? '}}' : '%}', line: this.#line });
    this.#moveTo(this.#at + closing.length);
    this.#trimsNext = closing.startsWith('-');
  }

  /** One token of code; returns by how much it opens braces. */
  #code(opened: number): number {
    if (this.#at >= this.source.length) failSyntax(`What begins in line ${opened} has no closing delimiter.`, this.#line);
    for (const [type, pattern] of CODE) {
      const found = this.#match(pattern);
      if (!found) continue;
      this.#tokens.push({ type, text: type === 'string' ? unquoted(found[0]) : found[0], line: this.#line });
      this.#moveTo(this.#at + found[0].length);
      return type !== 'operator' ? 0 : found[0] === '{' ? 1 : found[0] === '}' ? -1 : 0;
    }
    return failSyntax(`${JSON.stringify(this.source.charAt(this.#at))} is not expected here.`, this.#line);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.source);
  }

  #moveTo(next: number): void {
    for (let at = this.source.indexOf('\n', this.#at); at !== -1 && at < next; at = this.source.indexOf('\n', at + 1)) this.#line++;
    this.#at = next;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\([^])/g, (_all, character: string) => ESCAPES[character] ?? character);
