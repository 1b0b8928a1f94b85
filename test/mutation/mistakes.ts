import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import ts from 'typescript';

/*
 * Every mistake of one token that can be planted in a compiled module. Types are no longer in it, so each place is one that runs.
 * Assertions and texts of errors are left alone: they say what cannot happen.
 */

/** What a mistake does to a place. The table in `docs/testing.md` has an example of each. */
export type Kind =
  | 'arithmetic'
  | 'boundary'
  | 'comparison'
  | 'boolean'
  | 'condition'
  | 'constant'
  | 'default'
  | 'sign'
  | 'function'
  | 'name'
  | 'text'
  | 'arguments'
  | 'removed';

export interface Mistake {
  /** The source, by path from the project's root. */
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  readonly before: string;
  readonly after: string;
  /** The place in the compiled module. */
  readonly start: number;
  readonly end: number;
  /** Has run where the mistake would have an effect. Behind `a &&` begins what runs only sometimes. */
  readonly probe: number;
  /** The compiled line that it is in. */
  readonly within: string;
}

type Swap = Readonly<Record<string, { readonly kind: Kind; readonly to: readonly string[] }>>;

const OPERATORS: Swap = {
  '+': { kind: 'arithmetic', to: ['-'] },
  '-': { kind: 'arithmetic', to: ['+'] },
  '*': { kind: 'arithmetic', to: ['/'] },
  '/': { kind: 'arithmetic', to: ['*'] },
  '%': { kind: 'arithmetic', to: ['*'] },
  '+=': { kind: 'arithmetic', to: ['-='] },
  '-=': { kind: 'arithmetic', to: ['+='] },
  '*=': { kind: 'arithmetic', to: ['/='] },
  '&': { kind: 'arithmetic', to: ['|'] },
  '|': { kind: 'arithmetic', to: ['&'] },
  '<<': { kind: 'arithmetic', to: ['>>'] },
  '>>': { kind: 'arithmetic', to: ['<<'] },
  '<': { kind: 'boundary', to: ['<='] },
  '<=': { kind: 'boundary', to: ['<'] },
  '>': { kind: 'boundary', to: ['>='] },
  '>=': { kind: 'boundary', to: ['>'] },
  '===': { kind: 'comparison', to: ['!=='] },
  '!==': { kind: 'comparison', to: ['==='] },
  '&&': { kind: 'boolean', to: ['||'] },
  '||': { kind: 'boolean', to: ['&&'] },
};

/** A comparison that points the other way, beside the one whose boundary is off by one. */
const REVERSED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

const FUNCTIONS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
  find: 'findLast',
  findLast: 'find',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Names that are taken for each other: of one unit, or parts of one whole. */
const KIN = [/Cents$/, /Days?$/, /Seconds$/, /Interest$/, /^(principal|interest|fees|penalties)$/, /^(nonDue|due|overdue)$/];

/**
 * The mistakes of one module, in the order of its places.
 * @param file the source, by path from the project's root
 * @param compiled the compiled module, with its source map beside it
 */
export function mistakesOf(file: string, compiled: string): readonly Mistake[] {
  const text = readFileSync(compiled, 'utf8');
  return plan(text, file, lineFinder(text, compiled));
}

/** @param lineAt the line of the source for an offset of the text */
export function plan(text: string, file: string, lineAt: (offset: number) => number): readonly Mistake[] {
  const module = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const groups = groupsOf(module);
  const mistakes: Mistake[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    for (const { kind, at, until = at, to } of changesOf(node, groups)) {
      const [start, end] = [at.getStart(), until.end];
      mistakes.push({
        file,
        line: lineAt(start),
        kind,
        before: text.slice(start, end),
        after: to,
        start,
        end,
        probe: node.getStart(),
        within: lineOf(text, start),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(module);
  return mistakes;
}

const lineOf = (text: string, at: number): string =>
  text.slice(text.lastIndexOf('\n', at) + 1, (text.indexOf('\n', at) + 1 || text.length + 1) - 1);

interface Change {
  readonly kind: Kind;
  readonly at: ts.Node;
  /** The last node that is replaced, where it is another one. */
  readonly until?: ts.Node;
  readonly to: string;
}

/** Texts and names of a module that stand for the same thing, and could be taken for each other. */
type Groups = ReadonlyMap<string, ReadonlySet<string>>;

function changesOf(node: ts.Node, groups: Groups): readonly Change[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return ofUnary(node);
  if (ts.isIfStatement(node)) return ofCondition(node.expression);
  if (ts.isConditionalExpression(node)) return ofCondition(node.condition);
  if (ts.isWhileStatement(node)) return [{ kind: 'condition', at: node.expression, to: 'false' }];
  if (ts.isNumericLiteral(node)) return [{ kind: 'constant', at: node, to: String(next(Number(node.text))) }];
  if (ts.isBigIntLiteral(node)) return [{ kind: 'constant', at: node, to: `${nextBig(BigInt(node.text.slice(0, -1)))}n` }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ kind: 'boolean', at: node, to: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ kind: 'boolean', at: node, to: 'true' }];
  if (ts.isStringLiteral(node)) return ofGroup('text', node, textGroup(node), groups);
  if (ts.isPropertyAccessExpression(node)) return ofProperty(node, groups);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (isRemovable(node)) return [{ kind: 'removed', at: node, to: ';' }];
  return [];
}

function ofBinary({ left, operatorToken: operator, right }: ts.BinaryExpression): readonly Change[] {
  const sign = operator.getText();
  if (sign === '??') return [{ kind: 'default', at: operator.parent, to: left.getText() }];
  if (sign === '+' && (isText(left) || isText(right))) return [];
  const swap = OPERATORS[sign];
  const changes: Change[] = (swap?.to ?? []).map((to) => ({ kind: swap?.kind ?? 'arithmetic', at: operator, to }));
  const reversed = REVERSED[sign];
  if (reversed !== undefined) changes.push({ kind: 'comparison', at: operator, to: reversed });
  return changes;
}

const isText = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right)));

