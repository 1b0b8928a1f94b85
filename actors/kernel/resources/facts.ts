import { must } from '../../../engine/index.js';
import type { Fact } from '../fact.js';
import { type ResourceHost, type ResourceRecord, recordsOf } from './declaration.js';

export interface ResourceCreated {
  readonly resource: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly stored: unknown;
}

export interface ResourceChanged {
  readonly resource: string;
  readonly id: string;
  /** Absent from older facts. */
  readonly parentId?: string | null;
  readonly stored: unknown;
}

export interface ResourceRemoved {
  readonly resource: string;
  readonly id: string;
  readonly parentId?: string | null;
}

/** Applies a fact about a declared resource; false when the fact is about something else. */
export function evolveResources(host: ResourceHost, fact: Fact): boolean {
  switch (fact.type) {
    case 'ResourceCreated': {
      const { resource, id, parentId, stored } = fact.body as ResourceCreated;
      putRecord(host, resource, { id, parentId, stored, createdAt: fact.businessAt, updatedAt: null });
      return true;
    }
    case 'ResourceChanged': {
      const { resource, id, stored } = fact.body as ResourceChanged;
      const before = must(recordsOf(host, resource).get(id), `a change of the unknown ${resource} ${id}`);
      putRecord(host, resource, { ...before, stored, updatedAt: fact.businessAt });
      return true;
    }
    case 'ResourceRemoved': {
      const { resource, id } = fact.body as ResourceRemoved;
      const records = new Map(recordsOf(host, resource));
      records.delete(id);
      host.resources.set(resource, records);
      return true;
    }
    default:
      return false;
  }
}

/** The map is replaced too, so that a clone of the host may share it. */
export function putRecord(host: ResourceHost, resource: string, record: ResourceRecord): void {
  host.resources.set(resource, new Map(recordsOf(host, resource)).set(record.id, record));
}
