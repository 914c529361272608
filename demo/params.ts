/** What a request brings, unchecked. */
export type Params = Readonly<Record<string, unknown>>;

/** A text of a request; empty where there is none. */
export function textOf(params: Params, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

/** A whole number of a request between two bounds; the fallback where there is none. */
export function numberOf(
  params: Params,
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  const value = params[name] ?? fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new Error(`"${name}" must be a whole number from ${least} to ${most}.`);
  return value;
}

/** The prompt or tool that a request names; throws where there is none. */
export function found<T extends { readonly definition: { readonly name: string } }>(
  what: string,
  params: Params,
  all: readonly T[],
): T {
  const one = all.find(({ definition }) => definition.name === params['name']);
  if (!one) throw new Error(`There is no ${what} ${String(params['name'])}.`);
  return one;
}

/** What is wrong, in a sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
