/*
 * An oxlint rule: which files in src may import which. The folders of src are layers, from the bottom up; a file may
 * import from its own folder and from layers below. Features are side by side and never import one another. Inside the
 * core, the same holds for its parts. Only `mcp/node` knows about Node, and only the files that the editor starts may
 * import `mcp/node`: everything else also runs in a browser. What runs without the editor imports no value from a folder
 * that does not.
 */
import { isBuiltin } from 'node:module';
import { dirname, resolve, sep } from 'node:path';

/** From the bottom up; folders on one line are side by side. */
const layers = [
  ['base'],
  ['mcp'],
  ['contracts'],
  ['calls'],
  ['ui'],
  ['config', 'audit'],
  ['gate'],
  ['offer'],
  ['tree'],
  [
    'servers',
    'roots',
    'resources',
    'prompts',
    'tools',
    'skills',
    'chat',
    'agents',
    'requests',
    'testing',
    'development',
    'traffic',
    'apps',
  ],
  ['api'],
  ['workbench'],
  ['browser'],
  ['extension'],
  ['main'],
];

/** The files that the editor starts. */
const entries = ['extension', 'main'];

/** The folders of the core, and the files beside them, from the bottom up; those on one line may know each other. */
const coreLayers = [
  ['protocol', 'schema', 'ownFolders'],
  ['serverConfig', 'serverState', 'lifecycle', 'traffic', 'serving'],
  ['http'],
  ['auth', 'sdk', 'otlp'],
  ['transport'],
  ['session'],
  ['lists'],
  ['platform'],
  ['launch', 'skills'],
  ['connection'],
  ['server', 'serverIdentity'],
  ['configuredServer', 'createServers', 'diagnose'],
  ['node'],
];

const levelOf = (table, name) => table.findIndex((names) => names.includes(name));

/** Returns the path of a file below src as segments without the extension; `undefined` for other files. */
function stepsOf(path) {
  const marker = `${sep}src${sep}`;
  const at = path.lastIndexOf(marker);
  if (at < 0) return undefined;
  return path
    .slice(at + marker.length)
    .replace(/\.ts$/, '')
    .split(sep);
}

const isNode = ([folder, part]) => folder === 'mcp' && part === 'node';

/** The layers, and parts of layers, that run without the editor. */
const withoutEditor = ['base', 'mcp', 'contracts', 'calls', 'gate/decide', 'offer'];

const pureFolder = ([folder, part]) =>
  withoutEditor.find((one) => one === folder || one === `${folder}/${part}`);

/** The part of the SDK of apps that is types alone. */
const appTypes = '@modelcontextprotocol/ext-apps';

/** Explains why a file may not import the module with this name; `undefined` if it may. */
export function moduleProblem(from, name) {
  const [folder] = from;
  if (isBuiltin(name) && !isNode(from)) return `"${name}" is Node's: only "mcp/node" may import it`;
  if (name.startsWith('@modelcontextprotocol/') && name !== appTypes && folder !== 'mcp')
    return `"${name}" talks to servers: only "mcp" may import it`;
  const pure = pureFolder(from);
  return pure && name === 'vscode' ? `"${pure}" knows no editor` : undefined;
}

/** Explains why a file may not import another, or types of it alone; `undefined` if it may. */
export function layerProblem(from, to, isTypeOnly = false) {
  const [above, part] = from;
  const pure = pureFolder(from);
  const [below, other] = to;
  if (isNode(to) && !isNode(from) && !entries.includes(above))
    return 'only "mcp/node" knows that there is a Node below';
  if (above !== below) {
    const [a, b] = [levelOf(layers, above), levelOf(layers, below)];
    if (a < 0 || b < 0)
      return `"${a < 0 ? above : below}" is no layer: give it a place in the list`;
    if (a === b) return `"${above}" and "${below}" stand side by side and do not know each other`;
    if (a < b) return `"${below}" stands above "${above}"`;
  }
  if (pure && !isTypeOnly && !pureFolder(to))
    return `"${pure}" knows no editor: it may import only types from "${to.slice(0, -1).join('/') || below}"`;
  if (above !== below || above !== 'mcp' || part === other) return undefined;
  const [a, b] = [levelOf(coreLayers, part), levelOf(coreLayers, other)];
  if (a < 0 || b < 0)
    return `"mcp/${a < 0 ? part : other}" is no layer: give it a place in the list`;
  return a < b ? `"mcp/${other}" stands above "mcp/${part}"` : undefined;
}

/** True if nothing that an import or export names is left of it when it runs. */
function namesOnlyTypes({ importKind, exportKind, specifiers = [] }) {
  const isType = (one) => (one.importKind ?? one.exportKind) === 'type';
  return (
    importKind === 'type' ||
    exportKind === 'type' ||
    (specifiers.length > 0 && specifiers.every(isType))
  );
}

const layersRule = {
  meta: { type: 'problem' },
  create(context) {
    const from = stepsOf(context.filename);
    if (!from) return {};
    const check = (node) => {
      const { source } = node;
      const path = source?.value;
      if (typeof path !== 'string') return;
      const to = path.startsWith('.') && stepsOf(resolve(dirname(context.filename), path));
      const message = to ? layerProblem(from, to, namesOnlyTypes(node)) : moduleProblem(from, path);
      if (message) context.report({ node: source, message: `${message}.` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSQualifiedName({ left }) {
        if (left.name === 'NodeJS' && !isNode(from))
          context.report({ node: left, message: 'Only "mcp/node" knows the types of Node.' });
      },
    };
  },
};

export default { meta: { name: 'layers' }, rules: { layers: layersRule } };
