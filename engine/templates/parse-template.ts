import { parseExpression, parseOperation } from './parse-expression.js';
import type { Branch, Expression, Statement, Template } from './syntax.js';
import { failSyntax } from './template-error.js';
import { tokensOf } from './tokens.js';
import { TokenReader } from './token-reader.js';

/** Reads a template; throws a `TemplateError` with the line where the text is none. */
export function parseTemplate(source: string): Template {
  return new Parser(new TokenReader(tokensOf(source))).template();
}

/** Names that a template cannot give another meaning. */
const KEPT_NAMES: ReadonlySet<string> = new Set(['loop', 'forloop', 'super', 'true', 'false', 'none', 'True', 'False', 'None', 'null', 'nil', 'and', 'or', 'not', 'in', 'is', 'if', 'else', 'contains']);

class Parser {
  readonly #blocks = new Map<string, readonly Statement[]>();
  #parent: Expression | null = null;
  #depth = 0;

  constructor(private readonly reader: TokenReader) {}

  template(): Template {
    const body = this.#body([]);
    return { body, parent: this.#parent, blocks: this.#blocks };
  }

  /** Statements up to one of the words, whose tag is begun and not taken; up to the end where there are none. */
  #body(until: readonly string[]): readonly Statement[] {
    const { reader } = this;
    this.#depth++;
    const body: Statement[] = [];
    for (;;) {
      const { type, text, line } = reader.next;
      if (type === 'end') {
        if (until.length > 0) failSyntax(`The template ends where ${until.join(' or ')} is expected.`, line);
        break;
      }
      reader.take();
      if (type === 'data') body.push({ type: 'text', text, line });
      else if (text === '{{') body.push(this.#output(line));
      else if (until.includes(reader.next.text)) break;
      else body.push(...reader.deeper(() => this.#statement(line)));
    }
    this.#depth--;
    return body;
  }

  #output(line: number): Statement {
    const value = parseExpression(this.reader);
    this.reader.expect('close', '}}');
    return { type: 'output', value, line };
  }

  #statement(line: number): readonly Statement[] {
    const word = this.reader.name('a statement');
    switch (word) {
      case 'if':
        return [this.#if(line, 'endif', (condition) => condition)];
      case 'unless':
        return [this.#if(line, 'endunless', (of) => ({ type: 'not', of, line }))];
      case 'for':
        return [this.#for(line)];
      case 'set':
      case 'assign':
        return [this.#set(line)];
      case 'include':
        return [this.#include(line)];
      case 'block':
        return [this.#block(line)];
      case 'extends':
        return this.#extends(line);
      default:
        return failSyntax(`There is no statement ${word}.`, line);
    }
  }

  #close(): void {
    this.reader.expect('close', '%}');
  }

  /** The word that ended a body, with its tag. */
  #end(word: string): void {
    this.reader.expect('name', word);
    this.#close();
  }

  /** `first` is what the first condition means. */
  #if(line: number, end: string, first: (condition: Expression) => Expression): Statement {
    const { reader } = this;
    const branches: Branch[] = [];
    let condition = first(parseExpression(reader));
    for (;;) {
      this.#close();
      branches.push({ condition, body: this.#body(['elif', 'elsif', 'elseif', 'else', end]) });
      const { text } = reader.take();
      if (text === 'else' || text === end) {
        this.#close();
        return { type: 'if', branches, otherwise: text === end ? [] : this.#otherwise(end), line };
      }
      condition = parseExpression(reader);
    }
  }

  #otherwise(end: string): readonly Statement[] {
    const body = this.#body([end]);
    this.#end(end);
    return body;
  }

  #for(line: number): Statement {
    const { reader } = this;
    const names = [this.#newName()];
    if (reader.skip('operator', ',')) names.push(this.#newName());
    reader.expect('name', 'in');
    const items = parseOperation(reader);
    const condition = reader.skip('name', 'if') ? parseOperation(reader) : null;
    this.#close();
    const body = this.#body(['else', 'endfor']);
    const isEnd = reader.take().text === 'endfor';
    this.#close();
    return { type: 'for', names, items, condition, body, otherwise: isEnd ? [] : this.#otherwise('endfor'), line };
  }

  #set(line: number): Statement {
    const name = this.#newName();
    if (this.reader.skip('operator', '=')) {
      const value = parseExpression(this.reader);
      this.#close();
      return { type: 'set', name, value, line };
    }
    this.#close();
    const body = this.#body(['endset']);
    this.#end('endset');
    return { type: 'capture', name, body, line };
  }

  #newName(): string {
    const { line } = this.reader;
    const name = this.reader.name('a name');
    return KEPT_NAMES.has(name) ? failSyntax(`${name} is no name for a variable.`, line) : name;
  }

  #include(line: number): Statement {
    const template = parseExpression(this.reader);
    const ignoresMissing = this.reader.skip('name', 'ignore');
    if (ignoresMissing) this.reader.expect('name', 'missing');
    this.#close();
    return { type: 'include', template, ignoresMissing, line };
  }

  #block(line: number): Statement {
    const name = this.reader.name('the name of the block');
    if (this.#blocks.has(name)) failSyntax(`There are two blocks ${name}.`, line);
    this.#close();
    this.#blocks.set(name, []);
    const body = this.#body(['endblock']);
    this.reader.expect('name', 'endblock');
    this.reader.skip('name', name);
    this.#close();
    this.#blocks.set(name, body);
    return { type: 'block', name, body, line };
  }

  #extends(line: number): readonly Statement[] {
    if (this.#depth > 1 || this.#parent !== null) failSyntax('A template extends one other, outside of all statements.', line);
    this.#parent = parseExpression(this.reader);
    this.#close();
    return [];
  }
}
