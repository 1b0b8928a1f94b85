import type { ContactOrigin, SendableChannel } from '../../../../engine/index.js';
import type { SaidOrder, SendOrder } from './order.js';

/** What of a case a message about it needs. */
interface CaseWrittenAbout {
  readonly id: string;
  readonly associations: readonly { readonly objectId: string }[];
}

interface CaseMessage {
  readonly channel: SendableChannel;
  readonly origin: ContactOrigin;
  readonly supercaseBulkOperationId: string | null;
}

/** A message to the borrower of a case, about the loans of the case: of a single one as the loan itself. */
export function orderForCase({ id: caseId, associations }: CaseWrittenAbout, said: SaidOrder, message: CaseMessage): SendOrder {
  const loanIds = associations.map(({ objectId }) => objectId);
  const [loanId = null] = loanIds.length === 1 ? loanIds : [];
  return {
    ...said,
    ...message,
    caseId,
    loanId,
    loanIds,
    contactId: null,
    statementId: null,
    attachments: [],
    previousInteractionId: null,
    externalId: null,
    mailIsCertified: false,
  };
}
