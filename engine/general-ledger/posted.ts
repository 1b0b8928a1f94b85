import type { Believed } from './believed.js';
import type { CourseItem } from './course.js';
import type { Keeping } from './parts.js';
import { postingsOf } from './rules.js';

/** What a loan's course posts on a basis. */
export function believedOf(
  items: readonly CourseItem[],
  keeping: Keeping,
  { drawIdOf }: { readonly drawIdOf: (draw: number) => string },
): readonly Believed[] {
  return items.flatMap(({ cause, day, isDaily, exact, draw, event }) =>
    postingsOf(keeping, event).map(({ rule, lines }) => ({
      ...cause,
      rule,
      effectiveDate: day,
      isDaily,
      ...(exact === undefined ? {} : { exact }),
      ...(draw === undefined ? {} : { drawId: drawIdOf(draw) }),
      lines,
    })),
  );
}
