import type { Blobs } from '../../actors/index.js';
import { type CodeSender, NO_SENDER } from '../auth/accounts.js';
import { type Access, NO_ACCESS } from '../auth/credential.js';
import { ContentStore } from '../documents/content-store.js';
import { type Lookups, OWN_LOOKUPS } from '../lookups.js';
import { AddressRules } from '../outgoing.js';
import { Renderer } from '../rendering/renderer.js';
import type { Route } from '../routing/route.js';
import { generalLedgerRoutes } from './general-ledger/index.js';
import { allCaseRoutes } from './cases/index.js';
import type { CallbackSecrets } from './communications/provider-texts.js';
import { communicationRoutes } from './communications/index.js';
import { loanTermsRoutes } from './loan-terms/index.js';
import { allLoanRoutes } from './loans/index.js';
import { moneyRoutes } from './money/index.js';
import { partyRoutes } from './parties/index.js';
import { allPeopleRoutes } from './people/index.js';
import { platformRoutes } from './platform/index.js';

/** Each folder has the routes of one chapter of the contract. */
const routesWith = (
  lookups: Lookups,
  addresses: AddressRules,
  { access, blobs, codes, callbackSecrets = NO_SECRETS, renderer = RENDERER }: Outside,
  contents = new ContentStore(blobs),
): readonly Route[] => [
  ...allPeopleRoutes({ access, codes, contents, renderer }),
  ...allLoanRoutes,
  ...loanTermsRoutes,
  ...moneyRoutes({ lookups, contents, renderer }),
  ...partyRoutes({ lookups, contents, addresses }),
  ...generalLedgerRoutes(contents),
  ...allCaseRoutes,
  ...communicationRoutes({ names: lookups.names, renderer, callbackSecrets, contents }),
  ...platformRoutes(addresses),
];

/** Callers may name only addresses of the public internet. */
const PUBLIC_ADDRESSES = new AddressRules([]);

/** The outside parts that routes use. */
interface Outside {
  readonly access: Access;
  /** Contents of documents. */
  readonly blobs: Blobs;
  readonly codes: CodeSender;
  /** Default: the renderer of the process. */
  readonly renderer?: Renderer;
  /** The secrets that delivery adapters sign with; default: every callback is refused. */
  readonly callbackSecrets?: CallbackSecrets;
}

const NO_SECRETS: CallbackSecrets = { callback: null, textAccountKey: null };

/** Shared, so that the process has one set of render threads. */
const RENDERER = new Renderer();

async function nowhere(): Promise<never> {
  throw new Error('no document store is connected');
}

const NOTHING_OUTSIDE: Outside = { access: NO_ACCESS, blobs: { put: nowhere, get: nowhere, delete: nowhere }, codes: NO_SENDER };

/** The routes of all resources. */
export const resourceRoutes = (lookups: Lookups, addresses = PUBLIC_ADDRESSES, outside: Outside = NOTHING_OUTSIDE): readonly Route[] =>
  routesWith(lookups, addresses, outside);

export const RESOURCE_ROUTES: readonly Route[] = resourceRoutes(OWN_LOOKUPS);
