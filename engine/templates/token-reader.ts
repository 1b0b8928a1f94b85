import { TEMPLATE_LIMITS } from './limits.js';
import { failLimit, failSyntax } from './template-error.js';
import type { Token } from './tokens.js';

const END: Token = { type: 'end', text: '', line: 1 };

/** Tokens in their order, with the one that comes next in sight, and how deep the reading is. */
export class TokenReader {
  #at = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get next(): Token {
    return this.tokens[this.#at] ?? this.tokens.at(-1) ?? END;
  }

  get line(): number {
    return this.next.line;
  }

  take(): Token {
    const token = this.next;
    this.#at++;
    return token;
  }

  isNext(type: Token['type'], text: string): boolean {
    return this.next.type === type && this.next.text === text;
  }

  /** Takes the token if it is the next one. */
  skip(type: Token['type'], text: string): boolean {
    const isNext = this.isNext(type, text);
    if (isNext) this.#at++;
    return isNext;
  }

  expect(type: Token['type'], text: string): void {
    if (!this.skip(type, text)) this.fail(text);
  }

  name(wanted: string): string {
    return this.next.type === 'name' ? this.take().text : this.fail(wanted);
  }

  fail(wanted: string): never {
    const { type, text } = this.next;
    return failSyntax(`${type === 'end' ? 'The template ends' : `There is ${JSON.stringify(text.slice(0, 30))}`} where ${wanted} is expected.`, this.line);
  }

  deeper<Result>(read: () => Result): Result {
    if (this.#depth >= TEMPLATE_LIMITS.nesting) failLimit(`A template nests ${TEMPLATE_LIMITS.nesting} deep at most.`, this.line);
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }
}
