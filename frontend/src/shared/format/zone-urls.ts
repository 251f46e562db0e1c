/** URL for joining a public zone. */
export function publicZoneUrl(publicLink: string): string {
  return `${location.origin}/join/${publicLink}`;
}

/** URL of a temporary link. */
export function temporaryLinkUrl(token: string): string {
  return `${location.origin}/zone/temp/${token}`;
}

/** URL of a link to a file or folder. */
export function itemLinkUrl(token: string): string {
  return `${location.origin}/s/${token}`;
}
