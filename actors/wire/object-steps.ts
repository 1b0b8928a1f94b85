/*
 * What is printed between the values of an object is nearly always what was printed between those of the one before: the
 * names of its properties, and all the nulls. It is put together once and kept, as a way of steps:
 *
 *     {"id":"  LN-AB12-CD34  ","drawId":null,"isExternal":true,"amount":  12.50  ,"status":"  active  "}
 *     step to id             step to amount                             step to status                 its end
 *
 * A step leads to a property with a value of one kind. Behind a value that varies, ways of all objects meet again, so
 * there are about as many steps as the interface has fields. Properties that callers name may make more: all are let
 * go then.
 */

/** Kinds of values: those that are always the same text, texts that are printed between quotes as they are, and all others. */
export const KIND = { null: 0, true: 1, false: 2, quoted: 3, other: 4 } as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** From the place before to a property: what is printed between the last value that varies and this one. */
export interface Step {
  readonly key: string;
  readonly kind: Kind;
  readonly text: string;
  readonly place: Place;
}

/** A place in an object that is being printed: behind a value, or at its beginning. */
export class Place {
  /** The step that was taken from here last: most often the next one, too. */
  newest: Step | null = null;
  /** By the key, then by the kind. */
  readonly steps = new Map<string, Step[]>();

  /** `owed`: what is not printed yet of what came before, such as the closing quote. */
  constructor(
    readonly owed: string,
    readonly isBeginning = false,
  ) {}
}

/** Steps that are kept, letters of a key of one, and letters of constants that are put together. */
export const STEP_LIMITS = { steps: 16_384, keyLength: 100, constantLength: 1_024 } as const;

let kept = 0;
let beginning = new Place('{', true);
const behindValues = new Map<string, Place>();

/** Where the printing of an object starts. */
export const beginningOfObject = (): Place => beginning;

/** The step from a place to a property. `keyText` prints a key. */
export function stepTo(place: Place, key: string, kind: Kind, keyText: (key: string) => string): Step {
  const known = place.steps.get(key)?.[kind];
  if (known !== undefined) {
    place.newest = known;
    return known;
  }
  const step = newStep(place, key, kind, keyText(key));
  if (key.length > STEP_LIMITS.keyLength || place.owed.length > STEP_LIMITS.constantLength) return step;
  if (kept >= STEP_LIMITS.steps) letGo();
  keep(place, step);
  return step;
}

const OPENINGS = ['null', 'true', 'false', '"', ''] as const;
const CLOSINGS = ['', '', '', '"', ''] as const;

/** Whether a value of the kind stands in the step itself. */
const isConstant = (kind: Kind): boolean => kind < KIND.quoted;

function newStep(place: Place, key: string, kind: Kind, keyText: string): Step {
  const text = flat(`${place.owed}${place.isBeginning ? '' : ','}${keyText}:${OPENINGS[kind]}`);
  return { key, kind, text, place: isConstant(kind) ? new Place(text) : behindValue(key, kind) };
}

const behindValue = (key: string, kind: Kind): Place => behindValues.get(`${kind}${key}`) ?? new Place(CLOSINGS[kind]);

function keep(place: Place, step: Step): void {
  const { key, kind } = step;
  const steps = place.steps.get(key) ?? [];
  steps[kind] = step;
  place.steps.set(key, steps);
  place.newest = step;
  if (!isConstant(kind)) behindValues.set(`${kind}${key}`, step.place);
  kept += 1;
}

/** Objects whose printing has begun go on along the old ways. */
function letGo(): void {
  kept = 0;
  beginning = new Place('{', true);
  behindValues.clear();
}

/** In one piece: what was joined would be walked through again each time that it is printed. */
const flat = (text: string): string => Buffer.from(text).toString();
