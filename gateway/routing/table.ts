import { assert, must } from '../../engine/index.js';
import type { Method, Route } from './route.js';

/** A request's path in the table: the route, or what the path would allow. */
export type Match =
  | { readonly type: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly type: 'otherMethods'; readonly allowed: readonly Method[] }
  | { readonly type: 'none' };

interface Leaf {
  readonly route: Route;
  readonly names: readonly string[];
}

interface Node {
  readonly fixed: Map<string, Node>;
  variable: Node | null;
  readonly routes: Map<Method, Leaf>;
}

/**
 * All routes as a tree of path segments. A written-out segment wins over a parameter (`/people/search` over
 * `/people/{personId}`), and the search turns back where a branch ends without the method.
 */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly #root = newNode();

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    const operations = new Set<string>();
    for (const route of routes) {
      assert(!operations.has(route.operation), `two routes have the operation ${route.operation}`);
      operations.add(route.operation);
      const node = this.#nodeOf(route.path);
      assert(!node.routes.has(route.method), `two routes answer ${route.method} ${route.path}`);
      const names = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => must(name, 'a name'));
      node.routes.set(route.method, { route, names });
    }
  }

  /** `path` is relative to the base and still percent-encoded; so are the parameters that come back. */
  find(method: string, path: string): Match {
    const segments = path.split('/').slice(1);
    const values: string[] = [];
    const leaf = search(this.#root, segments, 0, (method === 'HEAD' ? 'GET' : method) as Method, values);
    if (leaf) return { type: 'route', route: leaf.route, params: paramsOf(leaf.names, values) };
    const allowed = new Set<Method>();
    collectMethods(this.#root, segments, 0, allowed);
    return allowed.size > 0 ? { type: 'otherMethods', allowed: [...allowed] } : { type: 'none' };
  }

  #nodeOf(path: string): Node {
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const next: Node = segment.startsWith('{') ? (node.variable ?? newNode()) : (node.fixed.get(segment) ?? newNode());
      if (segment.startsWith('{')) node.variable = next;
      else node.fixed.set(segment, next);
      node = next;
    }
    return node;
  }
}

const newNode = (): Node => ({ fixed: new Map(), variable: null, routes: new Map() });

function search(node: Node, segments: readonly string[], depth: number, method: Method, values: string[]): Leaf | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.get(method);
  const fixed = node.fixed.get(segment);
  const found = fixed && search(fixed, segments, depth + 1, method, values);
  if (found || !node.variable || segment === '') return found;
  values.push(segment);
  const below = search(node.variable, segments, depth + 1, method, values);
  if (!below) values.pop();
  return below;
}

/** The methods of all ends that a path could have, for one that has not its own. */
function collectMethods(node: Node, segments: readonly string[], depth: number, allowed: Set<Method>): void {
  const segment = segments[depth];
  if (segment === undefined) {
    for (const known of node.routes.keys()) allowed.add(known);
    return;
  }
  const fixed = node.fixed.get(segment);
  if (fixed) collectMethods(fixed, segments, depth + 1, allowed);
  if (node.variable && segment !== '') collectMethods(node.variable, segments, depth + 1, allowed);
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) params[must(names[index], 'a name')] = must(values[index], 'a value for each name');
  return params;
}
