import { isRecord } from '../../base/json';

/** What of this machine an app may ask for (MCP Apps, `_meta.ui.permissions`). */
export const permissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

/** One of {@link permissions}. */
export type Permission = (typeof permissions)[number];

const features: Readonly<Record<Permission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** What an app asks for; what is not known is not asked for. */
export function readPermissions(value: unknown): readonly Permission[] {
  return isRecord(value) ? permissions.filter((one) => isRecord(value[one])) : [];
}

/** The `allow` attribute of a frame that has these permissions and no other. */
export function allowAttribute(granted: readonly Permission[]): string {
  return permissions
    .map((one) => `${features[one]} ${granted.includes(one) ? '*' : "'none'"}`)
    .join('; ');
}
