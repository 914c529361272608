import type { ToolIdentity, ToolsIdentity } from '../../mcp/fingerprint';

/** The parts of an identity that can change. */
export const parts = [
  'launch',
  'instructions',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  '_meta',
  'tools',
] as const;

/** One part that is not what it was, as text; empty where there was or is none. */
export interface Change {
  readonly part: (typeof parts)[number];
  readonly before: string;
  readonly after: string;
}

/** Where two identities differ; values of the launch that are not shown appear as their fingerprint. */
export function identityChanges(
  before: ToolIdentity | ToolsIdentity,
  after: ToolIdentity | ToolsIdentity,
): readonly Change[] {
  return parts
    .map((part) => ({ part, before: textOf(before, part), after: textOf(after, part) }))
    .filter((change) => change.before !== change.after);
}

function textOf(identity: ToolIdentity | ToolsIdentity, part: Change['part']): string {
  switch (part) {
    case 'launch':
      return toText({ ...identity.launch, fingerprint: identity.launchPrint });
    case 'instructions':
      return identity.instructions ?? '';
    case 'tools':
      return 'tools' in identity ? toText(identity.tools) : '';
    case 'title':
    case 'description':
    case 'inputSchema':
    case 'outputSchema':
    case 'annotations':
    case '_meta':
      return 'definition' in identity ? toText(identity.definition[part]) : '';
  }
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
