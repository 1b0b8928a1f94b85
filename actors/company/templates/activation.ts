import { refuse } from '../../errors.js';
import { isPermitted } from '../../permission.js';
import type { CommandRequest } from '../../kernel/actor.js';
import { changed, type ResourceHost } from '../../kernel/resources/index.js';
import type { FactDraft } from '../../kernel/fact.js';
import { refuseLacking } from './content.js';
import type { DescriptorRecord, TemplateDescriptor } from './descriptor.js';
import { TEMPLATE_VERSION_TYPE, templateVersionsOf, type VersionRecord } from './version.js';

const ACTIVATE = 'communicator.template:activate';

/** Which version is active is a matter of its own permission, whichever request says it. */
export function requireActivating({ permissions }: CommandRequest): void {
  if (!isPermitted(permissions, ACTIVATE))
    refuse('permissionDenied', `The permission ${ACTIVATE} is missing.`, { extra: { permission: ACTIVATE } });
}

/** The version of a descriptor that an id names; 404 where there is none such. */
export function versionNamed(host: ResourceHost, descriptorId: string, versionId: string): VersionRecord {
  const found = templateVersionsOf(host).get(versionId);
  return found?.parentId === descriptorId
    ? found
    : refuse('notFound', `The template descriptor ${descriptorId} has no version ${versionId}.`);
}

/** The descriptor with another active version, which has all that its channel needs. */
export function withActive(
  host: ResourceHost,
  { id, stored }: Pick<DescriptorRecord, 'id' | 'stored'>,
  versionId: string,
): TemplateDescriptor {
  refuseLacking(versionNamed(host, id, versionId).stored, stored.channel);
  return { ...stored, activeVersionId: versionId, wasActivated: true };
}

/** The first activation is kept in the version. */
export function firstActivation(host: ResourceHost, descriptorId: string, versionId: string | null, now: number): readonly FactDraft[] {
  if (versionId === null) return [];
  const version = versionNamed(host, descriptorId, versionId);
  return version.stored.activatedAt === null ? [changed(TEMPLATE_VERSION_TYPE, version, { ...version.stored, activatedAt: now })] : [];
}
