import { ARITHMETIC, numberOf, scaledOf } from './decimals.js';
import { FILTERS } from './filters.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { Printer } from './printer.js';
import type { RenderOptions } from './render.js';
import { Scope } from './scope.js';
import type { Expression, Statement, Template, TestName } from './syntax.js';
import { failLimit, failValue, TemplateError } from './template-error.js';
import { attributeOf, escapeHtml, isEqual, isList, isObject, isTrue, Markup, Missing, ownProperty, textOf, type Value, valueOf, weightOf } from './values.js';

type Of<Type extends string> = Extract<Expression, { readonly type: Type }>;
type Blocks = ReadonlyMap<string, readonly (readonly Statement[])[]>;

/** Where a statement stands: its variables, the blocks of its template, and of a block how far down the chain of replaced ones it is. */
interface Place {
  readonly scope: Scope;
  readonly blocks: Blocks;
  readonly block: { readonly name: string; readonly level: number } | null;
}

/** One rendering, with what it has cost so far. */
export class Rendering {
  readonly #printer = new Printer();
  #steps = 0;
  #turns = 0;
  #templateDepth = 0;
  #blockDepth = 0;

  constructor(private readonly options: RenderOptions) {}

  run(template: Template): string {
    return this.#printer.captured(() => this.#template(template, new Scope(null), new Map(), 1));
  }

  /** Blocks of a template stand in front of those of the one that it extends. */
  #template({ body, blocks, parent }: Template, scope: Scope, inherited: Blocks, line: number): void {
    if (this.#templateDepth >= TEMPLATE_LIMITS.includeDepth) failLimit(`Templates include one another ${TEMPLATE_LIMITS.includeDepth} deep at most.`, line);
    this.#templateDepth++;
    const chain = new Map(inherited);
    for (const [name, own] of blocks) chain.set(name, [...(chain.get(name) ?? []), own]);
    const place: Place = { scope, blocks: chain, block: null };
    if (parent === null) {
      this.#body(body, place);
    } else {
      this.#body(body.filter(({ type }) => type === 'set' || type === 'capture'), place);
      const found = this.#templateNamed(parent, place) ?? failTemplate(parent);
      this.#template(found, scope, chain, parent.line);
    }
    this.#templateDepth--;
  }

