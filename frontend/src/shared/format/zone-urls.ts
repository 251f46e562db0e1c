/** The address at which a public zone is joined, from its token. */
export function publicZoneUrl(publicLink: string): string {
  return `${location.origin}/join/${publicLink}`;
}

/** The address of a temporary link, from its token. */
export function temporaryLinkUrl(token: string): string {
  return `${location.origin}/zone/temp/${token}`;
}
