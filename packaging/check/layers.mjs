// Layers and circles. dependency-cruiser reads the imports and applies the rules of .dependency-cruiser.mjs. Circles are found here:
// for each import dependency-cruiser looks at one circle alone, and where that one has an import of types in it, it is silent about
// another that has none.
import { existsSync } from 'node:fs';
import rules from '../../.dependency-cruiser.mjs';
import { runTool } from './tools.mjs';

const FOLDERS = ['engine', 'actors', 'persistence', 'gateway', 'bench', 'wiring', 'test', 'packaging', 'tenor.ts', 'setup.mjs'];

export async function checkLayers() {
  const ended = await runTool('depcruise', [
    '--config=.dependency-cruiser.mjs',
    '--output-type=json',
    ...FOLDERS.filter((folder) => existsSync(folder)),
  ]);
  if (!ended.stdout.startsWith('{')) return [{ rule: 'depcruise', at: '.dependency-cruiser.mjs', text: ended.stderr.trim() }];
  const { modules, summary } = JSON.parse(ended.stdout);
  return [
    ...summary.violations.map(({ from, to, rule: { name } }) => ({
      rule: name,
      at: from,
      text: `imports ${to}. ${rules.forbidden.find((rule) => rule.name === name).comment}`,
    })),
    ...filesOnCircles(modules),
  ];
}

/**
 * The files that import themselves through other files, by imports of values. Files are counted, and not imports: imports inside of an
 * existing circle may change, but no further file may join one.
 */
function filesOnCircles(modules) {
  const values = ({ dependencyTypes }) => !dependencyTypes.includes('type-only');
  const imports = new Map(modules.map(({ source, dependencies }) => [source, dependencies.filter(values).map(({ resolved }) => resolved)]));
  return circlesOf(imports).flatMap((circle) =>
    circle.map((file) => ({
      rule: 'circle',
      at: file,
      text:
        `is one of ${circle.length} files that import each other in a circle, over ` +
        `${imports
          .get(file)
          .filter((target) => circle.includes(target))
          .slice(0, 3)
          .join(', ')}: ` +
        'move what both need to a file below them, or hand it in.',
    })),
  );
}

/**
 * The strongly connected parts of more than one file (Tarjan's algorithm).
 * @param {ReadonlyMap<string, readonly string[]>} imports
 */
function circlesOf(imports) {
  const order = new Map();
  const lowest = new Map();
  const path = [];
  const onPath = new Set();
  const circles = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    path.push(file);
    onPath.add(file);
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (onPath.has(target)) lowest.set(file, Math.min(lowest.get(file), lowest.get(target)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    for (const each of circle) onPath.delete(each);
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
