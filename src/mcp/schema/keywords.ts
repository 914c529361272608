import { entries, value } from '@hyperjump/browser';
import { addKeyword, Validation } from '@hyperjump/json-schema/experimental';
import * as Instance from '@hyperjump/json-schema/instance/experimental';

/** Replaces the library's `pattern` and `patternProperties` with our own; see {@link toRegExp}. */
export function addPatternKeywords(): void {
  addKeyword<RegExp>({
    id: 'https://json-schema.org/keyword/pattern',
    compile: (schema) => Promise.resolve(toRegExp(value<string>(schema))),
    interpret: (pattern, instance) =>
      Instance.typeOf(instance) !== 'string' || pattern.test(Instance.value<string>(instance)),
  });
  addKeyword<readonly (readonly [RegExp, string])[]>({
    id: 'https://json-schema.org/keyword/patternProperties',
    simpleApplicator: true,
    compile: async (schema, ast, parent) => {
      const compiled: [RegExp, string][] = [];
      for await (const [pattern, part] of entries(schema))
        compiled.push([
          toRegExp(pattern),
          await Validation.compile(part as typeof schema, ast, parent),
        ]);
      return compiled;
    },
    interpret: (patterns, instance, context) => {
      if (Instance.typeOf(instance) !== 'object') return true;
      const { evaluatedProperties } = context as { evaluatedProperties?: Set<string> };
      let valid = true;
      for (const [pattern, part] of patterns) {
        for (const [name, property] of Instance.entries(instance)) {
          if (!pattern.test(Instance.value<string>(name))) continue;
          if (!Validation.interpret(part, property, context)) valid = false;
          evaluatedProperties?.add(Instance.value<string>(name));
        }
      }
      return valid;
    },
  });
}

/** Compiles a pattern, if possible with the flag `u` that the specification asks for: many are invalid with it. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
