import { refuseProperty } from '../../errors.js';
import { recordsOf, type ResourceHost } from '../../kernel/resources/index.js';

/** What of a campaign says who works for it, and what the columns of its query may hold. */
interface WithWorker {
  readonly query: string | null;
  readonly seesPersonalData: boolean;
  readonly contactExporterId: string | null;
  readonly bulkSenderId: string | null;
  readonly status: 'active' | 'paused' | 'deleted';
}

export const CAMPAIGN_TYPE = 'campaign';

/** A worker is not removed while a campaign has it. */
export function refuseUsed(host: ResourceHost, name: 'contactExporterId' | 'bulkSenderId', id: string): void {
  const campaigns = recordsOf<WithWorker>(host, CAMPAIGN_TYPE);
  for (const campaign of campaigns.values())
    if (campaign.stored.status !== 'deleted' && campaign.stored[name] === id)
      refuseProperty(name, 'a worker that no campaign uses', `The campaign ${campaign.id} uses ${id}.`);
}

/**
 * Whether the columns of a campaign's query may hold personal data: SQL whose author may read such data. What another query tool answers
 * is not judged: the tool decides what its key may read.
 */
export const isPersonalQuery = ({ query, seesPersonalData }: Pick<WithWorker, 'query' | 'seesPersonalData'>): boolean =>
  query !== null && seesPersonalData;

/** Whether an exporter works for a campaign whose query may see personal data. */
export const isQueryPersonal = (host: ResourceHost, contactExporterId: string): boolean =>
  [...recordsOf<WithWorker>(host, CAMPAIGN_TYPE).values()].some(
    ({ stored }) => stored.status !== 'deleted' && stored.contactExporterId === contactExporterId && isPersonalQuery(stored),
  );
