import type { HttpAnswer } from '../harness.js';
import type { HttpLender } from './http-lender.js';

export const DESCRIPTORS = '/communicator/templatedescriptors';

/** The id of a reply without an envelope. */
export const bareId = ({ json }: HttpAnswer): string => String(json['id']);

export const bareList = ({ json }: HttpAnswer): readonly Record<string, unknown>[] => json as unknown as readonly Record<string, unknown>[];

export interface TemplateMade {
  readonly id: string;
  readonly versionId: string;
  /** The path of the descriptor. */
  readonly path: string;
}

/** A template with an active version. */
export async function makeTemplate({ ask }: Pick<HttpLender, 'ask'>, descriptor: object, content: object): Promise<TemplateMade> {
  const id = bareId(await ask('POST', DESCRIPTORS, descriptor));
  const path = `${DESCRIPTORS}/${id}`;
  const versionId = bareId(await ask('POST', `${path}/versions`, content));
  const activated = await ask('POST', `${path}/versions/${versionId}/activate`);
  if (activated.status !== 200) throw new Error(activated.text);
  return { id, versionId, path };
}
