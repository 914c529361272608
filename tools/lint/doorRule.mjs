/* What the rules about doors share. */
import { sep } from 'node:path';

/** The path of a file from `src` or `cli` on, with `/`. */
function pathOf(filename) {
  const steps = filename.split(sep);
  const at = Math.max(steps.lastIndexOf('src'), steps.lastIndexOf('cli'));
  return steps.slice(Math.max(at, 0)).join('/');
}

/** The name that something is used by: its own, or that of the member. */
export const nameOf = ({ type, name, property, computed }) => {
  if (type === 'Identifier') return name;
  if (type !== 'MemberExpression') return undefined;
  return computed ? property.value : property.name;
};

/** True for what is called with a list of arguments that is not written out: any of them may be in it. */
export const isSpread = ({ arguments: given }) =>
  given.some(({ type }) => type === 'SpreadElement');

/** True if a type is made with a name, or of the member with that name. */
export function names(type, name) {
  if (Array.isArray(type)) return type.some((one) => names(one, name));
  if (typeof type !== 'object' || type === null) return false;
  const own = type.type === 'Identifier' ? type.name : type.type === 'Literal' ? type.value : '';
  if (name.test(String(own))) return true;
  return Object.entries(type).some(([key, one]) => key !== 'parent' && names(one, name));
}

/** Makes a rule that holds outside of some files, each named with the reason why it may; a test looks at all of them. */
export function rule(exceptions, message, visit) {
  return {
    meta: { type: 'problem', docs: { exceptions } },
    create(context) {
      if (Object.hasOwn(exceptions, pathOf(context.filename))) return {};
      return visit((node) => context.report({ node, message }));
    },
  };
}