  #templateNamed(expression: Expression, place: Place): Template | undefined {
    const name = this.#evaluate(expression, place);
    return typeof name === 'string' ? this.options.templateNamed?.(name) : undefined;
  }

  #body(body: readonly Statement[], place: Place): void {
    for (const statement of body) {
      this.#spend(1, statement.line);
      this.#statement(statement, place);
    }
  }

  #statement(statement: Statement, place: Place): void {
    const { line } = statement;
    switch (statement.type) {
      case 'text':
        return this.#print(statement.text, line);
      case 'output':
        return this.#print(this.#shown(this.#evaluate(statement.value, place), line), line);
      case 'if': {
        const branch = statement.branches.find(({ condition }) => this.#isTrue(condition, place));
        return this.#body(branch?.body ?? statement.otherwise, place);
      }
      case 'for':
        return this.#loop(statement, place);
      case 'set':
        return place.scope.set(statement.name, this.#evaluate(statement.value, place));
      case 'capture':
        return place.scope.set(statement.name, this.#made(this.#printer.captured(() => this.#body(statement.body, place))));
      case 'include': {
        const found = this.#templateNamed(statement.template, place);
        if (found) return this.#template(found, new Scope(place.scope), new Map(), line);
        return statement.ignoresMissing ? undefined : failTemplate(statement.template);
      }
      case 'block':
        return this.#block({ name: statement.name, level: 0 }, place, line);
    }
  }

  #block(block: { readonly name: string; readonly level: number }, place: Place, line: number): void {
    const body = place.blocks.get(block.name)?.[block.level] ?? failValue('There is no block that this one replaces.', line);
    if (this.#blockDepth >= TEMPLATE_LIMITS.blockDepth) failLimit(`Blocks stand within ${TEMPLATE_LIMITS.blockDepth} others at most.`, line);
    this.#blockDepth++;
    this.#body(body, { ...place, scope: new Scope(place.scope), block });
    this.#blockDepth--;
  }

  #loop(statement: Extract<Statement, { readonly type: 'for' }>, place: Place): void {
    const { line, condition, names, body } = statement;
    const all = this.#items(this.#evaluate(statement.items, place), names.length, line);
    this.#turns += all.length;
    if (this.#turns > TEMPLATE_LIMITS.loopTurns) failLimit(`The loops of a template go over ${TEMPLATE_LIMITS.loopTurns} items at most.`, line);
    const scopes = all.map((item) => new Scope(place.scope, named(names, item)));
    const wanted = condition === null ? scopes : scopes.filter((scope) => this.#isTrue(condition, { ...place, scope }));
    wanted.forEach((scope, index) => {
      const loop = loopValue(index, wanted.length);
      scope.set('loop', loop);
      scope.set('forloop', loop);
      this.#body(body, { ...place, scope });
    });
    if (wanted.length === 0) this.#body(statement.otherwise, place);
  }

  /** What a loop goes over: items of a list, keys of an object, or its keys with their values. */
  #items(value: Value, nameCount: number, line: number): readonly Value[] {
    const items = this.#present(value, line);
    if (items === null) return [];
    if (isList(items)) return items;
    if (!isObject(items)) return failValue('A loop goes over a list or an object.', line);
    const keys = Object.keys(items);
    return nameCount === 1 ? keys : keys.map((key) => [key, ownProperty(items, key, key)]);
  }

  #isTrue(expression: Expression, place: Place): boolean {
    return isTrue(this.#present(this.#evaluate(expression, place), expression.line));
  }

  #evaluate(expression: Expression, place: Place): Value {
    const { line } = expression;
    this.#spend(1, line);
    switch (expression.type) {
      case 'literal':
        return expression.value;
      case 'list':
        return expression.items.map((item) => this.#evaluate(item, place));
      case 'object':
        return this.#object(expression, place);
      case 'name':
        return this.#variable(expression.name, place);
      case 'attribute':
        return this.#attribute(expression, place);
      case 'filter':
        return this.#filter(expression, place);
      case 'not':
        return !this.#isTrue(expression.of, place);
      case 'minus':
        return this.#arithmetic('-', 0, this.#evaluate(expression.of, place), line);
      case 'binary':
        return this.#binary(expression, place);
      case 'choice':
        if (this.#isTrue(expression.condition, place)) return this.#evaluate(expression.then, place);
        return expression.otherwise === null ? '' : this.#evaluate(expression.otherwise, place);
      case 'test':
        return this.#test(expression, place) !== expression.isNegated;
      case 'super':
        return this.#super(place, line);
    }
  }

  #object({ entries }: Of<'object'>, place: Place): Value {
    const object = Object.create(null) as Record<string, Value>;
    for (const [key, value] of entries) object[textOf(this.#evaluate(key, place))] = this.#evaluate(value, place);
    return object;
  }

  #variable(name: string, { scope }: Place): Value {
    return scope.get(name) ?? ownProperty(this.options.context, name, name);
  }

  #attribute({ of, key, line }: Of<'attribute'>, place: Place): Value {
    const target = this.#evaluate(of, place);
    const wanted = this.#present(this.#evaluate(key, place), line);
    const name = `${nameOf(of)}.${typeof wanted === 'string' || typeof wanted === 'number' ? wanted : ''}`;
    // Missing already: told by the first name that nobody gave.
    return target instanceof Missing ? target : attributeOf(target, wanted, name);
  }

  #filter({ filter: name, of, args, line }: Of<'filter'>, place: Place): Value {
    const filter = FILTERS.get(name) ?? failValue(`There is no filter ${name}.`, line);
    const value = this.#evaluate(of, place);
    const given = args.map((arg) => this.#present(this.#evaluate(arg, place), line));
    const context = { line, zone: this.options.zone, spend: (steps: number) => this.#spend(steps, line) };
    const result = bounded(filter.apply(filter.takesMissing ? value : this.#present(value, line), given, context), line);
    this.#spend(weightOf(result), line);
    return result;
  }

  #binary({ operator, left, right, line }: Of<'binary'>, place: Place): Value {
    const first = this.#present(this.#evaluate(left, place), line);
    if (operator === 'and') return isTrue(first) ? this.#present(this.#evaluate(right, place), line) : first;
    if (operator === 'or') return isTrue(first) ? first : this.#present(this.#evaluate(right, place), line);
    const second = this.#present(this.#evaluate(right, place), line);
    this.#spend(weightOf(first) + weightOf(second), line);
    switch (operator) {
      case '==':
        return isEqual(first, second);
      case '!=':
        return !isEqual(first, second);
      case 'in':
        return this.#isIn(first, second, line);
      case 'not in':
        return !this.#isIn(first, second, line);
      case '~':
        return this.#joined(first, second, line);
      case '<':
      case '>':
      case '<=':
      case '>=':
        return compared(operator, first, second, line);
      default:
        return this.#arithmetic(operator, first, second, line);
    }
  }

  /** Texts are joined by `+` as well. */
  #arithmetic(operator: string, left: Value, right: Value, line: number): Value {
    if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return this.#joined(left, right, line);
    const operation = ARITHMETIC.get(operator) ?? failValue(`There is no operator ${operator}.`, line);
    return numberOf(operation(operand(left, operator, line), operand(right, operator, line), line), line);
  }

  /** Of two pieces of markup one; a text beside markup is escaped. */
  #joined(left: Value, right: Value, line: number): Value {
    const isMarkup = left instanceof Markup || right instanceof Markup;
    const text = (value: Value): string => (isMarkup && !(value instanceof Markup) ? escapeHtml(textOf(value)) : textOf(value));
    const joined = text(left) + text(right);
    this.#spend(weightOf(joined), line);
    return bounded(isMarkup ? new Markup(joined) : joined, line);
  }

  #isIn(item: Value, container: Value, line: number): boolean {
    if (container === null || container === '') return false;
    if (isList(container)) {
      this.#spend(container.length * (1 + weightOf(item)), line);
      return container.some((one) => isEqual(one, item));
    }
    if (isObject(container)) return !(ownProperty(container, textOf(item), '') instanceof Missing);
    const text = typeof container === 'string' || container instanceof Markup ? textOf(container) : failValue('Nothing is in a value of this kind.', line);
    return text.includes(textOf(item));
  }

  #test({ test, of, line }: Of<'test'>, place: Place): boolean {
    const value = this.#evaluate(of, place);
    return TESTS[test](test === 'defined' || test === 'undefined' ? value : this.#present(value, line), line);
  }

  #super(place: Place, line: number): Value {
    const { block } = place;
    if (block === null) return failValue('super() stands in a block.', line);
    return this.#made(this.#printer.captured(() => this.#block({ name: block.name, level: block.level + 1 }, place, line)));
  }

  /** What was rendered is not escaped a second time. */
  #made(text: string): Value {
    return this.options.output === 'html' ? new Markup(text) : text;
  }

  /** Nothing in the place of what is missing; a strict rendering refuses it by its name. */
  #present(value: Value, line: number): Value {
    if (!(value instanceof Missing)) return value;
    if (this.options.undefinedVariables === 'lenient') return null;
    throw new TemplateError('undefined', `The variable ${value.name} is missing.`, line, value.name);
  }

  #shown(value: Value, line: number): string {
    const present = this.#present(value, line);
    const text = textOf(present);
    if (isList(present)) this.#spend(present.length, line);
    return this.options.output === 'text' || present instanceof Markup ? text : escapeHtml(text);
  }

  #print(text: string, line: number): void {
    this.#printer.print(text, line);
  }

  #spend(steps: number, line: number): void {
    this.#steps += steps;
    if (this.#steps > TEMPLATE_LIMITS.steps) failLimit('The template computes too much.', line);
  }
}

