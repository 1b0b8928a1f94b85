import type { Expression, Statement, Template } from './syntax.js';

export interface References {
  /** What the template reads of its context: `loan.displayId`; sorted, each once. Variables that it sets itself are left out. */
  readonly variables: readonly string[];
  /** Templates that it names to be included or extended; those whose name is computed are unknown. */
  readonly templates: readonly string[];
  /** Whether it includes or extends any, those whose name is computed among them. */
  readonly includes: boolean;
}

export function referencesOf({ body, parent }: Template): References {
  const reading = new Reading();
  reading.body(body);
  if (parent !== null) reading.template(parent);
  return reading.result();
}

type Children = { readonly [Type in Expression['type']]: (expression: Extract<Expression, { readonly type: Type }>) => readonly Expression[] };

const CHILDREN: Children = {
  literal: () => [],
  name: () => [],
  super: () => [],
  list: ({ items }) => items,
  object: ({ entries }) => entries.flat(),
  attribute: ({ of, key }) => [of, key],
  filter: ({ of, args }) => [of, ...args],
  not: ({ of }) => [of],
  minus: ({ of }) => [of],
  test: ({ of }) => [of],
  binary: ({ left, right }) => [left, right],
  choice: ({ condition, then, otherwise }) => [condition, then, ...(otherwise === null ? [] : [otherwise])],
};

const childrenOf = (expression: Expression): readonly Expression[] => (CHILDREN[expression.type] as (of: Expression) => readonly Expression[])(expression);

class Reading {
  readonly #paths = new Set<string>();
  readonly #templates = new Set<string>();
  readonly #own = new Set(['loop', 'forloop']);
  #includes = false;

  result(): References {
    const variables = [...this.#paths].filter((path) => !this.#own.has(path.split('.')[0] ?? ''));
    return { variables: variables.sort(), templates: [...this.#templates].sort(), includes: this.#includes };
  }

  template(expression: Expression): void {
    this.#includes = true;
    if (expression.type === 'literal' && typeof expression.value === 'string') this.#templates.add(expression.value);
    else this.#expression(expression);
  }

  body(body: readonly Statement[]): void {
    for (const statement of body) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.type) {
      case 'text':
        return;
      case 'output':
        return this.#expression(statement.value);
      case 'if':
        for (const { condition, body } of statement.branches) {
          this.#expression(condition);
          this.body(body);
        }
        return this.body(statement.otherwise);
      case 'for':
        this.#expression(statement.items);
        for (const name of statement.names) this.#own.add(name);
        if (statement.condition !== null) this.#expression(statement.condition);
        this.body(statement.body);
        return this.body(statement.otherwise);
      case 'set':
        this.#own.add(statement.name);
        return this.#expression(statement.value);
      case 'capture':
        this.#own.add(statement.name);
        return this.body(statement.body);
      case 'include':
        return this.template(statement.template);
      case 'block':
        return this.body(statement.body);
    }
  }

  #expression(expression: Expression): void {
    const path = pathOf(expression);
    if (path !== null) this.#paths.add(path);
    else for (const child of childrenOf(expression)) this.#expression(child);
  }
}

/** A variable with the attributes that are read of it by name; null for other expressions. */
function pathOf(expression: Expression): string | null {
  if (expression.type === 'name') return expression.name;
  if (expression.type !== 'attribute' || expression.key.type !== 'literal') return null;
  const of = pathOf(expression.of);
  return of === null ? null : `${of}.${String(expression.key.value)}`;
}
