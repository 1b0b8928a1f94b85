import { Refusal } from '../../actors/index.js';
import type { Call } from '../routing/route.js';

/** The company of the path, which must be the caller's own. */
export function ownCompany({ params, caller }: { readonly params: object; readonly caller: Call['caller'] }): string {
  const named = 'companyId' in params ? params.companyId : caller.company;
  if (named !== caller.company) throw new Refusal('notFound', '`companyId` in the path is not the company of this key or session.');
  return caller.company;
}
