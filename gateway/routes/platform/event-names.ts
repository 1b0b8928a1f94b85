import { EVENT_TYPES, type Fault, Refusal } from '../../../actors/index.js';

const EVENT_NAMES: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ eventType }) => eventType));
const OBJECT_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ objectType }) => objectType));

export interface NamedEvents {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
}

/** Refuses unknown types: a reader who waited for such events would never get one. */
export function mustBeEvents({ eventType = [], objectType }: NamedEvents): void {
  const errors: Fault[] = [];
  eventType.forEach((name, index) => {
    if (!EVENT_NAMES.has(name))
      errors.push({ path: `eventType[${index}]`, expected: 'a name of GET /event-types', message: `unknown event type ${name}` });
  });
  if (objectType !== undefined && !OBJECT_TYPES.has(objectType)) {
    errors.push({ path: 'objectType', expected: [...OBJECT_TYPES].join(', '), message: `no event has the object type ${objectType}` });
  }
  if (errors.length > 0) throw new Refusal('validationError', 'Unknown event or object type. GET /event-types lists all.', { errors });
}
