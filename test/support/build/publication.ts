/** The addresses of a manifest that a marketplace shows. */
export interface PublishedAddresses {
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly homepage?: string;
}

/** What nobody can register, so that nobody is led to a stranger's page before there is a real one. */
const nobody = /^https:\/\/(?:[\w-]+\.)*invalid(?:\/|$)/;

/** The names of the addresses that are missing or still placeholders, so that the extension cannot be published. */
export function unpublishable({ repository, bugs, homepage }: PublishedAddresses): string[] {
  const addresses = { repository: repository?.url, bugs: bugs?.url, homepage };
  return Object.entries(addresses).flatMap(([name, url]) =>
    url === undefined || nobody.test(url) ? [name] : [],
  );
}
