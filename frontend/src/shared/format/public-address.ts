/** The address at which a public zone is joined, from its token. */
export function publicAddress(publicLink: string): string {
  return `${location.origin}/join/${publicLink}`;
}
