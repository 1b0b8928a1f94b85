import { Liquid, type Template as Statement } from 'liquidjs';
import { FILTERS, metered } from './filters.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { OPERATORS } from './operators.js';
import { contextOf, type Rendering, shown } from './rendering.js';
import { TAGS } from './tags.js';
import { plainOf } from './values.js';

/**
 * The library with the statements, filters and operators that can be bounded, and with no others. It knows no file: templates are named by
 * those who render.
 */
class Library extends Liquid {
  /** There is one at a time, since rendering is synchronous. */
  #running: Rendering | null = null;

  constructor() {
    super({
      templates: {},
      relativeReference: false,
      dynamicPartials: true,
      strictFilters: true,
      ownPropertyOnly: true,
      parseLimit: TEMPLATE_LIMITS.sourceLength,
      operators: OPERATORS,
      locale: 'en-US',
      outputEscape(this: unknown, value: unknown): string {
        return shown(plainOf(value), contextOf(this));
      },
    });
    for (const name of Object.keys(this.filters)) this.unregisterFilter(name);
    for (const [name, filter] of FILTERS) this.registerFilter(name, metered(filter));
    for (const name of Object.keys(this.tags)) delete this.tags[name];
    for (const [name, tag] of TAGS) this.registerTag(name, tag);
  }

  during(rendering: Rendering, run: () => void): void {
    const outer = this.#running;
    this.#running = rendering;
    try {
      run();
    } finally {
      this.#running = outer;
    }
  }

  // oxlint-disable-next-line require-yield -- Liquid wants a generator, and nothing here waits
  override *_parsePartialFile(name: string): Generator<unknown, Statement[], never> {
    return [...(this.#running?.templateNamed(name).body ?? [])];
  }

  // oxlint-disable-next-line require-yield -- as above
  override *_parseLayoutFile(name: string): Generator<unknown, Statement[], never> {
    return [...(this.#running?.templateNamed(name).body ?? [])];
  }
}

export const LIBRARY = new Library();