function ofUnary(node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression): readonly Change[] {
  const operand = node.operand.getText();
  if (node.operator === ts.SyntaxKind.ExclamationToken) return [{ kind: 'boolean', at: node, to: operand }];
  if (node.operator === ts.SyntaxKind.MinusToken) return [{ kind: 'sign', at: node, to: operand }];
  if (node.operator === ts.SyntaxKind.PlusPlusToken) return [{ kind: 'arithmetic', at: node, to: `${operand}--` }];
  if (node.operator === ts.SyntaxKind.MinusMinusToken) return [{ kind: 'arithmetic', at: node, to: `${operand}++` }];
  return [];
}

const ofCondition = (at: ts.Expression): readonly Change[] =>
  ts.isParenthesizedExpression(at.parent)
    ? []
    : [
        { kind: 'condition', at, to: 'true' },
        { kind: 'condition', at, to: 'false' },
      ];

const next = (value: number): number => (value === 1 ? 0 : value + 1);
const nextBig = (value: bigint): bigint => (value === 1n ? 0n : value + 1n);

function ofProperty(node: ts.PropertyAccessExpression, groups: Groups): readonly Change[] {
  const to = FUNCTIONS[node.name.text];
  if (to !== undefined && ts.isCallExpression(node.parent) && node.parent.expression === node)
    return [{ kind: 'function', at: node.name, to }];
  const kin = kinOf(node.name.text);
  return kin < 0 ? [] : ofGroup('name', node.name, `${node.expression.getText()}.${kin}`, groups);
}

const kinOf = (name: string): number => KIN.findIndex((pattern) => pattern.test(name));

/** Another one of its group: the next in the order of the alphabet. */
function ofGroup(kind: Kind, at: ts.StringLiteral | ts.MemberName, group: string | null, groups: Groups): readonly Change[] {
  const all = [...(groups.get(group ?? '') ?? [])].sort();
  const other = all[(all.indexOf(at.text) + 1) % all.length];
  return other === undefined || other === at.text ? [] : [{ kind, at, to: kind === 'text' ? JSON.stringify(other) : other }];
}

/** What gives the same whatever the order of what it is given. */
const SYMMETRIC: ReadonlySet<string> = new Set([
  'add',
  'addAccrued',
  'addDays',
  'plus',
  'least',
  'greatest',
  'earliest',
  'min',
  'max',
  'isSame',
]);

/** Two neighbors that are as simple as each other. */
function ofCall({ expression, arguments: given }: ts.CallExpression): readonly Change[] {
  const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  if (SYMMETRIC.has(called)) return [];
  return given.flatMap((first, at) => {
    const second = given[at + 1];
    if (second === undefined || !isSimple(first) || !isSimple(second) || first.getText() === second.getText()) return [];
    return [{ kind: 'arguments', at: first, until: second, to: `${second.getText()}, ${first.getText()}` } as const];
  });
}

const isSimple = (node: ts.Expression): boolean =>
  ts.isIdentifier(node) || ts.isNumericLiteral(node) || ts.isPropertyAccessExpression(node);

function isRemovable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return !/^(super|assert)\(/.test(node.getText());
  return ts.isContinueStatement(node) || ts.isBreakStatement(node) || (ts.isReturnStatement(node) && node.expression === undefined);
}

function isLeftAlone(node: ts.Node): boolean {
  // How the compiler writes `undefined`: `void 0`.
  if (ts.isVoidExpression(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isThrowStatement(node)) return true;
  if (ts.isCallExpression(node) && node.expression.getText() === 'assert') return true;
  const { parent } = node;
  return parent !== undefined && ts.isCallExpression(parent) && parent.expression.getText() === 'must' && parent.arguments[1] === node;
}

function groupsOf(module: ts.SourceFile): Groups {
  const groups = new Map<string, Set<string>>();
  const visit = (node: ts.Node): void => {
    let group: string | null = null;
    let name = '';
    if (ts.isStringLiteral(node)) [group, name] = [textGroup(node), node.text];
    else if (ts.isPropertyAccessExpression(node) && kinOf(node.name.text) >= 0)
      [group, name] = [`${node.expression.getText()}.${kinOf(node.name.text)}`, node.name.text];
    if (group !== null) groups.set(group, (groups.get(group) ?? new Set()).add(name));
    ts.forEachChild(node, visit);
  };
  visit(module);
  return groups;
}

/** What a text is compared with, or is the value of. */
function textGroup(node: ts.StringLiteral): string | null {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const other = parent.left === node ? parent.right : parent.left;
    return ['===', '!=='].includes(parent.operatorToken.getText()) ? lastName(other) : null;
  }
  if (ts.isPropertyAssignment(parent) && parent.initializer === node) return lastName(parent.name);
  if (ts.isCaseClause(parent)) return lastName(parent.parent.parent.expression);
  return ts.isArrayLiteralExpression(parent) ? `[${parent.pos}]` : null;
}

const lastName = (node: ts.Node): string | null => /(\w+)$/.exec(node.getText())?.[1] ?? null;

function lineFinder(text: string, compiled: string): (offset: number) => number {
  const map = new SourceMap(JSON.parse(readFileSync(`${compiled}.map`, 'utf8')));
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = map.findEntry(line, offset - (starts[line] ?? 0));
    return 'originalLine' in entry ? entry.originalLine + 1 : line + 1;
  };
}
