import { isRecord } from '../../../base/json';

/** Where a plugin lies, and where its servers may keep what outlives an update; with `/`. */
export interface PluginFolders {
  readonly root: string;
  readonly data: string;
}

/** A value with the folders of a plugin in place of the variables that stand for them. */
export function expandPlugin(value: unknown, { root, data }: PluginFolders): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(?:[A-Z]+_)?PLUGIN_(ROOT|DATA)\}/g, (_mark, kind: string) =>
      kind === 'ROOT' ? root : data,
    );
  if (Array.isArray(value)) return value.map((one: unknown) => expandPlugin(one, { root, data }));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, expandPlugin(one, { root, data })]),
  );
}
