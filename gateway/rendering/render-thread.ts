import { readBankStatement } from '../../engine/bank-statements/index.js';
import { tryTemplate } from '../../engine/compliance/index.js';
import { renderOrder } from '../../engine/html/index.js';
import { mailReports } from '../delivery/mail-reports.js';
import { convertedPdf } from './converted-pdf.js';
import { CannotRender, type RenderJob, type RenderResults, type Unrenderable } from './jobs.js';
import { letterPdf } from './letter-pdf.js';
import { pdfActs } from './pdf-actions.js';

/*
 * The code of each render thread, which knows nothing of the service. A thread that takes too long or too much memory is ended and
 * replaced.
 */
export default async function run(job: RenderJob): Promise<RenderResults[RenderJob['type']] | Unrenderable> {
  try {
    switch (job.type) {
      case 'message':
        return renderOrder(job.order);
      case 'trial':
        return tryTemplate(job.order);
      case 'letter':
        return await letterPdf(job.html);
      case 'converted':
        return await convertedPdf(job.contentType, bufferOf(job.content));
      case 'pdf':
        return pdfActs(bufferOf(job.content));
      case 'statement':
        return readBankStatement(job.content, job.order);
      case 'mail':
        return { reports: await mailReports(job.content) };
    }
  } catch (cause) {
    if (cause instanceof CannotRender) return { unrenderable: cause.message };
    throw cause;
  }
}

/** The same bytes: the buffer of a job arrives as a plain array. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
