/** The addresses of a manifest that a marketplace shows. */
export interface PublishedAddresses {
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly homepage?: string;
  /** Where the packer lets relative links of the README lead. */
  readonly vsce?: { readonly baseContentUrl?: string };
}

/** Matches placeholders: nobody can register such an address, so it leads no one to a stranger's page. */
const nobody = /^https:\/\/(?:[\w-]+\.)*invalid(?:\/|$)/;

/**
 * Returns the names of the addresses that are missing or still placeholders; with any of these, the extension cannot be
 * published.
 */
export function unpublishable({ repository, bugs, homepage, vsce }: PublishedAddresses): string[] {
  const addresses = {
    repository: repository?.url,
    bugs: bugs?.url,
    homepage,
    vsce: vsce?.baseContentUrl,
  };
  return Object.entries(addresses).flatMap(([name, url]) =>
    url === undefined || nobody.test(url) ? [name] : [],
  );
}