function failTemplate({ line }: Expression): never {
  throw new TemplateError('template', 'There is no such template to include or extend.', line);
}

/** How an error calls what an expression reads. */
function nameOf(expression: Expression): string {
  if (expression.type === 'name') return expression.name;
  if (expression.type === 'attribute') return `${nameOf(expression.of)}.${expression.key.type === 'literal' ? String(expression.key.value) : ''}`;
  return expression.type;
}

const named = (names: readonly string[], item: Value): ReadonlyMap<string, Value> => {
  const [first = '', second] = names;
  if (second === undefined) return new Map([[first, valueOf(item, first)]]);
  return new Map([[first, attributeOf(item, 0, first)], [second, attributeOf(item, 1, second)]]);
};

const loopValue = (index: number, length: number): Value => ({
  index: index + 1, index0: index, revindex: length - index, revindex0: length - index - 1, first: index === 0, last: index === length - 1, length,
});

const TESTS: Readonly<Record<TestName, (value: Value, line: number) => boolean>> = {
  defined: (value) => !(value instanceof Missing),
  undefined: (value) => value instanceof Missing,
  none: (value) => value === null,
  string: (value) => typeof value === 'string' || value instanceof Markup,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  even: (value, line) => remainder(value, line) === 0n,
  odd: (value, line) => remainder(value, line) !== 0n,
};

function remainder(value: Value, line: number): bigint {
  return (scaledOf(value) ?? failValue('The value is no number.', line)) % (scaledOf(2) ?? 1n);
}

function operand(value: Value, operator: string, line: number): bigint {
  return scaledOf(value ?? 0) ?? failValue(`The operator ${operator} takes numbers.`, line);
}

/** Numbers as numbers, texts in the order of their characters: that of dates too. */
function compared(operator: '<' | '>' | '<=' | '>=', left: Value, right: Value, line: number): boolean {
  const order = orderOf(left, right) ?? failValue(`The operator ${operator} takes two numbers or two texts.`, line);
  switch (operator) {
    case '<':
      return order < 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    case '>=':
      return order >= 0;
  }
}

function orderOf(left: Value, right: Value): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  const [a, b] = [scaledOf(left ?? 0), scaledOf(right ?? 0)];
  if (a === undefined || b === undefined) return undefined;
  return a < b ? -1 : Number(a > b);
}

function bounded(value: Value, line: number): Value {
  const length = value instanceof Markup ? value.html.length : typeof value === 'string' ? value.length : 0;
  return length > TEMPLATE_LIMITS.outputLength ? failLimit('The text is too long.', line) : value;
}
