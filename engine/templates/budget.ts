import { failLimit, TEMPLATE_LIMITS, TOO_MUCH } from './values.js';

/** What one or more renderings may cost together, in characters and steps: every machine refuses the same templates. */
export class RenderBudget {
  #spent = 0;

  constructor(
    private readonly most: number = TEMPLATE_LIMITS.cost,
    /** Said of a rendering that is ended by its time, too. */
    readonly refusal = TOO_MUCH,
  ) {}

  get spent(): number {
    return this.#spent;
  }

  spend(characters: number): void {
    if (!(characters > 0)) return;
    this.#spent += characters;
    if (this.#spent > this.most) failLimit(this.refusal);
  }
}

/**
 * For a rendering on the thread that serves all others, which wait for it: a message that is sent, or the trial of a template. Previews,
 * letters and documents are rendered on threads of their own, within the larger limit.
 */
export const budgetOfMessage = (): RenderBudget =>
  new RenderBudget(
    TEMPLATE_LIMITS.messageCost,
    'The template computes too much for a message. Shorten its loops, its texts or its HTML (docs/templates.md, "Limits").',
  );

/** The cost of a character of HTML that is cleaned, and of one that begins a tag, an attribute, a declaration of a style or an entity. */
const CLEANED_CHARACTER = 3;
const CLEANED_MARKS: Readonly<Record<number, number>> = { [code('<')]: 100, [code('=')]: 120, [code(';')]: 60, [code('&')]: 40 };
/** A style is parsed. */
const CLEANED_STYLE = 200;

/** What it costs to clean HTML and to make a plain text of it, as long as a rendering of the same cost takes. */
export function cleaningCost(html: string): number {
  let cost = html.length * CLEANED_CHARACTER;
  for (let at = 0; at < html.length; at++) cost += CLEANED_MARKS[html.charCodeAt(at)] ?? 0;
  return cost + (html.match(/style/gi)?.length ?? 0) * CLEANED_STYLE;
}

function code(mark: string): number {
  return mark.charCodeAt(0);
}
