import { isRecord } from '../../base/json';

/** The permissions for this machine that an app may ask for (MCP Apps, `_meta.ui.permissions`). */
export const permissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

/** One of {@link permissions}. */
export type Permission = (typeof permissions)[number];

const features: Readonly<Record<Permission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** Reads the permissions that an app asks for, ignoring unknown ones. */
export function readPermissions(value: unknown): readonly Permission[] {
  return isRecord(value) ? permissions.filter((one) => isRecord(value[one])) : [];
}

/** Returns the `allow` attribute of a frame that has only the `granted` permissions. */
export function allowAttribute(granted: readonly Permission[]): string {
  return permissions
    .map((one) => `${features[one]} ${granted.includes(one) ? '*' : "'none'"}`)
    .join('; ');
}
