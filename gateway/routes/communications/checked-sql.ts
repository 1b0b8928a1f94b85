import { fieldOf } from '../../../engine/index.js';
import type { Call, Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

/** Routes of a resource with SQL in a field: a question that would not be answered is refused when it is written. */
export function withCheckedSql(field: string, routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => {
    if (route.method !== 'POST' && route.method !== 'PUT') return route;
    return {
      ...route,
      async handle(call: Call) {
        const sql = fieldOf(call.body, field);
        if (typeof sql === 'string') await call.read('question.check', ownCompany(call), { query: { sql } });
        return route.handle(call);
      },
    };
  });
}
