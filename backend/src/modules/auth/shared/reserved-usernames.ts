/** Names with which someone could impersonate the service or its operators. */
const RESERVED = new Set(
  `about abuse account accounts admin administrator api billing contact destek dev guvenlik help info legal login mail moderator
no-reply no_reply noreply official owner postmaster privacy root security settings staff support system team webmaster
yardim yonetici zonary`.split(/\s+/),
);

/** Returns true for a username that nobody may take; compared in lower case. */
export function isReservedUsername(username: string): boolean {
  return RESERVED.has(username.toLowerCase());
}
