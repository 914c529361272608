import { isRecord } from '../../../base/json';

/** A plugin's folder, and the one for data that its servers keep across updates; both with `/`. */
export interface PluginFolders {
  readonly root: string;
  readonly data: string;
}

/** Replaces the variables for a plugin's folders in every string of a value. */
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
