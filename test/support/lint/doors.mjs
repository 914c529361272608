/*
 * oxlint rules: what is dangerous has one door. Each rule knows the ways past its door, and names the few files that may
 * take them, each with its reason.
 */
import { sep } from 'node:path';

/** The path of a file from `src` or `cli` on, with `/`. */
function pathOf(filename) {
  const steps = filename.split(sep);
  const at = Math.max(steps.lastIndexOf('src'), steps.lastIndexOf('cli'));
  return steps.slice(Math.max(at, 0)).join('/');
}

const nameOf = ({ type, name, property, computed }) => {
  if (type === 'Identifier') return name;
  if (type !== 'MemberExpression') return undefined;
  return computed ? property.value : property.name;
};

/** Makes a rule that holds outside of some files, each named with the reason why it may. */
function rule(exceptions, message, visit) {
  return {
    meta: { type: 'problem' },
    create(context) {
      if (Object.hasOwn(exceptions, pathOf(context.filename))) return {};
      return visit((node) => context.report({ node, message }));
    },
  };
}

const removers = new Set(['delete', 'rm', 'rmSync', 'rmdir', 'rmdirSync', 'deleteFile']);

const recursiveDeletion = rule(
  {
    'src/mcp/node/nodeFiles.ts': 'the disk of OwnFolders',
    'src/browser/browserFiles.ts': 'the disk of OwnFolders in a page',
  },
  'Only a folder that we made is removed with what is in it: OwnFolders.',
  (report) => ({
    CallExpression(node) {
      const [, options] = node.arguments;
      if (!removers.has(nameOf(node.callee)) || !options) return;
      // Options that are not written out here could say anything.
      const isPlain =
        options.type === 'ObjectExpression' &&
        options.properties.every(
          ({ key, value }) =>
            key !== undefined &&
            (key.name ?? key.value) !== 'recursive' &&
            value.type === 'Literal',
        );
      if (!isPlain) report(node);
    },
    ImportDeclaration(node) {
      if (/^(?:rimraf|del|fs-extra|trash)$/.test(node.source.value)) report(node);
    },
  }),
);

const namesServers = (node) =>
  node?.type === 'Literal'
    ? /^(?:mcpWorkbench\.)?(?:servers|inputs)$/.test(String(node.value))
    : node?.object?.name === 'Setting' && /^(?:servers|inputs)$/.test(nameOf(node));

const unadmittedServers = rule(
  {
    'src/config/add/writeServers.ts': 'takes AdmittedServers',
    'src/config/places/writeEntry.ts': 'changes entries that are there',
  },
  'Servers and inputs are written into the settings only once they are admitted: AdmittedServers, writeServers.',
  (report) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node;
      if (nameOf(callee) === 'update' && namesServers(given[0])) report(node);
    },
  }),
);

export default {
  meta: { name: 'doors' },
  rules: { 'recursive-deletion': recursiveDeletion, 'unadmitted-servers': unadmittedServers },
};
