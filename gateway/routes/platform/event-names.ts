import { EVENT_TYPES, type Fault, Refusal } from '../../../actors/index.js';

const EVENT_NAMES: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ eventType }) => eventType));
const OBJECT_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ objectType }) => objectType));

export interface NamedEvents {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
}

/** Refuses what no event can be: whoever asks for it, or waits for it, would be told of nothing for ever. */
export function mustBeEvents({ eventType = [], objectType }: NamedEvents): void {
  const errors: Fault[] = [];
  eventType.forEach((name, index) => {
    if (!EVENT_NAMES.has(name))
      errors.push({ path: `eventType[${index}]`, expected: 'a name of GET /event-types', message: `${name} is no event` });
  });
  if (objectType !== undefined && !OBJECT_TYPES.has(objectType)) {
    errors.push({ path: 'objectType', expected: [...OBJECT_TYPES].join(', '), message: `no event is about ${objectType}` });
  }
  if (errors.length > 0) throw new Refusal('validationError', 'There are no such events.', { errors });
}
