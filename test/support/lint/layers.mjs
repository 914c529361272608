/*
 * A rule for oxlint: who may import whom in src. The folders of src are layers, from the floor up; a file
 * imports from its own folder and from layers below. Features stand side by side and never import one
 * another. Inside the core the same holds for its parts, and nothing but what wires the product or
 * touches this machine knows that there is a Node below.
 */
import { dirname, resolve, sep } from 'node:path';

/** From the floor up; folders of one line stand side by side. */
const layers = [
  ['base'],
  ['mcp'],
  ['contracts'],
  ['ui'],
  ['config', 'audit'],
  ['tree'],
  ['servers', 'roots', 'resources', 'prompts', 'tools', 'chat', 'requests'],
  ['api'],
  ['extension'],
];

/** Parts of the core that stand above one another, from the floor up. */
const coreLayers = [['protocol'], ['session'], ['lists'], ['connection'], ['node']];

const levelOf = (table, name) => table.findIndex((names) => names.includes(name));

/** The path of a file below src, as its steps without the ending; undefined elsewhere. */
function stepsOf(path) {
  const marker = `${sep}src${sep}`;
  const at = path.lastIndexOf(marker);
  if (at < 0) return undefined;
  return path
    .slice(at + marker.length)
    .replace(/\.ts$/, '')
    .split(sep);
}

/** Why a file may not import another, in words; undefined where it may. */
export function layerProblem(from, to) {
  const [above, part] = from;
  const [below, other] = to;
  if (above !== below) {
    const [a, b] = [levelOf(layers, above), levelOf(layers, below)];
    if (a < 0 || b < 0)
      return `"${a < 0 ? above : below}" is no layer: give it a place in the list`;
    if (a === b) return `"${above}" and "${below}" stand side by side and do not know each other`;
    if (a < b) return `"${below}" stands above "${above}"`;
    return undefined;
  }
  if (above !== 'mcp') return undefined;
  const [a, b] = [levelOf(coreLayers, part), levelOf(coreLayers, other)];
  if (other === 'node' && part !== 'node')
    return 'only "mcp/node" knows that there is a Node below';
  return a >= 0 && b >= 0 && a < b ? `"mcp/${other}" stands above "mcp/${part}"` : undefined;
}

const layersRule = {
  meta: { type: 'problem' },
  create(context) {
    const from = stepsOf(context.filename);
    if (!from) return {};
    const check = ({ source }) => {
      const path = source?.value;
      if (typeof path !== 'string' || !path.startsWith('.')) return;
      const to = stepsOf(resolve(dirname(context.filename), path));
      const message = to && layerProblem(from, to);
      if (message) context.report({ node: source, message: `${message}.` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default { meta: { name: 'layers' }, rules: { layers: layersRule } };
