import { Service } from '../service/service.js';

/** What is read of the interface's description. */
interface Described {
  readonly paths: Readonly<Record<string, { readonly get?: object }>>;
}

/** Streams do not end, and the front end's settings need the domain of a company. */
const LEFT_OUT = /stream|socket|bootstrap|metrics/;
/** Objects of a list whose own paths are read. */
const OF_A_LIST = 40;
/** Requests at once. */
const TOGETHER = 8;

/** Values that differ with every request: its id, its moment, and ages that grow meanwhile. */
const OF_THE_REQUEST = /"(?:requestId|calculatedAt|asOf|longest\w+)":(?:"[^"]*"|[\d.]+)/g;

/**
 * The answers to every GET of the interface, by path, as text: of the given ids, and of all objects that lists name. Values of the request
 * itself are left out.
 */
export async function everyAnswer(
  service: Service,
  key: string,
  ids: Readonly<Record<string, string | readonly string[]>>,
): Promise<ReadonlyMap<string, string>> {
  const get = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await fetch(`${service.url}/api${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, text: await answer.text() };
  };
  const { paths } = JSON.parse((await get('/openapi.json')).text) as Described;
  const templates = Object.entries(paths).flatMap(([path, { get: isRead }]) => (isRead && !LEFT_OUT.test(path) ? [path] : []));
  const known = new Map(Object.entries(ids).map(([name, value]) => [name, new Set([value].flat())]));
  const answers = new Map<string, string>();
  for (let isNew = true; isNew; ) {
    const wanted = templates.flatMap((template) =>
      filled(template, known).map((path) => ({ path, parameter: parameterBelow(template, templates) })),
    );
    const unread = wanted.filter(({ path }) => !answers.has(path));
    isNew = unread.length > 0;
    for (let at = 0; at < unread.length; at += TOGETHER)
      await Promise.all(
        unread.slice(at, at + TOGETHER).map(async ({ path, parameter }) => {
          const { status, text } = await get(path);
          answers.set(path, `${status} ${text.replaceAll(service.url, '').replaceAll(OF_THE_REQUEST, '')}`);
          if (status === 200 && parameter !== undefined) noteIds(text, known, parameter);
        }),
      );
  }
  return answers;
}

/** The paths of a template with all known ids. */
function filled(template: string, known: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const [parameter, name = ''] = /\{(\w+)\}/.exec(template) ?? [];
  if (parameter === undefined) return [template];
  return [...(known.get(name) ?? [])].flatMap((id) => filled(template.replace(parameter, id), known));
}

/** The parameter of a single object of a list. */
const parameterBelow = (list: string, templates: readonly string[]): string | undefined =>
  templates.map((template) => /^(.*)\/\{(\w+)\}$/.exec(template)).find((found) => found?.[1] === list)?.[2];

function noteIds(text: string, known: Map<string, Set<string>>, parameter: string): void {
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  if (!Array.isArray(data)) return;
  const ids = known.get(parameter) ?? new Set<string>();
  known.set(parameter, ids);
  for (const { id } of data.slice(0, OF_A_LIST) as readonly { readonly id?: unknown }[]) if (typeof id === 'string') ids.add(id);
}
