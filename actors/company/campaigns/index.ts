import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import { type AnyDeclaration, declaredCommands, declaredQueries } from '../../kernel/resources/index.js';
import type { CompanyState } from '../state.js';
import { BULK_SENDER } from './bulk-sender.js';
import { CAMPAIGN } from './campaign.js';
import { CONTACT_EXPORTER } from './contact-exporter.js';

const DECLARED: readonly AnyDeclaration[] = [CAMPAIGN, CONTACT_EXPORTER, BULK_SENDER];

/** Lists of borrowers by stored queries, and the workers that get them. */
export const campaignCommands: readonly CommandSpec<CompanyState>[] = DECLARED.flatMap((declaration) =>
  declaredCommands<CompanyState>('company', declaration),
);

export const campaignQueries: readonly QuerySpec<CompanyState>[] = DECLARED.flatMap((declaration) =>
  declaredQueries<CompanyState>('company', declaration),
);
