import { refuseProperty } from '../../errors.js';
import { recordsOf, type ResourceHost } from '../../kernel/resources/index.js';

/** What of a campaign says who works for it. */
interface WithWorker {
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
