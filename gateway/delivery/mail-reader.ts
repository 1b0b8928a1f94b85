import { type MailReport, Refusal } from '../../actors/index.js';
import { Renderer } from '../rendering/renderer.js';

/** The queue of the threads is by company; mails come from outside of all. */
const OUTSIDE = 'mailbox';

/**
 * Reads reports out of mails on a thread of their own: anybody can send a mail that takes minutes to read. One that takes too long or too
 * much memory is null, as every mail that is for people.
 */
export function mailReader(renderer = new Renderer({ threads: 1 })): (mail: Uint8Array) => Promise<readonly MailReport[] | null> {
  return async (mail) => {
    try {
      return (await renderer.render<'mail'>(OUTSIDE, { type: 'mail', content: mail })).reports;
    } catch (cause) {
      if (cause instanceof Refusal) return null; // it is put aside
      throw cause;
    }
  };
}
