/** A template that was read: data alone, made by `parseTemplate`. */
export interface Template {
  readonly body: readonly Statement[];
  /** The template whose blocks this one replaces. */
  readonly parent: Expression | null;
  /** By name; blocks within blocks too. */
  readonly blocks: ReadonlyMap<string, readonly Statement[]>;
}

interface At {
  /** From 1. */
  readonly line: number;
}

export type Statement = At & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'output'; readonly value: Expression }
  | { readonly type: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | {
    readonly type: 'for';
    /** One name an item, or two: of an object its key and its value, of a list of lists their items. */
    readonly names: readonly string[];
    readonly items: Expression;
    readonly condition: Expression | null;
    readonly body: readonly Statement[];
    /** When there was no turn. */
    readonly otherwise: readonly Statement[];
  }
  | { readonly type: 'set'; readonly name: string; readonly value: Expression }
  | { readonly type: 'capture'; readonly name: string; readonly body: readonly Statement[] }
  | { readonly type: 'include'; readonly template: Expression; readonly ignoresMissing: boolean }
  | { readonly type: 'block'; readonly name: string; readonly body: readonly Statement[] }
);

export interface Branch {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '~' | '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in' | 'and' | 'or';

export type TestName = 'defined' | 'undefined' | 'none' | 'string' | 'number' | 'boolean' | 'even' | 'odd';

export type Expression = At & (
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'object'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'attribute'; readonly of: Expression; readonly key: Expression }
  | { readonly type: 'filter'; readonly filter: string; readonly of: Expression; readonly args: readonly Expression[] }
  | { readonly type: 'not' | 'minus'; readonly of: Expression }
  | { readonly type: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'choice'; readonly condition: Expression; readonly then: Expression; readonly otherwise: Expression | null }
  | { readonly type: 'test'; readonly test: TestName; readonly isNegated: boolean; readonly of: Expression }
  /** What the block that this one replaces prints. */
  | { readonly type: 'super' }
);
