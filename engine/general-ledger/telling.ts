import type { Believed } from './believed.js';
import type { CourseItem } from './course.js';
import type { Books } from './parts.js';
import { postingsOf } from './rules.js';

/** What a loan's course books on a basis. */
export function believedOf(
  items: readonly CourseItem[],
  books: Books,
  { drawIdOf }: { readonly drawIdOf: (draw: number) => string },
): readonly Believed[] {
  return items.flatMap(({ cause, day, isDaily, exact, draw, happening }) =>
    postingsOf(books, happening).map(({ rule, lines }) => ({
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
