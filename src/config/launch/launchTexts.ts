import { isRecord } from '../../base/json';
import type { Copied } from '../../base/proof';
import type { ServerConfig } from '../../mcp/serverConfig';

/** A text of a launch, and where it is: the key of its part, and the name that it has there, if any. */
export interface LaunchText {
  readonly key: string;
  readonly name?: string;
  readonly text: string;
}

/**
 * Returns all texts of a launch, whatever part they are in: what replaces variables, looks for paths of a workspace, or
 * tells which texts decide what runs, takes them from here, so that no part is left out, nor one that is added.
 */
export function textsOf(config: ServerConfig): readonly LaunchText[] {
  const texts: LaunchText[] = [];
  walk(config, (text) => {
    texts.push(text);
    return text.text;
  });
  return texts;
}

/** Resolves to the launch with each text replaced, and nothing else changed. */
export async function mapTexts<C extends ServerConfig>(
  config: C,
  map: (text: string) => Promise<string>,
): Promise<Copied<C>> {
  const mapped = await Promise.all(textsOf(config).map(({ text }) => map(text)));
  let at = 0;
  return walk(config, () => mapped[at++] ?? '');
}

function walk<C extends ServerConfig>(config: C, visit: (text: LaunchText) => string): Copied<C> {
  const part = (value: unknown, at: Omit<LaunchText, 'text'>): unknown => {
    if (typeof value === 'string') return visit({ ...at, text: value });
    if (Array.isArray(value)) return value.map((one: unknown) => part(one, at));
    return isRecord(value) ? parts(value, (name) => ({ ...at, name })) : value;
  };
  const parts = (value: object, at: (name: string) => Omit<LaunchText, 'text'>) =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]: [string, unknown]) => [name, part(one, at(name))]),
    );
  return parts(config, (key) => ({ key })) as unknown as Copied<C>;
}
