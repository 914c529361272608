/*
 * An oxlint rule: no decision may depend on the name of an error, a class or a function. Minifying the package changes
 * names; compare classes, codes or a brand instead.
 */

const decisive = new Set(['===', '!==', '==', '!=']);
const matchers = new Set(['test', 'exec', 'match', 'includes', 'has', 'startsWith', 'endsWith']);
const errorLike = /err(or)?$|^e$|cause|reason|exception|thrown|failure|fault/i;

/** The nodes around an expression that do not change its value. */
const wrappers = ['TSAsExpression', 'TSNonNullExpression', 'ChainExpression'];

const unwrap = (node) => (wrappers.includes(node?.type) ? unwrap(node.expression) : node);

const nameOf = ({ object, property, computed }) =>
  (computed ? property.value : property.name) === 'name' && unwrap(object);

/** Returns the text of a literal or pattern that something is compared with. */
const textOf = (node) => node?.regex?.pattern ?? node?.value;

const namesError = (node) => /(Error|Exception)\b/.test(String(textOf(node) ?? ''));

/** Returns what a decision compares an expression with; `undefined` if no decision depends on it. */
function comparedWith(node) {
  const { parent } = node;
  switch (parent?.type) {
    case 'BinaryExpression':
      if (!decisive.has(parent.operator)) return undefined;
      return parent.left === node ? parent.right : parent.left;
    case 'SwitchStatement':
      if (parent.discriminant !== node) return undefined;
      return (
        parent.cases.map(({ test }) => test).find(namesError) ?? parent.cases[0]?.test ?? parent
      );
    case 'CallExpression': {
      const { callee } = parent;
      const isMatcher = matchers.has(callee.property?.name) && parent.arguments.includes(node);
      return isMatcher ? callee.object : undefined;
    }
    case 'MemberExpression': {
      const call = parent.parent;
      const isMatched = matchers.has(parent.property.name) && call?.callee === parent;
      return isMatched && parent.object === node ? call.arguments[0] : undefined;
    }
    default:
      return wrappers.includes(parent?.type) ? comparedWith(parent) : undefined;
  }
}

/** True if an object is named like an error, or cast to one. */
function looksLikeError(node, object) {
  if (node.object.type === 'TSAsExpression')
    return errorLike.test(node.object.typeAnnotation.typeName?.name ?? '');
  return errorLike.test(object.name ?? object.property?.name ?? '');
}

const noErrorNames = {
  meta: { type: 'problem' },
  create(context) {
    const report = (node) =>
      context.report({
        node,
        message: 'The build changes names: compare a class, a code or a brand of our own.',
      });
    return {
      MemberExpression(node) {
        const object = nameOf(node);
        if (!object) return;
        const isClass = object.property?.name === 'constructor' || object.type === 'MetaProperty';
        const compared = comparedWith(node);
        if (isClass || (compared && (looksLikeError(node, object) || namesError(compared))))
          report(node);
      },
      VariableDeclarator({ id, init }) {
        const source = unwrap(init);
        if (id.type !== 'ObjectPattern' || !errorLike.test(source?.name ?? '')) return;
        for (const one of id.properties) if (one.key?.name === 'name') report(one);
      },
    };
  },
};

export default { meta: { name: 'names' }, rules: { 'no-error-names': noErrorNames } };
