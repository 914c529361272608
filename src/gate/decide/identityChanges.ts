import { jsonText } from '../../base/text/jsonText';
import type { ToolIdentity, ToolsIdentity } from '../../mcp/serverIdentity';
import { canonicalJson } from '../../base/json';

/** The parts of an identity that can change. */
export const changeableParts = [
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

/** One part that has changed, as text; `before` or `after` is empty if there was or is none. */
export interface Change {
  readonly part: (typeof changeableParts)[number];
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the parts in which two identities differ; a fingerprint stands for values of the launch that are not
 * shown.
 */
export function identityChanges(
  before: ToolIdentity | ToolsIdentity,
  after: ToolIdentity | ToolsIdentity,
): readonly Change[] {
  return changeableParts
    .filter((part) => canonicalJson(valueOf(before, part)) !== canonicalJson(valueOf(after, part)))
    .map((part) => ({
      part,
      before: toText(valueOf(before, part)),
      after: toText(valueOf(after, part)),
    }));
}

function valueOf(identity: ToolIdentity | ToolsIdentity, part: Change['part']): unknown {
  switch (part) {
    case 'launch':
      return { ...identity.launch, fingerprint: identity.launchFingerprint };
    case 'instructions':
      return identity.instructions;
    case 'tools':
      return 'tools' in identity ? identity.tools : undefined;
    case 'title':
    case 'description':
    case 'inputSchema':
    case 'outputSchema':
    case 'annotations':
    case '_meta':
      return 'definition' in identity ? identity.definition[part] : undefined;
  }
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : jsonText(value, 2);
}
