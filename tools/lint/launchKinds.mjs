/*
 * An oxlint rule: only one place asks which kind of launch a configuration is. What differs between processes and
 * addresses belongs in a member of their kind, in `mcp/launch` and `config/launch/kinds`, or in a table by type, which
 * the compiler checks for completeness.
 */
import { sep } from 'node:path';

const types = new Set(['stdio', 'http', 'sse']);
const kindsFolder = ['src', 'mcp', 'launch', ''].join(sep);

const isType = (node) =>
  (node.type === 'MemberExpression' && !node.computed && node.property.name === 'type') ||
  (node.type === 'Identifier' && node.name === 'type');
const namesKind = (node) => node?.type === 'Literal' && types.has(node.value);

const rule = {
  meta: { type: 'problem' },
  create(context) {
    if (context.filename.includes(kindsFolder)) return {};
    const report = (node) =>
      context.report({ node, message: 'Make it a member of the kind of launch: kindOf, rulesOf.' });
    return {
      BinaryExpression(node) {
        const { left, right } = node;
        if ((isType(left) && namesKind(right)) || (isType(right) && namesKind(left))) report(node);
      },
      SwitchStatement(node) {
        if (isType(node.discriminant) && node.cases.some(({ test }) => namesKind(test)))
          report(node);
      },
    };
  },
};

export default { meta: { name: 'launch' }, rules: { kinds: rule } };
