import { displayName, type Resource } from '../../mcp/protocol/types';

/** What the resources of a level can be sorted by; resources without a value come last. */
export const sortKeys = ['name', 'size', 'changed'] as const;

/** One of {@link sortKeys}. */
export type SortKey = (typeof sortKeys)[number];

let collator: Intl.Collator | undefined;

function compareNames(a: string, b: string): number {
  // Made on demand, because it takes as long as much of the extension's startup.
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

/** Sorts resources by name, largest first, or latest change first. */
export function sortResources<R extends Resource>(
  resources: readonly R[],
  key: SortKey,
): readonly R[] {
  switch (key) {
    case 'name':
      return byName(resources);
    case 'size':
      return byNumber(resources, ({ size }) => size);
    case 'changed':
      return byNumber(resources, ({ annotations }) => parseTime(annotations?.lastModified));
  }
}

/** Sorts folders by their labels. */
export function sortLabels<F extends { readonly label: string }>(
  folders: readonly F[],
): readonly F[] {
  return folders.toSorted((a, b) => compareNames(a.label, b.label));
}

/** Returns the epoch milliseconds of an ISO 8601 time; `undefined` if the text is not one. */
export function parseTime(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function byName<R extends Resource>(resources: readonly R[]): readonly R[] {
  return resources
    .map((resource) => ({ resource, name: displayName(resource) }))
    .toSorted((a, b) => compareNames(a.name, b.name))
    .map(({ resource }) => resource);
}

function byNumber<R extends Resource>(
  resources: readonly R[],
  value: (resource: R) => number | undefined,
): readonly R[] {
  return byName(resources)
    .map((resource) => ({ resource, value: value(resource) ?? -Infinity }))
    .toSorted((a, b) => (a.value === b.value ? 0 : b.value - a.value))
    .map(({ resource }) => resource);
}
