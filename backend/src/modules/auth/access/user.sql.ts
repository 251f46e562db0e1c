/** `hasPermanentSignIn` of `user.policy.ts` as SQL, for queries over `users u`. */
export const hasPermanentSignInSql = `(u.password is not null or u.has_external_identity)`;

/** `needsProfileCompletion` of `user.policy.ts` as SQL, for queries over `users u`. */
export const isProfileIncompleteSql = `(u.username is null or u.first_name is null or (u.password is null and not u.has_external_identity))`;
