import { type Context, defaultOperators, type Operators } from 'liquidjs';
import { TEMPLATE_LIMITS } from './limits.js';
import { isList, plainOf, type Value, weightOf } from './values.js';

type Compared = (left: Value, right: Value) => number;

/** What an operator costs beyond its step, in characters. */
const BOTH: Compared = (left, right) => weightOf(left) + weightOf(right);
const NOTHING: Compared = () => 0;
/** Each item is compared with the other side; in a text each place may be. */
const WITHIN: Compared = (left, right) =>
  isList(left)
    ? weightOf(left) + left.length * weightOf(right)
    : (weightOf(left) * Math.max(1, weightOf(right))) / TEMPLATE_LIMITS.comparisonsACharacter;

const COSTS: Readonly<Record<string, Compared>> = {
  '==': BOTH,
  '!=': BOTH,
  '<': BOTH,
  '>': BOTH,
  '<=': BOTH,
  '>=': BOTH,
  contains: WITHIN,
  and: NOTHING,
  or: NOTHING,
};

const charge = ({ memoryLimit }: Context, characters: number): void => memoryLimit.use(TEMPLATE_LIMITS.stepCost + characters);

/** Those of the library, counted. */
export const OPERATORS: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operate]) => {
    const cost = COSTS[name];
    if (cost === undefined) return [name, operate];
    return [
      name,
      (left: unknown, right: unknown, context: Context) => {
        charge(context, cost(plainOf(left), plainOf(right)));
        return operate(left, right, context);
      },
    ];
  }),
);
