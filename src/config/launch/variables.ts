import { UserError } from '../../base/errors';
import { inEnglish, type Translate } from '../../base/translate';

/** Where the values of variables that stand for places on a machine come from. */
export interface PlaceValues {
  readonly userHome: string | undefined;
  readonly pathSeparator: string;
  /** Returns the path of the folder with this name, or without a name that of the server's own folder. */
  workspaceFolder(name?: string): string | undefined;
}

/** Where the values of variables come from. */
export interface VariableValues extends PlaceValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the value of an input, asking for it if necessary. */
  input(id: string): Promise<string>;
  /** Translates what has no value; English, if left out. */
  readonly t?: Translate | undefined;
}

/** Turns the text of one configured value into the text to use. */
export type Expand = (text: string) => Promise<string>;

/**
 * Matches every variable in a text, which begins with the last `${` before its end, so that a text of nothing but
 * beginnings is gone over once; its name is the first group.
 */
export const variable = /\$\{((?:(?!\$\{)[^}])*)\}/g;

/** A variable in the text that stands for another one, which applications that read such files take differently. */
const nested = /\$\{(?:(?!:-)[^{}])*:-[^{}]*\$\{[^{}]*\}[^{}]*\}/;

/** The kinds of variables that {@link placeValue} has values for. */
export const placeKinds: readonly string[] = [
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
  '/',
];

/** Splits a variable into its kind and what follows its first colon, if it has one. */
export function partsOfVariable(name: string): [kind: string, rest: string | undefined] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** Returns what a variable of one of {@link placeKinds} stands for. */
export function placeValue(
  kind: string,
  rest: string | undefined,
  values: PlaceValues,
): string | undefined {
  switch (kind) {
    case 'workspaceFolder':
      return values.workspaceFolder(rest);
    case 'workspaceFolderBasename':
      return values.workspaceFolder(rest)?.split(/[\\/]/).at(-1);
    case 'userHome':
      return values.userHome;
    default:
      return values.pathSeparator;
  }
}

/**
 * Makes a function that replaces every `${…}` once; it rejects with a `UserError` for one without a value, and for one in
 * another.
 */
export function createExpand(values: VariableValues): Expand {
  return async (text) => {
    const { t = inEnglish } = values;
    const [found] = nested.exec(text) ?? [];
    if (found !== undefined)
      throw new UserError(t('{0}: a variable cannot stand in another one.', found));
    const parts = await Promise.all(
      [...text.matchAll(variable)].map(([, name = '']) => resolve(name, values)),
    );
    let index = 0;
    return text.replaceAll(variable, () => parts[index++] ?? '');
  };
}

async function resolve(name: string, values: VariableValues): Promise<string> {
  const [kind, rest] = partsOfVariable(name);
  const value = await find(kind, rest, values);
  if (value !== undefined) return value;
  const { t = inEnglish } = values;
  const reason = reasonOf(kind, rest ?? '', t);
  throw new UserError(t('The variable {0} has no value: {1}.', `\${${name}}`, reason));
}

function find(
  kind: string,
  rest: string | undefined,
  values: VariableValues,
): Promise<string> | string | undefined {
  if (placeKinds.includes(kind)) return placeValue(kind, rest, values);
  switch (kind) {
    case 'env':
      return environment(rest ?? '', values);
    case 'input':
      return rest === undefined ? environment(kind, values) : values.input(rest);
    default:
      // The shell's form, which `.mcp.json` uses.
      return environment(rest === undefined ? kind : `${kind}:${rest}`, values);
  }
}

/** Reads `NAME`, which may be set and empty, or `NAME:-text` with a text to use if the variable is unset or empty. */
function environment(name: string, { env }: VariableValues): string | undefined {
  const [key = '', fallback] = name.split(/:-(.*)/s);
  const value = Object.hasOwn(env, key) ? env[key] : undefined;
  return fallback === undefined ? value : value || fallback;
}

function reasonOf(kind: string, rest: string, t: Translate): string {
  switch (kind) {
    case 'workspaceFolder':
    case 'workspaceFolderBasename':
      return rest === '' ? t('no folder is open') : t('no workspace folder is called {0}', rest);
    case 'env':
      return t('the environment variable {0} is not set', rest);
    default:
      return rest === ''
        ? t('the environment variable {0} is not set', kind)
        : t('{0} is not supported here', `\${${kind}:…}`);
  }
}
